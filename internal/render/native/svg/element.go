package svg

import (
	"image/color"
	"math"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// outline is the shape of an element; empty when it is not to be drawn.
func (p *painter) outline(n *dom.Node, s *property.Style) outline {
	x := func(name string) float64 { return p.length(n, s, name, p.width, 0) }
	y := func(name string) float64 { return p.length(n, s, name, p.height, 0) }
	var o outline
	switch n.Tag {
	case "path":
		d, _ := n.Attr("d")
		return parsePath(d, p.left+1)
	case "rect":
		return p.rect(n, s)
	case "circle":
		if r := p.length(n, s, "r", p.diagonal(), 0); r > 0 {
			return ellipse(x("cx"), y("cy"), r, r)
		}
	case "ellipse":
		return p.ellipse(n, s)
	case "line":
		o.move(point{x("x1"), y("y1")})
		o.line(point{x("x2"), y("y2")})
	case "polyline", "polygon":
		text, _ := n.Attr("points")
		s := scanner{text}
		v := s.numbers(2*p.left + 2)
		for i := 0; i+1 < len(v); i += 2 {
			if i == 0 {
				o.move(point{v[0], v[1]})
				continue
			}
			o.line(point{v[i], v[i+1]})
		}
		if n.Tag == "polygon" && len(o) > 0 {
			o.close()
		}
	}
	return o
}

func (p *painter) rect(n *dom.Node, s *property.Style) outline {
	width, height := p.length(n, s, "width", p.width, 0), p.length(n, s, "height", p.height, 0)
	if width <= 0 || height <= 0 {
		return nil
	}
	rx, ry := p.radii(n, s)
	return rectangle(p.length(n, s, "x", p.width, 0), p.length(n, s, "y", p.height, 0), width, height, rx, ry)
}

func (p *painter) ellipse(n *dom.Node, s *property.Style) outline {
	rx, ry := p.radii(n, s)
	if rx <= 0 || ry <= 0 {
		return nil
	}
	return ellipse(p.length(n, s, "cx", p.width, 0), p.length(n, s, "cy", p.height, 0), rx, ry)
}

// radii: one that is not given is as large as the other.
func (p *painter) radii(n *dom.Node, s *property.Style) (rx, ry float64) {
	rx, okX := parseLength(n, s, "rx", p.width)
	ry, okY := parseLength(n, s, "ry", p.height)
	if !okX {
		rx = ry
	}
	if !okY {
		ry = rx
	}
	return max(rx, 0), max(ry, 0)
}

// shape fills and strokes an element.
func (p *painter) shape(n *dom.Node, s *property.Style) error {
	if s.Visibility != "visible" {
		return nil
	}
	o := p.outline(n, s)
	if p.left -= len(o); p.left < 0 {
		return ErrTooComplex
	}
	if len(o) == 0 {
		return nil
	}
	path, box := o.path(), o.box()
	if n.Tag != "line" {
		p.fill(path, box, s)
	}
	p.stroke(path, box, s)
	return nil
}

func (p *painter) fill(path pdf.Path, box pdf.Bounds, s *property.Style) {
	if box.X1 <= box.X0 || box.Y1 <= box.Y0 {
		return // a reader of PDF would show a hairline
	}
	rule := pdf.NonZero
	if s.SVG.FillRule == "evenodd" {
		rule = pdf.EvenOdd
	}
	c, g := p.paint(s.SVG.Fill, s.SVG.FillOpacity, box)
	if g == nil {
		p.canvas.FillBy(rule, path, c)
		return
	}
	p.canvas.Save()
	defer p.canvas.Restore()
	p.canvas.Clip(path, rule)
	g.fill(p.canvas, box)
}

func (p *painter) stroke(path pdf.Path, box pdf.Bounds, s *property.Style) {
	c, g := p.paint(s.SVG.Stroke, s.SVG.StrokeOpacity, box)
	pen := p.pen(s)
	if g == nil {
		pen.Color = c
		p.canvas.Stroke(path, pen)
		return
	}
	pen.Color = color.NRGBA{255, 255, 255, 255}
	wide := float64(pen.Width * max(1, pen.MiterLimit))
	area := pdf.Bounds{X0: box.X0 - wide, Y0: box.Y0 - wide, X1: box.X1 + wide, Y1: box.Y1 + wide}
	p.canvas.Masked(area,
		func(c *pdf.Canvas) { c.Stroke(path, pen) },
		func(c *pdf.Canvas) { g.fill(c, area) })
}

func (p *painter) pen(s *property.Style) pdf.Pen {
	pen := pdf.Pen{Width: s.SVG.StrokeWidth.Resolve(p.diagonal()), MiterLimit: max(s.SVG.StrokeMiterlimit, 1)}
	switch s.SVG.StrokeLinecap {
	case "round":
		pen.Cap = pdf.RoundCap
	case "square":
		pen.Cap = pdf.SquareCap
	}
	switch s.SVG.StrokeLinejoin {
	case "round":
		pen.Join = pdf.RoundJoin
	case "bevel":
		pen.Join = pdf.Bevel
	}
	for _, l := range s.SVG.StrokeDasharray {
		pen.Dash = append(pen.Dash, l.Resolve(p.diagonal()))
	}
	if len(pen.Dash)%2 == 1 {
		pen.Dash = append(pen.Dash, pen.Dash...)
	}
	pen.Phase = phase(s.SVG.StrokeDashoffset.Resolve(p.diagonal()), pen.Dash)
	return pen
}

// phase is never negative in a PDF.
func phase(offset float64, dash []float64) float64 {
	sum := 0.0
	for _, d := range dash {
		sum += d
	}
	if sum <= 0 {
		return 0
	}
	if offset = math.Mod(offset, sum); offset < 0 {
		offset += sum
	}
	return offset
}

// paint is what to fill with: a color, or a gradient.
func (p *painter) paint(paint property.Paint, opacity float64, box pdf.Bounds) (color.NRGBA, *gradient) {
	if paint.URL != "" {
		g, ok := p.gradient(paint.URL, opacity, box)
		if ok && g != nil && g.single {
			return g.Stops[0].Color, nil
		}
		if ok {
			return color.NRGBA{}, g
		}
	}
	if !paint.Set {
		return color.NRGBA{}, nil
	}
	return shade(paint.Color, opacity), nil
}

func shade(c value.Color, opacity float64) color.NRGBA {
	part := func(v float64) uint8 { return uint8(math.Round(min(max(v, 0), 1) * 255)) }
	return color.NRGBA{R: part(c.R), G: part(c.G), B: part(c.B), A: part(c.A * opacity)}
}
