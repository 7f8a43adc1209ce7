package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/flex"
)

// measureColumn finds the sizes of an item along a column. Its width is known first, because its height depends on it.
func (c *flexbox) measureColumn(b *box.Box, item *flex.Item, k *flexItem) error {
	k.space = c.columnSpace(b, item, k)
	item.Frame = k.e.along()
	item.Max = farthest
	if most, ok := sizeAlong(b, b.Style.MaxHeight, c.inner, k.e); ok {
		item.Max = most
	}
	base, ok := c.baseHeight(b, k.e)
	if k.definite = ok; !ok {
		content, err := c.contentHeight(b, k)
		if err != nil {
			return err
		}
		base = content
	}
	item.Base = max(base, item.Frame)
	var least float64
	least, ok = sizeAlong(b, b.Style.MinHeight, c.inner, k.e)
	if !ok && definite(b.Style.MinHeight) { // a share of what is not known is no automatic size
		least = 0
	} else if !ok && !clips(b) {
		var err error
		if least, err = c.automaticHeight(b, item, k); err != nil {
			return err
		}
	}
	item.Min = max(least, item.Frame)
	return nil
}

// columnSpace is the space for an item of a column before its height is decided: it fills the width, or fits its content.
func (c *flexbox) columnSpace(b *box.Box, item *flex.Item, k *flexItem) space {
	s := c.inner
	s.shrink = true
	if item.Stretches() && !c.Wrap {
		s.fixedWidth = c.l.limitWidth(b, max(s.width-k.e.margin.Across(), 0), s, k.e)
	}
	return s
}

// baseHeight is the flex base size when it does not depend on the content.
func (c *flexbox) baseHeight(b *box.Box, e edges) (float64, bool) {
	basis := basisOf(b, b.Style.Height)
	if basis.Is("0%") {
		return e.along(), c.inner.height >= 0
	}
	return sizeAlong(b, basis, c.inner, e)
}

// contentHeight is the height that the content of an item wants.
func (c *flexbox) contentHeight(b *box.Box, k *flexItem) (float64, error) {
	if k.measured {
		return k.natural, nil
	}
	s := k.space
	style := b.Style
	s.natural = definite(style.Height) || definite(style.MinHeight) || definite(style.MaxHeight)
	f, err := c.l.measure(b, s)
	if err != nil {
		return 0, err
	}
	k.natural, k.wide, k.measured = f.Height, f.Width, true
	return f.Height, nil
}

// automaticHeight is the automatic minimum size: what the content wants, but no more than the item's own height.
func (c *flexbox) automaticHeight(b *box.Box, item *flex.Item, k *flexItem) (float64, error) {
	content, err := c.contentHeight(b, k)
	if err != nil {
		return 0, err
	}
	if height, ok := sizeAlong(b, b.Style.Height, c.inner, k.e); ok && b.Kind != box.Table {
		content = min(content, height)
	}
	return min(content, item.Max), nil
}
