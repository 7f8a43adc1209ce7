package text_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/layout"
	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

// characters asks where each character stands that joins with no other.
const characters = `(async () => {
	await document.fonts.ready;
	return [...document.querySelectorAll('.case')].map(box => {
		const o = box.getBoundingClientRect(), found = [], range = document.createRange(), walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
		while (walk.nextNode()) {
			const n = walk.currentNode;
			for (const m of n.data.matchAll(/[!-~\u05d0-\u05ea]/g)) {
				range.setStart(n, m.index); range.setEnd(n, m.index + 1);
				for (const r of range.getClientRects()) if (r.width) found.push({Text: m[0], X: r.left - o.left, Y: r.top - o.top});
			}
		}
		return found;
	});
})()`

// letter is where a character stands.
type letter struct {
	Text string
	X, Y float64
}

// TestCharactersOfMixedDirectionsStandAsInTheBrowser looks into words: a bracket or a point may stand on either side of one.
func TestCharactersOfMixedDirectionsStandAsInTheBrowser(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("<!doctype html><style>*{margin:0}body{font:15px/1.4 'Noto Sans','Noto Sans Hebrew','Noto Sans Arabic'}.case{position:relative;margin-bottom:9px}</style>")
	for _, sentence := range mixed {
		for _, style := range []string{"width:600px", "width:600px;direction:rtl", "width:145px", "width:90px;direction:rtl"} {
			fmt.Fprintf(&b, "<div class=case style='%s'>%s</div>", style, sentence)
		}
	}
	var want [][]letter
	layouttest.Evaluate(t, b.String(), characters, &want)
	tree, setter, err := layouttest.Boxes(t.Context(), b.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	root, err := layout.Layout(t.Context(), tree, setter, layout.Area{Width: layouttest.Width, Height: layouttest.Height}, layout.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range root.Children[0].Children {
		got := lettersOf(nil, f, 0, 0)
		inOrder(got)
		inOrder(want[i])
		if !slices.EqualFunc(got, want[i], func(a, b letter) bool {
			return a.Text == b.Text && math.Abs(a.X-b.X) < 1.5 && math.Abs(a.Y-b.Y) < 1.5
		}) {
			t.Errorf("%s in style %d:\n%v\n%v", mixed[i/4], i%4, got, want[i])
		}
	}
}

func inOrder(l []letter) {
	slices.SortFunc(l, func(a, b letter) int {
		return cmp.Or(cmp.Compare(math.Round(a.Y/10), math.Round(b.Y/10)), cmp.Compare(a.X, b.X))
	})
}

// lettersOf finds the same characters in a fragment.
func lettersOf(out []letter, f *fragment.Fragment, x, y float64) []letter {
	for _, line := range f.Lines {
		for _, p := range line.Parts {
			if p.Text == nil {
				continue
			}
			for _, g := range p.Text.Glyphs {
				if r := []rune(g.Text); len(r) == 1 && (r[0] > ' ' && r[0] <= '~' || unicode.Is(unicode.Hebrew, r[0])) {
					out = append(out, letter{g.Text, x + p.Text.X + g.X, y + p.Text.Y - p.Text.Ascent})
				}
			}
		}
	}
	for _, c := range f.Children {
		out = lettersOf(out, c, x+c.X, y+c.Y)
	}
	return out
}
