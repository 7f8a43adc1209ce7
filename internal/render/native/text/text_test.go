package text_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/text"
)

// shown is the text of the lines.
func shown(lines []*fragment.Line) []string {
	var all []string
	for _, l := range lines {
		all = append(all, lineText(l))
	}
	return all
}

func lineText(l *fragment.Line) string {
	var b strings.Builder
	for _, p := range l.Parts {
		switch {
		case p.Text != nil:
			for _, g := range p.Text.Glyphs {
				b.WriteString(g.Text)
			}
		case p.Atomic != nil:
			b.WriteString("[]")
		}
	}
	return b.String()
}

// within puts boxes in a container.
func within(style *property.Style, children ...*box.Box) *box.Box {
	b := &box.Box{Kind: box.Block, Style: style, HasLines: true, Children: children}
	for _, c := range children {
		c.Parent = b
	}
	return b
}

func words(style *property.Style, content string) *box.Box {
	return &box.Box{Kind: box.Text, Style: style, Text: content}
}

func inline(style *property.Style, children ...*box.Box) *box.Box {
	return &box.Box{Kind: box.Inline, Style: style, Children: children, First: true, Last: true}
}

func TestBlanksCollapseAcrossBoxesAndVanishAtTheEndsOfLines(t *testing.T) {
	t.Parallel()
	s := plain()
	got := shown(set(t, newSetter(t), within(s, words(s, "  a "), inline(s, words(s, " b\n")), words(s, " c  ")), 1000))
	if diff := cmp.Diff([]string{"a b c"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestNothingButBlanksAndMarksMakesNoLine(t *testing.T) {
	t.Parallel()
	s := plain()
	away := *s
	away.Position = "absolute"
	b := within(s, words(s, " \n "), inline(s, words(s, " ")), &box.Box{Kind: box.Block, Style: &away})
	if lines := set(t, newSetter(t), b, 100); len(lines) != 0 {
		t.Errorf("%d lines", len(lines))
	}
}

func TestAnEmptyBoxWithAnEdgeMakesALine(t *testing.T) {
	t.Parallel()
	s := plain()
	padded := *s
	padded.Padding.Left = value.Px(4)
	lines := set(t, newSetter(t), within(s, inline(&padded)), 100)
	if len(lines) != 1 || len(lines[0].Parts) != 1 || lines[0].Parts[0].Inline == nil || lines[0].Parts[0].Inline.Width != 4 {
		t.Errorf("%+v", lines)
	}
}

func TestLinesEndWhereTheyMust(t *testing.T) {
	t.Parallel()
	s := plain()
	b := within(s, words(s, "a"), &box.Box{Kind: box.Break, Style: s}, &box.Box{Kind: box.Break, Style: s}, words(s, " b"))
	lines := set(t, newSetter(t), b, 100)
	if diff := cmp.Diff([]string{"a", "", "b"}, shown(lines)); diff != "" {
		t.Error(diff)
	}
	for i, l := range lines {
		if !l.Forced || l.Height != lines[0].Height {
			t.Errorf("line %d: %+v", i, l)
		}
	}
}

func TestASoftHyphenShowsWhereALineEnds(t *testing.T) {
	t.Parallel()
	s := plain()
	got := shown(set(t, newSetter(t), paragraph(s, "super\u00adcali"), 50))
	if diff := cmp.Diff([]string{"super\u00ad\u2010", "cali"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestHiddenTextHasRoomAndNoGlyphs(t *testing.T) {
	t.Parallel()
	s := plain()
	hidden := *s
	hidden.Visibility = "hidden"
	setter := newSetter(t)
	shownLine := set(t, setter, paragraph(s, "word"), 100)[0]
	hiddenLine := set(t, setter, paragraph(&hidden, "word"), 100)[0]
	if len(hiddenLine.Parts) != 0 || hiddenLine.Width != shownLine.Width || hiddenLine.Height != shownLine.Height {
		t.Errorf("%+v, shown %+v", hiddenLine, shownLine)
	}
}

func TestTheLeastWidthIsThatOfTheLongestPieceAndTheMostThatOfTheLine(t *testing.T) {
	t.Parallel()
	setter := newSetter(t)
	s := plain()
	anywhere, breakWord, nowrap := *s, *s, *s
	anywhere.OverflowWrap, breakWord.OverflowWrap, nowrap.TextWrap = "anywhere", "break-word", "nowrap"
	width := func(style *property.Style, content string) float64 {
		return set(t, setter, paragraph(style, content), math.Inf(1))[0].Width
	}
	for _, tt := range []struct {
		style       *property.Style
		content     string
		least, most float64
	}{
		{s, " aa bbbb c ", width(s, "bbbb"), width(s, "aa bbbb c")},
		{s, "self-employed", width(s, "employed"), width(s, "self-employed")},
		{&anywhere, "ii mi", width(s, "m"), width(s, "ii mi")},
		{&breakWord, "ii mi", width(s, "mi"), width(s, "ii mi")},
		{&nowrap, "ii mi", width(s, "ii mi"), width(s, "ii mi")},
	} {
		flow, err := setter.Flow(t.Context(), paragraph(tt.style, tt.content))
		if err != nil {
			t.Fatal(err)
		}
		least, most := flow.MinMax(func(*box.Box) (float64, float64) { return 0, 0 })
		if math.Abs(least-tt.least) > 0.01 || math.Abs(most-tt.most) > 0.01 {
			t.Errorf("%q: %.2f and %.2f, want %.2f and %.2f", tt.content, least, most, tt.least, tt.most)
		}
		if lines := set(t, setter, paragraph(tt.style, tt.content), most); len(lines) != 1 {
			t.Errorf("%q has %d lines in its own width", tt.content, len(lines))
		}
	}
}

func TestBoxesAreSplitWhereDirectionsMeet(t *testing.T) {
	t.Parallel()
	s := plain()
	// The box holds the end of what runs to the left and the start of what runs to the right.
	lines := set(t, newSetter(t), within(s, words(s, "אב"), inline(s, words(s, "גד ab")), words(s, " cd")), 500)
	parts := 0
	for _, p := range lines[0].Parts {
		if p.Inline != nil {
			parts++
		}
	}
	if parts != 2 {
		t.Errorf("%d parts", parts)
	}
}

func TestAMarkerIsOneLine(t *testing.T) {
	t.Parallel()
	s := plain()
	line, err := newSetter(t).Line(t.Context(), words(s, "12. "))
	if err != nil || lineText(line) != "12." || line.Width <= 0 || line.Left != 0 || line.Top != 0 {
		t.Errorf("%+v, %v", line, err)
	}
}

func TestACanceledContextEndsTheWork(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	s := plain()
	if _, err := newSetter(t).Flow(ctx, paragraph(s, strings.Repeat("a ", 5000))); !errors.Is(err, cause) {
		t.Errorf("flow: %v", err)
	}
	setter := newSetter(t)
	flow, err := setter.Flow(t.Context(), paragraph(s, "a b"))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := flow.Lines(ctx, column{10}, 0); !errors.Is(err, cause) {
		t.Errorf("lines: %v", err)
	}
}

func TestMissingCharactersAreNamed(t *testing.T) {
	t.Parallel()
	setter := newSetter(t)
	set(t, setter, paragraph(plain(), "a \U0001f600"), 100)
	if diff := cmp.Diff([]rune{0x1f600}, setter.Missing()); diff != "" {
		t.Error(diff)
	}
}

func TestBoxesInEachOtherCannotMakePartsWithoutEnd(t *testing.T) {
	t.Parallel()
	s := plain()
	deep := words(s, strings.Repeat("ab ", 10_000))
	for range 500 {
		deep = inline(s, deep)
	}
	setter := newSetter(t)
	flow, err := setter.Flow(t.Context(), within(s, deep))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := flow.Lines(t.Context(), column{20}, 0); !errors.Is(err, text.ErrTooManyParts) {
		t.Errorf("got %v", err)
	}
}

func TestAHundredThousandBoxesAreSetInLinearTime(t *testing.T) {
	t.Parallel()
	s := plain()
	var children []*box.Box
	for range 100_000 {
		children = append(children, inline(s, words(s, "ab ")))
	}
	lines := set(t, newSetter(t), within(s, children...), 300)
	if len(lines) < 1000 {
		t.Errorf("%d lines", len(lines))
	}
}
