package text_test

import (
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// styleOf makes a style of some bits.
func styleOf(bits uint32) *property.Style {
	s := plain()
	pick := func(words ...property.Keyword) property.Keyword {
		w := words[int(bits)%len(words)]
		bits /= uint32(len(words))
		return w
	}
	s.WhiteSpaceCollapse = pick("collapse", "preserve", "preserve-breaks", "break-spaces")
	s.TextWrap = pick("wrap", "nowrap")
	s.WordBreak = pick("normal", "break-all", "keep-all", "break-word")
	s.OverflowWrap = pick("normal", "anywhere", "break-word")
	s.Direction = pick("ltr", "rtl")
	s.UnicodeBidi = pick("normal", "isolate", "bidi-override", "plaintext", "embed")
	s.TextAlign = pick("start", "justify", "center", "end")
	s.Hyphens = pick("manual", "none")
	s.VerticalAlign.Keyword = pick("baseline", "sub", "top", "middle", "bottom", "text-top")
	if pick("", "x") != "" {
		s.LetterSpacing = 1.5
	}
	if pick("", "x") != "" {
		s.Padding.Left, s.Margin.Right.Length = value.Px(3), value.Px(-7)
	}
	return s
}

// letters are the characters that are to be found again: those that are no blanks and no controls. Bidirectional text is drawn in
// another order, and controls of it have no glyph, so letters are counted.
func letters(counts map[rune]int, text string, by int) {
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsPunct(r) && r != '\u2010' {
			counts[r] += by
		}
	}
}

// FuzzLines sets any text in any style: each letter is in one line, and all numbers are finite.
func FuzzLines(f *testing.F) {
	setter := newSetter(f)
	f.Add("The quick  brown\tfox\njumps", " and (then) 1,234.50 €", uint32(0), uint32(1), 80.0)
	f.Add("שלום abc 12", "سلام\u00ad\u200b", uint32(0xffff), uint32(77777), 30.0)
	f.Add("日本語 e\u0301\u0301 ffi", "\u202eabc\u2066x\u2028y", uint32(123456), uint32(9), 0.0)
	f.Add(strings.Repeat("x", 700), "\x00\x85\xff", uint32(3), uint32(96), -5.0)
	f.Fuzz(func(t *testing.T, one, two string, outer, inner uint32, width float64) {
		if len(one)+len(two) > 4000 {
			return
		}
		one, two = strings.ToValidUTF8(one, "?"), strings.ToValidUTF8(two, "?")
		a, b := styleOf(outer), styleOf(inner)
		p := within(a, words(a, one), inline(b, words(b, two), words(b, one)), &box.Box{Kind: box.Replaced, Inline: true, Style: b}, words(a, two))
		flow, err := setter.Flow(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		least, most := flow.MinMax(func(*box.Box) (float64, float64) { return 20, 20 })
		if !(least >= 0 && least <= most && most < math.MaxInt32) {
			t.Errorf("from %v to %v", least, most)
		}
		lines, bottom, err := flow.Lines(t.Context(), column{width}, 0)
		if err != nil || math.IsNaN(bottom) || math.IsInf(bottom, 0) {
			t.Fatalf("bottom %v, %v", bottom, err)
		}
		counts := map[rune]int{}
		letters(counts, one+two+one+two, 1)
		for _, l := range lines {
			checkLine(t, l)
			letters(counts, lineText(l), -1)
		}
		for r, n := range counts {
			if n != 0 && r != '[' && r != ']' && utf8.ValidRune(r) {
				t.Errorf("%q: %d more in than out", r, n)
			}
		}
	})
}

func checkLine(t *testing.T, l *fragment.Line) {
	t.Helper()
	finite := func(values ...float64) {
		for _, v := range values {
			if math.IsNaN(v) || math.Abs(v) > 2e6 {
				t.Errorf("%v in %+v", v, l)
			}
		}
	}
	finite(l.Left, l.Top, l.Width, l.Height, l.Baseline)
	for _, p := range l.Parts {
		switch {
		case p.Text != nil:
			finite(p.Text.X, p.Text.Y, p.Text.Width)
			for _, g := range p.Text.Glyphs {
				finite(g.X, g.Y)
			}
		case p.Inline != nil:
			finite(p.Inline.X, p.Inline.Y, p.Inline.Width, p.Inline.Height)
		case p.Atomic != nil:
			finite(p.Atomic.X, p.Atomic.Y)
		}
	}
}
