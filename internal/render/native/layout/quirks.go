package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
)

// Layout in quirks mode, as in Blink: the edges of cells and of the body take no margins that are the browser's own (see [strut]), <html>
// and <body> are as high as the first page, and heights of percent are of the next box that has a height.

// plain reports whether a box takes no margins at its edges that are the browser's own.
func (l *layouter) plain(b *box.Box) bool {
	return l.quirks && (b.Kind == box.TableCell || b.Kind != box.Text && b.Pseudo == "" && b.Node != nil && b.Node.Tag == "body")
}

// fills reports whether a box is at least as high as the first page leaves room for: <html>, and <body> in its flow (Quirks Mode Standard,
// "The body element fills the viewport quirk" and that of html). Flex boxes and grids are not drawn then.
func (l *layouter) fills(b *box.Box) bool {
	if !l.quirks || !b.Style.Height.Is("auto") || b.Kind != box.Block {
		return false
	}
	body := b.Node != nil && b.Node.Tag == "body" && b.Parent == l.root && !b.Anonymous && b.Pseudo == ""
	return b == l.root || body && !b.Inline && !b.Floats() && !b.OutOfFlow()
}

// filling is a space for a box that fills.
func (l *layouter) filling(b *box.Box, s space) space {
	if l.fills(b) && s.height >= 0 {
		e := l.edges(b, s)
		s.minHeight = max(s.height-e.margin.Along(), 0)
	}
	return s
}

// filled is how high the body is that fills: its margins may have collapsed with others, and at its end with these.
func (c *container) filled(end strut) float64 {
	above := c.l.edges(c.b.Parent, within(c.l.area.Width, indefinite))
	offset := c.y - above.border.Top - above.padding.Top
	return c.s.height - offset - end.with(c.e.margin.Bottom, c.e.quirkBottom).sum()
}

// passedHeight is what heights of percent in a block without a height are of: nothing, if it is a containing block, or what those of
// the block are of. That is so in quirks mode in all but some (Quirks Mode Standard, "The
// percentage height calculation quirk").
func (l *layouter) passedHeight(b *box.Box, s space, e edges, root bool) (height float64, passed bool) {
	switch {
	case l.fills(b) && s.height >= 0:
		return max(s.height-e.margin.Along()-e.along(), 0), false
	case l.quirks && b.Kind == box.Block && b.Style.Height.Is("auto") && !b.OutOfFlow():
		return s.height, true
	case !root && b.Anonymous: // no containing block (CSS 2.2, section 9.2.1.1)
		return s.height, s.passed
	}
	return indefinite, false
}
