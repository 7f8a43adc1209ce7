package table

// Insets are the borders of a cell or of the table when borders collapse: half of the Widest one at each side.
type Insets struct{ Top, End, Bottom, Start float64 }

// widen makes room for half of an edge.
func widen(side *float64, e edge) { *side = max(*side, down(e.width()/2)) }

// Insets finds those of the table and of all cells. Place must have been called. A table without columns has none.
func (g *Grid) Insets(parts *Parts) (whole Insets, cells []Insets, err error) {
	w := newLattice(g, parts)
	lines := w.fitted()
	cells = make([]Insets, len(g.Cells))
	n := len(g.Columns)
	if n == 0 {
		return whole, cells, nil
	}
	for row := range len(g.Rows) + 1 {
		above := w.above
		c, err := w.next()
		if err != nil {
			return whole, nil, err
		}
		for i, e := range c.top {
			if k := above.cells[i]; k >= 0 && row > 0 {
				widen(&cells[k].Bottom, e)
			}
			if k := c.cells[i]; k >= 0 {
				widen(&cells[k].Top, e)
			}
			if row == 0 {
				widen(&whole.Top, e)
			}
			if row == len(g.Rows) {
				widen(&whole.Bottom, e)
			}
		}
		for i, e := range c.sides {
			if i > 0 && c.cells[i-1] >= 0 {
				widen(&cells[c.cells[i-1]].End, e)
			}
			if i < n && c.cells[i] >= 0 {
				widen(&cells[c.cells[i]].Start, e)
			}
		}
		if row > 0 {
			w.wrap(above, c, lines, &whole, cells)
		}
		widen(&whole.Start, c.sides[0])
		widen(&whole.End, c.sides[n])
	}
	return whole, cells, nil
}
