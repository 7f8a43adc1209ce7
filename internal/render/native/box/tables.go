package box

import "github.com/platen-render/platen/internal/render/native/css/property"

// tablePart reports whether a box belongs into a table.
func (b *Box) tablePart() bool {
	switch b.Kind {
	case TableCaption, TableColumn, TableRowGroup, TableRow, TableCell:
		return true
	default:
		return false
	}
}

// wrapStrays makes tables around parts of tables that stand in none (CSS 2.2, section 17.2.1, rule 3).
func (b *builder) wrapStrays(x *Box, raw []*Box) []*Box {
	return b.wrapRuns(raw, (*Box).tablePart, func(run []*Box) *Box {
		display, inline := property.Keyword("table"), x.Kind == Inline
		if inline {
			display = "inline-table"
		}
		table := b.anonymous(Table, display, x)
		table.Inline = inline
		b.fill(table, run)
		return table
	})
}

// wrapRuns puts each run of boxes that are stray, with the blanks between them, into the box that wrap makes of them.
func (b *builder) wrapRuns(raw []*Box, stray func(*Box) bool, wrap func([]*Box) *Box) []*Box {
	first := 0
	for first < len(raw) && !stray(raw[first]) {
		first++
	}
	if first == len(raw) {
		return raw
	}
	out := append(make([]*Box, 0, len(raw)), raw[:first]...)
	for i := first; i < len(raw) && !b.done(); {
		if !stray(raw[i]) {
			out = append(out, raw[i])
			i++
			continue
		}
		end := i + 1 // one past the last that is stray
		for j := end; j < len(raw) && (stray(raw[j]) || raw[j].blank); j++ {
			if stray(raw[j]) {
				end = j + 1
			}
		}
		out = append(out, wrap(raw[i:end:end]))
		i = end
	}
	return out
}

// fillTable makes a wrapper with captions and one grid; in that are columns, then groups, the head first and the foot last.
func (b *builder) fillTable(x *Box, raw []*Box) {
	grid := b.box(TableGrid, b.derived.grid(x.Style))
	grid.Node, grid.Pseudo, grid.Anonymous, grid.Lang = x.Node, x.Pseudo, x.Anonymous, x.Lang
	x.Style = b.derived.wrapper(x.Style)
	var columns, groups []*Box
	for _, c := range b.tableChildren(grid, raw) {
		switch c.Kind {
		case TableCaption:
			x.Children = append(x.Children, c)
		case TableColumn:
			columns = append(columns, columnsOf(c)...)
		default:
			groups = append(groups, c)
		}
	}
	grid.Children = append(columns, inOrder(groups)...)
	x.Children = append(x.Children, grid)
}

// tableChildren makes everything a caption, a column or a row group.
func (b *builder) tableChildren(grid *Box, raw []*Box) []*Box {
	rows := b.wrapRuns(withoutGaps(raw), func(c *Box) bool { return !c.tablePart() || c.Kind == TableCell }, func(run []*Box) *Box {
		row := b.anonymous(TableRow, "table-row", grid)
		b.fill(row, run)
		return row
	})
	return b.wrapRuns(rows, func(c *Box) bool { return c.Kind == TableRow }, func(run []*Box) *Box {
		group := b.anonymous(TableRowGroup, "table-row-group", grid)
		group.Children = run
		return group
	})
}

// rows makes everything in a row group a row.
func (b *builder) rows(x *Box, raw []*Box) []*Box {
	return b.wrapRuns(withoutGaps(raw), func(c *Box) bool { return c.Kind != TableRow }, func(run []*Box) *Box {
		row := b.anonymous(TableRow, "table-row", x)
		b.fill(row, run)
		return row
	})
}

// cells makes everything in a row a cell.
func (b *builder) cells(x *Box, raw []*Box) []*Box {
	return b.wrapRuns(withoutGaps(raw), func(c *Box) bool { return c.Kind != TableCell }, func(run []*Box) *Box {
		cell := b.anonymous(TableCell, "table-cell", x)
		cell.ColSpan, cell.RowSpan = 1, 1
		b.fill(cell, run)
		return cell
	})
}

// withoutGaps takes away the blanks between parts of a table, whatever white-space says, but not those after text, as Blink does.
func withoutGaps(raw []*Box) []*Box {
	out := make([]*Box, 0, len(raw))
	for _, c := range raw {
		text := len(out) > 0 && out[len(out)-1].Kind == Text
		if c.Kind == Text && isBlank(c.Text) && !text {
			continue
		}
		out = append(out, c)
	}
	return out
}

// fillColumns keeps the columns of a <colgroup> for columnsOf; nothing else can be in a column.
func (b *builder) fillColumns(x *Box, raw []*Box) {
	if x.Style.Display != "table-column-group" {
		return
	}
	for _, c := range raw {
		if c.Kind == TableColumn && c.Style.Display == "table-column" {
			x.Children = append(x.Children, c)
		}
	}
}

// columnsOf are the columns that a column or a group of them stands for.
func columnsOf(x *Box) []*Box {
	if len(x.Children) == 0 {
		return []*Box{x}
	}
	columns := x.Children
	x.Children, x.Span = nil, 0
	for _, c := range columns {
		c.ColumnGroup = x
		x.Span += c.Span
	}
	return columns
}

// inOrder puts the first head before and the first foot after all others; further ones are bodies.
func inOrder(groups []*Box) []*Box {
	var head, foot *Box
	out := make([]*Box, 0, len(groups)+2)
	for _, g := range groups {
		switch {
		case g.Group == Head && head == nil:
			head = g
		case g.Group == Foot && foot == nil:
			foot = g
		default:
			g.Group = Body
			out = append(out, g)
		}
	}
	if head != nil {
		out = append([]*Box{head}, out...)
	}
	if foot != nil {
		out = append(out, foot)
	}
	return out
}
