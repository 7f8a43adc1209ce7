package native

import (
	"math"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
)

// pixel is how many CSS pixels a millimeter has.
const pixel = 96 / 25.4

// point is how many CSS pixels a point has.
const point = 96.0 / 72

// sheet is the paper that was asked for; what @page says wins over it. As in the browser, it has whole points, a part of one counting
// as one, and its margins have whole points without the part.
func sheet(o render.Output) cascade.Options {
	width, height := o.Width, o.Height
	if o.Landscape {
		width, height = height, width
	}
	up := func(mm float64) float64 { return math.Ceil(mm*pixel/point-epsilon) * point }
	down := func(mm float64) float64 { return math.Floor(mm*pixel/point+epsilon) * point }
	m := o.Margin
	return cascade.Options{
		Width: up(width), Height: up(height),
		Margins: property.Edges[float64]{Top: down(m.Top), Right: down(m.Right), Bottom: down(m.Bottom), Left: down(m.Left)},
	}
}

// epsilon is less than any part of a point that is meant.
const epsilon = 1e-6

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
		{!o.Background, "background", "false", "without backgrounds the browser makes light text darker"},
		{o.Scale != 0 && o.Scale != 1, "scale", "", "the native engine does not scale"},
	} {
		if wish.asked {
			list = append(list, cascade.Finding{Kind: "output", Feature: "output." + wish.member, Value: wish.value, Reason: wish.because})
		}
	}
	return list
}
