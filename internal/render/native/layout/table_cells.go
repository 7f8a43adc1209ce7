package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/table"
)

// setCell is what the first layout of a cell told.
type setCell struct {
	height   float64
	baseline float64
	// filled says that there is anything in it, onBaseline that it is aligned by that.
	filled, onBaseline bool
	// simple is the fragment of a [simpleCell], and width that of its columns.
	simple *fragment.Fragment
	width  float64
}

// measure lays out all cells at their widths, and makes rows of them.
func (t *tableSetting) measure() error {
	t.cells = make([]setCell, len(t.m.cells))
	return t.m.grid.Heights(t.extent)
}

// extent lays out a cell for its height. What is positioned in it waits for the layout that counts.
func (t *tableSetting) extent(i int) (table.Extent, error) {
	c := t.m.cells[i]
	mark := len(t.l.pending)
	s := t.cellSpace(i)
	f, err := t.l.layout(c, s)
	if err != nil {
		return table.Extent{}, err
	}
	t.l.pending = t.l.pending[:mark]
	below := f.Border.Bottom + f.Padding.Bottom
	set := &t.cells[i]
	*set = setCell{height: f.Height, baseline: f.Baseline, filled: len(f.Children) > 0 || len(f.Lines) > 0}
	if simpleCell(c) {
		set.simple, set.width = f, s.fixedWidth
	}
	if !f.HasBaseline {
		set.baseline = f.Height - below
	}
	set.onBaseline = set.filled && byBaseline(c)
	return table.Extent{
		Height: f.Height, Wanted: t.wantedHeight(c, f), OnBaseline: set.onBaseline, Baseline: set.baseline, Below: below,
	}, nil
}

// cellSpace is the space of a cell at the width of its columns.
func (t *tableSetting) cellSpace(i int) space {
	s := t.m.cellSpace(i, t.base)
	_, s.fixedWidth = t.columnsOf(i)
	return s
}

// columnsOf is where a cell begins, from the side at which the table begins, and how wide it is.
func (t *tableSetting) columnsOf(i int) (x, width float64) {
	c := &t.m.grid.Cells[i]
	return t.lines.Across(c.Column, c.Columns)
}

// byBaseline reports whether a cell stands on the baseline of its row: all values but three mean that.
func byBaseline(c *box.Box) bool {
	switch c.Style.VerticalAlign.Keyword {
	case "top", "middle", "bottom":
		return false
	}
	return true
}

// wantedHeight is the height of the border box that the style of a cell wants. In quirks mode it is always meant for that (Quirks,
// section 3.9).
func (t *tableSetting) wantedHeight(c *box.Box, f *fragment.Fragment) table.Length {
	want := tableLengthOf(c.Style.Height)
	if want.Unit == table.Pixels && !t.l.quirks {
		want.Value = outer(c, want.Value, f.Border.Along()+f.Padding.Along())
	}
	return want
}

// aligns reports whether baselines are aligned in a group of rows. What may be cut by a page is not aligned in Chromium, although
// rows are as high as if it were: only heads and feet that are shown again on each page, and tables in lines, are.
func (t *tableSetting) aligns(g *box.Box, height float64) bool {
	if g.Group != box.Body && height <= t.l.area.Height/4 {
		return true
	}
	for a := t.m.box; a != nil; a = a.Parent {
		if a.Inline || a.Kind == box.TableRowGroup && a.Group != box.Body {
			return true
		}
	}
	return false
}

// cell lays out a cell for good. Nothing is done again if its content does not depend on the height: it only gets more room.
func (t *tableSetting) cell(i int, aligned bool) (*fragment.Fragment, error) {
	c, at, set := t.m.cells[i], &t.m.grid.Cells[i], &t.cells[i]
	height := t.m.grid.Height(at)
	s := t.cellSpace(i)
	padded := paddedByShare(c)
	if padded {
		s.width = max(t.base-2*t.m.grid.SpacingX, 0)
	}
	if aligned && set.onBaseline {
		s.lower = max(t.m.grid.Rows[at.Row].Baseline-set.baseline, 0)
	}
	switch {
	case t.definite(c, height > set.height) && hasShares(c):
		s.fixedHeight = height
	case (height != set.height || padded) && dependsOnHeight(c):
		s.minHeight = height
	}
	f, err := t.again(i, s)
	if err != nil {
		return nil, err
	}
	f.Height = bounded(height)
	f.Overflow = max(f.Overflow, f.Height)
	f.Hidden = !t.m.collapsed && c.Style.EmptyCells == "hide" && !set.filled
	return f, nil
}

// again lays out a cell a second time, unless it is one of text alone in the space of the first time.
func (t *tableSetting) again(i int, s space) (*fragment.Fragment, error) {
	set := &t.cells[i]
	f := set.simple
	if f == nil || s != t.cellSpace(i) || s.fixedWidth != set.width {
		return t.l.layout(t.m.cells[i], s)
	}
	set.simple = nil
	t.l.made() // it counts twice as those do that are laid out twice
	return f, t.l.err()
}

// paddedByShare reports whether a cell has padding of a percentage. In Chromium it is of the table when heights are found, and of
// the row, which is narrower, for good.
func paddedByShare(c *box.Box) bool {
	p := &c.Style.Padding
	return p.Top.HasPercent() || p.Right.HasPercent() || p.Bottom.HasPercent() || p.Left.HasPercent()
}

// definite reports whether percentages of heights in a cell mean something: if it has a height, or grew in a table that has one.
func (t *tableSetting) definite(c *box.Box, grown bool) bool {
	return tableLengthOf(c.Style.Height).Unit == table.Pixels || grown && !t.m.box.Style.Height.Is("auto")
}

// hasShares reports whether a child of a cell has a height that is a percentage.
func hasShares(c *box.Box) bool {
	for _, child := range c.Children {
		if child.Kind == box.Text {
			continue
		}
		if child.Style.Height.Length.HasPercent() || child.Anonymous && hasShares(child) {
			return true
		}
	}
	return false
}

// dependsOnHeight reports whether the content of a cell may stand elsewhere when the cell is higher.
func dependsOnHeight(c *box.Box) bool {
	return c.Style.VerticalAlign.Is("middle") || c.Style.VerticalAlign.Is("bottom") || contains(c, false)
}
