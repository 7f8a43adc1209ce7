package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/table"
)

// tableGrid lays out the rows and columns of a table. An automatic width is that of the content, as far as there is room; a given
// one is at least what the words of the cells need (CSS Tables 3, section 3.9). A cell is laid out once for its height and once
// more if something in it depends on the height that its row gets.
func (l *layouter) tableGrid(b *box.Box, s space) (*fragment.Fragment, error) {
	m := l.tableModel(b)
	if err := l.err(); err != nil {
		return nil, err
	}
	t := &tableSetting{l: l, m: m, space: s, edges: l.edges(b, s)}
	if m.collapsed {
		t.edges = m.edges
	}
	f := l.newFragment(b, t.edges, t.columns())
	t.base = f.ContentWidth()
	if err := t.measure(); err != nil {
		return nil, err
	}
	f.Height = t.stack()
	if m.grid.HasCollapsed() {
		f.Width = t.shrink(f.Width)
	}
	if err := t.place(f); err != nil {
		return nil, err
	}
	return f, l.err()
}

// tableSetting is a table while it is laid out in a space.
type tableSetting struct {
	l     *layouter
	m     *tableModel
	space space
	edges edges
	// sizes are the widths of columns, lines and tops where columns and rows are.
	sizes []float64
	lines table.Lines
	tops  table.Tops
	// base is what percentages in cells are of: the width of the content box before columns collapse.
	base  float64
	cells []setCell
}

// columns finds the widths of all columns and returns that of the border box.
func (t *tableSetting) columns() float64 {
	w := tableWidths{l: t.l, m: t.m, space: t.space, across: t.edges.across()}
	width := w.used()
	grid := &t.m.grid
	t.sizes = grid.Distribute(width, w.across)
	t.lines = grid.Locate(t.sizes, false)
	if t.space.fixedWidth < 0 && len(t.sizes) > 0 {
		width = t.lines.Width(grid.SpacingX) + w.across
	}
	return width
}

// shrink takes columns away that have visibility: collapse, and returns the width of the border box.
func (t *tableSetting) shrink(width float64) float64 {
	t.lines = t.m.grid.Locate(t.sizes, true)
	if t.space.fixedWidth >= 0 {
		return width
	}
	return t.lines.Width(t.m.grid.SpacingX) + t.edges.across()
}

// stack gives rows their heights and places, and returns the height of the border box.
func (t *tableSetting) stack() float64 {
	grid, along := &t.m.grid, t.edges.along()
	height, definite := t.height()
	if definite && height > along {
		grid.Grow(height - along)
	}
	height = max(height-grid.Collapse(), 0)
	t.tops = grid.Stack()
	return bounded(max(height, t.tops.Bottom+along))
}

// height is the least height of the border box that the style or the parent wants, if anything does.
func (t *tableSetting) height() (height float64, ok bool) {
	b := t.m.box
	if t.space.fixedHeight >= 0 {
		return bounded(t.space.fixedHeight), true
	}
	if height, ok = t.l.styledHeight(b, t.space, t.edges); ok {
		return height, true
	}
	if _, ok = sizeAlong(b, b.Style.MinHeight, t.space, t.edges); ok || t.space.minHeight > 0 {
		return t.l.limitHeight(b, 0, t.space, t.edges), true
	}
	return 0, false
}
