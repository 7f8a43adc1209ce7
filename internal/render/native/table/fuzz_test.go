package table_test

import (
	"errors"
	"math"
	"testing"

	"github.com/platen-render/platen/internal/render/native/table"
)

// source makes a table of the bytes of a fuzz test.
type source struct{ data []byte }

func (s *source) next(n int) int {
	if len(s.data) == 0 {
		return 0
	}
	v := int(s.data[0]) % n
	s.data = s.data[1:]
	return v
}

func (s *source) length() table.Length {
	switch s.next(4) {
	case 1:
		return table.Px(float64(s.next(256)) * 1.7)
	case 2:
		return table.Share(float64(s.next(256)) * 0.9)
	}
	return table.Length{}
}

func (s *source) border() table.Border {
	return table.Border{Style: table.LineStyle(s.next(10)), Width: float64(s.next(8)), Color: [4]float64{float64(s.next(3)), 0, 0, 1}}
}

// grid makes one of at most a few hundred cells.
func (s *source) grid() (*table.Grid, []testCell) {
	g := &table.Grid{Fixed: s.next(2) == 1, SpacingX: float64(s.next(5)), SpacingY: float64(s.next(5))}
	for range s.next(4) {
		g.Given = append(g.Given, table.ColumnElement{Span: s.next(5), Width: s.length(), MinWidth: s.length(), Collapsed: s.next(4) == 0})
	}
	var cells []testCell
	for range s.next(4) {
		group := table.Group{Rows: s.next(6), Height: s.length(), Body: s.next(2) == 0}
		for range group.Rows {
			row := table.Row{Cells: s.next(5), Height: s.length(), Collapsed: s.next(5) == 0}
			for range row.Cells {
				c := testCell{least: float64(s.next(60)) / 3, width: s.length(), minWidth: s.length(), maxWidth: s.length(), height: float64(s.next(100)) / 7}
				c.most = c.least + float64(s.next(200))
				cells = append(cells, c)
				g.Cells = append(g.Cells, table.Cell{ColSpan: s.next(6), RowSpan: s.next(6)})
			}
			g.Rows = append(g.Rows, row)
		}
		g.Groups = append(g.Groups, group)
	}
	return g, cells
}

// FuzzGrid holds any table to this: columns and rows fill exactly the width and the height that there is, cells have room for their
// longest word, and all lengths are finite.
func FuzzGrid(f *testing.F) {
	f.Add([]byte{0, 2, 2, 1, 1, 1, 100, 1, 0, 1, 3, 0, 1, 3, 0, 0, 20, 1, 90, 0, 0, 30, 9, 2, 1})
	f.Add([]byte("a table of some rows and cells with spans and heights and more of that than is good"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &source{data}
		g, cells := s.grid()
		if err := g.Place(); err != nil {
			t.Fatal(err)
		}
		if err := g.Measure(func(i int) table.Content { return cells[i].content() }); err != nil {
			t.Fatal(err)
		}
		least, most := g.MinMax(7, true)
		width := float64(s.next(256)) * 5
		sizes := g.Distribute(width, 7)
		checkWidths(t, g, cells, sizes, least, most, width)
		checkHeights(t, g, cells, float64(s.next(256))*3)
		checkBorders(t, g, s, sizes)
	})
}

func checkWidths(t *testing.T, g *table.Grid, cells []testCell, sizes []float64, least, most, width float64) {
	t.Helper()
	if least > most || math.IsNaN(least) || math.IsInf(most, 0) {
		t.Fatalf("wants %v to %v", least, most)
	}
	total := g.Outside(7)
	for _, v := range sizes {
		if v < 0 || math.IsNaN(v) {
			t.Fatalf("columns of %v", sizes)
		}
		total += v
	}
	if len(sizes) > 0 && !g.Fixed && (total < width || total > max(width, least)) {
		t.Fatalf("columns %v make %v of %v, at least %v", sizes, total, width, least)
	}
	lines := g.Locate(sizes, false)
	for i := range g.Cells {
		c := &g.Cells[i]
		if c.Column < 0 || c.Columns < 1 || c.Column+c.Columns > len(sizes) {
			t.Fatalf("cell %d is in columns %d + %d of %d", i, c.Column, c.Columns, len(sizes))
		}
		need := cells[i].least
		if cells[i].maxWidth.Unit == table.Pixels {
			need = min(need, cells[i].maxWidth.Value)
		}
		if _, w := lines.Across(c.Column, c.Columns); !g.Fixed && w < need-0.001 {
			t.Fatalf("cell %d has %v and needs %v", i, w, need)
		}
	}
}

func checkHeights(t *testing.T, g *table.Grid, cells []testCell, height float64) {
	t.Helper()
	if err := g.Heights(func(i int) (table.Extent, error) { return table.Extent{Height: cells[i].height}, nil }); err != nil {
		t.Fatal(err)
	}
	for i := range g.Cells {
		if h := rowsOf(g, &g.Cells[i]); h < cells[i].height {
			t.Fatalf("cell %d has %v and needs %v", i, h, cells[i].height)
		}
	}
	before := rowHeights(g)
	g.Grow(height)
	if after := rowHeights(g); after < before || math.IsNaN(after) {
		t.Fatalf("rows of %v became %v", before, after)
	}
	g.Collapse()
	tops := g.Stack()
	for i := 1; i < len(tops.Rows); i++ {
		if tops.Rows[i] < tops.Rows[i-1] {
			t.Fatalf("rows at %v", tops.Rows)
		}
	}
	if n := len(tops.Rows); n > 0 && tops.Bottom < tops.Rows[n-1]+g.Rows[n-1].Size {
		t.Fatalf("rows at %v end at %v", tops.Rows, tops.Bottom)
	}
}

func rowsOf(g *table.Grid, c *table.Cell) float64 {
	h := g.SpacingY * float64(c.Rows-1)
	for i := c.Row; i < c.Row+c.Rows; i++ {
		h += g.Rows[i].Size
	}
	return h
}

func rowHeights(g *table.Grid) float64 {
	sum := 0.0
	for i := range g.Rows {
		sum += g.Rows[i].Size
	}
	return sum
}

func checkBorders(t *testing.T, g *table.Grid, s *source, sizes []float64) {
	t.Helper()
	sides := make([]*table.Sides, 5)
	for i := range sides {
		sides[i] = &table.Sides{Top: s.border(), End: s.border(), Bottom: s.border(), Start: s.border()}
	}
	of := func(i int) *table.Sides { return sides[i%len(sides)] }
	parts := &table.Parts{Cell: of, Row: of, Group: of, Column: of, Table: sides[0]}
	if _, _, err := g.Insets(parts); err != nil {
		t.Fatal(err)
	}
	rules, err := g.Rules(parts, g.Locate(sizes, true), g.Stack())
	if err != nil && !errors.Is(err, table.ErrTooComplex) {
		t.Fatal(err)
	}
	for _, r := range rules {
		if r.Width <= 0 || r.Style <= table.Hidden || math.IsNaN(r.X1+r.X2+r.Y1+r.Y2) {
			t.Fatalf("a rule %v", r)
		}
	}
}
