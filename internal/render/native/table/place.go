package table

// interval is a stretch of columns that cells from rows above cover.
type interval struct{ from, to, rows int }

// Place gives each cell its row and its columns (HTML, "forming a table") and makes the columns. A cell stands in the first free
// column; one that spans rows stays within its group.
func (g *Grid) Place() error {
	starts := make([]int, len(g.Cells))
	row, cell := 0, 0
	for _, group := range g.Groups {
		var open []interval
		for i := range group.Rows {
			cells := g.Rows[row].Cells
			if err := g.spend(len(open) + cells + 1); err != nil {
				return err
			}
			open = g.placeRow(row, group.Rows-i, cell, starts[cell:cell+cells], open)
			row, cell = row+1, cell+cells
		}
	}
	return g.makeColumns(starts)
}

// placeRow finds the first columns of the cells of one row, of which rows are left in the group. It returns what is covered
// of the next row.
func (g *Grid) placeRow(row, left, first int, starts []int, open []interval) []interval {
	column, next := 0, 0
	var fresh []interval
	for i := range starts {
		c := &g.Cells[first+i]
		for next < len(open) && open[next].from <= column {
			column = max(column, open[next].to)
			next++
		}
		starts[i] = column
		c.ColSpan = min(max(c.ColSpan, 1), maxSpan)
		c.Row, c.Rows = row, min(c.RowSpan, left)
		if c.RowSpan <= 0 {
			c.Rows = left
		}
		if c.Rows > 1 {
			fresh = append(fresh, interval{column, column + c.ColSpan, c.Rows})
		}
		column += c.ColSpan
	}
	return below(open, fresh)
}

// below are the intervals that are left one row further down, in the order of columns, as both lists are.
func below(open, fresh []interval) []interval {
	if len(open)+len(fresh) == 0 {
		return nil
	}
	left := make([]interval, 0, len(open)+len(fresh))
	for len(open)+len(fresh) > 0 {
		from := &open
		if len(open) == 0 || len(fresh) > 0 && fresh[0].from < open[0].from {
			from = &fresh
		}
		v := (*from)[0]
		*from = (*from)[1:]
		if v.rows--; v.rows > 0 {
			left = append(left, v)
		}
	}
	return left
}
