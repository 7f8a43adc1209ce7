package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// place makes the fragments of groups, rows and cells.
func (t *tableSetting) place(f *fragment.Fragment) error {
	row, cell := 0, 0
	for i, g := range t.m.groups {
		group := &t.m.grid.Groups[i]
		part := t.part(g, f.ContentY()+t.tops.Groups[i], group.Size, f)
		part.X = f.ContentX() + t.m.grid.SpacingX
		mark := len(t.l.pending)
		aligned := t.aligns(g, group.Size)
		for range group.Rows {
			if err := t.l.err(); err != nil {
				return err
			}
			r, err := t.row(part, i, row, cell, aligned)
			if err != nil {
				return err
			}
			part.Children = append(part.Children, r)
			cell += t.m.grid.Rows[row].Cells
			row++
		}
		if err := t.finishPart(part, mark); err != nil {
			return err
		}
		f.Children = append(f.Children, part)
	}
	baselines(f)
	f.Table = &fragment.Table{Columns: t.columnParts(f)}
	var err error
	f.Table.Collapsed, err = t.rules(f)
	return err
}

// part is the fragment of a group or a row: it has no edges.
func (t *tableSetting) part(b *box.Box, y, height float64, in *fragment.Fragment) *fragment.Fragment {
	width := in.Width
	if in.Box == t.m.box {
		width = in.ContentWidth() - 2*t.m.grid.SpacingX
	}
	f := t.l.newFragment(b, edges{}, width)
	f.Y, f.Height = y, height
	return f
}

// row makes the fragment of a row with its cells. A cell that spans rows is in its first one.
func (t *tableSetting) row(group *fragment.Fragment, i, row, first int, aligned bool) (*fragment.Fragment, error) {
	r := &t.m.grid.Rows[row]
	f := t.part(t.m.rows[row], t.tops.Rows[row]-t.tops.Groups[i], r.Size, group)
	f.HasBaseline, f.Baseline, f.LastBaseline = true, r.Baseline, r.Baseline
	mark := len(t.l.pending)
	for k := first; k < first+r.Cells; k++ {
		if r.Collapsed || t.m.grid.Hidden(&t.m.grid.Cells[k]) {
			continue
		}
		c, err := t.cell(k, aligned)
		if err != nil {
			return nil, err
		}
		x, width := t.columnsOf(k)
		c.X, c.Width = x-t.m.grid.SpacingX, width
		if t.m.rtl {
			c.X = f.Width - c.X - width
		}
		f.Children = append(f.Children, c)
	}
	return f, t.finishPart(f, mark)
}

// finishPart does, with what is positioned since mark, for a group or a row what is done for boxes that are laid out by themselves.
func (t *tableSetting) finishPart(f *fragment.Fragment, mark int) error {
	if !f.HasBaseline {
		baselines(f)
	}
	return t.l.finish(f, within(t.base, indefinite), mark)
}

// columnParts are the fragments of columns, each group before its columns.
func (t *tableSetting) columnParts(f *fragment.Fragment) []*fragment.Fragment {
	var parts []*fragment.Fragment
	at, group := 0, 0
	for i, c := range t.m.columns {
		for group < len(t.m.columnGroups) && t.m.columnGroups[group].from == at {
			g := &t.m.columnGroups[group]
			parts = t.columnPart(parts, g.box, at, g.span, f)
			group++
		}
		span := t.m.grid.Given[i].Span
		parts = t.columnPart(parts, c, at, span, f)
		at += span
	}
	return parts
}

// columnPart adds the fragment of some columns, as written, if any of them takes room: as high as all groups together.
func (t *tableSetting) columnPart(parts []*fragment.Fragment, b *box.Box, from, span int, f *fragment.Fragment) []*fragment.Fragment {
	first, end := t.m.grid.Index(from), t.m.grid.Index(from+span)
	if first >= end || len(t.m.groups) == 0 {
		return parts
	}
	x, width := t.lines.Across(first, end-first)
	if t.m.rtl {
		x = f.ContentWidth() - x - width
	}
	last := len(t.m.groups) - 1
	p := t.l.newFragment(b, edges{}, width)
	p.X, p.Y = f.ContentX()+x, f.ContentY()+t.tops.Groups[0]
	p.Height = max(t.tops.Groups[last]+t.m.grid.Groups[last].Size-t.tops.Groups[0], 0)
	return append(parts, p)
}
