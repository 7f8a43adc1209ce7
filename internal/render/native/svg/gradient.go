package svg

import (
	"math"
	"strings"

	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// gradient is a gradient with the transformation under which it is drawn.
type gradient struct {
	pdf.Gradient
	matrix pdf.Matrix
	spread string // pad, reflect, repeat
	single bool   // it is the color of its last stop
}

// maxHrefs bounds how far a gradient inherits.
const maxHrefs = 32

// chain is a gradient with those that it inherits from.
func (p *painter) chain(address string) []*dom.Node {
	var list []*dom.Node
	for range maxHrefs {
		id, ok := strings.CutPrefix(strings.TrimSpace(address), "#")
		n := p.source.find(id)
		if !ok || n == nil || n.Tag != "linearGradient" && n.Tag != "radialGradient" {
			return list
		}
		list = append(list, n)
		if address, ok = n.Attr("href"); !ok { // the parser takes xlink:href for the same
			return list
		}
	}
	return list
}

// gradient returns the gradient of an address for a shape with this bounding box. It is false when there is none; nil paints nothing.
func (p *painter) gradient(address string, opacity float64, box pdf.Bounds) (*gradient, bool) {
	list := p.chain(address)
	if len(list) == 0 {
		return nil, false
	}
	g := &gradient{matrix: identity, spread: attr(list, "spreadMethod")}
	g.Stops = p.stops(list, opacity)
	if len(g.Stops) == 0 {
		return nil, true
	}
	width, height := p.width, p.height
	if attr(list, "gradientUnits") != "userSpaceOnUse" {
		if box.X1 <= box.X0 || box.Y1 <= box.Y0 { // a line has no box to stretch a gradient over
			return nil, true
		}
		g.matrix = pdf.Matrix{A: box.X1 - box.X0, D: box.Y1 - box.Y0, E: box.X0, F: box.Y0}
		width, height = 1, 1
	}
	g.matrix = times(g.matrix, parseTransform(attr(list, "gradientTransform")))
	if list[0].Tag == "radialGradient" {
		p.radial(g, list, width, height)
	} else {
		p.linear(g, list, width, height)
	}
	if !invertible(g.matrix) {
		return nil, true
	}
	if len(g.Stops) == 1 || g.degenerate() {
		g.Stops, g.single = g.Stops[len(g.Stops)-1:], true
	}
	return g, true
}

func (g *gradient) degenerate() bool {
	if g.Radial {
		return g.R2 <= 0
	}
	return g.X1 == g.X2 && g.Y1 == g.Y2
}

// attr is an attribute of the first that has it.
func attr(list []*dom.Node, name string) string {
	for _, n := range list {
		if v, ok := n.Attr(name); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

func (p *painter) place(list []*dom.Node, name string, base, otherwise float64) float64 {
	for _, n := range list {
		if v, ok := parseLength(n, p.source.styles(n), name, base); ok {
			return v
		}
	}
	return otherwise
}

func (p *painter) linear(g *gradient, list []*dom.Node, width, height float64) {
	g.X1, g.Y1 = p.place(list, "x1", width, 0), p.place(list, "y1", height, 0)
	g.X2, g.Y2 = p.place(list, "x2", width, width), p.place(list, "y2", height, 0)
}

func (p *painter) radial(g *gradient, list []*dom.Node, width, height float64) {
	g.Radial = true
	across := math.Sqrt((float64(width*width) + float64(height*height)) / 2)
	g.X2, g.Y2 = p.place(list, "cx", width, width/2), p.place(list, "cy", height, height/2)
	g.R2 = p.place(list, "r", across, across/2)
	g.X1, g.Y1 = p.place(list, "fx", width, g.X2), p.place(list, "fy", height, g.Y2)
	g.R1 = max(p.place(list, "fr", across, 0), 0)
	// A focus outside moves to the edge (SVG 1.1, section 13.2.3, as browsers still do).
	if d := math.Hypot(g.X1-g.X2, g.Y1-g.Y2); d > g.R2*0.999 && d > 0 {
		k := g.R2 * 0.999 / d
		g.X1, g.Y1 = g.X2+float64((g.X1-g.X2)*k), g.Y2+float64((g.Y1-g.Y2)*k)
	}
}

// maxStops bounds a gradient, as that of CSS.
const maxStops = 256

// stops are those of the first in the chain that has any.
func (p *painter) stops(list []*dom.Node, opacity float64) []pdf.Stop {
	var stops []pdf.Stop
	for _, n := range list {
		for c := n.First; c != nil && len(stops) < maxStops; c = c.Next {
			if c.Tag != "stop" {
				continue
			}
			s := p.source.styles(c)
			offset, _ := parseLength(c, s, "offset", 1)
			offset = min(max(offset, 0), 1)
			if len(stops) > 0 {
				offset = max(offset, stops[len(stops)-1].Offset)
			}
			stops = append(stops, pdf.Stop{Offset: offset, Color: shade(s.StopColor, s.StopOpacity*opacity)})
		}
		if stops != nil {
			break
		}
	}
	return stops
}

// fill paints the area, within what the caller has clipped to.
func (g *gradient) fill(c *pdf.Canvas, area pdf.Bounds) {
	c.Save()
	defer c.Restore()
	c.Transform(g.matrix)
	inner := inverted(g.matrix, area)
	drawn := g.Gradient
	if g.spread == "reflect" || g.spread == "repeat" {
		drawn = g.spreadOver(inner)
	}
	c.FillGradient(pdf.Rect(inner.X0, inner.Y0, inner.X1-inner.X0, inner.Y1-inner.Y0), drawn)
}

// inverted is the smallest rectangle that m maps over all of the area.
func inverted(m pdf.Matrix, area pdf.Bounds) pdf.Bounds {
	d := float64(m.A*m.D) - float64(m.B*m.C)
	b := pdf.Bounds{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
	for _, c := range []point{{area.X0, area.Y0}, {area.X1, area.Y0}, {area.X0, area.Y1}, {area.X1, area.Y1}} {
		x, y := c.x-m.E, c.y-m.F
		u, v := (float64(m.D*x)-float64(m.C*y))/d, (float64(m.A*y)-float64(m.B*x))/d
		b.X0, b.Y0, b.X1, b.Y1 = min(b.X0, u), min(b.Y0, v), max(b.X1, u), max(b.Y1, v)
	}
	return b
}
