package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
)

// strut is margins that collapse (CSS 2.2, section 8.3.1): the greatest and the most negative of them count. In quirks mode those that
// are the browser's own do not at the edges of a cell and of the body (HTML standard, section 15.3.9, "Margin collapsing quirks"). They are
// kept apart, and are never negative.
type strut struct {
	positive, negative, quirks float64
	plain                      bool // it takes none of those
}

func (m strut) with(margin float64, quirk bool) strut {
	if quirk {
		return m.and(strut{quirks: margin})
	}
	return m.and(strut{positive: max(margin, 0), negative: min(margin, 0)})
}

func (m strut) and(other strut) strut {
	if !m.plain {
		m.quirks = max(m.quirks, other.quirks)
	}
	return strut{max(m.positive, other.positive), min(m.negative, other.negative), m.quirks, m.plain}
}

func (m strut) sum() float64 { return max(m.positive, m.quirks) + m.negative }

// ahead is what looking ahead found of a box.
type ahead struct {
	// margins are those that collapse with the upper one of the box; through says that the lower one is among them, because nothing
	// is between. Above are those without its own lower one: they say where an empty box stands.
	margins, above strut
	through        bool
}

// sight is what was found in a space, and which floats stand between the margins.
type sight struct {
	space       space
	ahead       ahead
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
func (l *layouter) look(b *box.Box, s space, o *outlook) ahead {
	st := l.state(b)
	if st.sight != nil && st.sight.space == s {
		o.strut = o.strut.and(st.sight.ahead.margins)
		o.see(st.sight.left, st.sight.right)
		return st.sight.ahead
	}
	if l.depth++; l.depth > l.limits.MaxDepth {
		l.fail(ErrTooDeep)
		return ahead{}
	}
	defer func() { l.depth-- }()
	before := o.seen
	o.seen.left, o.seen.right, o.seen.cleared = false, false, false
	a := l.lookInside(b, s, o)
	if !o.seen.cleared {
		st.sight = &sight{s, a, o.seen.left, o.seen.right}
	}
	o.see(before.left, before.right)
	o.seen.cleared = o.seen.cleared || before.cleared
	return a
}

// see notes floats.
func (o *outlook) see(left, right bool) {
	o.left, o.right = o.left || left, o.right || right
	o.seen.left, o.seen.right = o.seen.left || left, o.seen.right || right
}

func (l *layouter) lookInside(b *box.Box, s space, o *outlook) ahead {
	e := l.edges(b, s)
	margins := strut{}.with(e.margin.Top, e.quirkTop)
	o.strut = o.strut.and(margins)
	if isRoot(b) || e.border.Top+e.padding.Top > 0 || b.HasLines && l.inked(b) || l.markerAlone(b) {
		return ahead{margins, margins, false}
	}
	width := l.width(b, s, e)
	height, definite := l.height(b, s, e, width)
	inner := within(max(width-e.across(), 0), indefinite)
	if definite {
		inner.height = max(height-e.along(), 0)
	} else {
		height = l.limitHeight(b, 0, s, e)
	}
	if !definite {
		inner.height, inner.passed = l.passedHeight(b, s, e, false)
		if l.fills(b) {
			height = inner.height
		}
	}
	if l.plain(b) {
		margins.plain = true
		o.strut.plain = true
	}
	for _, c := range b.Children {
		if l.err() != nil {
			return ahead{}
		}
		inside, open := l.lookAt(c, inner, o)
		margins = margins.and(inside)
		if !open {
			return ahead{margins, margins, false}
		}
	}
	if height > 0 || b.Marker != nil {
		return ahead{margins, margins, false}
	}
	o.strut = o.strut.with(e.margin.Bottom, e.quirkBottom)
	return ahead{margins.with(e.margin.Bottom, e.quirkBottom), margins, true}
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
	a := l.look(c, inner, o)
	return a.margins, a.through
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
	e := l.edges(c, inner)
	st.cut = between || o.floats.clear(clear) > o.y+o.strut.with(e.margin.Top, e.quirkTop).sum()
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

// clips reports whether a box has an overflow of its own, so that what is in it scrolls. That of <body> is the page's (CSS Overflow
// 3, section 3.3).
func clips(b *box.Box) bool {
	return b.Style.OverflowX != "visible" && b.Style.OverflowX != "clip" && !isBody(b)
}

// isBody reports whether a box is that of <body> and its overflow is that of the page.
func isBody(b *box.Box) bool {
	return b.Node != nil && b.Node.Tag == "body" && b.Parent != nil && b.Parent.Parent == nil && b.Parent.Style.OverflowX == "visible"
}
