package grid_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/grid"
)

func length(v float64) property.Track {
	size := property.TrackSize{Size: property.Size{Length: value.Px(v)}}
	return property.Track{Min: size, Max: size}
}

// template makes tracks of 10 pixels; names are those of the lines, "|" between them.
func template(count int, names string) property.Tracks {
	t := property.Tracks{Names: make([][]string, count+1)}
	for range count {
		t.List = append(t.List, length(10))
	}
	for i, part := range strings.Split(names, "|") {
		t.Names[i] = strings.Fields(part)
	}
	return t
}

func line(n int) property.GridLine { return property.GridLine{Line: n} }

func span(n int) property.GridLine { return property.GridLine{Line: n, Span: true} }

func name(n string) property.GridLine { return property.GridLine{Name: n} }

func columns(start, end property.GridLine) grid.Item {
	return grid.Item{Columns: grid.Request{Start: start, End: end}}
}

func at(column, row int) grid.Item {
	return grid.Item{Columns: grid.Request{Start: line(column)}, Rows: grid.Request{Start: line(row)}}
}

// draw shows where items stand: a letter for each.
func draw(p grid.Placement) string {
	rows := make([][]byte, p.Rows)
	for y := range rows {
		rows[y] = []byte(strings.Repeat(".", p.Columns))
	}
	for i, a := range p.Areas {
		for y := a.Rows.Start; y < a.Rows.End; y++ {
			for x := a.Columns.Start; x < a.Columns.End; x++ {
				rows[y][x] = byte('a' + i)
			}
		}
	}
	var lines []string
	for _, row := range rows {
		lines = append(lines, string(row))
	}
	return strings.Join(lines, " ")
}

