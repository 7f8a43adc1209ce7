package box

import (
	"slices"

	"github.com/platen-render/platen/internal/render/native/css/property"
)

// outside reports whether a box is in no line and between no blocks: a float or a positioned box.
func (b *Box) outside() bool { return b.Floats() || b.OutOfFlow() }

// blockLevel reports whether a box stands among blocks, in the flow.
func (b *Box) blockLevel() bool { return !b.InlineLevel() && !b.outside() }

// fillInline gives an inline box its children. Blocks among them stay until the block container around it takes them out.
func (b *builder) fillInline(x *Box, raw []*Box) {
	x.First, x.Last = true, true
	x.Children = b.wrapStrays(x, raw)
	for _, c := range x.Children {
		if c.blockLevel() || c.holds {
			x.holds = true
			return
		}
	}
}

// fillBlock makes the children of a block container all blocks, or all parts of lines (CSS 2.2, section 9.2.1.1).
func (b *builder) fillBlock(x *Box, raw []*Box) {
	list := b.takeOut(b.wrapStrays(x, raw))
	blocks, lines := false, false
	for _, c := range list {
		switch {
		case c.blockLevel():
			blocks = true
		case c.InlineLevel() && !c.blank && !c.outside():
			lines = true
		}
	}
	switch {
	case lines && !blocks:
		x.Children, x.HasLines = trim(list), true
	case lines:
		x.Children = b.wrapLines(x, list)
	default:
		x.Children = withoutBlanks(list)
	}
}

// wrapLines puts what stands in lines between blocks into anonymous blocks. Floats and positioned boxes between lines are in
// them as well; where there are no lines, they stand among the blocks.
func (b *builder) wrapLines(x *Box, list []*Box) []*Box {
	out := make([]*Box, 0, len(list))
	for len(list) > 0 && !b.done() {
		end, lines := 0, false
		for end < len(list) && !list[end].blockLevel() {
			lines = lines || (!list[end].outside() && !list[end].blank)
			end++
		}
		switch {
		case end == 0:
			out = append(out, list[0])
			end = 1
		case lines:
			out = append(out, b.lines(x, trim(list[:end])))
		default:
			out = append(out, withoutBlanks(list[:end])...)
		}
		list = list[end:]
	}
	return out
}

// lines makes an anonymous block of parts of lines.
func (b *builder) lines(x *Box, parts []*Box) *Box {
	box := b.anonymous(Block, "block", x)
	box.Children, box.HasLines = parts, true
	return box
}

// trim takes away blanks at the start and at the end, which would collapse anyway.
func trim(list []*Box) []*Box {
	for len(list) > 0 && list[0].blank {
		list = list[1:]
	}
	for len(list) > 0 && list[len(list)-1].blank {
		list = list[:len(list)-1]
	}
	return slices.Clip(list)
}

func withoutBlanks(list []*Box) []*Box {
	var out []*Box
	for _, c := range list {
		if !c.blank {
			out = append(out, c)
		}
	}
	return out
}

// takeOut moves blocks that stand in inline boxes between the halves of these.
func (b *builder) takeOut(list []*Box) []*Box {
	holds := false
	for _, c := range list {
		holds = holds || c.holds
	}
	if !holds {
		return list
	}
	var out []*Box
	for _, c := range list {
		if c.holds && !b.done() {
			out = append(out, b.split(c)...)
		} else {
			out = append(out, c)
		}
	}
	return out
}

// split cuts an inline box into parts and the blocks between them.
func (b *builder) split(x *Box) []*Box {
	x.holds = false
	var out []*Box
	part := *x
	part.Last = false
	var inside []*Box
	cut := func(c *Box) {
		if p := b.part(x, &part, inside); p != nil {
			out = append(out, p)
		}
		if c.Link == "" {
			c.Link = x.Link
		}
		out = append(out, c)
		part.First, inside = false, nil
	}
	for _, c := range b.takeOut(x.Children) {
		switch {
		case b.done():
			return nil
		case c.blockLevel():
			cut(c)
		default:
			inside = append(inside, c)
		}
	}
	part.Last = true
	if p := b.part(x, &part, inside); p != nil {
		out = append(out, p)
	}
	return out
}

// part makes one part of an inline box; nil when nothing of it would show. The name of the element goes to its first part.
func (b *builder) part(x, like *Box, inside []*Box) *Box {
	if len(trim(inside)) == 0 && !like.edges() && (x.Anchor == "" || !like.First) {
		return nil
	}
	if b.parts++; b.parts > maxParts && b.err == nil {
		b.err = ErrTooManyBoxes
	}
	p := b.box(Inline, x.Style)
	*p = *like
	p.Children = inside
	if !like.First {
		p.Anchor, p.Heading = "", 0
	}
	return p
}

// edges reports whether an inline box without children takes room.
func (b *Box) edges() bool {
	s := b.Style
	start, end := b.First, b.Last
	if s.Direction == "rtl" {
		start, end = end, start
	}
	has := func(border float64, padding interface{ IsZero() bool }, margin property.Size) bool {
		return border != 0 || !padding.IsZero() || (margin.Keyword == "" && !margin.Length.IsZero())
	}
	return start && has(s.BorderWidth.Left, s.Padding.Left, s.Margin.Left) || end && has(s.BorderWidth.Right, s.Padding.Right, s.Margin.Right)
}

// fillItems makes items of what stands in a flex container or a grid: text becomes a block, blanks vanish.
func (b *builder) fillItems(x *Box, raw []*Box) {
	var text []*Box
	flush := func() {
		if len(text) > 0 {
			x.Children = append(x.Children, b.lines(x, text))
			text = nil
		}
	}
	for _, c := range raw {
		switch {
		case b.done():
			return
		case c.Kind == Text && len(text) == 0 && isBlank(c.Text):
		case c.InlineLevel() && !c.outside():
			text = append(text, c)
		default:
			flush()
			x.Children = append(x.Children, c)
		}
	}
	flush()
}
