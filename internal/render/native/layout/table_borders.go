package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/table"
)

// collapse resolves the borders of the table. A table whose borders collapse has no padding.
func (m *tableModel) collapse() error {
	sides := styleSides{rtl: m.rtl, known: map[*property.Style]*table.Sides{}}
	of := func(list []*box.Box) func(i int) *table.Sides {
		all := make([]*table.Sides, len(list))
		for i, b := range list {
			all[i] = sides.of(b)
		}
		return func(i int) *table.Sides { return all[i] }
	}
	m.parts = table.Parts{Cell: of(m.cells), Row: of(m.rows), Group: of(m.groups), Column: of(m.columns), Table: sides.of(m.box)}
	for _, g := range m.columnGroups {
		m.parts.ColumnGroups = append(m.parts.ColumnGroups, table.ColumnGroup{From: g.from, Span: g.span, Sides: sides.of(g.box)})
	}
	whole, cells, err := m.grid.Insets(&m.parts)
	if err != nil {
		return err
	}
	m.insets = cells
	m.edges.border, m.edges.padding = m.physical(whole), fragment.Edges{}
	return nil
}

// styleSides makes the borders of styles, which many boxes share.
type styleSides struct {
	rtl   bool
	known map[*property.Style]*table.Sides
}

func (s *styleSides) of(b *box.Box) *table.Sides {
	if made := s.known[b.Style]; made != nil {
		return made
	}
	w, style, color := b.Style.BorderWidth, b.Style.BorderStyle, b.Style.BorderColor
	made := &table.Sides{
		Top:    tableBorder(style.Top, w.Top, color.Top),
		End:    tableBorder(style.Right, w.Right, color.Right),
		Bottom: tableBorder(style.Bottom, w.Bottom, color.Bottom),
		Start:  tableBorder(style.Left, w.Left, color.Left),
	}
	if s.rtl {
		made.Start, made.End = made.End, made.Start
	}
	s.known[b.Style] = made
	return made
}

func tableBorder(style property.Keyword, width float64, color value.Color) table.Border {
	b := table.Border{Width: bounded(width), Color: [4]float64{color.R, color.G, color.B, color.A}}
	for i, name := range lineStyles() {
		if name == style {
			b.Style = table.LineStyle(i)
		}
	}
	return b
}

// lineStyles are the names of line styles by their number.
func lineStyles() [10]property.Keyword {
	return [...]property.Keyword{
		table.None: "none", table.Hidden: "hidden", table.Inset: "inset", table.Groove: "groove", table.Outset: "outset",
		table.Ridge: "ridge", table.Dotted: "dotted", table.Dashed: "dashed", table.Solid: "solid", table.Double: "double",
	}
}

// rules are the collapsed borders, in the places where the rows and columns are now.
func (t *tableSetting) rules(f *fragment.Fragment) ([]fragment.Rule, error) {
	if !t.m.collapsed {
		return nil, nil
	}
	rules, err := t.m.grid.Rules(&t.m.parts, t.lines, t.tops)
	if err != nil {
		return nil, err
	}
	names := lineStyles()
	out := make([]fragment.Rule, len(rules))
	for i, r := range rules {
		x1, x2 := f.ContentX()+r.X1, f.ContentX()+r.X2
		if t.m.rtl {
			x1, x2 = f.Width-f.Border.Right-r.X2, f.Width-f.Border.Right-r.X1
		}
		out[i] = fragment.Rule{
			X1: x1, X2: x2, Y1: f.ContentY() + r.Y1, Y2: f.ContentY() + r.Y2,
			Width: r.Width, Style: string(names[r.Style]), Color: r.Color,
		}
	}
	return out, nil
}
