package paint

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// rect is a rectangle by two corners, in CSS pixels.
type rect struct{ x0, y0, x1, y1 float64 }

func (r rect) width() float64  { return r.x1 - r.x0 }
func (r rect) height() float64 { return r.y1 - r.y0 }
func (r rect) empty() bool     { return r.x1 <= r.x0 || r.y1 <= r.y0 }

// snapped has whole pixels for edges, as browsers paint boxes: what touches leaves no gap, and lines are of one width.
func (r rect) snapped() rect { return rect{snap(r.x0), snap(r.y0), snap(r.x1), snap(r.y1)} }

func snap(v float64) float64 { return math.Floor(v + 0.5) }

func (r rect) path() pdf.Path { return pdf.Rect(r.x0, r.y0, r.width(), r.height()) }

func (r rect) bounds() pdf.Bounds { return pdf.Bounds{X0: r.x0, Y0: r.y0, X1: r.x1, Y1: r.y1} }

func (r rect) shrunk(e fragment.Edges) rect {
	s := rect{r.x0 + e.Left, r.y0 + e.Top, r.x1 - e.Right, r.y1 - e.Bottom}
	s.x1, s.y1 = max(s.x0, s.x1), max(s.y0, s.y1)
	return s
}

func (r rect) grown(by float64) rect { return rect{r.x0 - by, r.y0 - by, r.x1 + by, r.y1 + by} }

func (r rect) and(s rect) rect {
	return rect{max(r.x0, s.x0), max(r.y0, s.y0), min(r.x1, s.x1), min(r.y1, s.y1)}
}

// shape is a rectangle with rounded corners, whose radii fit.
type shape struct {
	rect
	radii pdf.Radii
}

func (s shape) round() bool { return s.radii != pdf.Radii{} }

// inside is the shape within edges of these widths (CSS Backgrounds 3, section 4.2).
func (s shape) inside(e fragment.Edges) shape {
	less := func(r pdf.Radius, x, y float64) pdf.Radius {
		if r.X <= x || r.Y <= y {
			return pdf.Radius{}
		}
		return pdf.Radius{X: r.X - x, Y: r.Y - y}
	}
	return shape{s.shrunk(e), pdf.Radii{
		TopLeft: less(s.radii.TopLeft, e.Left, e.Top), TopRight: less(s.radii.TopRight, e.Right, e.Top),
		BottomRight: less(s.radii.BottomRight, e.Right, e.Bottom), BottomLeft: less(s.radii.BottomLeft, e.Left, e.Bottom),
	}}
}

// around is the shape that much larger on all sides; sharp corners stay sharp.
func (s shape) around(by float64) shape {
	more := func(r pdf.Radius) pdf.Radius {
		if r.X == 0 || r.Y == 0 {
			return r
		}
		return pdf.Radius{X: max(r.X+by, 0), Y: max(r.Y+by, 0)}
	}
	return shape{s.grown(by), pdf.Radii{
		TopLeft: more(s.radii.TopLeft), TopRight: more(s.radii.TopRight),
		BottomRight: more(s.radii.BottomRight), BottomLeft: more(s.radii.BottomLeft),
	}}
}

func (s shape) path() pdf.Path {
	var p pdf.Path
	s.addTo(&p)
	return p
}

func (s shape) addTo(p *pdf.Path) {
	if s.round() {
		p.AddRounded(s.x0, s.y0, s.width(), s.height(), s.radii)
		return
	}
	p.AddRect(s.x0, s.y0, s.width(), s.height())
}

// rounded is the border box of a style as a shape. Corners at a cut are sharp.
func rounded(r rect, s *property.Style, cut sides) shape {
	corner := func(c property.Corner, sharp bool) pdf.Radius {
		x, y := c.X.Resolve(r.width()), c.Y.Resolve(r.height())
		if sharp || x <= 0 || y <= 0 {
			return pdf.Radius{}
		}
		return pdf.Radius{X: x, Y: y}
	}
	c := s.BorderRadius
	radii := pdf.Radii{
		TopLeft: corner(c.TopLeft, cut.top || cut.left), TopRight: corner(c.TopRight, cut.top || cut.right),
		BottomRight: corner(c.BottomRight, cut.bottom || cut.right), BottomLeft: corner(c.BottomLeft, cut.bottom || cut.left),
	}
	return shape{r, radii.Fit(r.width(), r.height())}
}

// sides says something of the four sides of a box.
type sides struct{ top, right, bottom, left bool }

// identity changes nothing.
var identity = pdf.Matrix{A: 1, D: 1}

// mapped is the smallest rectangle around what m makes of r.
func mapped(m pdf.Matrix, r rect) rect {
	o := fragment.Mapped(m, fragment.Rect{X0: r.x0, Y0: r.y0, X1: r.x1, Y1: r.y1})
	return rect{o.X0, o.Y0, o.X1, o.Y1}
}
