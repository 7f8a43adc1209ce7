package page_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/page"
)

func TestNothingIsOnePage(t *testing.T) {
	t.Parallel()
	expect(t, made(box.Block, ""), "")
}

func TestABoxFillsThePageThatCutsIt(t *testing.T) {
	t.Parallel()
	expect(t, made(box.Block, "", picture("a", 150), made(box.Block, "b", picture("c", 30), picture("d", 40)), picture("e", 10)),
		"a@0+150 b@150+50 c@150+30",
		"b@0+40 d@0+40 e@40+10")
}

func TestAHeightIsUsedUpByPages(t *testing.T) {
	t.Parallel()
	b := made(box.Block, "b", picture("c", 30), picture("d", 40))
	b.Height = 300
	b.Box.Style.Height = property.Size{Length: value.Px(300)}
	expect(t, made(box.Block, "", picture("a", 150), b, picture("e", 10)),
		"a@0+150 b@150+50 c@150+30",
		"b@0+200 d@0+40",
		"b@0+50 e@50+10")
}

func TestPartsSayWhatIsCut(t *testing.T) {
	t.Parallel()
	p := paragraph("p", 25)
	edge := fragment.Edges{Top: 5, Bottom: 5}
	p.Border, p.Padding, p.Margin = edge, edge, edge
	p.Height += 20
	for _, line := range p.Lines {
		line.Top += 10
	}
	type part struct {
		Height, Before float64
		Top, Bottom    bool
		Edges          [3]fragment.Edges
	}
	var got []part
	for _, x := range pagesOf(t, made(box.Block, "", p)) {
		f := x.Root.Children[0]
		got = append(got, part{f.Height, f.Before, f.CutTop, f.CutBottom, [3]fragment.Edges{f.Border, f.Padding, f.Margin}})
	}
	top, bottom, none := fragment.Edges{Top: 5}, fragment.Edges{Bottom: 5}, fragment.Edges{}
	want := []part{
		{195, 0, false, true, [3]fragment.Edges{top, top, top}},
		{200, 195, true, true, [3]fragment.Edges{none, none, none}},
		{130, 395, true, false, [3]fragment.Edges{bottom, bottom, bottom}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestWhatIsNotCutIsShared(t *testing.T) {
	t.Parallel()
	inner := made(box.Block, "", paragraph("p", 3))
	pages := pagesOf(t, made(box.Block, "", picture("a", 190), inner))
	if got := pages[1].Root.Children[0]; got != inner {
		t.Errorf("a copy: %+v", got)
	}
}

func TestRepeatedGroupsSaySo(t *testing.T) {
	t.Parallel()
	var got [][3]any
	for i, p := range pagesOf(t, made(box.Block, "", table(rows(box.Head, "h", 1), rows(box.Body, "r", 12), rows(box.Foot, "f", 1)))) {
		grid := p.Root.Children[0].Children[0]
		for _, g := range grid.Children {
			if g.Box.Group != box.Body {
				got = append(got, [3]any{i, g.Y - grid.Lead, g.Repeated})
			}
		}
	}
	want := [][3]any{{0, 0.0, false}, {0, 180.0, false}, {1, 0.0, true}, {1, 100.0, true}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestCollapsedBordersAreCut draws a line below each row of a table, one at its left over all of it, and one around the head.
func TestCollapsedBordersAreCut(t *testing.T) {
	t.Parallel()
	tab := table(rows(box.Head, "h", 1), rows(box.Body, "r", 12))
	grid := tab.Children[0]
	grid.Box.Style.BorderCollapse = "collapse"
	for i := range 14 {
		y := float64(i * lineHeight)
		grid.Table.Collapsed = append(grid.Table.Collapsed, fragment.Rule{X2: 300, Y1: y, Y2: y})
	}
	grid.Table.Collapsed = append(grid.Table.Collapsed, fragment.Rule{Y2: 260})
	grid.Table.Columns = []*fragment.Fragment{{Box: grid.Box, Width: 300, Height: 260}}
	var got [][]float64
	for _, p := range pagesOf(t, made(box.Block, "", tab)) {
		part := p.Root.Children[0].Children[0].Table
		var list []float64
		for _, r := range part.Collapsed {
			list = append(list, r.Y1)
			if r.Y1 != r.Y2 {
				list = append(list, r.Y2)
			}
		}
		got = append(got, append(list, -1, part.Columns[0].Y, part.Columns[0].Height))
	}
	want := [][]float64{
		{0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 0, 200, -1, 0, 200},
		{0, 20, 0, 20, 20, 40, 60, 80, 20, 80, -1, 0, 80},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestTooManyPagesAreRefused(t *testing.T) {
	t.Parallel()
	_, err := cut(t.Context(), picture("a", 1e6), page.Limits{MaxPages: 7})
	if !errors.Is(err, page.ErrTooManyPages) {
		t.Errorf("got %v", err)
	}
}

func TestTheContextEndsIt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if _, err := cut(ctx, made(box.Block, "", paragraph("p", 100)), page.Limits{}); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
}

func TestDeepBoxesOnManyPagesAreBounded(t *testing.T) {
	t.Parallel()
	f := paragraph("p", 100_000)
	for range 400 {
		f = made(box.Block, "", f)
	}
	if _, err := cut(t.Context(), f, page.Limits{}); !errors.Is(err, page.ErrTooManyParts) {
		t.Errorf("got %v, want %v", err, page.ErrTooManyParts)
	}
}
