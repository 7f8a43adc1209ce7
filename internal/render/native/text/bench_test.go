package text_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/text"
)

// plain is a style with the initial values that matter here.
func plain() *property.Style {
	s := &property.Style{}
	s.FontFamily, s.FontSize, s.FontWeight, s.FontStretch = []string{"Noto Sans"}, 14, 400, 100
	s.Float, s.Position, s.TabSize.Spaces = "none", "static", 8
	s.VerticalAlign.Keyword = "baseline"
	return s
}

// paragraph is a block container with a text.
func paragraph(style *property.Style, content string) *box.Box {
	b := &box.Box{Kind: box.Block, Style: style, HasLines: true}
	b.Children = []*box.Box{{Kind: box.Text, Style: style, Text: content, Parent: b}}
	return b
}

// column is room of one width, without floats.
type column struct{ width float64 }

func (c column) Edges(_, _ float64) (left, right float64)  { return 0, c.width }
func (c column) Below(top float64) (next float64, ok bool) { return top, false }
func (c column) Base() float64                             { return c.width }
func (c column) Float(_ *box.Box, _, _ float64) error      { return nil }
func (c column) Positioned(_ *box.Box, _, _ float64)       {}
func (c column) Atomic(b *box.Box) (*fragment.Fragment, error) {
	return &fragment.Fragment{Box: b, Width: 20, Height: 10}, nil
}

func newSetter(tb testing.TB) *text.Setter {
	tb.Helper()
	library, err := fonts.New(context.Background(), "")
	if err != nil {
		tb.Fatal(err)
	}
	return text.New(library.NewSet())
}

func set(tb testing.TB, s *text.Setter, b *box.Box, width float64) []*fragment.Line {
	tb.Helper()
	flow, err := s.Flow(tb.Context(), b)
	if err != nil {
		tb.Fatal(err)
	}
	lines, _, err := flow.Lines(tb.Context(), column{width}, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return lines
}

// BenchmarkParagraph sets 300 words whose glyphs are known.
func BenchmarkParagraph(b *testing.B) {
	s := newSetter(b)
	p := paragraph(plain(), strings.Repeat("The quick brown fox jumps over the lazy dog, naturally. ", 30))
	set(b, s, p, 500)
	b.ReportAllocs()
	for b.Loop() {
		set(b, s, p, 500)
	}
}

// BenchmarkCells sets the six cells of a row of a statement, measured before as tables do.
func BenchmarkCells(b *testing.B) {
	s := newSetter(b)
	style := plain()
	rows := make([][]*box.Box, 200)
	for i := range rows {
		for _, cell := range []string{
			fmt.Sprintf("2026-%02d-%02d", i%12+1, i%28+1), fmt.Sprintf("TX-%06d", i*37), "Card payment at the bakery", "Groceries",
			fmt.Sprintf("%d.%02d €", i*13%900, i%100), fmt.Sprintf("%d.%02d", i*7919%9000, i%100),
		} {
			rows[i] = append(rows[i], paragraph(style, cell))
		}
	}
	none := func(*box.Box) (float64, float64) { return 0, 0 }
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		for _, cell := range rows[i%len(rows)] {
			flow, err := s.Flow(b.Context(), cell)
			if err != nil {
				b.Fatal(err)
			}
			flow.MinMax(none)
			if _, _, err := flow.Lines(b.Context(), column{300}, 0); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkMegabyte sets a paragraph of a megabyte.
func BenchmarkMegabyte(b *testing.B) {
	s := newSetter(b)
	p := paragraph(plain(), strings.Repeat("The quick brown fox jumps over the lazy dog, naturally. ", 1<<20/56))
	b.SetBytes(1 << 20)
	for b.Loop() {
		set(b, s, p, 500)
	}
}
