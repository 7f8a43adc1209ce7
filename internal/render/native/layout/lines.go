package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/text"
)

// flowOf returns the inline content of a container, which is prepared once; nil after a failure.
func (l *layouter) flowOf(b *box.Box) *text.Flow {
	st := l.state(b)
	if st.flow == nil && l.err() == nil {
		flow, err := l.setter.Flow(l.ctx, b)
		if err != nil {
			l.fail(err)
			return nil
		}
		st.flow = flow
	}
	return st.flow
}

// lines puts inline content in lines.
func (c *container) lines() error {
	flow := c.l.flowOf(c.b)
	if flow == nil {
		return c.l.err()
	}
	r := &room{c: c}
	top := c.pen.y
	lines, bottom, err := flow.Lines(c.l.ctx, r, top)
	if err != nil {
		return err
	}
	r.shelveWaiting(bottom)
	c.f.Lines = lines
	c.settleStatic()
	c.moveRelative()
	if len(lines) > 0 {
		c.pen = pen{y: bounded(bottom)}
	}
	return c.l.err()
}

// room is a container as package text sees it.
type room struct {
	c       *container
	waiting []*fragment.Fragment // floats that had no room beside their line, which begins at since
	since   float64
}

// Edges implements [text.Room].
func (r *room) Edges(top, height float64) (left, right float64) {
	if top > r.since {
		r.shelveWaiting(top)
	}
	c := r.c
	left, right = c.floats.edges(c.y+top, height)
	from := c.f.ContentX()
	return max(left-c.x, from), min(right-c.x, from+c.inner.width)
}

// Below implements [text.Room].
func (r *room) Below(top float64) (next float64, ok bool) {
	next, ok = r.c.floats.below(r.c.y + top)
	return next - r.c.y, ok
}

// Clear implements [text.Clearing].
func (r *room) Clear(b *box.Box, top float64) float64 {
	r.shelveWaiting(top)
	return max(top, r.c.floats.clear(b.Style.Clear)-r.c.y)
}

// Base implements [text.Room].
func (r *room) Base() float64 { return r.c.inner.width }

// Atomic implements [text.Room].
func (r *room) Atomic(b *box.Box) (*fragment.Fragment, error) {
	s := r.c.inner
	s.shrink = true
	return r.c.l.layout(b, s)
}

// Float implements [text.Room].
func (r *room) Float(b *box.Box, top, used float64) error {
	f, err := r.c.floating(b)
	if err != nil {
		return err
	}
	left, right := r.Edges(top, 0)
	if len(r.waiting) == 0 && (used <= 0 || f.Width+f.Margin.Across() <= right-left-used+slack) {
		r.c.shelve(f, top)
		return nil
	}
	r.waiting, r.since = append(r.waiting, f), top
	return nil
}

// shelveWaiting puts the floats that had no room below their line.
func (r *room) shelveWaiting(y float64) {
	for _, f := range r.waiting {
		r.c.shelve(f, y)
	}
	r.waiting = nil
}

// Positioned implements [text.Room].
func (r *room) Positioned(b *box.Box, x, y float64) { r.c.l.positioned(b, r.c.f, x, y) }
