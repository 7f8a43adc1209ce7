package shape_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fonts/bidi"
	"github.com/platen-render/platen/internal/render/native/fonts/shape"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

func selection(tb testing.TB, family string) *fonts.Selection {
	tb.Helper()
	l, err := fonts.New(context.Background(), "")
	if err != nil {
		tb.Fatal(err)
	}
	return l.NewSet().Select([]string{family}, fonts.Style{})
}

// shaped shapes a text that is one item.
func shaped(tb testing.TB, text, family string, features ...shape.Feature) (*shape.Paragraph, []shape.Glyph, shape.Item) {
	tb.Helper()
	var s shape.Segmenter
	p := s.Paragraph(text, shape.Auto)
	items := p.Items(0, len(p.Runes), selection(tb, family))
	if len(items) != 1 {
		tb.Fatalf("%q is %d items", text, len(items))
	}
	i := items[0]
	glyphs, err := shape.NewShaper().Shape(nil, shape.Run{
		Text: p.Runes, Start: i.Start, End: i.End, Font: i.Choice.Font, Script: i.Script, RTL: i.Level%2 == 1, Lang: "en", Features: features,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return p, glyphs, i
}

// clusters are the texts that the glyphs stand for.
func clusters(p *shape.Paragraph, glyphs []shape.Glyph) []string {
	var all []string
	for _, g := range glyphs {
		all = append(all, p.Slice(g.Start, g.End))
	}
	return all
}

func width(glyphs []shape.Glyph) (sum int32) {
	for _, g := range glyphs {
		sum += g.Advance
	}
	return sum
}

func TestGlyphsSayWhatTheyStandFor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text   string
		glyphs []string // from left to right
	}{
		{"abc", []string{"a", "b", "c"}},
		{"e\u0301x", []string{"e\u0301", "x"}}, // composed
		{"סה״כ", []string{"כ", "״", "ה", "ס"}},
		{"سلام", []string{"م", "لا", "س"}}, // lam and alef are one glyph
	} {
		p, glyphs, _ := shaped(t, tt.text, "sans-serif")
		if diff := cmp.Diff(tt.glyphs, clusters(p, glyphs)); diff != "" {
			t.Errorf("%q: %s", tt.text, diff)
		}
	}
}

func TestMarksOfARunAgainstItsScriptKeepTheirText(t *testing.T) {
	t.Parallel()
	var s shape.Segmenter
	p := s.Paragraph("\u202e6\u031e", shape.Auto) // forced from right to left
	shaper, sel := shape.NewShaper(), selection(t, "serif")
	var said string
	for _, i := range p.Items(0, len(p.Runes), sel) {
		glyphs, err := shaper.Shape(nil, shape.Run{Text: p.Runes, Start: i.Start, End: i.End, Font: i.Choice.Font, Script: i.Script, RTL: i.Level%2 == 1})
		if err != nil {
			t.Fatal(err)
		}
		said += strings.Join(clusters(p, glyphs), "")
	}
	if !strings.Contains(said, "6") || !strings.Contains(said, "\u031e") {
		t.Errorf("the glyphs stand for %q", said)
	}
}

func TestFeaturesChangeGlyphs(t *testing.T) {
	t.Parallel()
	_, kerned, _ := shaped(t, "AVATAR To", "sans-serif")
	_, loose, _ := shaped(t, "AVATAR To", "sans-serif", shape.Feature{Tag: "kern"})
	if width(kerned) >= width(loose) {
		t.Errorf("kerned text is %d wide, loose text %d", width(kerned), width(loose))
	}
	p, joined, _ := shaped(t, "office", "serif")
	_, single, _ := shaped(t, "office", "serif", shape.Feature{Tag: "liga"}, shape.Feature{Tag: "too long"})
	if len(joined) >= 6 || len(single) != 6 {
		t.Errorf("with ligatures %q, without %d glyphs", clusters(p, joined), len(single))
	}
	_, old, _ := shaped(t, "0123", "sans-serif")
	_, small, _ := shaped(t, "0123", "sans-serif", shape.Feature{Tag: "onum", Value: 1})
	if old[3].ID == small[3].ID {
		t.Error("old-style figures are the same glyphs")
	}
}

