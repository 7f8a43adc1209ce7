package layout

import (
	"sort"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// moveRelative moves what is in relative inline boxes (CSS 2.2, section 9.4.3), once the lines are there: they do not change by it.
func (c *container) moveRelative() {
	if !c.l.hasRelative(c.b) {
		return
	}
	known := map[*box.Box]point{c.b: {}}
	for _, line := range c.f.Lines {
		for _, part := range line.Parts {
			switch {
			case part.Text != nil:
				by := c.relative(part.Text.Box.Parent, known)
				part.Text.X += by.x
				part.Text.Y += by.y
			case part.Inline != nil:
				by := c.relative(part.Inline.Box, known)
				part.Inline.X += by.x
				part.Inline.Y += by.y
			case part.Atomic != nil:
				by := c.relative(part.Atomic.Box.Parent, known)
				part.Atomic.X += by.x
				part.Atomic.Y += by.y
			}
		}
	}
}

// relative is how far a box in lines is moved, together with those around it.
func (c *container) relative(b *box.Box, known map[*box.Box]point) point {
	if by, ok := known[b]; ok || b == nil {
		return by
	}
	by := c.relative(b.Parent, known)
	if b.Kind == box.Inline {
		x, y := relativeShift(b, c.inner)
		by = point{by.x + x, by.y + y}
	}
	known[b] = by
	return by
}

// hasRelative reports whether there are relative inline boxes in the lines of a container.
func (l *layouter) hasRelative(b *box.Box) bool {
	st := l.state(b)
	if st.relative == unknown {
		st.relative = no
		if anyRelative(b.Children) {
			st.relative = yes
		}
	}
	return st.relative == yes
}

func anyRelative(boxes []*box.Box) bool {
	for _, b := range boxes {
		if b.Kind == box.Inline && (b.Style.Position == "relative" || anyRelative(b.Children)) {
			return true
		}
	}
	return false
}

// settleStatic moves the static positions of boxes that would be blocks if they were not positioned: they would not stand in the line
// but below it, unless it begins with them.
func (c *container) settleStatic() {
	for i := c.mark; i < len(c.l.pending); i++ {
		p := &c.l.pending[i]
		if p.holder != c.b || p.box.Style.WasInline {
			continue
		}
		if line := lineAt(c.f.Lines, p.y); line != nil && begins(line, p.box) {
			p.y = line.Top + line.Height
		}
		p.x, p.endX = c.f.ContentX(), 0
		if c.rtl() {
			p.x, p.endX = p.x+c.inner.width, 1
		}
	}
}

// begins reports whether there is anything in a line that stands before a box.
func begins(line *fragment.Line, b *box.Box) bool {
	for _, part := range line.Parts {
		if part.Text != nil && part.Text.Box.Order < b.Order || part.Atomic != nil && part.Atomic.Box.Order < b.Order {
			return true
		}
	}
	return false
}

// lineAt returns the line at a position, or nil.
func lineAt(lines []*fragment.Line, y float64) *fragment.Line {
	i := sort.Search(len(lines), func(i int) bool { return lines[i].Top > y+slack }) - 1
	if i < 0 || y >= lines[i].Top+lines[i].Height {
		return nil
	}
	return lines[i]
}
