package fonts_test

import (
	"testing"

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
