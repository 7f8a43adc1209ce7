package layout

import (
	"github.com/platen-render/platen/internal/render/native/align"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/flex"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// flexItem is what layout keeps of an item beside its numbers.
type flexItem struct {
	e edges
	// natural is the height of a column's item that its content wants and wide the width that it has then, in the space that it
	// was measured in; measured says that it has been.
	natural, wide float64
	measured      bool
	// definite says of a column's item that its flex base size is that of its style, so that what is in it knows its height.
	definite bool
	space    space
	f        *fragment.Fragment
}

// measureItems finds the numbers of all items (CSS Flexbox 1, section 9.2).
func (c *flexbox) measureItems() error {
	c.items, c.kinds = make([]flex.Item, len(c.boxes)), make([]flexItem, len(c.boxes))
	for i, b := range c.boxes {
		if err := c.l.err(); err != nil {
			return err
		}
		if err := c.measureItem(b, &c.items[i], &c.kinds[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *flexbox) measureItem(b *box.Box, item *flex.Item, k *flexItem) error {
	k.e = c.l.edges(b, c.inner)
	item.Grow, item.Shrink = factor(b.Style.FlexGrow), factor(b.Style.FlexShrink)
	item.MainMargin, item.CrossMargin = c.margins(&k.e)
	item.Align = c.crossSide(b).mode(alignOf(b, c.b))
	if item.Align == align.Stretch && !c.mayStretch(b) {
		item.Align = align.Start
	}
	if c.column {
		return c.measureColumn(b, item, k)
	}
	c.measureRow(b, item, k)
	return nil
}

// factor keeps flex factors from becoming infinite together.
func factor(f float64) float64 { return max(min(f, 1e9), 0) }

// mayStretch reports whether the size of an item across is automatic.
func (c *flexbox) mayStretch(b *box.Box) bool {
	if c.column {
		return b.Style.Width.Is("auto")
	}
	return b.Style.Height.Is("auto")
}

// margins are those of an item along both axes.
func (c *flexbox) margins(e *edges) (main, cross flex.Margins) {
	across := flex.Margins{Start: e.margin.Left, End: e.margin.Right, AutoStart: e.auto.Left, AutoEnd: e.auto.Right}
	along := flex.Margins{Start: e.margin.Top, End: e.margin.Bottom, AutoStart: e.auto.Top, AutoEnd: e.auto.Bottom}
	if main, cross = across, along; c.column {
		main, cross = along, across
	}
	if c.mainEnd {
		main = turn(main)
	}
	if c.crossEnd {
		cross = turn(cross)
	}
	return main, cross
}

func turn(m flex.Margins) flex.Margins {
	return flex.Margins{Start: m.End, End: m.Start, AutoStart: m.AutoEnd, AutoEnd: m.AutoStart}
}

// measureRow finds the sizes of an item along a row.
func (c *flexbox) measureRow(b *box.Box, item *flex.Item, k *flexItem) {
	s := c.inner
	s.shrink = true
	if height, ok := c.stretchedHeight(b, item, k); ok {
		s.fixedHeight = height
	}
	item.Frame = k.e.across()
	item.Max = farthest
	if most, ok := c.l.sizeAcross(b, b.Style.MaxWidth, s, k.e); ok {
		item.Max = most
	}
	item.Base = max(c.baseWidth(b, s, k.e), item.Frame)
	least, ok := c.l.sizeAcross(b, b.Style.MinWidth, s, k.e)
	if !ok && !clips(b) {
		least = c.automaticWidth(b, s, k.e, item.Max)
	}
	item.Min = max(least, item.Frame)
}

// stretchedHeight is the height of an item that fills the only line of a row whose height is known: it is definite from the
// beginning (section 9.8).
func (c *flexbox) stretchedHeight(b *box.Box, item *flex.Item, k *flexItem) (float64, bool) {
	if c.Wrap || c.Cross < 0 || !item.Stretches() {
		return 0, false
	}
	return c.l.limitHeight(b, max(c.Cross-k.e.margin.Along(), 0), c.inner, k.e), true
}

// baseWidth is the flex base size in a row (section 9.2, step 3).
func (c *flexbox) baseWidth(b *box.Box, s space, e edges) float64 {
	basis := basisOf(b, b.Style.Width)
	if basis.Is("0%") {
		return e.across()
	}
	if width, ok := c.l.sizeAcross(b, basis, s, e); ok {
		return width
	}
	_, most := c.widths(b, s, e)
	return most
}

// basisOf is flex-basis, or the size that it refers to when it is auto.
func basisOf(b *box.Box, size property.Size) property.Size {
	if b.Style.FlexBasis.Is("auto") {
		return size
	}
	return b.Style.FlexBasis
}

// widths are the least and greatest width that the content of an item wants, as border boxes: of what has a ratio and a height
// that is known, both follow from that.
func (c *flexbox) widths(b *box.Box, s space, e edges) (least, most float64) {
	if b.Kind == box.Replaced {
		width := c.l.contentWidth(b, s, e)
		return width, width
	}
	if width, ok := c.l.ratioWidth(b, s, e); ok {
		return width, width
	}
	least, most = c.l.content(b)
	return least + e.across(), most + e.across()
}

// contentWidth is the width of an image when that of its style does not count.
func (l *layouter) contentWidth(b *box.Box, s space, e edges) float64 {
	height, high := s.fixedHeight, s.fixedHeight >= 0
	if !high {
		height, high = l.styledHeight(b, s, e)
	}
	if high {
		return widthOf(b, height-e.along(), imageRatio(b)) + e.across()
	}
	width, _ := l.naturalSize(b, imageRatio(b), s, e)
	return width
}

// ratioWidth is the width that follows from the height by aspect-ratio.
func (l *layouter) ratioWidth(b *box.Box, s space, e edges) (width float64, ok bool) {
	ratio := ratioOf(b)
	if ratio <= 0 {
		return 0, false
	}
	height := s.fixedHeight
	if height < 0 {
		if height, ok = l.styledHeight(b, s, e); !ok {
			return 0, false
		}
	}
	return throughRatio(b, height, ratio, e.along(), e.across()), true
}

// automaticWidth is the automatic minimum size (section 4.5): what the content wants at least, but no more than the item's own
// width, and never more than its greatest.
func (c *flexbox) automaticWidth(b *box.Box, s space, e edges, most float64) float64 {
	least, _ := c.widths(b, s, e)
	if ratioOf(b) > 0 { // the content counts as well
		content, _ := c.l.content(b)
		least = max(least, content+e.across())
	}
	if width, ok := c.l.sizeAcross(b, b.Style.Width, s, e); ok && b.Style.Width.Keyword == "" && b.Kind != box.Table {
		least = min(least, width)
	}
	return min(least, most)
}
