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
