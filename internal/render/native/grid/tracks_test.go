package grid_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/platen-render/platen/internal/render/native/align"
	"github.com/platen-render/platen/internal/render/native/grid"
)

var near = cmpopts.EquateApprox(0, 0.001)

func px(v float64) grid.Breadth { return grid.Breadth{Kind: grid.Fixed, Value: v} }

func both(b grid.Breadth) grid.Track { return grid.Track{Min: b, Max: b} }

func fr(v float64) grid.Track {
	return grid.Track{Max: grid.Breadth{Kind: grid.Flexible, Value: v}}
}

func minmax(low, high grid.Breadth) grid.Track { return grid.Track{Min: low, Max: high} }

var (
	auto  grid.Track
	least = both(grid.Breadth{Kind: grid.MinContent})
	most  = both(grid.Breadth{Kind: grid.MaxContent})
)

// text is an item whose content can be broken.
func text(start, end int, low, high float64) grid.Want {
	return grid.Want{Range: grid.Range{Start: start, End: end}, Least: low, Most: high, Automatic: true}
}

// solid is an item with a size of its own.
func solid(start, end int, size float64) grid.Want {
	return grid.Want{Range: grid.Range{Start: start, End: end}, Least: size, Most: size, Minimum: size}
}

func room(r float64) grid.Sizing {
	return grid.Sizing{Room: r, Most: math.MaxFloat64, Stretch: true}
}

