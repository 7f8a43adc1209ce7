package paint

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// clip is what something is cut off by: a shape, and all those around it.
type clip struct {
	outer *clip
	shape shape
	depth int
}

func (c *clip) within(s shape) *clip {
	depth := 1
	if c != nil {
		depth = c.depth + 1
	}
	return &clip{c, s, depth}
}

// endless is as far as a box that is not cut off on one axis reaches.
const endless = 1e6

// overflow is the clip for what is in a fragment (CSS Overflow 3, section 3.1). That of the root and of body is the page's.
func overflow(f *fragment.Fragment, x, y float64, around *clip) *clip {
	s := f.Box.Style
	if s.OverflowX == "visible" && s.OverflowY == "visible" || !clips(f.Box) {
		return around
	}
	border := rect{x, y, x + f.Width, y + f.Height}.snapped()
	inner := rounded(border, s, cutOf(f)).inside(f.Border)
	if f.Box.Kind == box.Replaced {
		inner = inner.inside(f.Padding)
	}
	if s.OverflowX == "visible" {
		inner = shape{rect: rect{-endless, inner.y0, endless, inner.y1}}
	}
	if s.OverflowY == "visible" {
		inner = shape{rect: rect{inner.x0, -endless, inner.x1, endless}}
	}
	return around.within(inner)
}

// clips reports whether overflow applies to the box.
func clips(b *box.Box) bool {
	switch b.Kind {
	case box.TableRow, box.TableRowGroup, box.TableColumn, box.Table, box.Inline:
		return false
	default:
	}
	if b.Node == nil || b.Pseudo != "" {
		return true
	}
	body := b.Node.Tag == "body" && b.Parent != nil && b.Parent.Parent == nil
	return b.Parent != nil && !body
}

func cutOf(f *fragment.Fragment) sides { return sides{top: f.CutTop, bottom: f.CutBottom} }

// brush paints on one canvas.
type brush struct {
	*painter
	c *pdf.Canvas
	// matrix takes pixels to points of the sheet, for links.
	matrix pdf.Matrix
	// base is the clip that was there before; now is what is set.
	base, now *clip
	// around is what the base leaves to be seen, in points of the sheet; window is what the clips since then leave.
	around rect
	window window
}

// use makes a clip hold, and no other within the base.
func (b *brush) use(want *clip) {
	common := want
	for common.beyond(b.base) && !b.holds(common) {
		common = common.outer
	}
	for b.now != common && b.now.beyond(b.base) {
		b.c.Restore()
		b.now = b.now.outer
	}
	b.add(want)
}

// beyond reports whether a clip is deeper than another one: was set after it.
func (c *clip) beyond(base *clip) bool { return c.level() > base.level() }

func (c *clip) level() int {
	if c == nil {
		return 0
	}
	return c.depth
}

// holds reports whether a clip is among those that are set.
func (b *brush) holds(c *clip) bool {
	for set := b.now; set.beyond(b.base); set = set.outer {
		if set == c {
			return true
		}
	}
	return false
}

func (b *brush) add(want *clip) {
	if want == b.now || !want.beyond(b.base) {
		return
	}
	b.add(want.outer)
	b.c.Save()
	b.c.Clip(want.shape.path(), pdf.NonZero)
	b.now = want
}
