package table

import (
	"cmp"
	"slices"
)

// unset is a length that nothing has been said of.
const unset = -1

// Column is what a column wants.
type Column struct {
	Min, Max float64

	percent     float64
	hasPercent  bool
	edges       float64
	constrained bool
	collapsed   bool
}

var unsaid = Column{Min: unset, Max: unset}

// sized reports whether the element makes a column that takes room, even without cells.
func (e *ColumnElement) sized() bool {
	c := e.column()
	return c.Max > 0 || c.percent > 0
}

// column is a column of which nothing else is known. 0% is no width.
func (e *ColumnElement) column() Column {
	c := Column{Max: unset, collapsed: e.Collapsed}
	if e.MinWidth.Unit == Pixels {
		c.Min = up(max(0, e.MinWidth.Value))
	}
	if e.Width.Unit == Pixels {
		c.Max, c.constrained = max(c.Min, up(max(0, e.Width.Value))), true
	}
	c.percent, c.hasPercent = percentOf(e.Width, e.MaxWidth)
	c.hasPercent = c.hasPercent && c.percent > 0
	return c
}

// fixed reports whether the width is one of pixels.
func (c *Column) fixed() bool { return c.constrained && !c.hasPercent && c.Max != unset }

// resolved is what the percentage makes of a width.
func (c *Column) resolved(of float64) float64 {
	return max(c.Min, share(of, c.percent, 100)+c.edges)
}

// include makes room for a cell of this column alone. In fixed layout a <col> with a width goes before cells.
func (c *Column) include(m Measure, fixed bool) {
	if c.constrained && fixed {
		return
	}
	switch {
	case c.Min == unset:
		c.Min, c.Max = m.Min, m.Max
	case c.constrained && !m.Constrained:
		c.Min, c.Max = max(c.Min, m.Min), max(c.Max, m.Min)
	default:
		c.Min, c.Max = max(c.Min, m.Min), max(c.Max, m.Max, 0)
	}
	c.Max = max(c.Max, c.Min)
	if m.HasPercent && (!c.hasPercent || m.Percent > c.percent) {
		c.hasPercent, c.percent, c.edges = true, m.Percent, m.Edges
	}
	c.constrained = c.constrained || m.Constrained
}

// spanning is a cell of several columns.
type spanning struct {
	Measure
	cell *Cell
	// start is the column as written, by which spans are ordered.
	start int
}

// Measure makes the constraints of columns from those of cells; content is asked once of each cell that counts: in fixed layout
// those of the first row.
func (g *Grid) Measure(content func(cell int) Content) error {
	alone := make([]Measure, len(g.Columns))
	there := make([]bool, len(g.Columns))
	var wide []spanning
	for i := range g.counting() {
		c := &g.Cells[i]
		say := content(i)
		m := say.measure(g.Fixed)
		switch {
		case c.ColSpan > 1:
			wide = append(wide, spanning{m, c, g.kept[c.Column]})
		case there[c.Column]:
			alone[c.Column] = alone[c.Column].and(m)
		default:
			alone[c.Column], there[c.Column] = m, true
		}
	}
	for i := range g.Columns {
		if there[i] {
			g.Columns[i].include(alone[i], g.Fixed)
		}
	}
	if err := g.spread(wide); err != nil {
		return err
	}
	g.boundPercentages()
	return nil
}

// counting is how many of the first cells have a say.
func (g *Grid) counting() int {
	if !g.Fixed {
		return len(g.Cells)
	}
	if len(g.Rows) == 0 {
		return 0
	}
	return g.Rows[0].Cells
}

// spread gives what wider cells want to their columns, the narrowest first.
func (g *Grid) spread(wide []spanning) error {
	slices.SortStableFunc(wide, func(a, b spanning) int {
		return cmp.Or(a.cell.ColSpan-b.cell.ColSpan, a.start-b.start)
	})
	for i := range wide {
		c := wide[i].cell
		if err := g.spend(c.Columns); err != nil {
			return err
		}
		columns := g.Columns[c.Column : c.Column+c.Columns]
		if g.Fixed {
			spreadEvenly(&wide[i].Measure, columns, g.SpacingX)
		} else {
			spreadAuto(&wide[i].Measure, columns, g.SpacingX)
		}
	}
	return nil
}

// boundPercentages keeps their sum at 100: in automatic layout the later ones lose, in fixed layout all shrink.
func (g *Grid) boundPercentages() {
	total := 0.0
	for i := range g.Columns {
		c := &g.Columns[i]
		c.Min, c.Max = max(c.Min, 0), max(c.Max, 0)
		if !c.hasPercent {
			continue
		}
		if !g.Fixed {
			c.percent = min(c.percent, max(0, 100-total))
		}
		total += c.percent
	}
	for i := range g.Columns {
		if c := &g.Columns[i]; g.Fixed && total > 100 && c.hasPercent {
			c.percent = c.percent * 100 / total
		}
	}
}
