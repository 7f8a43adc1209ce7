package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
)

// strut is margins that collapse (CSS 2.2, section 8.3.1): the greatest and the most negative of them count.
type strut struct{ positive, negative float64 }

func (m strut) with(margin float64) strut {
	return strut{max(m.positive, margin), min(m.negative, margin)}
}

func (m strut) and(other strut) strut {
	return strut{max(m.positive, other.positive), min(m.negative, other.negative)}
}

func (m strut) sum() float64 { return m.positive + m.negative }

// ahead is what looking ahead found: the margins that collapse with the upper one of a box, that the box is one of those that margins
// go through, and which floats stand between them.
type ahead struct {
	space       space
	margins     strut
	through     bool
	left, right bool
}

// outlook is where from the margins of a box are looked at.
type outlook struct {
	floats *shelf
	y      float64 // where margins begin, in the formatting context
	strut  strut   // of all margins so far
	// left and right say that floats have been seen between the margins.
	left, right bool
	// seen is what was seen since the box that is being looked at.
	seen struct{ left, right, cleared bool }
	// decided says that it was seen from further out which boxes are cut.
	decided bool
}

// look finds the margins that collapse with the upper margin of a block, its own included: of its first children, when nothing is
// between, and of all that are empty. They are known before anything is laid out.
func (l *layouter) look(b *box.Box, s space, o *outlook) (margins strut, through bool) {
	st := l.state(b)
	if st.ahead != nil && st.ahead.space == s {
		o.strut = o.strut.and(st.ahead.margins)
		o.see(st.ahead.left, st.ahead.right)
		return st.ahead.margins, st.ahead.through
	}
	if l.depth++; l.depth > l.limits.MaxDepth {
		l.fail(ErrTooDeep)
		return strut{}, false
	}
	defer func() { l.depth-- }()
	before := o.seen
	o.seen.left, o.seen.right, o.seen.cleared = false, false, false
	margins, through = l.lookInside(b, s, o)
	if !o.seen.cleared {
		st.ahead = &ahead{s, margins, through, o.seen.left, o.seen.right}
	}
	o.see(before.left, before.right)
	o.seen.cleared = o.seen.cleared || before.cleared
	return margins, through
}

// see notes floats.
func (o *outlook) see(left, right bool) {
	o.left, o.right = o.left || left, o.right || right
	o.seen.left, o.seen.right = o.seen.left || left, o.seen.right || right
}

func (l *layouter) lookInside(b *box.Box, s space, o *outlook) (margins strut, through bool) {
	e := l.edges(b, s)
	margins = strut{}.with(e.margin.Top)
	o.strut = o.strut.and(margins)
	if isRoot(b) || e.border.Top+e.padding.Top > 0 || b.HasLines && l.inked(b) {
		return margins, false
	}
	width := l.width(b, s, e)
	height, definite := l.height(b, s, e, width)
	inner := within(max(width-e.across(), 0), indefinite)
	if definite {
		inner.height = max(height-e.along(), 0)
	} else {
		height = l.limitHeight(b, 0, s, e)
	}
	for _, c := range b.Children {
		if l.err() != nil {
			return margins, false
		}
		inside, open := l.lookAt(c, inner, o)
		margins = margins.and(inside)
		if !open {
			return margins, false
		}
	}
	if height > 0 || b.Marker != nil {
		return margins, false
	}
	o.strut = o.strut.with(e.margin.Bottom)
	return margins.with(e.margin.Bottom), true
}

// lookAt looks at a child; open is false when what follows it does not collapse any more.
func (l *layouter) lookAt(c *box.Box, inner space, o *outlook) (margins strut, open bool) {
	switch {
	case c.OutOfFlow():
		return strut{}, true
	case c.Floats():
		o.see(c.Style.Float == "left", c.Style.Float == "right")
		return strut{}, true
	case c.InlineLevel(): // floats in them stand between margins, too
		for _, d := range c.Children {
			l.lookAt(d, inner, o)
		}
		return strut{}, true
	}
	if c.Style.Clear != "none" {
		o.seen.cleared = true
		if l.cuts(c, inner, o) {
			return strut{}, false
		}
	}
	return l.look(c, inner, o)
}

// cuts finds out whether a child is cleared (CSS 2.2, section 9.5.2), so that margins above it do not collapse with its own: with
// floats in between it always is, with others when they reach below where its margins would put it.
func (l *layouter) cuts(c *box.Box, inner space, o *outlook) bool {
	st := l.state(c)
	if o.decided {
		return st.cut
	}
	clear := c.Style.Clear
	between := o.left && clear != "right" || o.right && clear != "left"
	margin := l.edges(c, inner).margin.Top
	st.cut = between || o.floats.clear(clear) > o.y+o.strut.with(margin).sum()
	return st.cut
}

// isRoot reports whether a box in flow makes a formatting context of its own (CSS Display 3, flow-root): margins do not collapse
// through its edges, and floats do not reach into it.
func isRoot(b *box.Box) bool {
	if b.Kind != box.Block || b.Inline || b.Parent == nil || b.Parent.Kind == box.Flex || b.Parent.Kind == box.Grid {
		return true
	}
	return b.Style.Display == "flow-root" || b.Style.Display == "inline-block" || b.Floats() || b.OutOfFlow() || clips(b)
}

// clips reports whether a box has an overflow of its own. That of <body> is the page's (CSS Overflow 3, section 3.3).
func clips(b *box.Box) bool {
	if b.Style.OverflowX == "visible" || b.Style.OverflowX == "clip" {
		return false
	}
	ofPage := b.Node != nil && b.Node.Tag == "body" && b.Parent != nil && b.Parent.Parent == nil && b.Parent.Style.OverflowX == "visible"
	return !ofPage
}
