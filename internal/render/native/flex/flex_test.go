package flex_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/platen-render/platen/internal/render/native/align"
	"github.com/platen-render/platen/internal/render/native/flex"
)

var near = cmpopts.EquateApprox(0, 0.001)

func item(base, grow, shrink float64) flex.Item {
	return flex.Item{Base: base, Grow: grow, Shrink: shrink, Max: math.MaxFloat64, MaxCross: math.MaxFloat64, Cross: 10}
}

func row(main float64) flex.Container {
	return flex.Container{Main: main, Cross: flex.Indefinite, Break: flex.Indefinite, MaxCross: math.MaxFloat64}
}

func mains(items []flex.Item) []float64 {
	var list []float64
	for i := range items {
		list = append(list, items[i].Main)
	}
	return list
}

func TestFlexibleLengths(t *testing.T) {
	t.Parallel()
	limited := func(i flex.Item, low, high float64) flex.Item {
		i.Min, i.Max = low, high
		return i
	}
	framed := func(i flex.Item, frame float64) flex.Item {
		i.Frame = frame
		return i
	}
	for _, test := range []struct {
		name  string
		room  float64
		items []flex.Item
		want  []float64
	}{
		{"growth in proportion", 340, []flex.Item{item(0, 1.4, 1), item(0, 1, 1), item(0, 1, 1)}, []float64{140, 100, 100}},
		{"growth beyond the base", 300, []flex.Item{item(100, 1, 1), item(50, 2, 1)}, []float64{150, 150}},
		{"nobody grows", 300, []flex.Item{item(100, 0, 1), item(50, 0, 1)}, []float64{100, 50}},
		{"less than one in all", 300, []flex.Item{item(100, 0.2, 1), item(100, 0.3, 1)}, []float64{120, 130}},
		{"one at its greatest", 300, []flex.Item{limited(item(0, 1, 1), 0, 50), item(0, 1, 1), item(0, 1, 1)}, []float64{50, 125, 125}},
		{"one at its least", 300, []flex.Item{limited(item(0, 1, 1), 200, 900), item(0, 1, 1), item(0, 1, 1)}, []float64{200, 50, 50}},
		{"shrinking by size", 200, []flex.Item{item(100, 0, 1), item(300, 0, 1)}, []float64{50, 150}},
		{"shrinking, not by frames", 200, []flex.Item{framed(item(100, 0, 1), 50), framed(item(300, 0, 1), 0)}, []float64{100 - 200.0/7, 300 - 1200.0/7}},
		{"nobody shrinks", 200, []flex.Item{item(150, 0, 0), item(150, 0, 0)}, []float64{150, 150}},
		{"shrinking to the least", 200, []flex.Item{limited(item(200, 0, 1), 150, 900), item(200, 0, 1)}, []float64{150, 50}},
		{"least over greatest", 100, []flex.Item{limited(item(10, 0, 1), 80, 20)}, []float64{80}},
		{"shrink of half", 200, []flex.Item{item(300, 0, 0.5)}, []float64{250}},
	} {
		c := row(test.room)
		c.Lines(test.items)
		if diff := cmp.Diff(test.want, mains(test.items), near); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestLinesAreBrokenWhereRoomEnds(t *testing.T) {
	t.Parallel()
	items := []flex.Item{item(40, 1, 1), item(40, 1, 1), item(40, 1, 1), item(300, 0, 1), item(10, 0, 1)}
	c := row(100)
	c.Wrap, c.MainGap, c.CrossGap = true, 10, 5
	lines := c.Lines(items)
	if diff := cmp.Diff([]float64{45, 45, 100, 100, 10}, mains(items), near); diff != "" {
		t.Error(diff)
	}
	if len(lines) != 4 {
		t.Fatalf("%d lines, want 4", len(lines))
	}
	cross := c.Stretch(items, lines)
	if cross != 4*10+3*5 {
		t.Errorf("%v across, want 55", cross)
	}
	c.Place(items, lines, cross)
	if items[1].MainAt != 55 || items[1].CrossAt != 0 || items[2].MainAt != 0 || items[2].CrossAt != 15 || items[4].CrossAt != 45 {
		t.Errorf("places: %+v", items)
	}
}

func TestThirdsStandInOneLine(t *testing.T) {
	t.Parallel()
	third := 100.0 / 3
	c := row(third + third + third - 1e-9)
	c.Wrap = true
	if lines := c.Lines([]flex.Item{item(third, 0, 0), item(third, 0, 0), item(third, 0, 0)}); len(lines) != 1 {
		t.Errorf("%d lines, want one", len(lines))
	}
}

func TestItemsAreJustified(t *testing.T) {
	t.Parallel()
	auto := item(20, 0, 1)
	auto.MainMargin.AutoStart = true
	for _, test := range []struct {
		name  string
		mode  align.Mode
		items []flex.Item
		want  []float64
	}{
		{"between", align.Between, []flex.Item{item(20, 0, 1), item(20, 0, 1), item(20, 0, 1)}, []float64{0, 40, 80}},
		{"end", align.End, []flex.Item{item(20, 0, 1), item(20, 0, 1)}, []float64{60, 80}},
		{"an automatic margin comes first", align.Center, []flex.Item{item(20, 0, 1), auto}, []float64{0, 80}},
		{"too large", align.Center, []flex.Item{item(90, 0, 0), item(90, 0, 0)}, []float64{-40, 50}},
		{"too large, between", align.Between, []flex.Item{item(90, 0, 0), item(90, 0, 0)}, []float64{0, 90}},
	} {
		c := row(100)
		c.Justify = test.mode
		lines := c.Lines(test.items)
		c.Place(test.items, lines, c.Stretch(test.items, lines))
		var got []float64
		for _, i := range test.items {
			got = append(got, i.MainAt)
		}
		if diff := cmp.Diff(test.want, got, near); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestItemsAreAlignedAcross(t *testing.T) {
	t.Parallel()
	with := func(mode align.Mode, cross, baseline float64) flex.Item {
		i := item(10, 0, 1)
		i.Align, i.Cross, i.Baseline = mode, cross, baseline
		return i
	}
	auto := with(align.Stretch, 10, 0)
	auto.CrossMargin = flex.Margins{AutoStart: true, AutoEnd: true}
	limited := with(align.Stretch, 10, 0)
	limited.MaxCross = 30
	items := []flex.Item{
		with(align.Start, 60, 0), with(align.End, 20, 0), with(align.Center, 20, 0), with(align.Stretch, 20, 0),
		with(align.Baseline, 20, 15), with(align.Baseline, 40, 10), auto, limited,
	}
	c := row(400)
	lines := c.Lines(items)
	cross := c.Stretch(items, lines)
	c.Place(items, lines, cross)
	if cross != 60 {
		t.Errorf("%v across, want 60", cross)
	}
	want := [][2]float64{{0, 60}, {40, 20}, {20, 20}, {0, 60}, {0, 20}, {5, 40}, {25, 10}, {0, 30}}
	for i, w := range want {
		if got := [2]float64{items[i].CrossAt, items[i].Cross}; got != w {
			t.Errorf("item %d: at and size %v, want %v", i, got, w)
		}
	}
}

func TestTheOnlyLineIsAsLargeAsTheContainer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		cross, least, most, want float64
		wrap                     bool
	}{
		{100, 0, 1000, 100, false},
		{flex.Indefinite, 50, 1000, 50, false},
		{flex.Indefinite, 0, 5, 5, false},
		{100, 0, 1000, 10, true}, // lines are only stretched
	} {
		c := row(100)
		c.Cross, c.MinCross, c.MaxCross, c.Wrap = test.cross, test.least, test.most, test.wrap
		items := []flex.Item{item(10, 0, 1)}
		items[0].Align = align.Stretch
		lines := c.Lines(items)
		c.Stretch(items, lines)
		if lines[0].Cross != test.want || items[0].Cross != test.want {
			t.Errorf("%+v: line %v, item %v", test, lines[0].Cross, items[0].Cross)
		}
	}
}

func TestLinesShareWhatIsLeft(t *testing.T) {
	t.Parallel()
	for mode, want := range map[align.Mode][2]float64{align.Stretch: {0, 50}, align.Center: {40, 50}, align.Between: {0, 90}, align.End: {80, 90}} {
		c := row(10)
		c.Cross, c.Wrap, c.Content = 100, true, mode
		items := []flex.Item{item(10, 0, 1), item(10, 0, 1)}
		lines := c.Lines(items)
		c.Place(items, lines, c.Stretch(items, lines))
		if got := [2]float64{items[0].CrossAt, items[1].CrossAt}; got != want {
			t.Errorf("%v: %v, want %v", mode, got, want)
		}
	}
}

func TestAContainerWithoutItemsHasNoLines(t *testing.T) {
	t.Parallel()
	c := row(flex.Indefinite)
	lines := c.Lines(nil)
	if cross := c.Stretch(nil, lines); len(lines) != 0 || cross != 0 || c.Natural(nil) != 0 {
		t.Errorf("%d lines, %v across", len(lines), cross)
	}
	c.Place(nil, lines, 0)
}
