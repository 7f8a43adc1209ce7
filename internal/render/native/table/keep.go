package table

import "slices"

// makeColumns finds out which columns take room, and turns the places of cells into these. Chromium's rule: in automatic layout
// a column takes room if a cell of that column alone stands in it, if it is the first column that shows of a wider cell, or if
// a <col> gives it a width. colspan="1000" costs nothing. In fixed layout all columns count.
func (g *Grid) makeColumns(starts []int) error {
	total := g.count(starts)
	g.total = total
	if total > MaxColumns*maxSpan || g.Fixed && total > MaxColumns {
		return ErrTooManyColumns
	}
	if g.Fixed {
		g.kept = make([]int, total)
		for i := range g.kept {
			g.kept[i] = i
		}
	} else {
		g.kept = g.takingRoom(starts, total)
	}
	if len(g.kept) > MaxColumns {
		return ErrTooManyColumns
	}
	if len(g.kept) == 0 {
		g.SpacingX, g.SpacingY = 0, 0
	}
	for i := range g.Cells {
		c := &g.Cells[i]
		c.Column = g.Index(starts[i])
		c.Columns = max(1, g.Index(starts[i]+c.ColSpan)-c.Column)
	}
	g.Columns = make([]Column, len(g.kept))
	for i := range g.Columns {
		g.Columns[i] = unsaid
	}
	for i, at := range g.elements() {
		column := g.Given[i].column()
		from, to := g.Index(at), g.Index(at+g.Given[i].Span)
		for j := from; j < to; j++ {
			g.Columns[j] = column
		}
		if none := min(at+g.Given[i].Span, total) - at - (to - from); none > 0 {
			g.empty += float64(column.Min * float64(none))
		}
	}
	return nil
}

// Index is the number, among the columns that take room, of a column as written: of the next one if it takes none.
func (g *Grid) Index(written int) int {
	i, _ := slices.BinarySearch(g.kept, written)
	return i
}

// elements are the columns at which the column elements begin.
func (g *Grid) elements() []int {
	at := make([]int, len(g.Given))
	next := 0
	for i := range g.Given {
		e := &g.Given[i]
		e.Span = min(max(e.Span, 1), maxSpan)
		at[i] = next
		next += e.Span
	}
	return at
}

// count is how many columns the table has as written.
func (g *Grid) count(starts []int) int {
	total := 0
	for i := range g.Cells {
		if g.Fixed {
			total = max(total, starts[i]+g.Cells[i].ColSpan)
		} else {
			total = max(total, starts[i]+1)
		}
	}
	for i, at := range g.elements() {
		if g.Fixed || g.Given[i].sized() {
			total = max(total, at+g.Given[i].Span)
		}
	}
	return total
}

// takingRoom lists the columns of automatic layout.
func (g *Grid) takingRoom(starts []int, total int) []int {
	keep := make([]uint64, total/64+1)
	hidden := g.hidden()
	for i := range g.Cells {
		at, span := starts[i], g.Cells[i].ColSpan
		if span > 1 {
			at = firstShown(hidden, at, min(at+span, total))
		}
		keep[at/64] |= 1 << (at % 64)
	}
	for i, at := range g.elements() {
		for j := at; g.Given[i].sized() && j < at+g.Given[i].Span; j++ {
			keep[j/64] |= 1 << (j % 64)
		}
	}
	var kept []int
	for i := range total {
		if keep[i/64]&(1<<(i%64)) != 0 {
			kept = append(kept, i)
		}
	}
	return kept
}

// hidden are the stretches of collapsed columns.
func (g *Grid) hidden() []interval {
	var all []interval
	for i, at := range g.elements() {
		switch last := len(all) - 1; {
		case !g.Given[i].Collapsed:
		case last >= 0 && all[last].to == at:
			all[last].to += g.Given[i].Span
		default:
			all = append(all, interval{from: at, to: at + g.Given[i].Span})
		}
	}
	return all
}

// firstShown is the first column of a stretch that is not collapsed, or the first one.
func firstShown(hidden []interval, from, to int) int {
	i, _ := slices.BinarySearchFunc(hidden, from+1, func(v interval, at int) int { return v.to - at })
	if i < len(hidden) && hidden[i].from <= from && hidden[i].to < to {
		return hidden[i].to
	}
	return from
}
