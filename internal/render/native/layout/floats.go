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

// independent lays out a block-level child that is the root of a formatting context: it stands beside floats, or below them where
// it finds no room (CSS 2.2, section 9.5).
func (c *container) independent(b *box.Box) error {
	e := c.l.edges(b, c.inner)
	top, _ := c.lookAt(b)
	y, _ := c.stand(b, top)
	for {
		gap := c.gap(e, y, 0)
		f, fits, err := c.tryGap(b, e, gap)
		if err != nil {
			return err
		}
		if fits {
			if tall := c.gap(e, y, f.Height); tall != gap {
				gap = tall
				if f, fits, err = c.tryGap(b, e, gap); err != nil {
					return err
				}
				fits = fits && c.gap(e, y, f.Height) == gap
			}
		}
		next, more := c.floats.below(c.y + y)
		if !fits && more {
			y = next - c.y
			continue
		}
		c.put(f, e, gap, y)
		return nil
	}
}

// gap is the room between floats for a border box.
type gap struct {
	from, to float64 // from the border box of the container
	beside   bool    // floats are there
}

func (c *container) gap(e edges, y, height float64) gap {
	from := c.f.ContentX()
	to := from + c.inner.width
	left, right := c.floats.edges(c.y+y, height)
	left, right = left-c.x, right-c.x
	if left <= from && right >= to {
		return gap{from, to, false}
	}
	return gap{max(left, from+max(e.margin.Left, 0)), min(right, to-max(e.margin.Right, 0)), true}
}

// tryGap lays the child out in a gap and tells whether it fits.
func (c *container) tryGap(b *box.Box, e edges, g gap) (f *fragment.Fragment, fits bool, err error) {
	s := c.inner
	if g.beside {
		s.beside = s.width - max(g.to-g.from, 0) - e.margin.Across()
	}
	f, err = c.l.layout(b, s)
	if err != nil {
		return nil, false, err
	}
	return f, !g.beside || f.Width <= g.to-g.from+slack, nil
}

// put places the child in its gap.
func (c *container) put(f *fragment.Fragment, e edges, g gap, y float64) {
	if g.beside {
		own := e.margin
		e.margin.Left, e.margin.Right = 0, 0
		f.X = g.from + justify(&e, f.Width, max(g.to-g.from, 0), c.rtl(), c.b.Style.TextAlign)
		if !e.auto.Left {
			e.margin.Left = own.Left
		}
		if !e.auto.Right {
			e.margin.Right = own.Right
		}
	} else {
		f.X = g.from + justify(&e, f.Width, g.to-g.from, c.rtl(), c.b.Style.TextAlign)
	}
	f.Y, f.Margin = y, e.margin
	c.f.Children = append(c.f.Children, f)
	c.pass(f, strut{}.with(e.margin.Bottom))
}
