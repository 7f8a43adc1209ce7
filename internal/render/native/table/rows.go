package table

import (
	"cmp"
	"slices"
)

// Extent is how high a cell is that has been laid out at its width.
type Extent struct {
	// Height is that of the border box without regard to a height that the style asks for.
	Height float64
	// Wanted is that height, of the border box.
	Wanted Length
	// OnBaseline says that the cell is aligned by its baseline, which is at Baseline from its top, and that there is anything
	// in it.
	OnBaseline bool
	Baseline   float64
	// Below is the border and the padding at its bottom.
	Below float64
}

// tall is a cell of several rows.
type tall struct {
	from, rows int
	height     float64
}

// Heights makes rows as high as their cells; extent is asked once of each cell, in order. Cells of several rows get what they
// lack from rows that grow easily.
func (g *Grid) Heights(extent func(cell int) (Extent, error)) error {
	row, cell := 0, 0
	for i := range g.Groups {
		group := &g.Groups[i]
		first, left := row, 100.0
		var spans []tall
		group.Size = float64(g.SpacingY * float64(max(0, group.Rows-1)))
		for range group.Rows {
			r := &g.Rows[row]
			s, err := g.rowHeight(r, row, cell, extent)
			if err != nil {
				return err
			}
			if r.hasPercent {
				r.percent = min(r.percent, left)
				left -= r.percent
			}
			group.Size += r.Size
			spans = append(spans, s...)
			row, cell = row+1, cell+r.Cells
		}
		if err := g.stretch(spans); err != nil {
			return err
		}
		g.groupHeight(group, first)
	}
	return nil
}

// rowHeight finds the height of one row by the cells of it alone, and returns those of more rows.
func (g *Grid) rowHeight(r *Row, row, first int, extent func(cell int) (Extent, error)) ([]tall, error) {
	var spans []tall
	var line baseline
	height := 0.0
	*r = Row{Cells: r.Cells, Height: r.Height, Collapsed: r.Collapsed}
	for i := first; i < first+r.Cells; i++ {
		e, err := extent(i)
		if err != nil {
			return nil, err
		}
		e.Height = up(max(0, e.Height))
		rows := g.Cells[i].Rows
		line.add(&e, rows > 1)
		size := e.Height
		if e.Wanted.Unit == Pixels {
			size = max(size, up(e.Wanted.Value))
		}
		if rows > 1 {
			r.spanStarts = true
			spans = append(spans, tall{row, rows, size})
			continue
		}
		height = max(height, size)
		r.ask(e.Wanted)
	}
	r.ask(r.Height)
	if r.Height.Unit == Pixels {
		height = max(height, up(r.Height.Value))
	}
	r.Size = line.height(height)
	r.Baseline = line.at(r.Size)
	return spans, nil
}

// ask takes a height that the row or a cell of it wants.
func (r *Row) ask(l Length) {
	r.constrained = r.constrained || l.Unit != Auto
	if l.Unit == Percent {
		r.hasPercent = true
		r.percent = max(r.percent, sane(l.Value))
	}
}

// baseline aligns the cells of a row.
type baseline struct {
	any, anyCell           bool
	ascent, descent, below float64
}

func (b *baseline) add(e *Extent, spans bool) {
	if e.OnBaseline {
		b.any = true
		b.ascent = max(b.ascent, e.Baseline)
		if !spans {
			b.descent = max(b.descent, e.Height-e.Baseline)
		}
	}
	if !b.anyCell || e.Below < b.below {
		b.below = e.Below
	}
	b.anyCell = true
}

func (b *baseline) height(least float64) float64 {
	if !b.any {
		return least
	}
	return up(max(least, b.ascent+b.descent))
}

// at is the baseline of the row: that of its cells or, without any, the bottom of the lowest content edge.
func (b *baseline) at(height float64) float64 {
	switch {
	case b.any:
		return b.ascent
	case b.anyCell:
		return max(0, height-b.below)
	}
	return 0
}

// stretch makes rows high enough for the cells over several of them: inner ones first, then from the top; of cells over the same
// rows the highest counts.
func (g *Grid) stretch(spans []tall) error {
	slices.SortStableFunc(spans, func(a, b tall) int {
		return cmp.Or((a.from+a.rows)-(b.from+b.rows), b.from-a.from, cmp.Compare(b.height, a.height))
	})
	for i, s := range spans {
		if i > 0 && s.from == spans[i-1].from && s.rows == spans[i-1].rows {
			continue
		}
		if err := g.spend(s.rows); err != nil {
			return err
		}
		grow(g.Rows[s.from:s.from+s.rows], s.height, g.SpacingY, unset, true)
	}
	return nil
}

// groupHeight makes the rows of a group, the first of which is given, as high as its style asks for. The size of a group is, as
// in Chromium, that of its rows before cells over several of them made them grow.
func (g *Grid) groupHeight(group *Group, first int) {
	if size := up(group.Height.Value); group.Height.Unit == Pixels && size > group.Size {
		grow(g.Rows[first:first+group.Rows], size, g.SpacingY, size, false)
		group.Size = size
	}
}
