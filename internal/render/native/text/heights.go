package text

import (
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// frame is a box in the line that is made: the container, an inline box, or an atomic one. Those that hold others come first.
type frame struct {
	inline int32 // -1 of the container and of atomic boxes
	parent int32
	look   *look
	style  *property.Style
	// above and below are how far it reaches from its own base line, with everything in it.
	above, below float64
	// shift is how far its base line is below that of its parent, and then below that of the line.
	shift float64
	edge  property.Keyword // top or bottom: it is aligned with the line

	start, end bool // the box begins and ends in this line
	leaves     int  // how many pieces are in it that are not placed yet; counted in lines with several directions
	seen       bool
}

// measure finds how high the line is and where base lines are in it (CSS 2.2 section 10.8).
func (l *liner) measure() {
	for i := range l.frames {
		if n := l.frames[i].inline; n >= 0 {
			l.frameOf[n] = 0
		}
	}
	strut := l.flow.look
	l.frames = append(l.frames[:0], frame{inline: -1, parent: -1, look: strut, style: strut.style})
	if !l.flow.setter.Quirks || strut.style.Display == "list-item" { // whose lines Blink does not change
		l.frames[0].reach(strut.above, strut.below)
	}
	for i := range l.line.items {
		it := &l.line.items[i]
		if !it.gone {
			l.reachItem(it)
		}
	}
	l.shiftFrames()
	l.line.above, l.line.below = finite(l.frames[0].above), finite(l.frames[0].below)
	for i := 1; i < len(l.frames); i++ {
		f := &l.frames[i]
		switch f.edge {
		case "top":
			f.shift = f.above - l.line.above
		case "bottom":
			f.shift = l.line.below - f.below
		default:
			f.shift += l.frames[f.parent].shift
		}
	}
}

// reach makes the frame at least this high; the first time it is made so high.
func (f *frame) reach(above, below float64) {
	if !f.seen {
		f.above, f.below, f.seen = above, below, true
		return
	}
	f.above, f.below = max(f.above, above), max(f.below, below)
}

// frameFor returns the frame of an inline box, which is made if the line has none.
func (l *liner) frameFor(inline int32) int32 {
	if inline < 0 {
		return 0
	}
	if at := l.frameOf[inline]; at != 0 {
		return at
	}
	in := &l.flow.inlines[inline]
	parent := l.frameFor(in.parent)
	f := frame{inline: inline, parent: parent, look: in.look, style: in.box.Style}
	if !l.flow.setter.Quirks || in.edged {
		f.reach(in.look.above, in.look.below)
	}
	at := int32(len(l.frames)) //nolint:gosec // G115: boxes are counted
	l.frames = append(l.frames, f)
	l.frameOf[inline] = at
	return at
}

// reachItem makes the frames high enough for what is in them.
func (l *liner) reachItem(it *item) {
	p := it.piece
	if p.kind == float || p.kind == mark || p.kind == invisible {
		return
	}
	it.frame = l.frameFor(p.inline)
	f := &l.frames[it.frame]
	switch p.kind {
	case open:
		f.start = true
	case closing:
		f.end = true
	case atomic:
		it.frame = l.atomicFrame(it, it.frame)
	case wordPiece, blank, tab, newline:
		if l.flow.setter.Quirks && (p.kind != newline || l.empty()) {
			f.reach(p.look.above, p.look.below)
		}
		if symbol, _ := p.symbol(); p.word != nil && p.look.fallbackHeights && !symbol {
			f.reachFonts(p)
		}
	default:
	}
}

// empty reports whether there is nothing but the break at the end.
func (l *liner) empty() bool {
	return !slices.ContainsFunc(l.line.items, func(it item) bool {
		return it.piece.content() && it.piece.kind != newline && !it.gone
	})
}

// reachFonts makes room for the fonts that a word has besides the primary one: only where the line height is left to fonts.
func (f *frame) reachFonts(p *piece) {
	primary := p.look.typo.faces.Primary().Font
	for i := range p.word.runs {
		if font := p.word.runs[i].choice.Font; font != primary {
			m := metricsOf(font, p.look.size)
			f.reach(leading(m, m.Ascent+m.Descent+m.LineGap))
		}
	}
}

func (l *liner) atomicFrame(it *item, parent int32) int32 {
	f := frame{inline: -1, parent: parent, style: it.piece.box.Style}
	f.look = l.flow.setter.look(f.style, it.piece.box.Lang)
	a := it.atomic
	height := finite(a.Height + a.Margin.Along())
	base := finite(a.Margin.Top + baseline(a))
	if !hasBaseline(a) {
		base = height
	}
	f.reach(base, height-base)
	l.frames = append(l.frames, f)
	return int32(len(l.frames) - 1) //nolint:gosec // G115: boxes are counted
}

// hasBaseline: the base line of an inline-block is its last one unless it hides what overflows; that of others is the first.
func hasBaseline(a *fragment.Fragment) bool {
	if a.Box.Kind == box.Block && a.Box.Style.OverflowY != "visible" && a.Box.Style.OverflowY != "" {
		return false
	}
	return checks(a) || a.HasBaseline && a.Box.Kind != box.Replaced
}

// checks reports whether it is a check box, which stands a little below the base line.
func checks(a *fragment.Fragment) bool {
	return a.Box.Widget >= box.Checkbox && a.Box.Widget <= box.DisabledCheckedBox
}

// checkDrop is how many pixels: one, in Chromium.
const checkDrop = 1

func baseline(a *fragment.Fragment) float64 {
	if checks(a) {
		return a.Height - checkDrop
	}
	if a.Box.Kind == box.Block {
		return a.LastBaseline
	}
	return a.Baseline
}

// shiftFrames aligns boxes in their parents, from the innermost outwards, and those that are aligned with the line at last.
func (l *liner) shiftFrames() {
	for i := len(l.frames) - 1; i > 0; i-- {
		f := &l.frames[i]
		if !f.seen {
			continue
		}
		parent := &l.frames[f.parent]
		if k := f.style.VerticalAlign.Keyword; k == "top" || k == "bottom" {
			f.edge = k
			continue
		}
		f.shift = finite(f.shiftIn(parent.look))
		parent.reach(f.above-f.shift, f.below+f.shift)
	}
	l.frames[0].holdEdges(l.frames)
}

// holdEdges makes the line high enough for what is aligned with its top and bottom: the highest of those decides at which side.
func (f *frame) holdEdges(frames []frame) {
	top, bottom := 0.0, 0.0
	for i := range frames {
		switch g := &frames[i]; g.edge {
		case "top":
			top = max(top, g.above+g.below)
		case "bottom":
			bottom = max(bottom, g.above+g.below)
		}
	}
	height := f.above + f.below
	switch {
	case max(top, bottom) <= height:
	case bottom > top:
		f.above += bottom - height
	default:
		f.below += top - height
	}
}

// shiftIn is how far the base line is below that of the parent (CSS 2.2 section 10.8.1; the lengths of sub and super are Blink's).
func (f *frame) shiftIn(parent *look) float64 {
	switch v := f.style.VerticalAlign; v.Keyword {
	case "":
		return -v.Length.Resolve(f.look.lineHeight)
	case "sub":
		return parent.size/5 + 1
	case "super":
		return -(parent.size/3 + 1)
	case "middle":
		return (f.above-f.below)/2 - parent.metrics.XHeight/2
	case "text-top":
		return f.above - parent.metrics.Ascent
	case "text-bottom":
		return parent.metrics.Descent - f.below
	}
	return 0
}
