package fonts_test

import (
	"math"
	"sync"
	"testing"

	"github.com/go-text/typesetting/font"

	"github.com/platen-render/platen/internal/render/native/fonts"
)

func TestInkIsWhatOfAGlyphLiesInABand(t *testing.T) {
	t.Parallel()
	library, err := fonts.New(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	sel := library.NewSet().Select([]string{"Noto Sans"}, fonts.Style{})
	for _, c := range []struct {
		r         rune
		low, high float64
		inked     bool
		left      float64
		right     float64
	}{
		{'g', -0.2, -0.1, true, 0.04, 0.55}, // its tail
		{'a', -0.2, -0.1, false, 0, 0},
		{'|', -0.2, -0.1, true, 0.2, 0.35},
		{'_', -0.2, 0, true, -0.1, 0.5}, // all of it inside of the band
		{' ', -1, 1, false, 0, 0},
	} {
		font := sel.For([]rune{c.r}).Font
		shaping, err := font.Shaping()
		if err != nil {
			t.Fatal(err)
		}
		glyph, _ := shaping.NominalGlyph(c.r)
		left, right, ok := font.Outlines().Ink(uint16(glyph), c.low, c.high)
		if ok != c.inked || ok && (left < c.left || right > c.right || left >= right) {
			t.Errorf("%c from %v to %v: ink from %.3f to %.3f, %v", c.r, c.low, c.high, left, right, ok)
		}
	}
}

// TestBoundsAreTheSameWhateverIsKnown asks side by side for more glyphs than a font remembers.
func TestBoundsAreTheSameWhateverIsKnown(t *testing.T) {
	t.Parallel()
	library, err := fonts.New(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	sans := library.NewSet().Select([]string{"Noto Sans"}, fonts.Style{}).Primary().Font
	shaping, err := sans.Shaping()
	if err != nil {
		t.Fatal(err)
	}
	const glyphs = 9000 // those beyond the last have no ink
	face, want := font.NewFace(shaping), make([][4]float64, glyphs)
	for i := range want {
		want[i] = read(face, font.GID(i))
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 2 * glyphs {
				left, bottom, right, top, ok := sans.Bounds(uint16(i % glyphs))
				if got := [4]float64{left, bottom, right, top}; ok != (want[i%glyphs] != [4]float64{}) || ok && got != want[i%glyphs] {
					t.Errorf("glyph %d: %v, %v; want %v", i%glyphs, got, ok, want[i%glyphs])
				}
			}
		})
	}
	all.Wait()
}

// read are the bounds of a glyph; zeros when it has no ink.
func read(face *font.Face, glyph font.GID) [4]float64 {
	shape, _ := face.GlyphDataOutline(glyph)
	if len(shape.Segments) == 0 {
		return [4]float64{}
	}
	em := float64(face.Upem())
	b := [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for i := range shape.Segments {
		for _, p := range shape.Segments[i].ArgsSlice() {
			x, y := float64(p.X)/em, float64(p.Y)/em
			b = [4]float64{min(b[0], x), min(b[1], y), max(b[2], x), max(b[3], y)}
		}
	}
	return b
}
