package layout_test

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/layout"
	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

// FuzzLayout: whatever the page, layout ends in time with finite numbers, or with a fault.
func FuzzLayout(f *testing.F) {
	for _, page := range []string{
		`<p>text <b>bold</b> <span style="float:left;width:50%">x</span>`,
		`<div style="position:relative;width:1e30px"><div style="position:absolute;inset:-1e30px;margin:auto">`,
		`<div style="float:left;margin:-1e9px;width:1e9px;height:-5px"></div><div style="overflow:hidden;clear:both">x`,
		`<ul><li>a<li><p>b<ol><li style="list-style:none">`,
		`<table><caption>c<tr><td rowspan=0 colspan=9>x<td style="vertical-align:middle;height:50%">y`,
		`<div style="display:flex;flex-wrap:wrap"><div style="flex:1 0 0;min-width:min-content">a</div><img src="x">`,
		`<div style="display:grid;grid-template-columns:repeat(3,1fr) minmax(0,max-content)"><p style="grid-column:span 9">a`,
		`<div style="aspect-ratio:1/1e-30;height:1e30px"><div style="aspect-ratio:1e9;max-height:10%">`,
		`<span style="position:relative">a<div style="position:absolute;right:5%"></div><div>b</div></span>`,
	} {
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page string) {
		if len(page) > 4096 {
			return
		}
		const most = 20 * time.Second
		ctx, cancel := context.WithTimeout(t.Context(), most)
		defer cancel()
		root, err := layouttest.Try(ctx, page, nil, layout.Limits{MaxFragments: 1_000_000})
		switch {
		case ctx.Err() != nil:
			t.Fatalf("not done in %v", most)
		case err != nil && fault.From(err).Code == "internal":
			t.Fatal(err)
		case err == nil:
			checkFinite(t, root)
		}
	})
}

// checkFinite fails the test for numbers that a PDF cannot hold.
func checkFinite(t *testing.T, f *fragment.Fragment) {
	t.Helper()
	check := func(numbers ...float64) {
		for _, n := range numbers {
			if math.IsNaN(n) || math.Abs(n) > 1e10 {
				t.Fatalf("%v: %+v has %v", f.Box.Style.Display, *f, n)
			}
		}
	}
	check(f.X, f.Y, f.Width, f.Height, f.ShiftX, f.ShiftY, f.Baseline, f.Overflow)
	check(f.Margin.Top, f.Margin.Left, f.Margin.Across(), f.Margin.Along(), f.Padding.Across(), f.Padding.Along(), f.Border.Across(), f.Border.Along())
	if f.Width < 0 || f.Height < 0 {
		t.Fatalf("%v is %v × %v", f.Box.Style.Display, f.Width, f.Height)
	}
	for _, line := range f.Lines {
		check(line.Left, line.Top, line.Width, line.Height, line.Baseline)
		for _, part := range line.Parts {
			switch {
			case part.Text != nil:
				check(part.Text.X, part.Text.Y, part.Text.Width)
			case part.Inline != nil:
				check(part.Inline.X, part.Inline.Y, part.Inline.Width, part.Inline.Height)
			case part.Atomic != nil:
				checkFinite(t, part.Atomic)
			}
		}
	}
	for _, c := range f.Children {
		checkFinite(t, c)
	}
}

// TestPagesOfTheCorpusAreLaidOut takes documents as people write them.
func TestPagesOfTheCorpusAreLaidOut(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("../corpus/testdata")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".html") {
			continue
		}
		page, err := os.ReadFile("../corpus/testdata/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		checkFinite(t, layouttest.Layout(t, string(page), nil))
		t.Logf("%s: %v", e.Name(), time.Since(start).Round(time.Millisecond))
		count++
	}
	if count < 10 {
		t.Errorf("there are only %d documents", count)
	}
}
