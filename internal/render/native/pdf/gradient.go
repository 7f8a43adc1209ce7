package pdf

import (
	"fmt"
	"image/color"
	"slices"
)

// Gradient is a linear or radial blend of colors. It goes on in the first and last color beyond its ends. A repeating or elliptic
// one is made by the caller, with more stops or a [Canvas.Transform].
type Gradient struct {
	// Radial makes it go from the circle around (X1, Y1) to that around (X2, Y2); otherwise it goes from point to point.
	Radial         bool
	X1, Y1, X2, Y2 float64
	R1, R2         float64
	Stops          []Stop
}

// Stop is a color at a place: 0 is the start of the gradient and 1 its end.
type Stop struct {
	Offset float64
	Color  color.NRGBA
}

// FillGradient paints the inside of the path. Fewer than two stops paint the one color, or nothing.
func (c *Canvas) FillGradient(p Path, g Gradient) {
	if len(g.Stops) < 2 {
		for _, s := range g.Stops {
			c.Fill(p, s.Color)
		}
		return
	}
	if p.Empty() || !c.ready() {
		return
	}
	c.doc.marks++
	stops := tidyStops(g.Stops)
	c.Save()
	defer c.Restore()
	c.Clip(p, NonZero)
	if c.state.fill.A != 255 {
		c.setFill(opaqueBlack) // the alpha of an earlier fill would apply to the shading too
	}
	if slices.ContainsFunc(stops, func(s Stop) bool { return s.Color.A != 255 }) {
		c.maskBy(p, g, stops)
	}
	c.paintShading(g.shading(stops, "/DeviceRGB", appendRGB))
}

// paintShading fills the clip (8.7.4.2).
func (c *Canvas) paintShading(definition string) {
	f := c.doc.file
	name := c.doc.resources.shadings.name(definition, func() ref {
		r := f.alloc()
		f.object(r, []byte(definition))
		return r
	})
	c.buf = append(appendName(c.buf, name), " sh\n"...)
}

// maskBy makes what follows as opaque as the stops are: a soft mask (11.6.5.3) whose brightness is their alpha.
func (c *Canvas) maskBy(p Path, g Gradient, stops []Stop) {
	mask := newCanvas(c.doc, nil)
	mask.paintShading(g.shading(stops, "/DeviceGray", func(b []byte, c color.NRGBA) []byte {
		return appendNumber(b, float64(c.A)/255)
	}))
	mask.end()
	form := c.doc.form(mask, bounds(p), "/CS/DeviceGray")
	c.useState("/SMask" + string(appendEntry([]byte("<</S/Luminosity"), "G", form)) + ">>")
}

// tidyStops puts the stops in order. A fully transparent stop gets the color of its neighbors: blending is not premultiplied in
// PDF as it is in CSS, and would go through the transparent stop's own color, mostly black.
func tidyStops(stops []Stop) []Stop {
	var tidy []Stop
	defer func() { separate(tidy) }()
	at := 0.0
	for i, s := range stops {
		at = min(max(at, s.Offset), 1)
		if s.Color.A != 0 {
			tidy = append(tidy, Stop{at, s.Color})
			continue
		}
		if i > 0 {
			tidy = append(tidy, Stop{at, transparent(stops[i-1].Color)})
		}
		if i+1 < len(stops) {
			tidy = append(tidy, Stop{at, transparent(stops[i+1].Color)})
		}
	}
	return tidy
}

// separate moves stops apart that share an end with the outermost one: what lies beyond the ends has the color there, and only one color
// can be there.
func separate(stops []Stop) {
	const apart = 1e-5
	last := len(stops) - 1
	for i := 1; i < last && stops[i].Offset < apart; i++ {
		stops[i].Offset = apart
	}
	for i := last - 1; i > 0 && stops[i].Offset > 1-apart; i-- {
		stops[i].Offset = 1 - apart
	}
	if last == 1 && stops[0].Offset == stops[1].Offset {
		stops[0].Offset, stops[1].Offset = max(stops[0].Offset-apart, 0), min(stops[1].Offset+apart, 1)
	}
}

func transparent(c color.NRGBA) color.NRGBA {
	c.A = 0
	return c
}

// shading is the dictionary of an axial or radial shading (8.7.4.5.3 and 4).
func (g Gradient) shading(stops []Stop, space string, component func([]byte, color.NRGBA) []byte) string {
	kind, coords := 2, []float64{g.X1, g.Y1, g.X2, g.Y2}
	if g.Radial {
		kind, coords = 3, []float64{g.X1, g.Y1, max(g.R1, 0), g.X2, g.Y2, max(g.R2, 0)}
	}
	b := fmt.Appendf(nil, "<</ShadingType %d/ColorSpace%s/Extend[true true]/Coords[", kind, space)
	b = append(appendNumbers(b, coords...), "]/Function<</FunctionType 3/Domain[0 1]/Functions["...)
	var inner, encode []byte
	spans := pad(stops)
	for i := range len(spans) - 1 {
		if i > 0 {
			inner = append(appendFine(inner, spans[i].Offset), ' ')
		}
		encode = append(encode, "0 1 "...)
		b = component(append(b, "<</FunctionType 2/Domain[0 1]/N 1/C0["...), spans[i].Color)
		b = component(append(b, "]/C1["...), spans[i+1].Color)
		b = append(b, "]>>"...)
	}
	return fmt.Sprintf("%s]/Bounds[%s]/Encode[%s]>>>>", b, inner, encode)
}

// pad makes the stops begin at 0 and end at 1, as the domain of the function does.
func pad(stops []Stop) []Stop {
	padded := slices.Clone(stops)
	if first := stops[0]; first.Offset > 0 {
		padded = slices.Insert(padded, 0, Stop{0, first.Color})
	}
	if last := stops[len(stops)-1]; last.Offset < 1 {
		padded = append(padded, Stop{1, last.Color})
	}
	return padded
}
