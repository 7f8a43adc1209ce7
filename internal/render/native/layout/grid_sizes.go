package layout

import (
	"github.com/platen-render/platen/internal/render/native/align"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/grid"
)

// sizeColumns finds the sizes and places of the columns.
func (c *gridbox) sizeColumns() error {
	c.newItems()
	if err := c.columnTracks(); err != nil {
		return err
	}
	c.columns.edges = c.columns.Edges(c.columns.tracks, c.columns.sizes, c.justifyContent())
	return nil
}

func (c *gridbox) columnTracks() error {
	c.resolve(&c.columns, c.placement.Columns, c.placement.ColumnsBefore, c.columns.Room, columnsOf)
	wants := make([]grid.Want, len(c.boxes))
	for i, b := range c.boxes {
		if err := c.l.err(); err != nil {
			return err
		}
		wants[i] = c.l.wantAcross(b)
		wants[i].Range = c.placement.Areas[i].Columns
	}
	var err error
	c.columns.sizes, err = c.columns.Sizing.Tracks(c.columns.tracks, wants)
	return err
}

// wantAcross is what an item wants of its columns.
func (l *layouter) wantAcross(b *box.Box) grid.Want {
	var want grid.Want
	want.Least, want.Most = l.minMax(b)
	want.Minimum = want.Least
	style := b.Style
	if !style.Width.Is("auto") && !percent(style.Width) {
		return want
	}
	s := within(indefinite, indefinite)
	e := l.edges(b, s)
	want.Minimum = e.across() + e.margin.Across()
	if least, ok := l.sizeAcross(b, style.MinWidth, s, e); ok {
		want.Minimum = least + e.margin.Across()
	}
	want.Automatic = style.MinWidth.Is("auto") && !clips(b)
	return want
}

// sizeRows measures the items in their columns and finds the sizes of the rows.
func (c *gridbox) sizeRows() error {
	c.resolve(&c.rows, c.placement.Rows, c.placement.RowsBefore, c.rows.Room, rowsOf)
	for i, b := range c.boxes {
		if err := c.l.err(); err != nil {
			return err
		}
		item := &c.items[i]
		item.space = c.areaSpace(b, item, indefinite)
		if item.along != align.Baseline && c.fixed(item.Rows) {
			continue
		}
		f, err := c.l.measure(b, item.space)
		if err != nil {
			return err
		}
		item.f = f
	}
	c.lowerItems()
	return c.sizeRowsOf(c.rows.Room)
}

// fixed reports whether the sizes of rows depend on nothing.
func (c *gridbox) fixed(r grid.Range) bool {
	for _, t := range c.rows.tracks[r.Start:r.End] {
		if t.Min.Kind != grid.Fixed || t.Max.Kind != grid.Fixed {
			return false
		}
	}
	return true
}

// lowerItems finds how far items must move down to stand on one baseline: those that begin in the same row (section 10.6).
func (c *gridbox) lowerItems() {
	above := map[int]float64{}
	for i := range c.items {
		if item := &c.items[i]; item.along == align.Baseline {
			up := item.e.margin.Top + baselineOf(item.f)
			if most, seen := above[item.Rows.Start]; !seen || up > most {
				above[item.Rows.Start] = up
			}
		}
	}
	for i := range c.items {
		if item := &c.items[i]; item.along == align.Baseline {
			item.lower = above[item.Rows.Start] - item.e.margin.Top - baselineOf(item.f)
		}
	}
}

// sizeRowsOf finds the sizes of the rows when percentages are of base.
func (c *gridbox) sizeRowsOf(base float64) error {
	c.resolve(&c.rows, c.placement.Rows, c.placement.RowsBefore, base, rowsOf)
	wants := make([]grid.Want, len(c.boxes))
	for i, b := range c.boxes {
		wants[i] = c.wantAlong(b, &c.items[i])
		wants[i].Range = c.placement.Areas[i].Rows
	}
	var err error
	c.rows.sizes, err = c.rows.Sizing.Tracks(c.rows.tracks, wants)
	return err
}

// wantAlong is what an item wants of its rows: the height that it was measured with, whatever it is asked for.
func (c *gridbox) wantAlong(b *box.Box, item *gridItem) grid.Want {
	if item.f == nil { // its rows have sizes of their own
		return grid.Want{}
	}
	outside := item.e.margin.Along() + item.lower
	want := grid.Want{Least: item.f.Height + outside, Most: item.f.Height + outside}
	want.Minimum = want.Least
	if height := b.Style.Height; definite(height) && !percent(height) {
		return want
	}
	want.Minimum = item.e.along() + outside
	if least, ok := sizeAlong(b, b.Style.MinHeight, item.space, item.e); ok {
		want.Minimum = least + outside
	}
	want.Automatic = b.Style.MinHeight.Keyword != "" && !clips(b)
	return want
}

// gridMinMax returns the least and the greatest width of the content box of a grid.
func (l *layouter) gridMinMax(b *box.Box) (least, most float64) {
	s := within(indefinite, indefinite)
	c := &gridbox{l: l, b: b, s: s, e: l.edges(b, s), boxes: itemsOf(b)}
	if err := c.place(grid.Indefinite, grid.Indefinite); err != nil {
		l.fail(err)
		return 0, 0
	}
	return c.widthFor(grid.Least), c.widthFor(grid.Most)
}

func (c *gridbox) widthFor(constraint grid.Constraint) float64 {
	c.columns.Constraint = constraint
	if err := c.columnTracks(); err != nil {
		c.l.fail(err)
		return 0
	}
	return c.columns.Sum(c.columns.tracks, c.columns.sizes)
}
