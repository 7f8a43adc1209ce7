package table_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/native/table"
)

// heights makes rows of cells.
func heights(t *testing.T, g *table.Grid, cells []testCell) {
	t.Helper()
	if err := g.Place(); err != nil {
		t.Fatal(err)
	}
	err := g.Heights(func(i int) (table.Extent, error) { return table.Extent{Height: cells[i].height}, nil })
	if err != nil {
		t.Fatal(err)
	}
}

func sizes(g *table.Grid) []float64 {
	var s []float64
	for _, r := range g.Rows {
		s = append(s, r.Size)
	}
	return s
}

func TestRowsGetTheirHeights(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows    [][]testCell
		wanted  []table.Length // of rows
		group   table.Length
		height  float64 // of the table
		spacing float64
		want    []float64
	}{
		"as high as the highest cell": {
			rows: [][]testCell{{{height: 10}, {height: 30}}, {{height: 20}}}, want: []float64{30, 20},
		},
		"a row has a height": {
			rows: [][]testCell{{{height: 10}}, {{height: 20}}}, wanted: []table.Length{px(50), px(5)}, want: []float64{50, 20},
		},
		"what a cell over rows lacks goes out in proportion": {
			rows: [][]testCell{{{rowSpan: 2, height: 90}, {height: 10}}, {{height: 20}}}, want: []float64{30, 60},
		},
		"rows with a height do not grow for it": {
			rows: [][]testCell{{{rowSpan: 2, height: 90}, {height: 10}}, {{height: 20}}}, wanted: []table.Length{px(10)}, want: []float64{10, 80},
		},
		"the last of empty rows grows": {
			rows: [][]testCell{{{rowSpan: 3, height: 90}}, {}, {}}, want: []float64{0, 0, 90},
		},
		"the spacing counts": {
			rows: [][]testCell{{{rowSpan: 2, height: 60}, {height: 20}}, {{height: 20}}}, spacing: 10, want: []float64{25, 25},
		},
		"inner cells first": {
			rows: [][]testCell{{{rowSpan: 3, height: 100}, {height: 10}}, {{rowSpan: 2, height: 60}, {height: 10}}, {{height: 10}}}, want: []float64{10, 60, 30},
		},
		"the table is higher": {
			rows: [][]testCell{{{height: 10}}, {{height: 30}}}, height: 80, want: []float64{20, 60},
		},
		"a row with a height stays": {
			rows: [][]testCell{{{height: 10}}, {{height: 30}}}, wanted: []table.Length{px(10)}, height: 80, want: []float64{10, 70},
		},
		"unless all have one": {
			rows: [][]testCell{{{height: 10}}, {{height: 30}}}, wanted: []table.Length{px(10), px(30)}, height: 80, want: []float64{20, 60},
		},
		"empty rows grow if the others have a height": {
			rows: [][]testCell{{{height: 10}}, {{}}}, wanted: []table.Length{px(10)}, height: 80, want: []float64{10, 70},
		},
		"a row of a percentage": {
			rows: [][]testCell{{{height: 10}}, {{height: 10}}}, wanted: []table.Length{share(75)}, height: 80, want: []float64{60, 20},
		},
		"percentages beyond 100": {
			rows: [][]testCell{{{height: 10}}, {{height: 10}}}, wanted: []table.Length{share(75), share(75)}, height: 100, want: []float64{75, 25},
		},
		"a group has a height": {
			rows: [][]testCell{{{height: 10}}, {{height: 30}}}, group: px(80), want: []float64{20, 60},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, cells := makeGrid(c.rows...)
			g.SpacingY, g.Groups[0].Height = c.spacing, c.group
			for i, want := range c.wanted {
				g.Rows[i].Height = want
			}
			heights(t, g, cells)
			g.Grow(c.height)
			if diff := cmp.Diff(c.want, sizes(g)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBodiesGrowBeforeHeadAndFoot(t *testing.T) {
	t.Parallel()
	g, cells := makeGrid([]testCell{{height: 10}}, []testCell{{height: 10}}, []testCell{{height: 30}}, []testCell{{height: 10}})
	g.Groups = []table.Group{{Rows: 1}, {Rows: 1, Body: true}, {Rows: 1, Body: true}, {Rows: 1}}
	heights(t, g, cells)
	g.Grow(100)
	if diff := cmp.Diff([]float64{10, 20, 60, 10}, sizes(g)); diff != "" {
		t.Error(diff)
	}
}

func TestCellsOfARowMeetOnTheirBaselines(t *testing.T) {
	t.Parallel()
	g, _ := makeGrid(make([]testCell, 3))
	if err := g.Place(); err != nil {
		t.Fatal(err)
	}
	cells := []table.Extent{
		{Height: 40, OnBaseline: true, Baseline: 30},
		{Height: 30, OnBaseline: true, Baseline: 5},
		{Height: 10},
	}
	if err := g.Heights(func(i int) (table.Extent, error) { return cells[i], nil }); err != nil {
		t.Fatal(err)
	}
	if r := g.Rows[0]; r.Size != 55 || r.Baseline != 30 {
		t.Errorf("the row is %v high with its baseline at %v", r.Size, r.Baseline)
	}
}

func TestCollapsedRowsTakeNoRoom(t *testing.T) {
	t.Parallel()
	g, cells := makeGrid([]testCell{{height: 10, rowSpan: 3}, {height: 10}}, []testCell{{height: 20}}, []testCell{{height: 30}})
	g.Rows[1].Collapsed = true
	g.SpacingY = 2
	heights(t, g, cells)
	if less := g.Collapse(); less != 22 {
		t.Errorf("the table is %v less high", less)
	}
	tops := g.Stack()
	want := table.Tops{Groups: []float64{2}, Rows: []float64{2, 12, 14}, Bottom: 46}
	if diff := cmp.Diff(want, tops); diff != "" {
		t.Error(diff)
	}
	if h := g.Height(&g.Cells[0]); h != 42 {
		t.Errorf("the cell over all rows is %v high", h)
	}
}

func TestAFailureOfACellIsPassedOn(t *testing.T) {
	t.Parallel()
	g, _ := makeGrid(make([]testCell, 1))
	if err := g.Place(); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("no paper")
	if err := g.Heights(func(int) (table.Extent, error) { return table.Extent{}, failure }); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
}

func TestRowsTimesSpansAreBounded(t *testing.T) {
	t.Parallel()
	g := &table.Grid{Groups: []table.Group{{Rows: 60_000}}}
	for row := range 60_000 {
		g.Rows = append(g.Rows, table.Row{Cells: 1})
		g.Cells = append(g.Cells, table.Cell{ColSpan: 1, RowSpan: 65534 - row%5000})
	}
	if err := g.Place(); !errors.Is(err, table.ErrTooComplex) && !errors.Is(err, table.ErrTooManyColumns) {
		t.Errorf("got %v", err)
	}
}
