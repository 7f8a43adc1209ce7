// Package svg draws pictures of SVG on a canvas: the shapes of SVG 2, filled and stroked with colors and gradients, in groups with
// transformations and opacity. It knows no text, no filters and no images: package cascade tells who uses them.
//
// What is wrong in a picture is not drawn, as in browsers; a path is drawn up to its first error.
package svg

import (
	"context"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// ErrTooComplex is the fault of a picture that has too many parts.
var ErrTooComplex = fault.New(fault.Invalid, "svg_too_complex", "An SVG picture has more parts than this server allows.")

// maxSegments bounds the lines and curves of one picture.
const maxSegments = 2_000_000

// Frame is where a picture goes, in the coordinates of the canvas.
type Frame struct{ X, Y, Width, Height float64 }

// Source is a document that has pictures: a page, or an SVG file. It is for one goroutine.
type Source struct {
	styles func(*dom.Node) *property.Style
	doc    *dom.Document
	ids    map[string]*dom.Node // made when first asked for
}

// NewSource makes a source; styles returns the style of an element of the document.
func NewSource(doc *dom.Document, styles func(*dom.Node) *property.Style) *Source {
	return &Source{styles: styles, doc: doc}
}

// find returns the element of an id, as the first one in the document.
func (s *Source) find(id string) *dom.Node {
	if s.ids == nil {
		s.ids = map[string]*dom.Node{}
		for _, n := range s.doc.Elements {
			if n.ID != "" && s.ids[n.ID] == nil {
				s.ids[n.ID] = n
			}
		}
	}
	return s.ids[id]
}

// Draw draws an <svg> element into a frame. What reaches out of it is cut off unless the element's overflow is visible. It fails with
// [ErrTooComplex] or the cause of ctx.
func Draw(ctx context.Context, canvas *pdf.Canvas, source *Source, root *dom.Node, frame Frame) error {
	if frame.Width <= 0 || frame.Height <= 0 {
		return nil
	}
	p := &painter{ctx: ctx, source: source, canvas: canvas, left: maxSegments}
	canvas.Save()
	defer canvas.Restore()
	s := source.styles(root)
	if clips(s) {
		canvas.Clip(pdf.Rect(frame.X, frame.Y, frame.Width, frame.Height), pdf.NonZero)
	}
	canvas.Transform(pdf.Matrix{A: 1, D: 1, E: frame.X, F: frame.Y})
	return p.viewport(root, frame.Width, frame.Height)
}

func clips(s *property.Style) bool { return s.OverflowX != "visible" || s.OverflowY != "visible" }

// painter draws one picture.
type painter struct {
	ctx    context.Context
	source *Source
	canvas *pdf.Canvas
	// width and height are those of the nearest viewport, in user units: what percentages are of.
	width, height float64
	left          int // segments that may still be drawn
	steps         int
}

// viewport draws what is in an <svg> that has this size.
func (p *painter) viewport(n *dom.Node, width, height float64) error {
	oldWidth, oldHeight := p.width, p.height
	defer func() { p.width, p.height = oldWidth, oldHeight }()
	p.width, p.height = width, height
	m, box, ok := viewBox(n, width, height)
	if !ok {
		return nil
	}
	if box != nil {
		p.width, p.height = box[2], box[3]
		p.canvas.Transform(m)
	}
	return p.children(n)
}

func (p *painter) children(n *dom.Node) error {
	for c := n.First; c != nil; c = c.Next {
		if !c.IsElement() || c.Namespace != "svg" {
			continue
		}
		if err := p.element(c); err != nil {
			return err
		}
	}
	return nil
}

// element draws an element with its transformation and its opacity.
func (p *painter) element(n *dom.Node) error {
	if p.steps++; p.steps%256 == 0 && p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	s := p.source.styles(n)
	if s.Display == "none" || s.Opacity == 0 || !drawn[n.Tag] {
		return nil
	}
	m := p.transform(n, s)
	if !invertible(m) {
		return nil
	}
	p.canvas.Save()
	defer p.canvas.Restore()
	if m != identity {
		p.canvas.Transform(m)
	}
	if s.Opacity >= 1 {
		return p.inside(n, s)
	}
	var err error
	outer := p.canvas
	outer.Group(everywhere, s.Opacity, func(c *pdf.Canvas) {
		p.canvas = c
		err = p.inside(n, s)
	})
	p.canvas = outer
	return err
}

// everywhere does not bound a group: what is around it does.
var everywhere = pdf.Bounds{X0: -1e5, Y0: -1e5, X1: 1e5, Y1: 1e5}

// drawn are the elements that show something where they stand.
var drawn = map[string]bool{
	"svg": true, "g": true, "path": true, "rect": true, "circle": true, "ellipse": true, "line": true, "polyline": true, "polygon": true,
}

func (p *painter) inside(n *dom.Node, s *property.Style) error {
	switch n.Tag {
	case "g":
		return p.children(n)
	case "svg":
		return p.nested(n, s)
	}
	return p.shape(n, s)
}

// nested draws an <svg> inside of another one.
func (p *painter) nested(n *dom.Node, s *property.Style) error {
	x, y := p.length(n, s, "x", p.width, 0), p.length(n, s, "y", p.height, 0)
	width, height := p.length(n, s, "width", p.width, p.width), p.length(n, s, "height", p.height, p.height)
	if width <= 0 || height <= 0 {
		return nil
	}
	if clips(s) {
		p.canvas.Clip(pdf.Rect(x, y, width, height), pdf.NonZero)
	}
	p.canvas.Transform(pdf.Matrix{A: 1, D: 1, E: x, F: y})
	return p.viewport(n, width, height)
}
