package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/render"
)

// localOutput is what an engine needs to know of a request's output. What is left out has the default.
func localOutput(o *api.Output) (render.Output, error) {
	out := render.DefaultOutput()
	if o == nil {
		return out, nil
	}
	if o.Format != nil {
		out.Format = render.Format(*o.Format)
	}
	if out.Format != render.PDF && out.Format != render.PNG {
		return out, fmt.Errorf("there is no format %q, only pdf and png", out.Format)
	}
	if o.Paper != nil {
		paper, ok := render.Papers[*o.Paper]
		if !ok {
			return out, fmt.Errorf("there is no paper %q, only %s", *o.Paper, strings.Join(slices.Sorted(maps.Keys(render.Papers)), ", "))
		}
		out.Width, out.Height = paper.Width, paper.Height
	}
	if (o.WidthMM == nil) != (o.HeightMM == nil) || o.WidthMM != nil && o.Paper != nil {
		return out, fmt.Errorf("width_mm and height_mm come together, and not with a paper")
	}
	if m := o.MarginMM; m != nil {
		give(&out.Margin.Top, m.Top)
		give(&out.Margin.Right, m.Right)
		give(&out.Margin.Bottom, m.Bottom)
		give(&out.Margin.Left, m.Left)
	}
	give(&out.Width, o.WidthMM)
	give(&out.Height, o.HeightMM)
	give(&out.Landscape, o.Landscape)
	give(&out.Scale, o.Scale)
	give(&out.Header, o.HeaderHTML)
	give(&out.Footer, o.FooterHTML)
	give(&out.Background, o.Background)
	give(&out.Tagged, o.Tagged)
	give(&out.Locale, o.Locale)
	give(&out.TimeZone, o.TimeZone)
	give(&out.FullPage, o.FullPage)
	return out, nil
}

// give sets a value that was given.
func give[T any](to, given *T) {
	if given != nil {
		*to = *given
	}
}
