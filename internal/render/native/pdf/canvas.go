package pdf

import (
	"image/color"
)

// Canvas takes drawing operations: a [Page], or the inside of a [Canvas.Group]. What is drawn later covers what was drawn before.
type Canvas struct {
	doc      *Document
	buf      []byte
	state    graphics
	saved    []graphics
	finished bool
}

// graphics is what the content stream has set so far, so that nothing is set twice.
type graphics struct {
	fill, stroke color.NRGBA
	font         *fontUse
	fontSize     float64
}

// Initially everything is opaque black (8.4.1).
var opaqueBlack = color.NRGBA{A: 255}

func newCanvas(d *Document, buf []byte) *Canvas {
	return &Canvas{doc: d, buf: buf, state: graphics{fill: opaqueBlack, stroke: opaqueBlack}}
}

// ready reports whether another operation may be written.
func (c *Canvas) ready() bool {
	if len(c.buf) > c.doc.limits.PageBytes {
		c.doc.file.fail(ErrPageTooLarge)
	}
	return !c.finished && c.doc.file.alive()
}

// end closes what was left open.
func (c *Canvas) end() {
	c.ready()
	for len(c.saved) > 0 {
		c.Restore()
	}
	c.finished = true
}

// Save keeps transformation and clipping until the matching [Canvas.Restore].
func (c *Canvas) Save() {
	if !c.ready() {
		return
	}
	c.saved = append(c.saved, c.state)
	c.buf = append(c.buf, "q\n"...)
}

// Restore goes back to what the last [Canvas.Save] kept. Without one it does nothing.
func (c *Canvas) Restore() {
	if len(c.saved) == 0 || c.finished {
		return
	}
	c.state = c.saved[len(c.saved)-1]
	c.saved = c.saved[:len(c.saved)-1]
	c.buf = append(c.buf, "Q\n"...)
}

// Matrix maps (x, y) to (A·x + C·y + E, B·x + D·y + F), as CSS matrix() does.
type Matrix struct{ A, B, C, D, E, F float64 }

// Transform applies m to all that follows, until [Canvas.Restore].
func (c *Canvas) Transform(m Matrix) {
	if !c.ready() {
		return
	}
	for _, v := range []float64{m.A, m.B, m.C, m.D} {
		c.buf = append(appendFine(c.buf, v), ' ')
	}
	c.buf = append(appendNumbers(c.buf, m.E, m.F), " cm\n"...)
}

// Clip restricts all that follows to the inside of the path, until [Canvas.Restore].
func (c *Canvas) Clip(p Path, rule FillRule) {
	if !c.ready() {
		return
	}
	c.buf = p.append(c.buf)
	if rule == EvenOdd {
		c.buf = append(c.buf, "W* n\n"...)
		return
	}
	c.buf = append(c.buf, "W n\n"...)
}

// Fill paints the inside of the path by the nonzero winding rule.
func (c *Canvas) Fill(p Path, paint color.NRGBA) { c.FillBy(NonZero, p, paint) }

// FillBy paints the inside of the path.
func (c *Canvas) FillBy(rule FillRule, p Path, paint color.NRGBA) {
	if paint.A == 0 || p.Empty() || !c.ready() {
		return
	}
	if paint.R != 0xff || paint.G != 0xff || paint.B != 0xff {
		c.doc.marks++
	}
	c.setFill(paint)
	c.buf = p.append(c.buf)
	if rule == EvenOdd {
		c.buf = append(c.buf, "f*\n"...)
		return
	}
	c.buf = append(c.buf, "f\n"...)
}

// Pen is how a line is drawn. The zero Pen draws nothing.
type Pen struct {
	Width float64
	Color color.NRGBA
	// Dash holds the lengths of dashes and gaps in turn; nil is a continuous line. Phase is where in them the line begins.
	Dash  []float64
	Phase float64
	Cap   Cap
	Join  Join
	// MiterLimit bounds mitered corners; zero means 10.
	MiterLimit float64
}

// Cap is the shape of the ends of lines and dashes. The zero Cap is Butt.
type Cap byte

// The caps, by their numbers in the file (8.4.3.3).
const (
	Butt Cap = iota
	RoundCap
	SquareCap
)

// Join is the shape of corners. The zero Join is Miter.
type Join byte

// The joins, by their numbers in the file (8.4.3.4).
const (
	Miter Join = iota
	RoundJoin
	Bevel
)

// Stroke draws the outline of the path.
func (c *Canvas) Stroke(p Path, pen Pen) {
	if pen.Color.A == 0 || pen.Width <= 0 || p.Empty() || !c.ready() {
		return
	}
	c.doc.marks++
	c.Save()
	c.setStroke(pen.Color)
	c.buf = append(appendNumber(c.buf, pen.Width), " w"...)
	c.buf = pen.appendStyle(c.buf)
	c.buf = append(c.buf, '\n')
	c.buf = append(p.append(c.buf), "S\n"...)
	c.Restore()
}

func (p Pen) appendStyle(b []byte) []byte {
	if p.Cap != Butt {
		b = append(b, ' ', '0'+byte(p.Cap), ' ', 'J')
	}
	if p.Join != Miter {
		b = append(b, ' ', '0'+byte(p.Join), ' ', 'j')
	}
	if p.MiterLimit >= 1 {
		b = append(appendNumber(append(b, ' '), p.MiterLimit), " M"...)
	}
	if !p.dashed() {
		return b
	}
	b = append(appendNumbers(append(b, " ["...), p.Dash...), "] "...)
	return append(appendNumber(b, p.Phase), " d"...)
}

// dashed reports whether the pattern can be drawn: no negative length, and a sum that readers can advance by.
func (p Pen) dashed() bool {
	sum := 0.0
	for _, d := range p.Dash {
		if d < 0 {
			return false
		}
		sum += d
	}
	return sum > 0.01
}

func (c *Canvas) setFill(paint color.NRGBA) {
	if c.state.fill == paint {
		return
	}
	if c.state.fill.A != paint.A {
		c.setState("/ca ", paint.A)
	}
	c.state.fill = paint
	c.buf = append(appendRGB(c.buf, paint), " rg\n"...)
}

func (c *Canvas) setStroke(paint color.NRGBA) {
	if c.state.stroke == paint {
		return
	}
	if c.state.stroke.A != paint.A {
		c.setState("/CA ", paint.A)
	}
	c.state.stroke = paint
	c.buf = append(appendRGB(c.buf, paint), " RG\n"...)
}

func (c *Canvas) setState(key string, alpha uint8) {
	c.useState(string(appendNumber([]byte(key), float64(alpha)/255)))
}

// useState sets graphics state parameters (8.4.5).
func (c *Canvas) useState(entries string) {
	f := c.doc.file
	name := c.doc.resources.states.name(entries, func() ref {
		r := f.alloc()
		f.object(r, []byte("<<"+entries+">>"))
		return r
	})
	c.buf = append(appendName(c.buf, name), " gs\n"...)
}

func appendRGB(b []byte, c color.NRGBA) []byte {
	return appendNumbers(b, float64(c.R)/255, float64(c.G)/255, float64(c.B)/255)
}
