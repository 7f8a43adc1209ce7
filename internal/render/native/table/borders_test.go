package table_test

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/native/table"
)

func line(style table.LineStyle, width, shade float64) table.Border {
	return table.Border{Style: style, Width: width, Color: [4]float64{shade, shade, shade, 1}}
}

func around(b table.Border) *table.Sides { return &table.Sides{Top: b, End: b, Bottom: b, Start: b} }

// plain are parts without borders but for what a test sets.
func plain() *table.Parts {
	empty := &table.Sides{}
	none := func(int) *table.Sides { return empty }
	return &table.Parts{Cell: none, Row: none, Group: none, Column: none, Table: empty}
}

// framed are the borders of cells by their number.
func framed(cells ...*table.Sides) *table.Parts {
	p := plain()
	p.Cell = func(i int) *table.Sides { return cells[i] }
	return p
}

// square makes a table of cells of 10 × 10.
func square(t *testing.T, rows ...[]testCell) (*table.Grid, table.Lines, table.Tops) {
	t.Helper()
	g, cells := makeGrid(rows...)
	if err := g.Place(); err != nil {
		t.Fatal(err)
	}
	sizes := make([]float64, len(g.Columns))
	for i := range sizes {
		sizes[i] = 10
	}
	for i := range g.Rows {
		g.Rows[i].Height = px(10)
	}
	err := g.Heights(func(i int) (table.Extent, error) { return table.Extent{Height: cells[i].height}, nil })
	if err != nil {
		t.Fatal(err)
	}
	return g, g.Locate(sizes, false), g.Stack()
}

