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
