// Package output turns what a request says about its output into what an engine needs to know. The server and the command
// that renders without one ask the same of a request, so the rules stand here once.
package output

import (
	"maps"
	"slices"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
)

// Of completes what was asked with the defaults, and returns the name to offer the document under apart: "" leaves it to the
// server. Nil asks for nothing. Every member that is wrong has its field, with a pointer below /output; when there are any,
// the output is of no use. What the format at hand would ignore is wrong too: a document that lacks what its owner asked
// for is worse than no document.
func Of(o *api.Output) (out render.Output, filename string, wrong []fault.Field) {
	out = render.DefaultOutput()
	if o == nil {
		return out, "", nil
	}
	var w wrongs
	setFormat(&out, o.Format, &w)
	setPaper(&out, o, &w)
	setMargin(&out, o.MarginMM, &w)
	setBounded(&out.Scale, o.Scale, "scale", api.MinScale, api.MaxScale, &w)
	set(&out.Landscape, o.Landscape)
	set(&out.Background, o.Background)
	set(&out.Header, o.HeaderHTML)
	set(&out.Footer, o.FooterHTML)
	set(&out.Tagged, o.Tagged)
	set(&out.FullPage, o.FullPage)
	set(&out.Locale, o.Locale)
	set(&out.TimeZone, o.TimeZone)
	set(&out.Outline, o.Outline)
	set(&filename, o.Filename)
	setPages(&out, o.Pages, &w)
	setMeta(&out.Meta, o.Metadata, &w)
	setBounded(&out.DPI, o.DPI, "dpi", api.MinDPI, api.MaxDPI, &w)
	setBounded(&out.Quality, o.Quality, "quality", 1, 100, &w)
	checkLocale(out, &w)
	checkFormat(out, o, &w)
	if o.Filename != nil {
		checkFilename(filename, &w)
	}
	return out, filename, w
}

// set takes a value that was given.
func set[T any](to, given *T) {
	if given != nil {
		*to = *given
	}
}

// setBounded takes a number that was given and lies within its bounds.
func setBounded[N int | float64](to, given *N, member string, low, high N, w *wrongs) {
	if given == nil {
		return
	}
	if *given < low || *given > high {
		w.add(member, "output.%s must be %v to %v.", strings.ReplaceAll(member, "/", "."), low, high)
		return
	}
	*to = *given
}

func setFormat(out *render.Output, f *api.Format, w *wrongs) {
	if f == nil {
		return
	}
	out.Format = render.Format(*f)
	if out.Format != render.PDF && !out.Format.IsImage() {
		w.add("format", "output.format must be pdf, png or jpeg.")
	}
}

func setPaper(out *render.Output, o *api.Output, w *wrongs) {
	if o.Paper != nil {
		paper, ok := render.Papers[*o.Paper]
		if ok {
			out.Width, out.Height = paper.Width, paper.Height
		} else {
			w.add("paper", "output.paper must be one of %s.", strings.Join(slices.Sorted(maps.Keys(render.Papers)), ", "))
		}
	}
	switch {
	case (o.WidthMM == nil) != (o.HeightMM == nil):
		w.add("", "output.width_mm and output.height_mm go together.")
	case o.WidthMM != nil && o.Paper != nil:
		w.add("", "Give either output.paper or output.width_mm and output.height_mm.")
	}
	setBounded(&out.Width, o.WidthMM, "width_mm", api.MinPaperMM, api.MaxPaperMM, w)
	setBounded(&out.Height, o.HeightMM, "height_mm", api.MinPaperMM, api.MaxPaperMM, w)
}

func setMargin(out *render.Output, m *api.Margin, w *wrongs) {
	if m == nil {
		return
	}
	setBounded(&out.Margin.Top, m.Top, "margin_mm/top", 0, api.MaxMarginMM, w)
	setBounded(&out.Margin.Right, m.Right, "margin_mm/right", 0, api.MaxMarginMM, w)
	setBounded(&out.Margin.Bottom, m.Bottom, "margin_mm/bottom", 0, api.MaxMarginMM, w)
	setBounded(&out.Margin.Left, m.Left, "margin_mm/left", 0, api.MaxMarginMM, w)
}
