package table

// Outside is the width that no column gets: spacing, and the border and padding of the table.
func (g *Grid) Outside(edges float64) float64 {
	return edges + float64(g.SpacingX*float64(max(2, len(g.Columns)+1)))
}

// MinMax is the least width and the width without line breaks of the table's border box, when border and padding of its sides
// come to edges. percentages says whether those of columns have a say in the greater one: a column of 10% and 50 px makes the
// table want 500 px. Chromium asks for that everywhere but where the table stands in a cell, a flex container or a grid.
//
// A column element with a least width counts even if its column takes no room: another habit of Chromium.
func (g *Grid) MinMax(edges float64, percentages bool) (least, most float64) {
	var shares, others, wanted float64
	least, most, others = g.empty, g.empty, g.empty
	for i := range g.Columns {
		c := &g.Columns[i]
		if g.Fixed && c.fixed() {
			least += c.Max
		} else {
			least += c.Min
		}
		most += c.Max
		switch {
		case !c.hasPercent || c.percent == 0:
			others += c.Max
		case c.Max > 0:
			wanted = max(wanted, down(100/c.percent*(c.Max-c.edges)))
		}
		if c.hasPercent {
			shares += c.percent
		}
	}
	if percentages && shares > 0 {
		most = max(most, wanted, besides(others, shares))
	}
	outside := g.Outside(edges)
	return min(least, Widest) + outside, min(max(least, most), Widest) + outside
}

// besides is how wide a table must be so that what the percentages leave is enough for the others.
func besides(others, shares float64) float64 {
	switch {
	case others == 0:
		return 0
	case shares >= 100:
		return Widest
	}
	return down(100 / (100 - shares) * others)
}

// Distribute gives the columns their widths, of a table whose border box has this width. The sum is exactly what is there, or
// what the columns need at least.
func (g *Grid) Distribute(width, edges float64) []float64 {
	sizes := make([]float64, len(g.Columns))
	if len(sizes) == 0 {
		return sizes
	}
	target := max(0, down(width)-g.Outside(edges))
	if g.Fixed {
		distributeFixed(target, g.Columns, sizes)
	} else {
		distribute(target, g.Columns, sizes, true)
	}
	return sizes
}

// Lines are where columns begin and end, from the left padding edge of the table, or from the right one when it is written from
// right to left. There are as many as columns.
type Lines struct{ From, To []float64 }

// Locate puts columns side by side. Collapsed columns take no room if shrink is set: cells are laid out as if they were there,
// and shown without them.
func (g *Grid) Locate(sizes []float64, shrink bool) Lines {
	at := Lines{make([]float64, len(sizes)), make([]float64, len(sizes))}
	x, first := g.SpacingX, true
	for i := range sizes {
		if shrink && g.Columns[i].collapsed {
			at.From[i], at.To[i] = x, x
			continue
		}
		if !first {
			x += g.SpacingX
		}
		first = false
		at.From[i] = x
		x += sizes[i]
		at.To[i] = x
	}
	return at
}

// Width is the width of the table's padding box that columns make, spacing included.
func (l Lines) Width(spacing float64) float64 {
	if len(l.To) == 0 {
		return 0
	}
	return l.To[len(l.To)-1] + spacing
}

// Across is where a stretch of columns begins and how wide it is.
func (l Lines) Across(column, columns int) (x, width float64) {
	if column >= len(l.From) {
		if len(l.To) == 0 {
			return 0, 0
		}
		return l.To[len(l.To)-1], 0
	}
	last := min(column+columns, len(l.To)) - 1
	if last < column {
		return l.From[column], 0
	}
	return l.From[column], l.To[last] - l.From[column]
}

// HasCollapsed reports whether any column takes no room.
func (g *Grid) HasCollapsed() bool {
	for i := range g.Columns {
		if g.Columns[i].collapsed {
			return true
		}
	}
	return false
}

// Hidden reports whether all columns of a cell are collapsed: such a cell is not shown.
func (g *Grid) Hidden(c *Cell) bool {
	for i := c.Column; i < c.Column+c.Columns; i++ {
		if !g.Columns[i].collapsed {
			return false
		}
	}
	return true
}