func TestItemsArePlaced(t *testing.T) {
	t.Parallel()
	none := property.GridLine{}
	for _, test := range []struct {
		name  string
		items []grid.Item
		flow  grid.Flow
		want  string
	}{
		{"in the order of rows", make([]grid.Item, 5), grid.Flow{}, "abc de."},
		{"in the order of columns", make([]grid.Item, 3), grid.Flow{Column: true}, "ac. b.."},
		{"over the whole width", []grid.Item{{}, columns(line(1), line(-1)), {}}, grid.Flow{}, "a.. bbb c.."},
		{"spans leave holes", []grid.Item{columns(span(2), none), columns(span(2), none), {}}, grid.Flow{}, "aa. bbc"},
		{"but when they are dense", []grid.Item{columns(span(2), none), columns(span(2), none), {}}, grid.Flow{Dense: true}, "aac bb."},
		{"around what is definite", []grid.Item{{}, at(2, 1), {}, {}}, grid.Flow{}, "abc d.."},
		{"lines beyond the template", []grid.Item{at(5, 1), at(1, 3)}, grid.Flow{}, "....a ..... b...."},
		{"lines before the template", []grid.Item{at(-6, 1), {}}, grid.Flow{}, "ab... ....."},
		{"a row that is given", []grid.Item{{}, {Rows: grid.Request{Start: line(1)}}, {Rows: grid.Request{Start: line(1)}}, {}}, grid.Flow{}, "bca d.."},
		{"a column that is given", []grid.Item{columns(line(2), none), columns(line(1), none), columns(line(2), none)}, grid.Flow{}, ".a. bc."},
		{"a span over rows", []grid.Item{{Rows: grid.Request{Start: span(2)}}, {}, {}, {}}, grid.Flow{}, "abc ad."},
		{"lines that are turned", []grid.Item{columns(line(3), line(1))}, grid.Flow{}, "aa. ..."},
		{"a span to a line", []grid.Item{columns(span(2), line(4))}, grid.Flow{}, ".aa ..."},
		{"two spans", []grid.Item{columns(span(2), span(3))}, grid.Flow{}, "aa. ..."},
		{"a span wider than the template", []grid.Item{columns(span(4), none), {}}, grid.Flow{}, "aaaa b..."},
		{"names", []grid.Item{columns(name("mid"), name("last"))}, grid.Flow{}, ".aa ..."},
		{"a name that is not there is beyond", []grid.Item{columns(name("nowhere"), none)}, grid.Flow{}, "....a ....."},
		{"the second line of a name", []grid.Item{columns(property.GridLine{Name: "mid", Line: 2}, none)}, grid.Flow{}, "..a ..."},
		{"a span to a name", []grid.Item{columns(line(1), property.GridLine{Name: "mid", Line: 2, Span: true})}, grid.Flow{}, "aa. ..."},
	} {
		p, err := grid.Place(grid.NewAxis(template(3, "first|mid|mid|last"), nil, nil, false, 0), grid.NewAxis(template(2, ""), nil, nil, true, 0), test.items, test.flow, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := draw(p)
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestAreasHaveNames(t *testing.T) {
	t.Parallel()
	areas := [][]string{{"head", "head", "head"}, {"nav", "main", "main"}, {"nav", ".", "foot"}}
	var items []grid.Item
	for _, n := range []string{"main", "head", "foot", "nav"} {
		q := grid.Request{Start: name(n), End: name(n)}
		items = append(items, grid.Item{Columns: q, Rows: q})
	}
	p, err := grid.Place(grid.NewAxis(property.Tracks{}, nil, areas, false, 0), grid.NewAxis(property.Tracks{}, nil, areas, true, 0), items, grid.Flow{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := draw(p), "bbb daa d.c"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestRepetitionsFillTheRoom(t *testing.T) {
	t.Parallel()
	repeated := property.Tracks{Names: [][]string{nil, nil}, List: []property.Track{length(20)}, Repeat: []property.Track{length(60)}, RepeatNames: [][]string{nil, nil}, At: 1, Fit: true}
	for _, test := range []struct {
		room, least, gap float64
		want             int
	}{{200, 0, 0, 3}, {220, 0, 10, 2}, {230, 0, 10, 3}, {10, 0, 0, 1}, {-1, 0, 0, 1}, {-1, 200, 0, 3}, {1e7, 0, 0, 999}} {
		if got := grid.Repetitions(repeated, test.room, test.least, test.gap); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
	axis := grid.NewAxis(repeated, nil, nil, false, 3)
	tracks := axis.Tracks(4, 0, 200, func(i int) bool { return i < 2 })
	var collapsed []bool
	for _, track := range tracks {
		collapsed = append(collapsed, track.Collapsed)
	}
	if diff := cmp.Diff([]bool{false, false, true, true}, collapsed); diff != "" {
		t.Error(diff)
	}
}

func TestImplicitTracksRepeatInBothDirections(t *testing.T) {
	t.Parallel()
	axis := grid.NewAxis(template(1, ""), []property.Track{length(1), length(2)}, nil, false, 0)
	var got []float64
	for _, track := range axis.Tracks(7, 3, 0, func(int) bool { return true }) {
		got = append(got, track.Min.Value)
	}
	if diff := cmp.Diff([]float64{2, 1, 2, 10, 1, 2, 1}, got); diff != "" {
		t.Error(diff)
	}
}

// Grids that are made to be large end somewhere, soon.
func TestHugeGridsHaveBounds(t *testing.T) {
	t.Parallel()
	const n = 5_000
	for name, make := range map[string]func(i int) grid.Item{
		"in one column":     func(int) grid.Item { return grid.Item{} },
		"over many rows":    func(int) grid.Item { return grid.Item{Rows: grid.Request{Start: span(10_000)}} },
		"over many columns": func(int) grid.Item { return columns(span(10_000), property.GridLine{}) },
		"far away":          func(i int) grid.Item { return at(10_000-i, 10_000-i) },
		"all in one row":    func(int) grid.Item { return grid.Item{Rows: grid.Request{Start: line(1)}} },
		"from far before":   func(i int) grid.Item { return at(-10_000+i%3, i%10_000+1) },
		"as large as they come": func(int) grid.Item {
			return grid.Item{Columns: grid.Request{Start: span(10_000)}, Rows: grid.Request{Start: span(10_000)}}
		},
	} {
		items := []grid.Item{}
		for i := range n {
			items = append(items, make(i))
		}
		for _, flow := range []grid.Flow{{}, {Dense: true}, {Column: true}} {
			begin := time.Now()
			p, err := grid.Place(grid.NewAxis(property.Tracks{}, nil, nil, false, 0), grid.NewAxis(property.Tracks{}, nil, nil, true, 0), items, flow, nil)
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(begin); took > 10*time.Second {
				t.Errorf("%s, %+v: took %v", name, flow, took)
			}
			if p.Columns > 150_000 || p.Rows > 150_000 {
				t.Errorf("%s, %+v: %d × %d tracks", name, flow, p.Columns, p.Rows)
			}
		}
	}
}

func TestRowsByNumberReachAsFarAsThereAreItems(t *testing.T) {
	t.Parallel()
	var items []grid.Item
	for i := range 2500 {
		items = append(items, at(1, i+1))
	}
	p, err := grid.Place(grid.NewAxis(property.Tracks{}, nil, nil, false, 0), grid.NewAxis(property.Tracks{}, nil, nil, true, 0), items, grid.Flow{}, nil)
	if err != nil || p.Rows != 2500 || p.Areas[2499].Rows.Start != 2499 {
		t.Errorf("%d rows, %v", p.Rows, err)
	}
}

func TestPlacingStopsWhenAsked(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	_, err := grid.Place(grid.NewAxis(property.Tracks{}, nil, nil, false, 0), grid.NewAxis(property.Tracks{}, nil, nil, true, 0), make([]grid.Item, 100), grid.Flow{}, func() error { return enough })
	if !errors.Is(err, enough) {
		t.Errorf("got %v", fmt.Sprint(err))
	}
}
