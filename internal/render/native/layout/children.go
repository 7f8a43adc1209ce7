package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// children lays out block-level children below each other (CSS 2.2, section 9.4.1).
func (c *container) children() error {
	for _, b := range c.b.Children {
		if err := c.l.err(); err != nil {
			return err
		}
		var err error
		switch {
		case b.OutOfFlow():
			c.static(b)
		case b.Floats():
			err = c.float(b, c.pen.y+c.pen.strut.sum())
		case isRoot(b):
			err = c.independent(b)
		default:
			err = c.child(b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// child lays out a block that takes part in the formatting context of the container.
func (c *container) child(b *box.Box) error {
	s := c.inner
	e := c.l.edges(b, s)
	s.fixedWidth = c.l.width(b, s, e)
	x := c.f.ContentX() + justify(&e, s.fixedWidth, s.width, c.rtl(), c.b.Style.TextAlign)
	a := c.lookAt(b)
	y, cleared := c.stand(b, a.above)
	mark := len(c.l.pending)
	r, err := c.l.block(b, s, &spot{c.floats, c.x + x, c.y + y})
	if err != nil {
		return err
	}
	r.f.X, r.f.Y, r.f.Margin = x, y, e.margin
	if err := c.l.finish(r.f, c.inner, mark); err != nil {
		return err
	}
	c.f.Children = append(c.f.Children, r.f)
	if a.through {
		c.passEmpty(a.margins, e.margin.Top, y, cleared)
		return nil
	}
	c.pass(r.f, r.end.with(e.margin.Bottom, e.quirkBottom))
	return nil
}

func (c *container) rtl() bool { return c.b.Style.Direction == "rtl" }

// lookAt finds the margins above a child, from where the pen is.
func (c *container) lookAt(b *box.Box) ahead {
	o := outlook{floats: c.floats, y: c.y + c.pen.y, strut: c.pen.strut, decided: c.pen.top}
	if b.Style.Clear != "none" && !c.pen.top {
		c.l.state(b).cut = false
		// What a cleared box has in it collapses with its own margins only.
		if c.floats.clear(b.Style.Clear) > o.y+o.strut.sum() {
			o.strut = strut{}
			o.y = max(o.y, c.floats.clear(b.Style.Clear))
		}
	}
	return c.l.look(b, c.inner, &o)
}

// stand finds where the border box of a child goes that has these margins above it, and whether it is cleared.
func (c *container) stand(b *box.Box, top strut) (y float64, cleared bool) {
	clear := c.floats.clear(b.Style.Clear) - c.y
	if c.pen.top {
		return max(c.pen.y, clear), clear > c.pen.y || c.isCut(b)
	}
	y = c.pen.y + c.pen.strut.and(top).sum()
	if clear > y {
		return clear, true
	}
	return y, false
}

func (c *container) isCut(b *box.Box) bool { return b.Style.Clear != "none" && c.l.state(b).cut }

// pass moves the pen below a child that has margins at its end.
func (c *container) pass(f *fragment.Fragment, end strut) {
	c.pen = pen{y: bounded(f.Y + f.Height), strut: end}
}

// passEmpty moves it past a child that margins go through: they join those around it. One that is cleared stays where it is, and so
// does its upper margin.
func (c *container) passEmpty(margins strut, above, y float64, cleared bool) {
	switch {
	case cleared:
		c.pen = pen{y: y - above, strut: margins, cleared: true}
	case !c.pen.top:
		c.pen.strut = c.pen.strut.and(margins)
	}
}

// static notes where a positioned child would stand if it were in the flow.
func (c *container) static(b *box.Box) {
	x, end := c.f.ContentX(), 0.0
	if c.rtl() {
		x, end = x+c.inner.width, 1
	}
	c.l.positionedAt(b, c.f, x, c.pen.y+c.pen.strut.sum(), end, 0)
}
