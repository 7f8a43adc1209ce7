package table_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/native/table"
)

// content is a cell of words: the longest one and all of them in one line.
func content(least, most float64) table.Content {
	return table.Content{Sizes: func() (float64, float64) { return least, most }}
}

func (t testCell) content() table.Content {
	c := content(t.least, t.most)
	c.Width, c.MinWidth, c.MaxWidth = t.width, t.minWidth, t.maxWidth
	return c
}

// testCell is a cell of a test: its spans are 1 when they are 0, rowSpan -1 is to the end.
type testCell struct {
	least, most               float64
	width, minWidth, maxWidth table.Length
	span, rowSpan             int
	height                    float64
}

// makeGrid makes a table of one group.
func makeGrid(rows ...[]testCell) (*table.Grid, []testCell) {
	g := &table.Grid{Groups: []table.Group{{Rows: len(rows), Body: true}}}
	var all []testCell
	for _, row := range rows {
		g.Rows = append(g.Rows, table.Row{Cells: len(row)})
		for _, c := range row {
			rowSpan := max(c.rowSpan, 1)
			if c.rowSpan < 0 {
				rowSpan = 0
			}
			g.Cells = append(g.Cells, table.Cell{ColSpan: max(c.span, 1), RowSpan: rowSpan})
			all = append(all, c)
		}
	}
	return g, all
}

// widths lays out the columns of a table of this width, or of the one it wants when that is 0.
func widths(t *testing.T, g *table.Grid, cells []testCell, width float64) []float64 {
	t.Helper()
	if err := g.Place(); err != nil {
		t.Fatal(err)
	}
	if err := g.Measure(func(i int) table.Content { return cells[i].content() }); err != nil {
		t.Fatal(err)
	}
	if width == 0 {
		_, width = g.MinMax(0, true)
	}
	return g.Distribute(width, 0)
}

func px(v float64) table.Length    { return table.Px(v) }
func share(v float64) table.Length { return table.Share(v) }

