package table

import "slices"

// Chromium keeps the edges of a table in one array, row after row, with room for the columns that have borders. The end edge of a
// cell in the column after these, and that of the table, are read beyond the row: there the start edges of the next row are. The
// borders that they get so are part of how wide its tables are, so they are here as well; nothing is drawn for them.

// fitted is how many lines between columns, as written, a row of edges has: one more than there are columns with borders, counted
// from the start, and one to spare.
func (w *lattice) fitted() int {
	g, last := w.g, -1
	fit := func(s *Sides, from, columns int) {
		switch {
		case s.Top.Style|s.End.Style|s.Bottom.Style != None:
			last = max(last, from+columns-1)
		case s.Start.Style != None:
			last = max(last, from)
		}
	}
	for i := range g.Cells {
		c := &g.Cells[i]
		from, to := g.written(c)
		if c.Rows > 1 || to-from > 1 {
			last = max(last, to-1)
		}
		fit(w.parts.Cell(i), from, to-from)
	}
	for i := range g.Rows {
		fit(w.parts.Row(i), 0, g.total)
	}
	for i := range g.Groups {
		if g.Groups[i].Rows > 0 {
			fit(w.parts.Group(i), 0, g.total)
		}
	}
	for i := range g.Columns {
		for _, s := range w.columnSides(i) {
			if s != nil {
				fit(s, g.kept[i], 1)
			}
		}
	}
	if len(g.Rows) > 0 {
		fit(w.parts.Table, 0, g.total)
	}
	return last + 2
}

// written are the columns of a cell as written.
func (g *Grid) written(c *Cell) (from, to int) {
	from = g.kept[c.Column]
	return from, min(from+c.ColSpan, g.total)
}

// wrap gives the cells of the row above, and the table, the edges that are read beyond that row.
func (w *lattice) wrap(above, c *crossing, lines int, whole *Insets, cells []Insets) {
	if lines < 2 || lines > w.g.total {
		return
	}
	widen(&whole.End, w.line(c, w.g.total-lines))
	for _, k := range slices.Backward(above.cells) {
		if k < 0 {
			continue
		}
		from, to := w.g.written(&w.g.Cells[k])
		if to < lines {
			return
		}
		if from < lines {
			widen(&cells[k].End, w.line(c, to-lines))
		}
	}
}

// line is the edge at a line between columns as written. In a column that takes no room there is none but the end of a cell.
func (w *lattice) line(c *crossing, written int) edge {
	i := w.g.Index(written)
	if written == w.g.total || i < len(w.g.kept) && w.g.kept[i] == written {
		return c.sides[i]
	}
	if i > 0 && c.cells[i-1] >= 0 {
		if _, to := w.g.written(&w.g.Cells[c.cells[i-1]]); to == written {
			return c.sides[i]
		}
	}
	return edge{}
}
