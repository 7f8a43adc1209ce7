package table

// crossing is all that is known of one row of a table with collapsed borders: which cells are in its columns, and the edges
// between these.
type crossing struct {
	// cells are the numbers of the cells, or -1.
	cells []int
	// top are the edges above the row, by column; sides those before each column and after the last.
	top, sides []edge
}

// lattice walks down the rows of a table and finds the edges. It keeps only the last few rows.
type lattice struct {
	g     *Grid
	parts *Parts
	// above is the last row that was made, one of the three that are used in turn.
	above *crossing
	ring  [3]crossing
	made  int // rows
	row   int
	cell  int // the next
	// open are the cells that reach into the rows below, by column: until when.
	open  []int
	group int // of the row
	left  int // rows that are left in it
	// element and columnGroup are those of each column, or -1.
	element, columnGroup []int
}

func newLattice(g *Grid, parts *Parts) *lattice {
	n := len(g.Columns)
	w := &lattice{g: g, parts: parts, open: make([]int, n), element: filled(n), columnGroup: filled(n), group: -1}
	for i := range w.ring {
		w.ring[i] = crossing{cells: filled(n), top: make([]edge, n), sides: make([]edge, n+1)}
	}
	w.above = &w.ring[2]
	for i, at := range g.elements() {
		mark(w.element, g.Index(at), g.Index(at+g.Given[i].Span), i)
	}
	for i, c := range parts.ColumnGroups {
		mark(w.columnGroup, g.Index(c.From), g.Index(c.From+c.Span), i)
	}
	return w
}

// filled makes numbers that say that nothing is there.
func filled(n int) []int {
	s := make([]int, n)
	mark(s, 0, n, -1)
	return s
}

func mark(s []int, from, to, v int) {
	for i := from; i < to; i++ {
		s[i] = v
	}
}

// next makes the edges of the next row; those of the one three rows before are gone then. After the last row it makes one without cells, whose top is the bottom of the table.
func (w *lattice) next() (*crossing, error) {
	if err := w.g.spend(len(w.g.Columns) + 1); err != nil {
		return nil, err
	}
	c := &w.ring[w.made%len(w.ring)]
	w.made++
	mark(c.cells, 0, len(c.cells), -1)
	clear(c.top)
	clear(c.sides)
	began := w.enter(c)
	for i := range c.top {
		w.topEdge(c, i, began)
	}
	if w.row < len(w.g.Rows) {
		for i := range c.sides {
			w.sideEdge(c, i)
		}
		w.left--
		w.row++
	}
	w.above = c
	return c, nil
}

// enter finds the cells of the row, and reports whether a group begins here.
func (w *lattice) enter(c *crossing) (began bool) {
	if w.row >= len(w.g.Rows) {
		return true
	}
	for w.left == 0 {
		w.group++
		w.left = w.g.Groups[w.group].Rows
		began = true
	}
	for i, until := range w.open {
		if until > w.row {
			c.cells[i] = w.above.cells[i]
		}
	}
	for range w.g.Rows[w.row].Cells {
		cell := &w.g.Cells[w.cell]
		for i := cell.Column; i < cell.Column+cell.Columns; i++ {
			c.cells[i], w.open[i] = w.cell, w.row+cell.Rows
		}
		w.cell++
	}
	return began
}

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
