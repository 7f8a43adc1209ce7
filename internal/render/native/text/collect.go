package text

import (
	"context"
	"slices"
	"unicode/utf8"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
)

// collector flattens the boxes of a flow to its text and its pieces.
type collector struct {
	ctx     context.Context //nolint:containedctx // of one call
	setter  *Setter
	flow    *Flow
	text    []byte
	pieces  []piece
	inlines []inlineBox
	inline  int32

	// start says that blanks which collapse are dropped: nothing but such ones stands since the start of a line. blank says that the
	// last character is one that collapses.
	start  bool
	blank  bool
	wide   bool // there is text that is not ASCII
	bidi   bool // levels are wanted
	steps  int
	opened []string // the directions that are to be closed before a line ends, and to be opened again after it
}

func (c *collector) children(b *box.Box) error {
	for _, child := range b.Children {
		if c.steps++; c.steps%every == 0 && c.ctx.Err() != nil {
			return context.Cause(c.ctx)
		}
		if err := c.child(child); err != nil {
			return err
		}
	}
	return nil
}

func (c *collector) child(b *box.Box) error {
	switch {
	case b.Kind == box.Text:
		return c.textBox(b)
	case b.OutOfFlow():
		c.add(piece{kind: mark, box: b})
	case b.Floats():
		c.add(piece{kind: float, box: b})
	case b.Kind == box.Break:
		c.newline(b, c.setter.look(b.Style, b.Lang))
	case b.Kind == box.Wbr:
		c.append(wbr, "\u200b", b, c.setter.look(b.Style, b.Lang))
	case b.Kind == box.Inline:
		return c.inlineBox(b)
	default: // atomic
		c.append(atomic, object, b, c.around())
		c.start, c.blank = false, false
	}
	return nil
}

// add adds a piece without text.
func (c *collector) add(p piece) {
	p.start = int32(len(c.text)) //nolint:gosec // G115: a page has less than 2 GB
	p.end, p.inline = p.start, c.inline
	c.pieces = append(c.pieces, p)
}

// append adds a piece with its text.
func (c *collector) append(k kind, text string, b *box.Box, l *look) {
	start := int32(len(c.text)) //nolint:gosec // G115: a page has less than 2 GB
	c.text = append(c.text, text...)
	c.wide = c.wide || text[0] >= utf8.RuneSelf
	c.pieces = append(c.pieces, piece{kind: k, start: start, end: int32(len(c.text)), inline: c.inline, box: b, look: l}) //nolint:gosec // G115: as above
}

// newline ends a line, and the paragraph of bidirectional text with it: what was opened is closed before and opened again.
func (c *collector) newline(b *box.Box, l *look) {
	for _, o := range slices.Backward(c.opened) {
		c.control(closer(o))
	}
	c.append(newline, "\n", b, l)
	for _, o := range c.opened {
		c.control(o)
	}
	c.start, c.blank = true, false
}

// around is the look of the innermost inline box, or of the container.
func (c *collector) around() *look {
	if c.inline < 0 {
		return c.flow.look
	}
	return c.inlines[c.inline].look
}

func (c *collector) control(text string) {
	if text != "" {
		c.append(invisible, text, nil, nil)
	}
}

func (c *collector) inlineBox(b *box.Box) error {
	outer := c.inline
	in := inlineBox{box: b, look: c.setter.look(b.Style, b.Lang), parent: outer, edged: edged(b.Style)}
	if outer >= 0 {
		in.depth = c.inlines[outer].depth + 1
	}
	controls := directions(b.Style)
	c.bidi = c.bidi || len(controls) > 0
	c.inline = int32(len(c.inlines)) //nolint:gosec // G115: boxes are counted
	c.inlines = append(c.inlines, in)
	c.add(piece{kind: open, box: b, look: in.look})
	for _, o := range controls {
		c.control(o)
		c.opened = append(c.opened, o)
	}
	err := c.children(b)
	for _, o := range slices.Backward(controls) {
		c.control(closer(o))
		c.opened = c.opened[:len(c.opened)-1]
	}
	c.add(piece{kind: closing, box: b, look: in.look})
	c.inline = outer
	return err
}

// edged reports whether the box has something at its sides.
func edged(s *property.Style) bool {
	side := func(m property.Size, border float64, padding bool) bool {
		return border != 0 || padding || m.Keyword == "" && !m.Length.IsZero()
	}
	return side(s.Margin.Left, s.BorderWidth.Left, !s.Padding.Left.IsZero()) ||
		side(s.Margin.Right, s.BorderWidth.Right, !s.Padding.Right.IsZero())
}
