package layout

import (
	"sort"

	"github.com/platen-render/platen/internal/render/native/align"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/flex"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// flexbox is a flex container while it is laid out. Package flex does the sums; it turns main and cross into directions.
type flexbox struct {
	l *layouter
	b *box.Box
	f *fragment.Fragment
	s space
	e edges

	column bool
	// mainEnd and crossEnd say that the axes begin at the right or at the bottom.
	mainEnd, crossEnd bool
	// inner is the space for items; height is that of the border box if known says so.
	inner  space
	height float64
	known  bool

	flex.Container
	boxes []*box.Box // in the order of `order`
	items []flex.Item
	kinds []flexItem
	lines []flex.Line
}

// flex lays out a flex container.
func (l *layouter) flex(b *box.Box, s space) (*fragment.Fragment, error) {
	c := l.newFlexbox(b, s)
	if err := c.measureItems(); err != nil {
		return nil, err
	}
	c.decideMain()
	c.lines = c.Lines(c.items)
	if err := c.measureCross(); err != nil {
		return nil, err
	}
	cross := c.Stretch(c.items, c.lines)
	c.decideHeight(cross)
	c.Place(c.items, c.lines, cross)
	if err := c.finish(); err != nil {
		return nil, err
	}
	c.baselines()
	return c.f, l.err()
}

func (l *layouter) newFlexbox(b *box.Box, s space) *flexbox {
	e := l.edges(b, s)
	c := &flexbox{l: l, b: b, s: s, e: e}
	c.f = l.newFragment(b, e, l.width(b, s, e))
	c.height, c.known = l.height(b, s, e, c.f.Width)
	c.inner = within(max(c.f.Width-e.across(), 0), indefinite)
	if c.known && !(s.soft && s.fixedHeight >= 0) {
		c.inner.height = max(c.height-e.along(), 0)
	}
	c.axes()
	c.sizes()
	c.boxes = itemsOf(b)
	return c
}

// itemsOf are the children that take part, in the order of `order`.
func itemsOf(b *box.Box) []*box.Box {
	list := make([]*box.Box, 0, len(b.Children))
	for _, c := range b.Children {
		if !c.OutOfFlow() {
			list = append(list, c)
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Style.Order < list[j].Style.Order })
	return list
}

func (c *flexbox) axes() {
	direction, wrap := c.b.Style.FlexDirection, c.b.Style.FlexWrap
	reverse := direction == "row-reverse" || direction == "column-reverse"
	c.column = direction == "column" || direction == "column-reverse"
	c.Wrap = wrap == "wrap" || wrap == "wrap-reverse"
	if c.column {
		c.mainEnd, c.crossEnd = reverse, rtl(c.b) != (wrap == "wrap-reverse")
	} else {
		c.mainEnd, c.crossEnd = rtl(c.b) != reverse, wrap == "wrap-reverse"
	}
	main := side{reversed: reverse, right: c.mainEnd, vertical: c.column}
	if c.Justify = main.mode(c.b.Style.JustifyContent); c.Justify == align.Stretch {
		c.Justify = align.Start
		if k := c.b.Style.JustifyContent; k == "stretch" {
			c.Justify = main.mode("flex-start")
		}
	}
	c.MainReversed, c.CrossReversed = reverse, wrap == "wrap-reverse"
	if c.Content = c.crossSide(nil).mode(c.b.Style.AlignContent); c.Content == align.Baseline {
		c.Content = c.crossSide(nil).mode("start")
	}
}

// crossSide says how to read align-items and align-content; child is nil for the latter.
func (c *flexbox) crossSide(child *box.Box) side {
	d := side{reversed: c.b.Style.FlexWrap == "wrap-reverse", right: c.crossEnd, vertical: !c.column}
	d.turned = child != nil && c.column && rtl(child) != rtl(c.b)
	return d
}

// sizes tells the algorithm what is known of the container.
func (c *flexbox) sizes() {
	height, most := float64(flex.Indefinite), float64(farthest)
	if c.known {
		height = max(c.height-c.e.along(), 0)
	}
	if limit, ok := sizeAlong(c.b, c.b.Style.MaxHeight, c.s, c.e); ok {
		most = max(limit-c.e.along(), 0)
	}
	least := max(c.l.limitHeight(c.b, 0, c.s, c.e)-c.e.along(), 0)
	rows, columns := gap(c.b.Style.RowGap, c.inner.height), gap(c.b.Style.ColumnGap, c.inner.width)
	c.Break = flex.Indefinite
	if c.column {
		c.Main, c.Cross, c.MainGap, c.CrossGap, c.MaxCross = height, c.inner.width, rows, columns, farthest
		if most < farthest {
			c.Break = max(most, least)
		}
		return
	}
	c.Main, c.Cross, c.MainGap, c.CrossGap = c.inner.width, height, columns, rows
	c.MinCross, c.MaxCross = least, most
}

// decideMain gives a column without a height of its own that of its items, within its limits.
func (c *flexbox) decideMain() {
	if c.Main >= 0 {
		return
	}
	height := c.l.limitHeight(c.b, bounded(c.Natural(c.items)+c.e.along()), c.s, c.e)
	c.Main = max(height-c.e.along(), 0)
}

// decideHeight finds the height of the container.
func (c *flexbox) decideHeight(cross float64) {
	content := c.Main
	if !c.column {
		content = cross
	}
	automatic := bounded(content + c.e.along())
	if !c.known {
		c.f.Height = c.l.limitHeight(c.b, automatic, c.s, c.e)
		return
	}
	c.f.Height = c.height
}

// measure lays out a box to see how large it is: what is positioned in it waits for the layout that counts.
func (l *layouter) measure(b *box.Box, s space) (*fragment.Fragment, error) {
	mark := len(l.pending)
	f, err := l.layout(b, s)
	l.pending = l.pending[:mark]
	return f, err
}
