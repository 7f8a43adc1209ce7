package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render"
)

func TestWarningsAreWordedAlikeWhateverTheEngine(t *testing.T) {
	t.Parallel()
	many := []rune("abcdefghijkl")
	for want, w := range map[string]render.Warning{
		`glyph_missing U+65E5 "日", U+672C "本"`: render.GlyphsMissing([]rune("本日本")),
		`glyph_missing U+E000, U+1F600 "😀"`:    render.GlyphsMissing([]rune{0x1f600, 0xe000}),
		`glyph_missing U+0009, U+00AD, U+0301, U+0378, U+2800, U+3000, U+3164, U+FFFD "�", U+1F600 "😀", U+10FFFD`: render.GlyphsMissing(
			[]rune{0x10fffd, 0x1f600, 0xfffd, 0x3164, 0x3000, 0x2800, 0x378, 0x301, 0xad, '\t'}),
		`glyph_missing U+0061 "a", U+0062 "b", U+0063 "c", U+0064 "d", U+0065 "e", U+0066 "f", U+0067 "g", ` +
			`U+0068 "h", U+0069 "i", U+006A "j" (and 2 more)`: render.GlyphsMissing(many),
		"page_blank page 3":                                       render.BlankPage(3),
		`text_clipped page 2: "a \"text\" that is cut"`:           render.ClippedText(2, " a\n \"text\"  that is cut "),
		`text_clipped page 1: "` + strings.Repeat("ä", 80) + `…"`: render.ClippedText(1, strings.Repeat("ä", 81)),
		`text_clipped page 1: "` + strings.Repeat("ä", 80) + `"`:  render.ClippedText(1, strings.Repeat("ä", 80)),
		"font_missing Corporate Sans: named and not found":        render.MissingFont("Corporate Sans"),
	} {
		if got := w.Code + " " + w.Detail; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestManyWarningsOfAKindAreCounted(t *testing.T) {
	t.Parallel()
	var all, want []render.Warning
	for i := range 25 {
		all = append(all, render.BlankPage(i+1))
		if i < 20 {
			want = append(want, render.BlankPage(i+1))
		}
	}
	all = append(all, render.MissingFont("A"))
	want = append(want, render.MissingFont("A"), render.Warning{Code: render.PageBlank, Detail: "and 5 more"})
	if diff := cmp.Diff(want, render.FewWarnings(all)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if few := render.FewWarnings(want[:20]); len(few) != 20 {
		t.Error(fmt.Sprint(few))
	}
}
