package native

import (
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
)

// pixel is how many CSS pixels a millimeter has.
const pixel = 96 / 25.4

// sheet is the paper that was asked for; what @page says wins over it.
func sheet(o render.Output) cascade.Options {
	width, height := o.Width, o.Height
	if o.Landscape {
		width, height = height, width
	}
	m := o.Margin
	return cascade.Options{
		Width: width * pixel, Height: height * pixel,
		Margins: property.Edges[float64]{Top: m.Top * pixel, Right: m.Right * pixel, Bottom: m.Bottom * pixel, Left: m.Left * pixel},
	}
}

// ofOutput lists what was asked of the document that only a browser does.
func ofOutput(o render.Output) []cascade.Finding {
	var list []cascade.Finding
	for _, wish := range []struct {
		asked                  bool
		member, value, because string
	}{
		{o.Format != render.PDF, "format", string(o.Format), "the native engine makes PDFs only"},
		{o.Header != "", "header_html", "", "only a browser fills in headers; @page margin boxes are drawn"},
		{o.Footer != "", "footer_html", "", "only a browser fills in footers; @page margin boxes are drawn"},
		{o.Tagged, "tagged", "true", "the native engine does not tag"},
		{o.Scale != 0 && o.Scale != 1, "scale", "", "the native engine does not scale"},
		{!o.Background, "background", "false", "the native engine prints all backgrounds"},
	} {
		if wish.asked {
			list = append(list, cascade.Finding{Kind: "output", Feature: "output." + wish.member, Value: wish.value, Reason: wish.because})
		}
	}
	return list
}