func TestColumnsGetTheirWidths(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows  [][]testCell
		width float64
		fixed bool
		given []table.ColumnElement
		want  []float64
	}{
		"as wide as the text": {
			rows: [][]testCell{{{least: 20, most: 100}, {least: 30, most: 50}}, {{least: 25, most: 60}, {least: 10, most: 70}}}, want: []float64{100, 70},
		},
		"between words and lines, by what is lacking": {
			rows: [][]testCell{{{least: 20, most: 120}, {least: 30, most: 80}}}, width: 110, want: []float64{60, 50},
		},
		"never less than the words": {
			rows: [][]testCell{{{least: 20, most: 120}, {least: 30, most: 80}}}, width: 10, want: []float64{20, 30},
		},
		"more than the lines, in proportion": {
			rows: [][]testCell{{{least: 20, most: 100}, {least: 30, most: 50}}}, width: 300, want: []float64{200, 100},
		},
		"nothing in them: equal parts": {
			rows: [][]testCell{{{}, {}, {}}}, width: 90, want: []float64{30, 30, 30},
		},
		"a width stays when others can grow": {
			rows: [][]testCell{{{least: 20, most: 100, width: px(60)}, {least: 30, most: 50}}}, width: 300, want: []float64{60, 240},
		},
		"a width grows when there are no others": {
			rows: [][]testCell{{{width: px(60)}, {width: px(30)}}}, width: 180, want: []float64{120, 60},
		},
		"a width shrinks before words do": {
			rows: [][]testCell{{{least: 20, most: 100, width: px(100)}, {least: 30, most: 50}}}, width: 90, want: []float64{60, 30},
		},
		"percentages of the table": {
			rows: [][]testCell{{{most: 10, width: share(25)}, {most: 50}}}, width: 400, want: []float64{100, 300},
		},
		"a percentage makes the table wide enough": {
			rows: [][]testCell{{{least: 10, most: 50, width: share(10)}, {most: 50}}}, want: []float64{50, 450},
		},
		"percentages beyond 100 are cut": {
			rows: [][]testCell{{{width: share(70)}, {width: share(60)}, {least: 5, width: share(10)}}}, width: 100, want: []float64{66.5, 28.5, 5},
		},
		"percentages alone grow together": {
			rows: [][]testCell{{{width: share(10)}, {width: share(30)}}}, width: 400, want: []float64{100, 300},
		},
		"a wide cell spreads": {
			rows: [][]testCell{{{span: 2, least: 200, most: 200}}, {{least: 10, most: 30}, {least: 10, most: 10}}}, want: []float64{150, 50},
		},
		"a wide cell of columns without cells": {
			rows: [][]testCell{{{span: 3, least: 90, most: 90}}}, want: []float64{90},
		},
		"wide cells over different columns": {
			rows:  [][]testCell{{{span: 2, least: 10, most: 60}, {span: 2, least: 10, most: 60}}, {{least: 10, most: 10}, {span: 2, least: 10, most: 20}, {least: 10, most: 10}}},
			width: 200, want: []float64{92.296875, 15.375, 46.140625, 46.1875}, // as in the browser
		},
		"a wide cell with a percentage": {
			rows: [][]testCell{{{span: 2, width: share(50)}, {most: 10}}, {{most: 30}, {most: 10}, {}}}, width: 200, want: []float64{75, 25, 100},
		},
		"colspan 1000 takes no room": {
			rows: [][]testCell{{{span: 1000, least: 50, most: 50}, {least: 10, most: 10}}}, width: 60, want: []float64{50, 10},
		},
		"max-width of a cell": {
			rows: [][]testCell{{{least: 20, most: 500, maxWidth: px(100)}, {most: 10}}}, want: []float64{100, 10},
		},
		"min-width of a cell": {
			rows: [][]testCell{{{least: 20, most: 30, minWidth: px(100)}, {most: 10}}}, want: []float64{100, 10},
		},
		"a col has a width": {
			rows: [][]testCell{{{most: 10}, {most: 10}}}, given: []table.ColumnElement{{Span: 1, Width: px(40)}}, width: 100, want: []float64{40, 60},
		},
		"a col with a width needs no cells": {
			rows: [][]testCell{{{most: 10}}}, given: []table.ColumnElement{{Span: 1}, {Span: 2, Width: px(40)}}, width: 100, want: []float64{20, 40, 40},
		},
		"a col without a width does": {
			rows: [][]testCell{{{most: 10}}}, given: []table.ColumnElement{{Span: 1}, {Span: 2}}, width: 100, want: []float64{100},
		},
		"fixed: the first row counts": {
			rows: [][]testCell{{{width: px(40)}, {}}, {{least: 500, most: 500}, {width: px(80)}}}, fixed: true, width: 100, want: []float64{40, 60},
		},
		"fixed: a col goes before a cell": {
			rows: [][]testCell{{{width: px(40)}, {}}}, given: []table.ColumnElement{{Span: 1, Width: px(70)}}, fixed: true, width: 100, want: []float64{70, 30},
		},
		"fixed: wide cells share": {
			rows: [][]testCell{{{span: 2, width: px(80)}, {}}}, fixed: true, width: 100, want: []float64{40, 40, 20},
		},
		"fixed: widths grow without others": {
			rows: [][]testCell{{{width: px(10)}, {width: px(30)}}}, fixed: true, width: 80, want: []float64{20, 60},
		},
		"fixed: percentages and the rest": {
			rows: [][]testCell{{{width: share(50)}, {width: px(20)}, {}, {}}}, fixed: true, width: 200, want: []float64{100, 20, 40, 40},
		},
		"fixed: percentages beyond 100 shrink": {
			rows: [][]testCell{{{width: share(150)}, {width: share(50)}}}, fixed: true, width: 200, want: []float64{150, 50},
		},
		"fixed: all columns of a wide cell are there": {
			rows: [][]testCell{{{span: 4}}}, fixed: true, width: 200, want: []float64{50, 50, 50, 50},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, cells := makeGrid(c.rows...)
			g.Fixed, g.Given = c.fixed, c.given
			if diff := cmp.Diff(c.want, widths(t, g, cells, c.width)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSpacingIsBetweenAndAround(t *testing.T) {
	t.Parallel()
	g, cells := makeGrid([]testCell{{most: 10}, {span: 2, most: 30}})
	g.SpacingX = 3
	got := widths(t, g, cells, 0)
	lines := g.Locate(got, false)
	if diff := cmp.Diff(table.Lines{From: []float64{3, 16}, To: []float64{13, 46}}, lines); diff != "" {
		t.Error(diff)
	}
	if w := lines.Width(g.SpacingX); w != 49 {
		t.Errorf("the table is %v wide", w)
	}
}

func TestCellsStandInTheFirstFreeColumn(t *testing.T) {
	t.Parallel()
	g, _ := makeGrid(
		[]testCell{{}, {rowSpan: 2}, {}},
		[]testCell{{}, {}},
		[]testCell{{rowSpan: -1}, {span: 2}},
		[]testCell{{}, {}, {}},
	)
	g.Groups = []table.Group{{Rows: 2}, {Rows: 2}}
	if err := g.Place(); err != nil {
		t.Fatal(err)
	}
	var columns, rows []int
	for _, c := range g.Cells {
		columns, rows = append(columns, c.Column), append(rows, c.Rows)
	}
	if diff := cmp.Diff([]int{0, 1, 2, 0, 2, 0, 1, 1, 2, 3}, columns); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{1, 2, 1, 1, 1, 2, 1, 1, 1, 1}, rows); diff != "" {
		t.Error(diff)
	}
}

func TestCollapsedColumnsTakeNoRoom(t *testing.T) {
	t.Parallel()
	g, cells := makeGrid([]testCell{{most: 10}, {most: 20}, {most: 30}})
	g.Given = []table.ColumnElement{{Span: 1}, {Span: 1, Collapsed: true}}
	g.SpacingX = 2
	sizes := widths(t, g, cells, 0)
	if !g.HasCollapsed() || !g.Hidden(&g.Cells[1]) || g.Hidden(&g.Cells[2]) {
		t.Error("the second column is the collapsed one")
	}
	x, width := g.Locate(sizes, true).Across(2, 1)
	if x != 14 || width != 30 {
		t.Errorf("the third column is at %v and %v wide", x, width)
	}
}

func TestTooManyColumnsAreRefused(t *testing.T) {
	t.Parallel()
	g, _ := makeGrid(make([]testCell, table.MaxColumns+1))
	if err := g.Place(); !errors.Is(err, table.ErrTooManyColumns) {
		t.Errorf("got %v", err)
	}
	g, _ = makeGrid([]testCell{{span: 1000}, {span: 1000}})
	g.Fixed = true
	g.Given = []table.ColumnElement{{Span: 1000}}
	if err := g.Place(); err != nil || len(g.Columns) != 2000 {
		t.Errorf("%d columns, %v", len(g.Columns), err)
	}
}
