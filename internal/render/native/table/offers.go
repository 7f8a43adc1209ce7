package table

// order numbers parts in the order in which they are offered: cells, rows, groups, columns, column groups, the table.
func (w *lattice) order(class, i int) int {
	g := w.g
	switch class {
	case 1:
		return len(g.Cells) + i
	case 2:
		return len(g.Cells) + len(g.Rows) + i
	}
	return len(g.Cells) + len(g.Rows) + len(g.Groups) + class
}

func (w *lattice) topEdge(c *crossing, i int, began bool) {
	over, under := w.above.cells[i], c.cells[i]
	if over == under && over >= 0 {
		return
	}
	e := &c.top[i]
	if over >= 0 {
		e.offer(&w.parts.Cell(over).Bottom, over)
	}
	if under >= 0 {
		e.offer(&w.parts.Cell(under).Top, under)
	}
	first, last := w.row == 0, w.row == len(w.g.Rows)
	if !first {
		e.offer(&w.parts.Row(w.row-1).Bottom, w.order(1, w.row-1))
	}
	if !last {
		e.offer(&w.parts.Row(w.row).Top, w.order(1, w.row))
	}
	if began {
		w.groupEdge(e, first, last)
	}
	w.columnEnds(e, i, first, last)
}

// groupEdge offers the borders of the groups that meet above the row.
func (w *lattice) groupEdge(e *edge, first, last bool) {
	if !first {
		over := w.group
		if !last {
			over = w.groupAbove()
		}
		e.offer(&w.parts.Group(over).Bottom, w.order(2, over))
	}
	if !last {
		e.offer(&w.parts.Group(w.group).Top, w.order(2, w.group))
	}
}

// groupAbove is the nearest group above that has rows.
func (w *lattice) groupAbove() int {
	i := w.group - 1
	for i > 0 && w.g.Groups[i].Rows == 0 {
		i--
	}
	return i
}

// columnEnds offers what columns and the table have at the top and the bottom of all.
func (w *lattice) columnEnds(e *edge, i int, first, last bool) {
	for _, s := range w.columnSides(i) {
		if s == nil {
			continue
		}
		if first {
			e.offer(&s.Top, w.order(3, 0))
		}
		if last {
			e.offer(&s.Bottom, w.order(3, 0))
		}
	}
	if first {
		e.offer(&w.parts.Table.Top, w.order(5, 0))
	}
	if last {
		e.offer(&w.parts.Table.Bottom, w.order(5, 0))
	}
}

// columnSides are the borders of the column element and of the column group of a column.
func (w *lattice) columnSides(i int) (s [2]*Sides) {
	if k := w.element[i]; k >= 0 {
		s[0] = w.parts.Column(k)
	}
	if k := w.columnGroup[i]; k >= 0 {
		s[1] = w.parts.ColumnGroups[k].Sides
	}
	return s
}

func (w *lattice) sideEdge(c *crossing, i int) {
	n := len(w.g.Columns)
	before, after := -1, -1
	if i > 0 {
		before = c.cells[i-1]
	}
	if i < n {
		after = c.cells[i]
	}
	if before == after && before >= 0 {
		return
	}
	e := &c.sides[i]
	w.offerCells(e, before, after)
	switch i {
	case 0:
		e.offer(&w.parts.Row(w.row).Start, w.order(1, w.row))
		e.offer(&w.parts.Group(w.group).Start, w.order(2, w.group))
	case n:
		e.offer(&w.parts.Row(w.row).End, w.order(1, w.row))
		e.offer(&w.parts.Group(w.group).End, w.order(2, w.group))
	}
	w.columnEdge(e, i)
	switch i {
	case 0:
		e.offer(&w.parts.Table.Start, w.order(5, 0))
	case n:
		e.offer(&w.parts.Table.End, w.order(5, 0))
	}
}

// offerCells offers the sides of two neighbors, the first in the document first.
func (w *lattice) offerCells(e *edge, before, after int) {
	if after >= 0 && after < before {
		e.offer(&w.parts.Cell(after).Start, after)
	}
	if before >= 0 {
		e.offer(&w.parts.Cell(before).End, before)
	}
	if after > before {
		e.offer(&w.parts.Cell(after).Start, after)
	}
}

// columnEdge offers the borders between columns: each <col> stands for one column, a <colgroup> for all of its columns.
func (w *lattice) columnEdge(e *edge, i int) {
	n := len(w.g.Columns)
	if i > 0 && w.element[i-1] >= 0 {
		e.offer(&w.parts.Column(w.element[i-1]).End, w.order(3, 0))
	}
	if i < n && w.element[i] >= 0 {
		e.offer(&w.parts.Column(w.element[i]).Start, w.order(3, 0))
	}
	over, under := -1, -1
	if i > 0 {
		over = w.columnGroup[i-1]
	}
	if i < n {
		under = w.columnGroup[i]
	}
	if over == under {
		return
	}
	if over >= 0 {
		e.offer(&w.parts.ColumnGroups[over].Sides.End, w.order(4, 0))
	}
	if under >= 0 {
		e.offer(&w.parts.ColumnGroups[under].Sides.Start, w.order(4, 0))
	}
}
