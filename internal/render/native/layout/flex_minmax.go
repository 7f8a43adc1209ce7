package layout

import (
	"github.com/platen-render/platen/internal/render/native/align"
	"github.com/platen-render/platen/internal/render/native/box"
)

// flexMinMax returns the least and the greatest width of the content box of a flex container: what its items want beside each
// other, or the widest of them if they may stand below each other.
func (l *layouter) flexMinMax(b *box.Box) (least, most float64) {
	column := b.Style.FlexDirection == "column" || b.Style.FlexDirection == "column-reverse"
	between := gap(b.Style.ColumnGap, indefinite)
	items := 0
	for _, c := range b.Children {
		if l.err() != nil {
			return 0, 0
		}
		if c.OutOfFlow() {
			continue
		}
		low, high := l.minMax(c)
		if column {
			least, most = max(least, low), max(most, high)
			continue
		}
		if items++; items > 1 {
			most += between
		}
		flexedLow, flexedHigh := l.flexed(c, low, high)
		most += flexedHigh
		if b.Style.FlexWrap != "nowrap" { // the browser does not look at what flexes here
			least = max(least, low)
			continue
		}
		if items > 1 {
			least += between
		}
		least += flexedLow
	}
	if column && b.Style.FlexWrap != "nowrap" {
		most = max(most, l.besideColumns(b))
	}
	return least, max(least, most)
}

// besideColumns is how wide the lines of a column are together that wraps in a height that is known: to find that, it is laid out
// as if there were room for all items beside each other.
func (l *layouter) besideColumns(b *box.Box) float64 {
	room := 0.0
	for _, c := range b.Children {
		if !c.OutOfFlow() {
			_, high := l.minMax(c)
			room = bounded(room + max(high, 0))
		}
	}
	s := within(room, indefinite)
	e := l.edges(b, s)
	s.fixedWidth = room + e.across()
	c := l.newFlexbox(b, s)
	if c.Main < 0 && c.Break < 0 {
		return 0 // it never wraps
	}
	if err := c.measureItems(); err != nil {
		l.fail(err)
		return 0
	}
	c.decideMain()
	c.lines = c.Lines(c.items)
	if err := c.measureCross(); err != nil {
		l.fail(err)
		return 0
	}
	c.Cross = indefinite
	c.Content = align.Start
	return c.Stretch(c.items, c.lines)
}

// flexed keeps what an item wants above its flex base size if it does not shrink, and below if it does not grow, as long as that
// is a length; its own limits come last (CSS Flexbox 1, section 9.9.1).
func (l *layouter) flexed(b *box.Box, low, high float64) (least, most float64) {
	s := within(indefinite, indefinite)
	e := l.edges(b, s)
	basis := b.Style.FlexBasis
	if !definite(basis) || percent(basis) {
		return low, high
	}
	base, _ := l.sizeAcross(b, basis, s, e)
	clamp := func(size float64) float64 {
		size -= e.margin.Across()
		if b.Style.FlexGrow == 0 {
			size = min(size, base)
		}
		if b.Style.FlexShrink == 0 {
			size = max(size, base)
		}
		return l.limitFlexed(b, size, s, e) + e.margin.Across()
	}
	return clamp(low), clamp(high)
}

// limitFlexed applies the limits of an item, its automatic minimum among them.
func (l *layouter) limitFlexed(b *box.Box, width float64, s space, e edges) float64 {
	most := float64(farthest)
	if limit, ok := l.sizeAcross(b, b.Style.MaxWidth, s, e); ok {
		most = limit
	}
	least, ok := l.sizeAcross(b, b.Style.MinWidth, s, e)
	if !ok && !clips(b) {
		content, _ := l.content(b)
		least = min(content+e.across(), most)
		if own, ok := l.sizeAcross(b, b.Style.Width, s, e); ok && definite(b.Style.Width) {
			least = min(least, own)
		}
	}
	return max(min(width, most), least)
}
