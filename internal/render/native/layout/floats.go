package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// float lays out a float and puts it on the shelf, not above y.
func (c *container) float(b *box.Box, y float64) error {
	f, err := c.floating(b)
	if err != nil {
		return err
	}
	c.shelve(f, y)
	return nil
}

func (c *container) floating(b *box.Box) (*fragment.Fragment, error) {
	s := c.inner
	s.shrink = true
	return c.l.layout(b, s)
}

// shelve puts a float that has its size on the shelf.
func (c *container) shelve(f *fragment.Fragment, y float64) {
	width, height := f.Width+f.Margin.Across(), f.Height+f.Margin.Along()
	top := max(c.y+y, c.floats.clear(f.Box.Style.Clear))
	from := c.x + c.f.ContentX()
	x, top := c.floats.place(f.Box.Style.Float != "right", width, height, top, from, from+c.inner.width)
	f.X = bounded(x - c.x + f.Margin.Left)
	f.Y = bounded(top - c.y + f.Margin.Top)
	c.f.Children = append(c.f.Children, f)
}

// maxTries is how often a box is laid out to find where it fits beside floats; then it goes below them all.
const maxTries = 8

// independent lays out a block-level child that is the root of a formatting context: it stands beside floats, or below them where
// it finds no room (CSS 2.2, section 9.5).
func (c *container) independent(b *box.Box) error {
	e := c.l.edges(b, c.inner)
	y, _ := c.stand(b, c.lookAt(b).above)
	for tries := 0; ; {
		o := c.opening(e, y, 0)
		next, more := c.floats.below(c.y + y)
		if more && (tries == maxTries || c.l.tooNarrow(b, c.inner, e, o)) {
			y = next - c.y
			continue
		}
		f, fits, err := c.try(b, e, &o, y)
		if err != nil {
			return err
		}
		tries++
		if !fits && more {
			y = next - c.y
			continue
		}
		c.put(f, e, o, y)
		return nil
	}
}

// opening is the room between floats for a border box.
type opening struct {
	from, to float64 // from the border box of the container
	beside   bool    // floats are there
}

func (o opening) width() float64 { return max(o.to-o.from, 0) }

func (c *container) opening(e edges, y, height float64) opening {
	from := c.f.ContentX()
	to := from + c.inner.width
	left, right := c.floats.edges(c.y+y, height)
	left, right = left-c.x, right-c.x
	if left <= from && right >= to {
		return opening{from, to, false}
	}
	return opening{max(left, from+max(e.margin.Left, 0)), min(right, to-max(e.margin.Right, 0)), true}
}

// tooNarrow tells without layout that a box does not fit: when its width does not depend on the room.
func (l *layouter) tooNarrow(b *box.Box, s space, e edges, o opening) bool {
	if !o.beside || b.Kind == box.Replaced {
		return false
	}
	if b.Kind == box.Table {
		least, _ := l.minMax(b)
		return least-e.margin.Across() > o.width()+slack
	}
	s.beside = s.width - o.width() - e.margin.Across()
	return l.width(b, s, e) > o.width()+slack
}

// try lays the child out in an opening and tells whether it fits; when there is less room further down, in that.
func (c *container) try(b *box.Box, e edges, o *opening, y float64) (f *fragment.Fragment, fits bool, err error) {
	if f, fits, err = c.tryIn(b, e, *o); err != nil || !fits {
		return f, fits, err
	}
	lower := c.opening(e, y, f.Height)
	if lower == *o {
		return f, true, nil
	}
	*o = lower
	f, fits, err = c.tryIn(b, e, lower)
	return f, fits && err == nil && c.opening(e, y, f.Height) == lower, err
}

func (c *container) tryIn(b *box.Box, e edges, o opening) (f *fragment.Fragment, fits bool, err error) {
	s := c.l.filling(b, c.inner)
	if o.beside {
		s.beside = s.width - o.width() - e.margin.Across()
	}
	if f, err = c.l.layout(b, s); err != nil {
		return nil, false, err
	}
	return f, !o.beside || f.Width <= o.width()+slack, nil
}

// put places the child in its opening.
func (c *container) put(f *fragment.Fragment, e edges, o opening, y float64) {
	if o.beside {
		own := e.margin
		e.margin.Left, e.margin.Right = 0, 0
		f.X = o.from + justify(&e, f.Width, o.width(), c.rtl(), c.b.Style.TextAlign)
		if c.b.Style.TextAlign == "-webkit-right" && !c.rtl() && !e.auto.Left && !e.auto.Right {
			f.X = max(f.X-own.Right, o.from)
		}
		if !e.auto.Left {
			e.margin.Left = own.Left
		}
		if !e.auto.Right {
			e.margin.Right = own.Right
		}
	} else {
		f.X = o.from + justify(&e, f.Width, o.width(), c.rtl(), c.b.Style.TextAlign)
	}
	f.Y, f.Margin = y, e.margin
	c.f.Children = append(c.f.Children, f)
	c.pass(f, strut{}.with(e.margin.Bottom, e.quirkBottom))
}
