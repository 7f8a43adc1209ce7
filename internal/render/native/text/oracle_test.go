package text_test

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/layout"
	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
	"github.com/platen-render/platen/internal/render/native/text"
)

func TestMain(m *testing.M) { os.Exit(layouttest.Main(m)) }

// tolerance is how many pixels may be between a word here and in the browser.
const tolerance = 0.5

// question asks where words are: each as many rectangles as it has pieces.
const question = `(async () => {
	await document.fonts.ready;
	return [...document.querySelectorAll('.case')].map(box => {
		const o = box.getBoundingClientRect(), found = [], range = document.createRange(), walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
		while (walk.nextNode()) {
			const n = walk.currentNode;
			if (getComputedStyle(n.parentNode).visibility !== 'visible') continue;
			for (const m of n.data.matchAll(/[^ \t\n\r]+/g)) {
				range.setStart(n, m.index); range.setEnd(n, m.index + m[0].length);
				for (const r of range.getClientRects()) found.push({X: r.left - o.left, Y: r.top - o.top, Width: r.width, Height: r.height});
			}
		}
		return {Height: o.height, Words: found};
	});
})()`

// setting is a paragraph as it was set.
type setting struct {
	Height float64
	Words  []layouttest.Rect
}

// TestWordsStandWhereTheBrowserPutsThem compares each word of each case.
func TestWordsStandWhereTheBrowserPutsThem(t *testing.T) {
	t.Parallel()
	const page = "<!doctype html><style>*{margin:0}body{font:15px/1.4 'Noto Sans'}.case{position:relative;margin-bottom:9px}</style>"
	compareCases(t, page, cases, func(*text.Setter) {})
}

// TestOldPagesHaveTheLinesOfTheirTime does it in quirks mode.
func TestOldPagesHaveTheLinesOfTheirTime(t *testing.T) {
	t.Parallel()
	const page = "<style>*{margin:0}body{font:15px/1.4 'Noto Sans'}.case{position:relative;margin-bottom:9px}</style>"
	compareCases(t, page, quirks, func(s *text.Setter) { s.Quirks = true })
}

func compareCases(t *testing.T, head string, cases []example, adjust func(*text.Setter)) {
	t.Helper()
	var b strings.Builder
	b.WriteString(head)
	for _, c := range cases {
		fmt.Fprintf(&b, "<div class=case style=\"%s\">%s</div>\n", c.style, c.content)
	}
	page := b.String()
	var want []setting
	layouttest.Evaluate(t, page, question, &want)
	tree, setter, err := layouttest.Boxes(t.Context(), page, nil)
	if err != nil {
		t.Fatal(err)
	}
	adjust(setter)
	root, err := layout.Layout(t.Context(), tree, setter, layout.Area{Width: layouttest.Width, Height: layouttest.Height}, layout.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got := root.Children[0].Children
	if len(got) != len(cases) || len(want) != len(cases) {
		t.Fatalf("%d here and %d in the browser of %d", len(got), len(want), len(cases))
	}
	words := 0
	for i, c := range cases {
		here := setting{Height: got[i].Height}
		collect(&here, got[i], 0, 0)
		here.Words, want[i].Words = joined(here.Words), joined(want[i].Words)
		words += len(want[i].Words)
		if diff := difference(here, want[i]); diff != "" {
			t.Errorf("%s | %s: %s", c.style, c.content, diff)
		}
	}
	t.Logf("%d cases, %d words", len(cases), words)
}

func difference(got, want setting) string {
	if math.Abs(got.Height-want.Height) > tolerance {
		return fmt.Sprintf("height %.2f, in the browser %.2f\n  %v\n  %v", got.Height, want.Height, got.Words, want.Words)
	}
	if len(got.Words) != len(want.Words) {
		return fmt.Sprintf("%d words, in the browser %d\n  %v\n  %v", len(got.Words), len(want.Words), got.Words, want.Words)
	}
	for i, g := range got.Words {
		if w := want.Words[i]; math.Abs(g.X-w.X) > tolerance || math.Abs(g.Y-w.Y) > tolerance ||
			math.Abs(g.X+g.Width-w.X-w.Width) > tolerance || math.Abs(g.Height-w.Height) > tolerance {
			return fmt.Sprintf("word %d at %v, in the browser %v\n  %v\n  %v", i, g, w, got.Words, want.Words)
		}
	}
	return ""
}

// collect finds the words of a fragment and of what is in it.
func collect(s *setting, f *fragment.Fragment, x, y float64) {
	for _, line := range f.Lines {
		for _, p := range line.Parts {
			switch {
			case p.Text != nil:
				s.words(p.Text, x, y)
			case p.Atomic != nil:
				collect(s, p.Atomic, x+p.Atomic.X, y+p.Atomic.Y)
			}
		}
	}
	for _, c := range f.Children {
		collect(s, c, x+c.X, y+c.Y)
	}
}

// words cuts a part at its blanks.
func (s *setting) words(t *fragment.Text, x, y float64) {
	start, in := 0.0, false
	end := func(at float64) {
		if in && at > start {
			s.Words = append(s.Words, layouttest.Rect{X: x + t.X + start, Y: y + t.Y - t.Ascent, Width: at - start, Height: t.Ascent + t.Descent})
		}
		in = false
	}
	for _, g := range t.Glyphs {
		switch {
		case g.Text == " ":
			end(g.X)
		case !in && g.Text != "":
			start, in = g.X, true
		}
	}
	end(t.Width)
}

// joined sorts rectangles and makes one of those that touch: whether an edge of a box is in a word does not matter.
func joined(words []layouttest.Rect) []layouttest.Rect {
	words = slices.DeleteFunc(words, func(r layouttest.Rect) bool { return r.Width <= 0.01 })
	slices.SortFunc(words, func(a, b layouttest.Rect) int {
		return cmp.Or(cmp.Compare(math.Round(a.Y), math.Round(b.Y)), cmp.Compare(math.Round(4*a.X), math.Round(4*b.X)), cmp.Compare(a.Width, b.Width))
	})
	var out []layouttest.Rect
	for _, w := range words {
		if n := len(out); n > 0 && math.Abs(out[n-1].X+out[n-1].Width-w.X) < 0.3 && math.Abs(out[n-1].Y-w.Y) < 0.3 && out[n-1].Height == w.Height {
			out[n-1].Width = w.X + w.Width - out[n-1].X
			continue
		}
		out = append(out, w)
	}
	return out
}