func TestTheStrongerBorderWins(t *testing.T) {
	t.Parallel()
	solid, none := line(table.Solid, 2, 0), table.Border{}
	for name, c := range map[string]struct {
		left, right, row, want table.Border
	}{
		"the only one":                         {left: solid, want: solid},
		"the wider one":                        {left: line(table.Solid, 1, 0), right: line(table.Dotted, 3, 1), want: line(table.Dotted, 3, 1)},
		"the greater style":                    {left: line(table.Dashed, 2, 0), right: line(table.Double, 2, 1), want: line(table.Double, 2, 1)},
		"the left one of equals":               {left: line(table.Solid, 2, 0), right: line(table.Solid, 2, 1), want: line(table.Solid, 2, 0)},
		"hidden wins":                          {left: line(table.Hidden, 0, 0), right: line(table.Solid, 9, 1), want: none},
		"inset is a ridge, beaten by dotted":   {left: line(table.Inset, 2, 0), right: line(table.Dotted, 2, 1), want: line(table.Dotted, 2, 1)},
		"inset is a ridge, better than groove": {left: line(table.Groove, 2, 0), right: line(table.Inset, 2, 1), want: line(table.Ridge, 2, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, lines, tops := square(t, []testCell{{}, {}})
			rules, err := g.Rules(framed(&table.Sides{End: c.left}, &table.Sides{Start: c.right}), lines, tops)
			if err != nil {
				t.Fatal(err)
			}
			var want []table.Rule
			if c.want.Width > 0 {
				want = []table.Rule{{X1: 10, Y1: 0, X2: 10, Y2: 10, Border: c.want}}
			}
			if diff := gocmp.Diff(want, rules); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCellsGoBeforeRowsBeforeTheTable(t *testing.T) {
	t.Parallel()
	g, lines, tops := square(t, []testCell{{}})
	p := framed(&table.Sides{Top: line(table.Solid, 1, 1)})
	p.Row = func(int) *table.Sides {
		return &table.Sides{Top: line(table.Solid, 1, 2), Start: line(table.Solid, 1, 2)}
	}
	p.Group = func(int) *table.Sides { return around(line(table.Solid, 1, 3)) }
	p.Table = around(line(table.Solid, 1, 4))
	rules, err := g.Rules(p, lines, tops)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[[2]float64]float64{{5, 0}: 1, {0, 5}: 2, {10, 5}: 3, {5, 10}: 3} {
		if got := shadeAt(rules, at[0], at[1]); got != want {
			t.Errorf("at %v is the border of shade %v, want %v: %v", at, got, want, rules)
		}
	}
}

// shadeAt is the shade of the rule through a point.
func shadeAt(rules []table.Rule, x, y float64) float64 {
	for _, r := range rules {
		if r.X1 <= x && x <= r.X2 && r.Y1 <= y && y <= r.Y2 {
			return r.Color[0]
		}
	}
	return 0
}

func TestInsetsAreHalfOfTheWidestBorder(t *testing.T) {
	t.Parallel()
	g, _, _ := square(t, []testCell{{span: 2}}, []testCell{{}, {}})
	p := framed(around(line(table.Solid, 1, 0)), around(line(table.Solid, 3, 0)), around(line(table.Solid, 5, 0)))
	whole, cells, err := g.Insets(p)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(table.Insets{Top: 0.5, End: 2.5, Bottom: 2.5, Start: 1.5}, whole); diff != "" {
		t.Error(diff)
	}
	want := []table.Insets{
		{Top: 0.5, End: 0.5, Bottom: 2.5, Start: 0.5},
		{Top: 1.5, End: 2.5, Bottom: 1.5, Start: 1.5},
		{Top: 2.5, End: 2.5, Bottom: 2.5, Start: 2.5},
	}
	if diff := gocmp.Diff(want, cells); diff != "" {
		t.Error(diff)
	}
}

func TestEqualSolidLinesAreOneRule(t *testing.T) {
	t.Parallel()
	g, lines, tops := square(t, []testCell{{}, {}, {}}, []testCell{{}, {}, {}})
	p := plain()
	cell := around(line(table.Solid, 2, 0))
	p.Cell = func(int) *table.Sides { return cell }
	rules, err := g.Rules(p, lines, tops)
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) != 3+4 {
		t.Errorf("%d rules: %v", len(rules), rules)
	}
	for _, r := range rules {
		if r.X1 == r.X2 && (r.Y1 != -1 || r.Y2 != 21) || r.Y1 == r.Y2 && (r.X1 != -1 || r.X2 != 31) {
			t.Errorf("a rule does not go to the corners: %v", r)
		}
	}
}

func TestNothingIsDrawnThroughWideCells(t *testing.T) {
	t.Parallel()
	g, lines, tops := square(t, []testCell{{rowSpan: 2, span: 2}, {}}, []testCell{{}})
	p := plain()
	p.Row = func(int) *table.Sides { return around(line(table.Solid, 2, 0)) }
	g.Given = []table.ColumnElement{{Span: 1}, {Span: 1}, {Span: 1}}
	p.Column = func(int) *table.Sides { return around(line(table.Solid, 2, 0)) }
	rules, err := g.Rules(p, lines, tops)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if r.Y1 == 10 && r.X1 < 9 || r.X1 == 10 && len(g.Columns) == 3 {
			t.Errorf("a rule goes through the cell: %v", r)
		}
	}
}

func TestAWiderBorderHasTheJoint(t *testing.T) {
	t.Parallel()
	g, lines, tops := square(t, []testCell{{}}, []testCell{{}})
	thin, thick := line(table.Solid, 2, 0), line(table.Solid, 6, 1)
	rules, err := g.Rules(framed(&table.Sides{Start: thin, Bottom: thick}, &table.Sides{Start: thin}), lines, tops)
	if err != nil {
		t.Fatal(err)
	}
	want := []table.Rule{
		{X1: 0, Y1: 0, X2: 0, Y2: 7, Border: thin},
		{X1: -1, Y1: 10, X2: 10, Y2: 10, Border: thick},
		{X1: 0, Y1: 13, X2: 0, Y2: 20, Border: thin},
	}
	slices.SortFunc(rules, func(a, b table.Rule) int { return cmp.Compare(a.Y1, b.Y1) })
	if diff := gocmp.Diff(want, rules); diff != "" {
		t.Error(diff)
	}
}

func TestBordersOfHugeSparseTablesAreRefused(t *testing.T) {
	t.Parallel()
	g, _ := makeGrid(make([]testCell, 5000))
	g.Rows = append(g.Rows, make([]table.Row, 50_000)...)
	g.Groups[0].Rows = len(g.Rows)
	if err := g.Place(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := g.Insets(plain()); !errors.Is(err, table.ErrTooComplex) {
		t.Errorf("got %v", err)
	}
}