func TestSizesOfTracks(t *testing.T) {
	t.Parallel()
	gap := room(320)
	gap.Gap = 10
	start := room(300)
	start.Stretch = false
	low := room(grid.Indefinite)
	low.Least = 200
	high := room(grid.Indefinite)
	high.Most = 120
	for _, test := range []struct {
		name   string
		sizing grid.Sizing
		tracks []grid.Track
		items  []grid.Want
		want   []float64
	}{
		{"lengths", room(300), []grid.Track{both(px(50)), both(px(70))}, nil, []float64{50, 70}},
		{"fractions", gap, []grid.Track{fr(1), fr(2), both(px(60))}, nil, []float64{80, 160, 60}},
		{"less than a fraction in all", room(300), []grid.Track{fr(0.5), fr(0.25)}, nil, []float64{150, 75}},
		{"a fraction is not less than its content", room(200), []grid.Track{fr(1), fr(1)}, []grid.Want{solid(0, 1, 150)}, []float64{150, 50}},
		{"but minmax(0, 1fr) is", room(200), []grid.Track{minmax(px(0), fr(1).Max), minmax(px(0), fr(1).Max)}, []grid.Want{solid(0, 1, 150)}, []float64{100, 100}},
		{"automatic tracks stretch", room(300), []grid.Track{auto, auto}, []grid.Want{text(0, 1, 20, 100), text(1, 2, 10, 50)}, []float64{175, 125}},
		{"or do not", start, []grid.Track{auto, auto}, []grid.Want{text(0, 1, 20, 100), text(1, 2, 10, 50)}, []float64{100, 50}},
		{"too narrow for all of the content", room(100), []grid.Track{auto, auto}, []grid.Want{text(0, 1, 20, 100), text(1, 2, 10, 70)}, []float64{55, 45}},
		{"auto beside a fraction", room(300), []grid.Track{auto, fr(1)}, []grid.Want{text(0, 1, 20, 100), text(1, 2, 10, 50)}, []float64{100, 200}},
		{"min-content and max-content", room(300), []grid.Track{least, most, fr(1)}, []grid.Want{text(0, 1, 20, 100), text(1, 2, 10, 50)}, []float64{20, 50, 230}},
		{"fit-content, more than the content", room(300), []grid.Track{{Fit: 150, Limited: true}, fr(1)}, []grid.Want{text(0, 1, 20, 100)}, []float64{100, 200}},
		{"fit-content, less", room(300), []grid.Track{{Fit: 60, Limited: true}, fr(1)}, []grid.Want{text(0, 1, 20, 100)}, []float64{60, 240}},
		{"fit-content, less than the word", room(300), []grid.Track{{Fit: 10, Limited: true}, fr(1)}, []grid.Want{text(0, 1, 20, 100)}, []float64{20, 280}},
		{"minmax of lengths", room(300), []grid.Track{minmax(px(50), px(100)), both(px(220))}, nil, []float64{80, 220}},
		{"a span over automatic tracks", start, []grid.Track{auto, auto}, []grid.Want{text(0, 1, 20, 20), solid(0, 2, 100)}, []float64{20, 80}},
		{"a span over a length", start, []grid.Track{both(px(30)), auto}, []grid.Want{solid(0, 2, 100)}, []float64{30, 70}},
		{"a span over a fraction", room(300), []grid.Track{auto, fr(1)}, []grid.Want{solid(0, 2, 500)}, []float64{0, 500}},
		{"a span over fractions", room(100), []grid.Track{fr(1), fr(3)}, []grid.Want{solid(0, 2, 400)}, []float64{100, 300}},
		{"a span prefers tracks that may grow", start, []grid.Track{minmax(grid.Breadth{}, px(20)), auto}, []grid.Want{solid(0, 2, 100)}, []float64{20, 80}},
		{"height of the content", room(grid.Indefinite), []grid.Track{auto, fr(1), fr(2)}, []grid.Want{solid(0, 1, 30), solid(1, 2, 40), solid(2, 3, 100)}, []float64{30, 50, 100}},
		{"least height", low, []grid.Track{auto, fr(1)}, []grid.Want{solid(0, 1, 30), solid(1, 2, 40)}, []float64{30, 170}},
		{"least height, automatic", low, []grid.Track{auto, auto}, []grid.Want{solid(0, 1, 30), solid(1, 2, 40)}, []float64{95, 105}},
		{"greatest height", high, []grid.Track{minmax(px(0), fr(1).Max), minmax(px(0), fr(1).Max)}, []grid.Want{solid(0, 1, 100)}, []float64{60, 60}},
		{"greatest height without fractions", high, []grid.Track{minmax(px(50), px(100)), minmax(px(50), px(100))}, nil, []float64{100, 100}},
		{"an empty track of auto-fit", gap, []grid.Track{fr(1), {Min: px(0), Max: px(0), Collapsed: true}, fr(1)}, nil, []float64{155, 0, 155}},
	} {
		got, err := test.sizing.Tracks(test.tracks, test.items)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got, near); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestSizesOfTheContainer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name       string
		tracks     []grid.Track
		items      []grid.Want
		low, great float64
	}{
		{"automatic", []grid.Track{auto, auto}, []grid.Want{text(0, 1, 20, 100), text(1, 2, 10, 50)}, 40, 160},
		{"fractions", []grid.Track{fr(1), fr(2)}, []grid.Want{text(0, 1, 20, 40), text(1, 2, 10, 84)}, 40, 136},
		{"lengths", []grid.Track{both(px(50)), auto}, []grid.Want{text(0, 1, 20, 100), text(1, 2, 10, 70)}, 70, 130},
		{"a span", []grid.Track{auto, auto}, []grid.Want{text(0, 2, 60, 100)}, 60, 100},
	} {
		for constraint, want := range map[grid.Constraint]float64{grid.Least: test.low, grid.Most: test.great} {
			s := grid.Sizing{Room: grid.Indefinite, Most: math.MaxFloat64, Gap: 10, Constraint: constraint}
			sizes, err := s.Tracks(test.tracks, test.items)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Sum(test.tracks, sizes); math.Abs(got-want) > 0.001 {
				t.Errorf("%s, constraint %d: %v of %v, want %v", test.name, constraint, got, sizes, want)
			}
		}
	}
}

func TestEdgesOfTracks(t *testing.T) {
	t.Parallel()
	s := grid.Sizing{Room: 100, Gap: 10}
	tracks := []grid.Track{both(px(10)), {Min: px(0), Max: px(0), Collapsed: true}, both(px(30))}
	e := s.Edges(tracks, []float64{10, 0, 30}, align.Between)
	if diff := cmp.Diff(grid.Edges{Starts: []float64{0, 10, 70}, Ends: []float64{10, 10, 100}}, e, near); diff != "" {
		t.Error(diff)
	}
	if at, size := e.Of(grid.Range{Start: 0, End: 3}); at != 0 || size != 100 {
		t.Errorf("all: at %v, %v", at, size)
	}
}

func TestSizingStopsWhenAsked(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	items := make([]grid.Want, 10_000)
	for i := range items {
		items[i] = solid(i, i+1, 1)
	}
	s := grid.Sizing{Room: 100, Most: math.MaxFloat64, Stop: func() error { return enough }}
	if _, err := s.Tracks(make([]grid.Track, len(items)), items); !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
}
