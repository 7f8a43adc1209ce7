package layout

import (
	"slices"
	"sort"

	"github.com/platen-render/platen/internal/render/native/align"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/grid"
)

// gridbox is a grid container while it is laid out. Package grid does the sums.
type gridbox struct {
	l *layouter
	b *box.Box
	f *fragment.Fragment
	s space
	e edges

	// inner is the space in the content box; height is that of the border box if known says so.
	inner  space
	height float64
	known  bool

	boxes         []*box.Box // in the order of `order`
	items         []gridItem
	columns, rows gridAxis
	placement     grid.Placement
}

// gridAxis is one direction of a grid.
type gridAxis struct {
	*grid.Axis
	grid.Sizing
	tracks []grid.Track
	sizes  []float64
	edges  grid.Edges
}

// grid lays out a grid container (CSS Grid 1, sections 7 to 11).
func (l *layouter) grid(b *box.Box, s space) (*fragment.Fragment, error) {
	c := l.newGridbox(b, s)
	if err := c.place(c.inner.width, c.rowRoom()); err != nil {
		return nil, err
	}
	if err := c.sizeColumns(); err != nil {
		return nil, err
	}
	if err := c.sizeRows(); err != nil {
		return nil, err
	}
	if err := c.decideHeight(); err != nil {
		return nil, err
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	c.baselines()
	return c.f, l.err()
}

func (l *layouter) newGridbox(b *box.Box, s space) *gridbox {
	e := l.edges(b, s)
	c := &gridbox{l: l, b: b, s: s, e: e, boxes: itemsOf(b)}
	c.f = l.newFragment(b, e, l.width(b, s, e))
	c.height, c.known = l.height(b, s, e, c.f.Width)
	c.inner = within(max(c.f.Width-e.across(), 0), indefinite)
	if c.known && !c.soft() {
		c.inner.height = max(c.height-e.along(), 0)
	}
	return c
}

// rowRoom is the height that rows fill, if it is definite.
func (c *gridbox) rowRoom() float64 {
	if !c.known || c.soft() {
		return grid.Indefinite
	}
	return max(c.height-c.e.along(), 0)
}

// soft reports whether the height is known, but not definite: rows are made for their content then, and grow if there is room.
func (c *gridbox) soft() bool { return c.s.soft && c.s.fixedHeight >= 0 }

// place makes the axes and places the items.
func (c *gridbox) place(width, height float64) error {
	style := c.b.Style
	c.columns.Gap, c.rows.Gap = gap(style.ColumnGap, width), gap(style.RowGap, height)
	c.columns.Room, c.rows.Room = width, height
	c.columns.Most, c.rows.Most = farthest, farthest
	c.rows.Least = max(c.l.limitHeight(c.b, 0, c.s, c.e)-c.e.along(), 0)
	if c.soft() {
		c.rows.Least = max(c.height-c.e.along(), 0)
	}
	if most, ok := sizeAlong(c.b, style.MaxHeight, c.s, c.e); ok {
		c.rows.Most = max(most-c.e.along(), c.rows.Least)
	}
	c.columns.Stop, c.rows.Stop = c.l.err, c.l.err
	c.columns.Stretch = c.justifyContent() == align.Stretch
	c.rows.Stretch = c.alignContent() == align.Stretch
	across := grid.Repetitions(style.GridTemplateColumns, c.mostWidth(width), c.leastWidth(width), c.columns.Gap)
	if height < 0 && c.rows.Most < farthest {
		height = c.rows.Most
	}
	along := grid.Repetitions(style.GridTemplateRows, height, c.rows.Least, c.rows.Gap)
	c.columns.Axis = grid.NewAxis(style.GridTemplateColumns, style.GridAutoColumns, style.GridTemplateAreas, false, across)
	c.rows.Axis = grid.NewAxis(style.GridTemplateRows, style.GridAutoRows, style.GridTemplateAreas, true, along)
	requests := make([]grid.Item, len(c.boxes))
	for i, b := range c.boxes {
		requests[i] = requestOf(b)
	}
	flow := style.GridAutoFlow
	var err error
	c.placement, err = grid.Place(c.columns.Axis, c.rows.Axis, requests,
		grid.Flow{Column: flow == "column" || flow == "column dense", Dense: flow == "row dense" || flow == "column dense"}, c.l.err)
	return err
}

// leastWidth is the min-width of a container whose width is not known. One that depends on the content is none yet.
func (c *gridbox) leastWidth(width float64) float64 {
	if width >= 0 || !definite(c.b.Style.MinWidth) {
		return 0
	}
	least, _ := c.l.sizeAcross(c.b, c.b.Style.MinWidth, c.s, c.e)
	return max(least-c.e.across(), 0)
}

// mostWidth is the width, or the max-width of a container whose width is not known: repetitions fill it.
func (c *gridbox) mostWidth(width float64) float64 {
	if width >= 0 || !definite(c.b.Style.MaxWidth) {
		return width
	}
	if most, ok := c.l.sizeAcross(c.b, c.b.Style.MaxWidth, c.s, c.e); ok {
		return max(most-c.e.across(), 0)
	}
	return width
}

func requestOf(b *box.Box) grid.Item {
	return grid.Item{
		Columns: grid.Request{Start: b.Style.GridColumnStart, End: b.Style.GridColumnEnd},
		Rows:    grid.Request{Start: b.Style.GridRowStart, End: b.Style.GridRowEnd},
	}
}

func (c *gridbox) justifyContent() align.Mode {
	return side{right: rtl(c.b)}.mode(c.b.Style.JustifyContent)
}

func (c *gridbox) alignContent() align.Mode { return side{vertical: true}.mode(c.b.Style.AlignContent) }

// resolve turns the definitions of all tracks of an axis into tracks, percentages of base.
func (c *gridbox) resolve(a *gridAxis, count, before int, base float64, of func(grid.Area) grid.Range) {
	taken := make([]bool, count)
	if a.FitEnd > a.FitFirst {
		for _, area := range c.placement.Areas {
			for i := of(area).Start; i < of(area).End; i++ {
				taken[i] = true
			}
		}
	}
	a.tracks = a.Axis.Tracks(count, before, base, func(i int) bool { return taken[i] })
}

func columnsOf(a grid.Area) grid.Range { return a.Columns }

func rowsOf(a grid.Area) grid.Range { return a.Rows }

// decideHeight finds the height of the container. Rows and gaps that are shares of it get their sizes now, and so do all rows when
// there are fractions and the height is not that of their content.
func (c *gridbox) decideHeight() error {
	sum, open := c.rows.Sum(c.rows.tracks, c.rows.sizes), c.rows.Room < 0
	c.f.Height = c.height
	if !c.known {
		c.f.Height = c.l.limitHeight(c.b, bounded(sum+c.e.along()), c.s, c.e)
	}
	c.rows.Room = c.f.ContentHeight()
	limited := sum != c.rows.Room && slices.ContainsFunc(c.rows.tracks, func(t grid.Track) bool { return t.Max.Kind == grid.Flexible })
	if open && (limited || c.rows.HasPercent() || percent(c.b.Style.RowGap)) {
		c.rows.Gap = gap(c.b.Style.RowGap, c.rows.Room)
		if err := c.sizeRowsOf(c.rows.Room); err != nil {
			return err
		}
	}
	c.rows.edges = c.rows.Edges(c.rows.tracks, c.rows.sizes, c.alignContent())
	return nil
}

// finish lays out the items for good; children stand in the order of the document.
func (c *gridbox) finish() error {
	for i, b := range c.boxes {
		if err := c.l.err(); err != nil {
			return err
		}
		item := &c.items[i]
		f, err := c.l.layout(b, c.finalSpace(b, item))
		if err != nil {
			return err
		}
		c.put(f, item)
		item.f = f
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
