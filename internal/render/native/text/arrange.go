package text

import (
	"github.com/platen-render/platen/internal/render/native/fonts/shape"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// leaf is a piece of a line in visual order.
type leaf struct {
	item   *item
	inline int32
	level  uint8
	kind   kind
}

// visual is the line in visual order, while it is placed.
type visual struct {
	leaves []leaf
	path   []opened // the inline boxes around the pen, from the outermost
	x      float64
	extra  float64 // for each blank, when the line is justified
	top    float64
	out    *fragment.Line
	text   *fragment.Text // the last part, if it can grow
	look   *look          // of that part
}

// opened is an inline box that is being placed.
type opened struct {
	inline int32
	part   *fragment.Inline
}

// arrange places the pieces of the line, whose top is here, and adds it to the lines.
func (l *liner) arrange(top float64) {
	v := &l.visual
	l.findLeaves()
	x, extra := l.offset()
	width := l.line.width - l.line.indent
	if extra > 0 {
		width = l.line.right - l.line.left - l.line.indent
	}
	start := l.line.left + x
	if l.line.level == 0 {
		start += l.line.indent
	} else {
		start -= l.hanging()
	}
	v.out = &fragment.Line{
		Left: finite(start), Top: top, Width: finite(width), Height: finite(l.line.above + l.line.below),
		Baseline: finite(top + l.line.above), Forced: l.line.forced,
	}
	if l.line.level == 1 {
		v.out.Left = finite(start + l.hanging())
	}
	v.x, v.extra, v.top, v.path = start, extra, top, v.path[:0]
	v.out.Parts = make([]fragment.Part, 0, len(v.leaves)/2+1)
	for i := range v.leaves {
		l.placeLeaf(&v.leaves[i])
	}
	l.closeTo(-1)
	l.endText()
	l.lines = append(l.lines, v.out)
}

// hanging is how wide the blanks are that hang: in text from right to left they stand at the left.
func (l *liner) hanging() float64 {
	sum := 0.0
	for i := range l.line.items {
		if l.line.items[i].hangs {
			sum += l.line.items[i].width
		}
	}
	return sum
}

// findLeaves puts what stands in the line in visual order.
func (l *liner) findLeaves() {
	v := &l.visual
	v.leaves = v.leaves[:0]
	content := 0 // leaves since a box was opened
	for i := range l.line.items {
		it := &l.line.items[i]
		p := it.piece
		if it.gone {
			continue
		}
		switch p.kind {
		case open:
			content = 0
		case closing:
			if content == 0 {
				v.leaves = append(v.leaves, leaf{it, p.inline, p.level, void})
			}
			content++
		case wordPiece, blank, tab, atomic, mark:
			level := p.level
			if it.hangs {
				level = l.line.level
			}
			v.leaves = append(v.leaves, leaf{it, p.inline, level, p.kind})
			content++
		default:
		}
	}
	l.closeOpen()
	if l.flow.levels {
		l.reorder()
	}
}

// closeOpen adds leaves for boxes that are opened at the end of the line and have nothing in it; their place is in this line.
func (l *liner) closeOpen() {
	v := &l.visual
	for i := len(l.line.items) - 1; i >= 0; i-- {
		it := &l.line.items[i]
		switch it.piece.kind {
		case open:
			v.leaves = append(v.leaves, leaf{it, it.piece.inline, it.piece.level, void})
			return
		case wordPiece, blank, tab, atomic, mark, closing:
			return
		default:
		}
	}
}

// reorder applies rule L2 of UAX #9, and counts what is in each box: it may be in several parts.
func (l *liner) reorder() {
	v := &l.visual
	levels := make([]uint8, len(v.leaves))
	for i := range v.leaves {
		levels[i] = v.leaves[i].level
		for at := l.frameFor(v.leaves[i].inline); at > 0; at = l.frames[at].parent {
			l.frames[at].leaves++
		}
	}
	ordered := make([]leaf, 0, len(v.leaves))
	for _, i := range shape.VisualOrder(levels) {
		ordered = append(ordered, v.leaves[i])
	}
	v.leaves = ordered
}

func (l *liner) placeLeaf(f *leaf) {
	v := &l.visual
	l.moveTo(f.inline)
	switch p := f.item.piece; f.kind {
	case wordPiece:
		l.placeWord(f.item)
	case blank:
		l.placeBlank(f.item)
	case tab:
		v.x += f.item.width
		l.endText()
	case atomic:
		l.placeAtomic(f.item)
	case mark:
		l.room.Positioned(p.box, finite(v.x), v.top)
	default:
	}
	if l.flow.levels {
		for at := l.frameFor(f.inline); at > 0; at = l.frames[at].parent {
			l.frames[at].leaves--
		}
	}
}

func (l *liner) placeAtomic(it *item) {
	v, a := &l.visual, it.atomic
	base := hasBaselineOffset(a)
	f := &l.frames[it.frame]
	a.X = finite(v.x + a.Margin.Left)
	a.Y = finite(v.out.Baseline + f.shift - base)
	v.out.Parts = append(v.out.Parts, fragment.Part{Atomic: a})
	v.x += it.width
	l.endText()
}

// hasBaselineOffset is how far the base line is below the top of the border box.
func hasBaselineOffset(a *fragment.Fragment) float64 {
	if !hasBaseline(a) {
		return a.Height + a.Margin.Bottom
	}
	return baseline(a)
}

// moveTo closes and opens inline boxes until the pen is in this one.
func (l *liner) moveTo(inline int32) {
	v := &l.visual
	if n := len(v.path); n > 0 && v.path[n-1].inline == inline || n == 0 && inline < 0 {
		return
	}
	l.closeTo(l.commonWith(inline))
	l.openDown(inline)
}

// commonWith is the innermost open box that is around this one too, or it.
func (l *liner) commonWith(inline int32) int32 {
	v := &l.visual
	depth := len(v.path) - 1
	for inline >= 0 {
		in := &l.flow.inlines[inline]
		if d := int(in.depth); d <= depth && v.path[d].inline == inline {
			return inline
		}
		inline = in.parent
	}
	return -1
}

// openDown opens the boxes that are between the innermost open one and this one, and this.
func (l *liner) openDown(inline int32) {
	v := &l.visual
	if inline < 0 || len(v.path) > 0 && v.path[len(v.path)-1].inline == inline {
		return
	}
	in := &l.flow.inlines[inline]
	l.openDown(in.parent)
	frame := &l.frames[l.frameFor(inline)]
	style := in.box.Style
	left, _ := sides(in.box, l.room.Base())
	has := frame.start
	if style.Direction == "rtl" {
		has = frame.end
	}
	if has = has && !frame.drawn(); !has {
		left = side{}
	}
	v.x += left.margin
	top := v.out.Baseline + frame.shift - in.look.metrics.Ascent - style.BorderWidth.Top - max(0, style.Padding.Top.Resolve(l.room.Base()))
	bottom := v.out.Baseline + frame.shift + in.look.metrics.Descent + style.BorderWidth.Bottom + max(0, style.Padding.Bottom.Resolve(l.room.Base()))
	part := &fragment.Inline{Box: in.box, X: finite(v.x), Y: finite(top), Height: finite(bottom - top)}
	part.Start = has
	frame.seen = false // from now on: drawn
	v.out.Parts = append(v.out.Parts, fragment.Part{Inline: part})
	v.path = append(v.path, opened{inline, part})
	v.x += left.border + left.padding
	l.endText()
}

// drawn reports whether a part of the box was placed in this line before.
func (f *frame) drawn() bool { return !f.seen }

// closeTo closes the boxes inside of this one.
func (l *liner) closeTo(inline int32) {
	v := &l.visual
	for len(v.path) > 0 {
		last := v.path[len(v.path)-1]
		if last.inline == inline {
			return
		}
		in := &l.flow.inlines[last.inline]
		frame := &l.frames[l.frameOf[last.inline]]
		_, right := sides(in.box, l.room.Base())
		has := frame.end
		if in.box.Style.Direction == "rtl" {
			has = frame.start
		}
		if has = has && frame.leaves <= 0; !has {
			right = side{}
		}
		v.x += right.padding + right.border
		last.part.Width = max(0, finite(v.x-last.part.X))
		last.part.End = has
		v.x += right.margin
		v.path = v.path[:len(v.path)-1]
		l.endText()
	}
}
