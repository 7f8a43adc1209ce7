package paint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/fidelity"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/paint"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// sample is text in several fonts, one line each.
var sample = []string{
	"font:16px Noto Sans", "font:bold 13.3px Noto Sans", "font:italic 11pt Noto Serif", "font:24px Noto Sans Mono",
	"font:italic 12px Noto Sans Mono", "font:bold italic 24px Noto Serif",
}

const words = "Typography gäng WAVE office, 1.234,56"

func (s *studio) sample() *fragment.Fragment {
	s.Helper()
	root := s.root(600, 400)
	for i, css := range sample {
		f := s.block(css, 0, 0, 600, 0)
		root.Children = append(root.Children, f)
		f.Box.Parent = root.Box
		l := line(f, float64(60*i), float64(60*i+50))
		s.write(l, f.Box, words, 10)
	}
	return root
}

// TestWordsAreWhereTheBrowserHasThem holds the boxes of words, which are made of the size, the matrix and the metrics that the file
// tells of a font, against those of the browser, whose SVG text stands on given base lines.
func TestWordsAreWhereTheBrowserHasThem(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	var markup strings.Builder
	markup.WriteString(`<!DOCTYPE html><style>@page{size:600px 400px;margin:0}body{margin:0}svg{display:block}</style><svg width="600" height="390">`)
	for i, css := range sample {
		fmt.Fprintf(&markup, `<text x="10" y="%d" style="%s">%s</text>`, 60*i+50, css, words)
	}
	browser := chromium.New(chromium.Options{Pool: 1})
	t.Cleanup(func() {
		if err := browser.Close(); err != nil {
			t.Error(err)
		}
	})
	_, theirs := rendertest.Render(t, browser, rendertest.Page(markup.String()+`</svg>`))
	a, err := fidelity.Read(t.Context(), theirs)
	if err != nil {
		t.Fatal(err)
	}
	b, err := fidelity.Read(t.Context(), s.print(paint.Options{}, sheet(s.sample())))
	if err != nil {
		t.Fatal(err)
	}
	if r := fidelity.Compare(a, b); !r.SameText() || !r.SameSizes || r.Max > 0.2 || r.Matched < 30 {
		t.Errorf("%s\n%s\n%s", fidelity.Header(), r.Row("text"), r.Details())
	}
}

func TestExtractedTextHasItsSpaces(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	got := string(s.tool(s.print(paint.Options{}, sheet(s.sample())), "pdftotext", "FILE", "-"))
	want := strings.Repeat(words+" ", len(sample))
	if diff := cmp.Diff(strings.Fields(want), strings.Fields(got)); diff != "" {
		t.Error(diff)
	}
}

func TestLinesDecorateTheTextOfAllBoxesInside(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	under := s.block("text-decoration:underline red 4px", 10, 10, 180, 20)
	l := line(under, 0, 16)
	s.write(l, under.Box, "xx", 0)
	inner := s.inline(under.Box, "font-size:8px;color:blue")
	s.write(l, inner, "xxxxxx", 30)
	atomic := s.block("", 100, 0, 50, 20)
	atomic.Box.Inline, atomic.Box.Parent = true, under.Box
	s.write(line(atomic, 0, 16), atomic.Box, "xxx", 0)
	l.Parts = append(l.Parts, fragment.Part{Atomic: atomic})

	through := s.block("font-size:40px;text-decoration:line-through overline blue", 10, 60, 180, 40)
	s.write(line(through, 0, 50), through.Box, "    ", 0)
	double := s.block("text-decoration:underline double lime 3px", 10, 140, 180, 20)
	s.write(line(double, 0, 16), double.Box, "        ", 0)
	hidden := s.block("text-decoration:underline red;visibility:hidden", 100, 140, 80, 20)
	s.write(line(hidden, 0, 16), hidden.Box, "        ", 0)
	wavy := s.block("text-decoration:underline wavy blue 2px", 10, 170, 180, 20)
	s.write(line(wavy, 0, 10), wavy.Box, "        ", 0)
	img := s.show(s.root(200, 200, under, through, double, hidden, wavy))
	s.check(img, spots{
		{12, 29}: red, {50, 29}: red, {50, 31}: red, {115, 29}: white, {115, 30}: white, // the drop is half of the thickness
		{15, 65}: blue, {15, 66}: blue, {15, 94}: blue, {15, 97}: blue, {15, 85}: white, // 50 - 43 - 4; 50 - 43 + 28.7 - 2
		{15, 159}: lime, {15, 161}: white, {15, 163}: lime, {110, 158}: white,
		{13, 186}: blue, {16, 182}: {R: 20, G: 20, B: 255, A: 255}, {13, 181}: white, {18, 187}: white, // the middle of the wave is at 184.5, and its height 3
	})
}

func TestSymbolsStandForTheirMarkers(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	item := func(symbol string, x float64) *fragment.Fragment {
		f := s.block("font-size:40px", x, 10, 50, 50)
		marker := &box.Box{Kind: box.Text, Style: f.Box.Style, Parent: f.Box, Pseudo: "marker", Symbol: symbol, Text: "• "}
		f.Marker = &fragment.Line{Baseline: 43, Parts: []fragment.Part{{Text: &fragment.Text{Box: marker, X: -20, Y: 43, Size: 40, Ascent: 43, Descent: 12}}}}
		return f
	}
	doc := s.print(paint.Options{}, sheet(s.root(200, 100, item("disc", 40), item("square", 100), item("circle", 160))))
	// 43*2/3 = 28: a square of 14 whose top is 3*15/2 = 22 below the ascent
	s.check(s.picture(doc), spots{
		{28, 39}: black, {22, 33}: white, {82, 33}: black, {94, 45}: black, {96, 39}: white, {148, 39}: white, {141, 39}: {R: 89, G: 89, B: 89, A: 255}, // half of its line is outside
	})
	if got := strings.TrimSpace(string(s.tool(doc, "pdftotext", "FILE", "-"))); got != "" {
		t.Errorf("a symbol is drawn, but %q is extracted", got)
	}
}

func TestTextIsSeenOnPaperWithoutBackgrounds(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	text := func(css string, y float64) *fragment.Fragment {
		f := s.block("background:blue;font:bold 40px Noto Sans Mono;"+css, 0, y, 100, 50)
		s.write(line(f, 0, 40), f.Box, "██", 0)
		return f
	}
	root := s.root(100, 100, text("color:white", 0), text("color:white;print-color-adjust:exact", 50))
	img := s.picture(s.printAs(paint.Options{}, &box.Tree{}, sheet(root)))
	s.check(img, spots{{90, 20}: white, {20, 20}: {R: 171, G: 171, B: 171, A: 255}, {90, 70}: blue, {20, 70}: white})
}
