package layout

import (
	"math"
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/table"
)

// sizeOf is a size as a style has it.
type sizeOf = property.Size

// tableModel is a table as package table wants it, made once for each.
type tableModel struct {
	box    *box.Box
	grid   table.Grid
	groups []*box.Box
	rows   []*box.Box
	cells  []*box.Box
	// columns are the column elements; columnGroups the groups that they are in.
	columns      []*box.Box
	columnGroups []columnGroup
	written      int // columns

	// edges are those of the table when percentages of its padding count for nothing.
	edges     edges
	collapsed bool
	rtl       bool
	// insets are the borders of cells if they collapse, and parts where they come from.
	insets []table.Insets
	parts  table.Parts
}

// columnGroup is a <colgroup> and its columns, as written.
type columnGroup struct {
	box        *box.Box
	from, span int
}

// tableModel returns the model of a table. Failures are kept for [layouter.err].
func (l *layouter) tableModel(b *box.Box) *tableModel {
	st := l.state(b)
	if st.table == nil {
		st.table = l.newTableModel(b)
	}
	return st.table
}

func (l *layouter) newTableModel(b *box.Box) *tableModel {
	style := b.Style
	m := &tableModel{box: b, collapsed: style.BorderCollapse == "collapse", rtl: style.Direction == "rtl"}
	m.grid.Fixed = style.TableLayout == "fixed" && !style.Width.Is("auto") && !style.Width.Is("max-content")
	if !m.collapsed {
		// Chromium keeps whole pixels only.
		m.grid.SpacingX, m.grid.SpacingY = math.Floor(bounded(style.BorderSpacingX)), math.Floor(bounded(style.BorderSpacingY))
	}
	m.walk()
	if err := m.grid.Place(); err != nil {
		l.fail(err)
		return m
	}
	m.edges = l.edges(b, within(0, indefinite))
	if m.collapsed {
		if err := m.collapse(); err != nil {
			l.fail(err)
			return m
		}
	}
	if err := m.grid.Measure(func(i int) table.Content { return l.cellContent(m, i) }); err != nil {
		l.fail(err)
	}
	return m
}

// walk lists the parts of the table.
func (m *tableModel) walk() {
	for _, c := range m.box.Children {
		switch c.Kind {
		case box.TableColumn:
			m.addColumn(c)
		case box.TableRowGroup:
			m.addGroup(c)
		default:
		}
	}
}

func (m *tableModel) addColumn(c *box.Box) {
	element := table.ColumnElement{
		Span: c.Span, Width: tableLengthOf(c.Style.Width), MinWidth: tableLengthOf(c.Style.MinWidth),
		MaxWidth: tableLengthOf(c.Style.MaxWidth), Collapsed: c.Style.Visibility == "collapse",
	}
	if g := c.ColumnGroup; g != nil {
		if w := tableLengthOf(g.Style.Width); !m.grid.Fixed && element.Width.Unit == table.Auto && w.Unit == table.Pixels {
			element.Width = w
		}
		if n := len(m.columnGroups); n == 0 || m.columnGroups[n-1].box != g {
			m.columnGroups = append(m.columnGroups, columnGroup{box: g, from: m.written})
		}
		m.columnGroups[len(m.columnGroups)-1].span += max(c.Span, 1)
	}
	m.written += max(c.Span, 1)
	m.columns = append(m.columns, c)
	m.grid.Given = append(m.grid.Given, element)
}

func (m *tableModel) addGroup(g *box.Box) {
	hidden := g.Style.Visibility == "collapse"
	m.groups = append(m.groups, g)
	group := table.Group{Height: tableLengthOf(g.Style.Height), Body: g.Group == box.Body}
	m.expect(g)
	for _, r := range g.Children {
		if r.Kind != box.TableRow {
			continue
		}
		row := table.Row{Height: tableLengthOf(r.Style.Height), Collapsed: hidden || r.Style.Visibility == "collapse"}
		for _, c := range r.Children {
			if c.Kind != box.TableCell {
				continue
			}
			row.Cells++
			m.cells = append(m.cells, c)
			m.grid.Cells = append(m.grid.Cells, table.Cell{ColSpan: c.ColSpan, RowSpan: c.RowSpan})
		}
		group.Rows++
		m.rows = append(m.rows, r)
		m.grid.Rows = append(m.grid.Rows, row)
	}
	m.grid.Groups = append(m.grid.Groups, group)
}

// expect makes room for the rows of a group and their cells.
func (m *tableModel) expect(g *box.Box) {
	cells := 0
	for _, r := range g.Children {
		cells += len(r.Children)
	}
	m.cells, m.grid.Cells = slices.Grow(m.cells, cells), slices.Grow(m.grid.Cells, cells)
	m.rows, m.grid.Rows = slices.Grow(m.rows, len(g.Children)), slices.Grow(m.grid.Rows, len(g.Children))
}

// cellSpace is the space of a cell that is not laid out yet: base is what percentages are of.
func (m *tableModel) cellSpace(i int, base float64) space {
	s := within(base, indefinite)
	if m.collapsed {
		s.collapsed, s.border = true, m.physical(m.insets[i])
	}
	return s
}

// physical turns insets into edges.
func (m *tableModel) physical(i table.Insets) fragment.Edges {
	if m.rtl {
		i.Start, i.End = i.End, i.Start
	}
	return fragment.Edges{Top: i.Top, Right: i.End, Bottom: i.Bottom, Left: i.Start}
}

// cellContent is what a cell says of its width. Percentages of its padding count for nothing here.
func (l *layouter) cellContent(m *tableModel, i int) table.Content {
	c := m.cells[i]
	e := l.edges(c, m.cellSpace(i, 0))
	nowrap := false
	if l.quirks && c.Node != nil {
		_, nowrap = c.Node.Attr("nowrap")
	}
	return table.Content{
		Nowrap: nowrap,
		Sizes: func() (least, most float64) {
			least, most = l.content(c)
			return least + e.across(), most + e.across()
		},
		Edges: e.across(), BorderBox: c.Style.BoxSizing == "border-box",
		Width: tableLengthOf(c.Style.Width), MinWidth: tableLengthOf(c.Style.MinWidth), MaxWidth: tableLengthOf(c.Style.MaxWidth),
	}
}
