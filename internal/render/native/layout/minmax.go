package layout

import "github.com/platen-render/platen/internal/render/native/box"

// minMax returns the least and the greatest width that the margin box of a box wants (CSS Sizing 3, section 5): percentages count
// as if they were not there. It is found once for each box. Failures are kept for [layouter.err].
func (l *layouter) minMax(b *box.Box) (least, most float64) {
	st := l.state(b)
	if !st.sized {
		st.least, st.most = l.contribution(b)
		st.sized = true
	}
	return st.least, st.most
}

// content returns the least and the greatest width of the content box that the content of a box wants, whatever its style says
// of its width.
func (l *layouter) content(b *box.Box) (least, most float64) {
	st := l.state(b)
	if !st.contentSized {
		if l.err() != nil {
			return 0, 0
		}
		if l.depth++; l.depth > l.limits.MaxDepth {
			l.fail(ErrTooDeep)
		} else {
			least, most = l.contentOf(b)
		}
		l.depth--
		least = max(enough(least), 0)
		st.contentLeast, st.contentMost = least, max(enough(most), least)
		st.contentSized = true
	}
	return st.contentLeast, st.contentMost
}

func (l *layouter) contentOf(b *box.Box) (least, most float64) {
	switch b.Kind {
	case box.Flex:
		return l.flexMinMax(b)
	case box.Grid:
		return l.gridMinMax(b)
	case box.Table:
		return l.wrapperMinMax(b)
	case box.TableGrid:
		e := l.edges(b, within(0, indefinite))
		least, most = l.tableMinMax(b)
		return least - e.across(), most - e.across()
	case box.Replaced:
		width := naturalWidth(b)
		return width, width
	default:
	}
	if b.HasLines {
		return l.linesMinMax(b)
	}
	return l.childrenMinMax(b)
}

// contribution applies the style of a box to what its content wants.
func (l *layouter) contribution(b *box.Box) (least, most float64) {
	unknown := within(indefinite, indefinite)
	e := l.edges(b, unknown)
	switch b.Kind {
	case box.Table:
		least, most = l.content(b)
		return least + e.margin.Across(), most + e.margin.Across()
	case box.TableGrid:
		return l.tableMinMax(b)
	case box.Replaced:
		least, most = l.replacedMinMax(b, e)
	default:
		least, most = l.borderMinMax(b, unknown, e)
	}
	return bounded(least + e.margin.Across()), bounded(most + e.margin.Across())
}

func (l *layouter) borderMinMax(b *box.Box, unknown space, e edges) (least, most float64) {
	width := b.Style.Width
	if width.Is("fit-content") { // in no width it is the least, in any width the greatest
		width.Keyword = "auto"
	}
	if fixed, ok := l.sizeAcross(b, width, unknown, e); ok {
		least, most = fixed, fixed
	} else if ratio := ratioOf(b); ratio > 0 && b.Style.Height.Keyword == "" && !b.Style.Height.Length.HasPercent() {
		least = l.automaticWidth(b, unknown, e)
		most = least
	} else {
		least, most = l.content(b)
		least, most = least+e.across(), most+e.across()
	}
	return l.limitWidth(b, least, unknown, e), l.limitWidth(b, most, unknown, e)
}

func (l *layouter) linesMinMax(b *box.Box) (least, most float64) {
	flow := l.flowOf(b)
	if flow == nil {
		return 0, 0
	}
	return flow.MinMax(l.minMax)
}

// childrenMinMax is what blocks want that stand below each other, with the floats between them.
func (l *layouter) childrenMinMax(b *box.Box) (least, most float64) {
	var left, right float64 // of floats side by side
	for _, c := range b.Children {
		if l.err() != nil {
			return 0, 0
		}
		if c.OutOfFlow() {
			continue
		}
		if clear := c.Style.Clear; clear != "none" {
			most = max(most, left+right)
			if clear != "right" {
				left = 0
			}
			if clear != "left" {
				right = 0
			}
		}
		low, high := l.minMax(c)
		least = max(least, low)
		switch {
		case c.Floats() && c.Style.Float == "left":
			left += max(high, 0)
		case c.Floats():
			right += max(high, 0)
		case isRoot(c):
			margin := l.edges(c, within(indefinite, indefinite)).margin
			most = max(most, high-margin.Across()+besideFloat(margin.Left, left)+besideFloat(margin.Right, right))
			left, right = 0, 0
		default: // as in Blink nothing further down stands beside the floats
			most = max(most, high, left+right)
			left, right = 0, 0
		}
	}
	return least, max(most, left+right)
}

// besideFloat is the room at one side of a box that stands beside floats: its margin may lie over them.
func besideFloat(margin, float float64) float64 {
	if margin < 0 {
		return float + margin
	}
	return max(margin, float)
}