func TestPlacesAddUpAndCarrySpacing(t *testing.T) {
	t.Parallel()
	p, glyphs, item := shaped(t, "a b", "sans-serif")
	set := shape.Setting{Font: item.Choice.Font, Size: 10}
	_, plain := p.Place(nil, glyphs, set)
	if want := float64(width(glyphs)) / 100; plain != want {
		t.Errorf("%v wide, want %v", plain, want)
	}
	set.LetterSpacing, set.WordSpacing = 1, 5
	placed, spaced := p.Place(nil, glyphs, set)
	if got := spaced - plain; got != 8 {
		t.Errorf("spacing adds %v, want 8", got)
	}
	if got := placed[2].X - float64(glyphs[0].Advance+glyphs[1].Advance)/100; got < 6.999 || got > 7.001 {
		t.Errorf("b is moved by %v, want 7", got)
	}
}

func TestALigatureFromRightToLeftIsTakenApartForReaders(t *testing.T) {
	t.Parallel()
	p, glyphs, item := shaped(t, "سلام", "sans-serif")
	placed, _ := p.Place(nil, glyphs, shape.Setting{Font: item.Choice.Font, Size: 10, RTL: true})
	var texts []string
	for _, g := range placed {
		texts = append(texts, g.Text)
	}
	if diff := cmp.Diff([]string{"م", "ا", "ل", "س"}, texts); diff != "" {
		t.Error(diff)
	}
	if blank, _ := item.Choice.Font.Blank(); placed[1].ID != blank || placed[1].X != placed[2].X {
		t.Errorf("%+v", placed)
	}
}

func TestLinesMayBreakWhereUnicodeSays(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                         "",
		"one two":                  "one |two",
		"well-known a\u00a0b":      "well-|known |a\u00a0b",
		"€ 5,00 (net)":             "€ |5,00 |(net)",
		"first\nsecond\r\nthird":   "first\n!second\r\n!third",
		"soft\u00adhyphen":         "soft\u00ad|hyphen",
		"中文没有":                     "中|文|没|有",
		"http://example.org/a?b=c": "http://|example.org/|a?|b=c",
	} {
		var s shape.Segmenter
		p := s.Paragraph(text, shape.Auto)
		var b strings.Builder
		for i, r := range p.Runes {
			b.WriteRune(r)
			b.WriteString(map[shape.Break]string{shape.Allowed: "|", shape.Mandatory: "!"}[p.Breaks[i]])
		}
		if got := b.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestLevelsFollowTheBaseDirection(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		base shape.Direction
		want []uint8
	}{
		{"ab 1", shape.Auto, []uint8{0, 0, 0, 0}},
		{"ab 1", shape.RTL, []uint8{2, 2, 2, 2}},
		{"אב 1", shape.Auto, []uint8{1, 1, 1, 2}},
		{"אב a", shape.LTR, []uint8{1, 1, 0, 0}},
		{"a אב", shape.Auto, []uint8{0, 0, 1, 1}},
	} {
		var s shape.Segmenter
		if diff := cmp.Diff(tt.want, s.Paragraph(tt.text, tt.base).Levels); diff != "" {
			t.Errorf("%q: %s", tt.text, diff)
		}
	}
}

// TestTextWithoutRightToLeftHasNoLevels has what the algorithm is not asked for beside what it is asked for: each character of the first blocks,
// and of those for punctuation and currencies, among others.
func TestTextWithoutRightToLeftHasNoLevels(t *testing.T) {
	t.Parallel()
	var s shape.Segmenter
	for r := rune(0); r < 0x2100; r++ {
		if r == 0x590 {
			r = 0x2000
		}
		for _, base := range []shape.Direction{shape.LTR, shape.Auto} {
			for _, form := range []string{"%c", "12%c34", "a %c1,5 %[1]c b", "(%c)\n%[1]c%[1]c"} {
				text := fmt.Sprintf(form, r)
				if diff := cmp.Diff(bidi.Levels([]rune(text), base), s.Paragraph(text, base).Levels); diff != "" {
					t.Errorf("%q: %s", text, diff)
				}
			}
		}
	}
}

