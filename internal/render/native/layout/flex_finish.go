package layout

import (
	"sort"

	"github.com/platen-render/platen/internal/render/native/align"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/flex"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// measureCross lays out items at their main sizes, to see how large they are across (section 9.4, step 7).
func (c *flexbox) measureCross() error {
	for i, b := range c.boxes {
		if err := c.l.err(); err != nil {
			return err
		}
		item, k := &c.items[i], &c.kinds[i]
		if c.column {
			c.columnCross(b, item, k)
			if c.crossEnd { // the baseline of a column is the left edge, as in Chromium
				item.Baseline = item.Cross
			}
			continue
		}
		if err := c.rowCross(b, item, k); err != nil {
			return err
		}
	}
	return nil
}

// columnCross finds the width of an item of a column.
func (c *flexbox) columnCross(b *box.Box, item *flex.Item, k *flexItem) {
	s := k.space
	item.MaxCross = c.mostAcross(b, s, k.e)
	item.MinCross = c.l.limitWidth(b, 0, s, k.e)
	if b.Kind == box.Replaced && s.fixedWidth < 0 {
		s.fixedHeight = item.Main
		item.Cross, _ = c.l.replacedSize(b, s, k.e)
		return
	}
	item.Cross = c.l.width(b, s, k.e)
	if b.Kind == box.Table {
		least, most := c.l.content(b)
		item.Cross = max(s.fixedWidth, min(max(least, s.width-k.e.margin.Across()), most))
	}
}

func (c *flexbox) mostAcross(b *box.Box, s space, e edges) float64 {
	if most, ok := c.l.sizeAcross(b, b.Style.MaxWidth, s, e); ok {
		return most
	}
	return farthest
}

// rowCross finds the height of an item of a row and its baseline. One that fills a line whose height is known needs no measuring.
func (c *flexbox) rowCross(b *box.Box, item *flex.Item, k *flexItem) error {
	k.space = c.inner
	k.space.fixedWidth = item.Main
	item.MinCross, item.MaxCross = c.l.limitHeight(b, 0, c.inner, k.e), farthest
	if most, ok := sizeAlong(b, b.Style.MaxHeight, c.inner, k.e); ok {
		item.MaxCross = most
	}
	if !c.Wrap && c.Cross >= 0 && item.Stretches() {
		return nil
	}
	f, err := c.l.measure(b, k.space)
	if err != nil {
		return err
	}
	item.Cross, k.f = f.Height, f
	item.Baseline = baselineOf(f)
	if c.crossEnd {
		item.Baseline = f.Height - item.Baseline
	}
	return nil
}

// baselineOf is the baseline of a fragment, or its lower edge if it has none.
func baselineOf(f *fragment.Fragment) float64 {
	if f.HasBaseline {
		return f.Baseline
	}
	return f.Height
}

// finish lays out items for good and puts them where they belong; children stand in the order of the document.
func (c *flexbox) finish() error {
	for i, b := range c.boxes {
		if err := c.l.err(); err != nil {
			return err
		}
		f, err := c.l.layout(b, c.finalSpace(b, &c.items[i], &c.kinds[i]))
		if err != nil {
			return err
		}
		c.put(f, &c.items[i])
		c.kinds[i].f = f
		c.f.Children = append(c.f.Children, f)
	}
	sort.SliceStable(c.f.Children, func(i, j int) bool { return c.f.Children[i].Box.Order < c.f.Children[j].Box.Order })
	for _, b := range c.b.Children {
		if b.OutOfFlow() {
			c.static(b)
		}
	}
	return nil
}

// finalSpace is the space in which an item is laid out for good.
func (c *flexbox) finalSpace(b *box.Box, item *flex.Item, k *flexItem) space {
	s := k.space
	if !c.column {
		if item.Stretches() && !(k.f != nil && k.f.Height == item.Cross && !c.l.dependsOnHeight(b)) {
			s.fixedHeight = item.Cross
			s.soft = c.s.soft && c.s.fixedHeight >= 0 && !c.Wrap
		}
		return s
	}
	_, styled := sizeAlong(b, b.Style.Height, c.inner, k.e)
	hard := c.inner.height >= 0 || k.definite
	asMeasured := k.measured && !styled && k.natural == item.Main && k.wide == item.Cross
	if asMeasured && (!hard || !c.l.dependsOnHeight(b)) {
		return s
	}
	s.fixedWidth, s.fixedHeight, s.soft = item.Cross, item.Main, !hard
	return s
}

// put turns the places of an item into those of its fragment.
func (c *flexbox) put(f *fragment.Fragment, item *flex.Item) {
	across, along := item.MainAt, item.CrossAt
	main, cross := item.MainMargin, item.CrossMargin
	fromRight, fromBottom := c.mainEnd, c.crossEnd
	if c.column {
		across, along = along, across
		fromRight, fromBottom = fromBottom, fromRight
	}
	if fromRight {
		across = c.inner.width - across - f.Width
	}
	if fromBottom {
		along = c.f.ContentHeight() - along - f.Height
	}
	f.X, f.Y = bounded(c.f.ContentX()+across), bounded(c.f.ContentY()+along)
	if c.mainEnd {
		main = turn(main)
	}
	if c.crossEnd {
		cross = turn(cross)
	}
	if c.column {
		main, cross = cross, main
	}
	f.Margin = fragment.Edges{Top: cross.Start, Right: main.End, Bottom: cross.End, Left: main.Start}
}

// static notes where a positioned child would stand if it were the only item (section 4.1).
func (c *flexbox) static(b *box.Box) {
	main := staticShare(c.Justify)
	if c.mainEnd {
		main = 1 - main
	}
	word := alignOf(b, c.b)
	if word == "baseline" {
		word = "start"
	}
	cross := staticShare(c.crossSide(b).mode(word))
	if c.crossEnd {
		cross = 1 - cross
	}
	if c.column {
		main, cross = cross, main
	}
	x, y := c.f.ContentX()+float64(c.inner.width*main), c.f.ContentY()+float64(c.f.ContentHeight()*cross)
	c.l.positionedAt(b, c.f, x, y, main, cross)
}

// baselines finds those of the container: of the first and of the last line (section 8.5).
func (c *flexbox) baselines() {
	if len(c.lines) == 0 {
		return
	}
	first, last := c.lines[0], c.lines[len(c.lines)-1]
	if c.CrossReversed {
		first, last = last, first
	}
	c.f.HasBaseline = true
	c.f.Baseline = c.lineBaseline(first.First, first.End)
	c.f.LastBaseline = c.lineBaseline(last.First, last.End)
}

// lineBaseline is that of the first item that is aligned by its baseline, or of the first item. When the direction is reversed the
// last one is the first, as in Chromium.
func (c *flexbox) lineBaseline(from, to int) float64 {
	chosen := -1
	for n := range to - from {
		i := from + n
		if c.MainReversed {
			i = to - 1 - n
		}
		if chosen < 0 {
			chosen = i
		}
		if item := &c.items[i]; !c.column && item.Align == align.Baseline && !item.CrossMargin.Auto() {
			chosen = i
			break
		}
	}
	f := c.kinds[chosen].f
	return f.Y + baselineOf(f)
}
