package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
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
	return least, max(least, most)
}

// flexed keeps what an item wants above its flex base size if it does not shrink, and below if it does not grow, as long as that
// is a length; its own limits come last (CSS Flexbox 1, section 9.9.1).
func (l *layouter) flexed(b *box.Box, low, high float64) (least, most float64) {
	s := within(indefinite, indefinite)
	e := l.edges(b, s)
	basis := b.Style.FlexBasis
	if !definite(basis) || basis.Length.HasPercent() {
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
		if own, ok := l.sizeAcross(b, b.Style.Width, s, e); ok && b.Style.Width.Keyword == property.Keyword("") {
			least = min(least, own)
		}
	}
	return max(min(width, most), least)
}