// UAX #9, rule L2.
func TestVisualOrderReversesEachLevel(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		levels []uint8
		want   []int
	}{
		{nil, []int{}},
		{[]uint8{0, 0}, []int{0, 1}},
		{[]uint8{1, 1, 1}, []int{2, 1, 0}},
		{[]uint8{0, 1, 2, 1, 0}, []int{0, 3, 2, 1, 4}},
		{[]uint8{1, 2, 2, 1}, []int{3, 1, 2, 0}},
	} {
		if diff := cmp.Diff(tt.want, shape.VisualOrder(tt.levels)); diff != "" {
			t.Errorf("%v: %s", tt.levels, diff)
		}
	}
}

func TestTextIsCutWhereLevelScriptOrFaceChange(t *testing.T) {
	t.Parallel()
	var s shape.Segmenter
	p := s.Paragraph("Total: Σ 5, שלום!", shape.LTR)
	var got []string
	for _, i := range p.Items(0, len(p.Runes), selection(t, "serif")) {
		got = append(got, p.Slice(i.Start, i.End))
	}
	if diff := cmp.Diff([]string{"Total: ", "Σ 5, ", "שלום", "!"}, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzShape(f *testing.F) {
	inter, err := os.ReadFile("../sfnt/testdata/Inter-Regular.woff2")
	if err != nil {
		f.Fatal(err)
	}
	f.Add("Hello, שלום سلام e\u0301 😀 नमस्ते", inter)
	f.Add("\u202e\u2066a\u2069\x00\xff", []byte{})
	library, err := fonts.New(context.Background(), "")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string, font []byte) {
		set := library.NewSet()
		if err := set.Add(fonts.Declaration{Family: "web"}, font); err != nil && !errors.Is(err, pdf.ErrFontInvalid) {
			t.Fatalf("an error without a name: %v", err)
		}
		if len(text) > 500 {
			return
		}
		var s shape.Segmenter
		p := s.Paragraph(text, shape.Auto)
		said := 0
		for _, i := range p.Items(0, len(p.Runes), set.Select([]string{"web", "serif"}, fonts.Style{})) {
			glyphs, err := shape.NewShaper().Shape(nil, shape.Run{
				Text: p.Runes, Start: i.Start, End: i.End, Font: i.Choice.Font, Script: i.Script, RTL: i.Level%2 == 1,
			})
			if err != nil {
				if !errors.Is(err, pdf.ErrFontInvalid) {
					t.Fatalf("an error without a name: %v", err)
				}
				continue
			}
			placed, _ := p.Place(nil, glyphs, shape.Setting{Font: i.Choice.Font, Size: 10, RTL: i.Level%2 == 1})
			for _, g := range placed {
				said += len(g.Text)
			}
		}
		if said > len(text) {
			t.Fatalf("%d bytes of text became %d", len(text), said)
		}
	})
}

func TestWhatIsNotSeenHasNoWidthOnPaper(t *testing.T) {
	t.Parallel()
	_, glyphs, item := shaped(t, "a\ufe0eb\u00adc", "Noto Sans")
	for _, g := range glyphs {
		if drawn := item.Choice.Font.Advance(g.ID); drawn != 0 && g.Advance == 0 {
			t.Errorf("glyph %d of characters %d to %d is drawn %v wide, and takes no room", g.ID, g.Start, g.End, drawn)
		}
	}
}

// TestBracketsByTheThousandTakeLittleTime takes some ten minutes when all pairs are looked at again with each more.
func TestBracketsByTheThousandTakeLittleTime(t *testing.T) {
	t.Parallel()
	var s shape.Segmenter
	start := time.Now()
	p := s.Paragraph(strings.Repeat("\u05d0(a)", 200_000), shape.LTR)
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	if p.Levels[0] != 1 || p.Levels[2] != 0 || p.Levels[len(p.Levels)-2] != 0 {
		t.Errorf("levels begin with %v", p.Levels[:4])
	}
}

func TestKerningIsFoundInAllTablesOfAFont(t *testing.T) {
	t.Parallel()
	for _, pair := range []string{"To", "\u03a4\u03bf", "\u03bd.", "\u0422\u043e"} { // Latin, Greek, Greek, Cyrillic
		_, glyphs, item := shaped(t, pair, "Noto Sans")
		if apart := item.Choice.Font.Advance(glyphs[0].ID) + item.Choice.Font.Advance(glyphs[1].ID); float64(width(glyphs)) >= apart {
			t.Errorf("%q is %d wide, its letters alone %v", pair, width(glyphs), apart)
		}
	}
}
