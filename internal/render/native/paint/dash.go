package paint

import (
	"image/color"
	"math"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// dashes is the pattern of a dashed or dotted line, as Chromium makes it (measured): dashes of two widths with gaps of one, thin lines of
// three and two; dots and gaps of one width, round from 3 px on. The gap is changed so that a line begins and ends with a dash.
func dashes(style property.Keyword, width, length float64, closed bool) pdf.Pen {
	pen := pdf.Pen{Width: width}
	dash, gap := 2*width, width
	switch {
	case style == "dashed" && width < 3:
		dash, gap = 3*width, 2*width
	case style == "dotted":
		dash = width
	}
	gap = bestGap(length, dash, gap, closed)
	if style == "dotted" && width > 3 {
		pen.Cap = pdf.RoundCap
		dash, gap = 0, gap+width
		if gap < width { // nothing but one dot
			gap = length
		}
	}
	if gap > 0 {
		pen.Dash = []float64{dash, gap}
	}
	return pen
}

// bestGap makes dashes and gaps fill the length.
func bestGap(length, dash, gap float64, closed bool) float64 {
	room, less := length, 0.0
	if !closed {
		room, less = length+gap, 1
	}
	few := math.Floor(room / (dash + gap))
	many := few + 1
	wide := (length - float64(few*dash)) / (few - less)
	narrow := (length - float64(many*dash)) / (many - less)
	switch {
	case few <= less || math.IsNaN(wide) || math.IsInf(wide, 0):
		return max(narrow, 0)
	case narrow <= 0 || math.Abs(wide-gap) < math.Abs(narrow-gap):
		return wide
	}
	return narrow
}

// dashedLine draws a straight line of dashes through the middle of a strip.
func (b *brush) dashedLine(r rect, vertical bool, style property.Keyword, c color.NRGBA) {
	width, length := r.height(), r.width()
	x1, y1, x2, y2 := r.x0, (r.y0+r.y1)/2, r.x1, (r.y0+r.y1)/2
	if vertical {
		width, length = length, width
		x1, y1, x2, y2 = (r.x0+r.x1)/2, r.y0, (r.x0+r.x1)/2, r.y1
	}
	if width <= 0 || length <= 0 {
		return
	}
	pen := dashes(style, width, length, false)
	pen.Color = c
	if pen.Cap == pdf.RoundCap { // the dots reach half a width beyond their places
		half := min(width, length) / 2
		if vertical {
			y1, y2 = y1+half, y2-half
		} else {
			x1, x2 = x1+half, x2-half
		}
	}
	b.c.Stroke(pdf.Line(x1, y1, x2, y2), pen)
}

// dashedSide paints one side, whose corners are already cut off.
func (b *brush) dashedSide(f frame, i int) {
	e := f.edges[i]
	if f.outer.round() {
		single := f
		single.widths = fragment.Edges{Top: e.width, Right: e.width, Bottom: e.width, Left: e.width}
		single.edges = [4]edge{e, e, e, e}
		b.dashedRing(single)
		return
	}
	o := f.outer.rect
	switch i {
	case top:
		o.y1 = o.y0 + e.width
	case right:
		o.x0 = o.x1 - e.width
	case bottom:
		o.y0 = o.y1 - e.width
	case left:
		o.x1 = o.x0 + e.width
	}
	b.dashedLine(o, i == left || i == right, e.style, e.color)
}

// dashedRing draws dashes along the middle of a round border.
func (b *brush) dashedRing(f frame) {
	e := f.edges[top]
	middle := f.outer.inside(f.middle())
	if middle.empty() {
		return
	}
	pen := dashes(e.style, e.width, middle.length(), true)
	pen.Color = e.color
	b.c.Stroke(middle.path(), pen)
}

// length is how long the edge of a shape is: of its corners, by Ramanujan's formula.
func (s shape) length() float64 {
	sum := 2 * (s.width() + s.height())
	for _, r := range []pdf.Radius{s.radii.TopLeft, s.radii.TopRight, s.radii.BottomRight, s.radii.BottomLeft} {
		x, y := r.X, r.Y
		if x <= 0 || y <= 0 {
			continue
		}
		h := float64((x-y)*(x-y)) / ((x + y) * (x + y))
		around := math.Pi * (x + y) * (1 + 3*h/(10+math.Sqrt(4-3*h)))
		sum += around/4 - x - y
	}
	return sum
}
