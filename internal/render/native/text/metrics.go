package text

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/fonts"
)

// Metrics are the heights of a font in its size, in pixels.
type Metrics struct {
	// Ascent, Descent and LineGap are whole pixels, as browsers have them, and not negative. The line height that a font asks for is
	// their sum.
	Ascent, Descent, LineGap float64
	XHeight                  float64
	ZeroWidth                float64 // of the figure zero
}

// metricsOf rounds as Blink does on Linux without hints: each by itself, half away from zero. The table is hhea, or the typographic
// metrics of OS/2 when the font asks for them (package sfnt).
func metricsOf(f *fonts.Font, size float64) Metrics {
	m, em := f.Metrics()
	scale := size / float64(max(em, 1))
	out := Metrics{
		Ascent:  math.Max(0, math.Round(float64(m.Ascent)*scale)),
		Descent: math.Max(0, math.Round(float64(-m.Descent)*scale)),
		LineGap: math.Max(0, math.Round(float64(m.LineGap)*scale)),
		XHeight: float64(m.XHeight) * scale,
	}
	if out.XHeight <= 0 {
		out.XHeight = out.Ascent * 0.56 // Blink's guess
	}
	return out
}

// leading returns how far an inline box with such a line height reaches above and below its base line (CSS 2.2 section 10.8.1). The
// half above is rounded down to a whole pixel, as Blink does.
func leading(m Metrics, lineHeight float64) (above, below float64) {
	over := math.Floor((lineHeight - m.Ascent - m.Descent) / 2)
	above = m.Ascent + over
	return above, lineHeight - above
}

// advanceSize is the size that a browser takes the widths of glyphs in. FreeType counts in 64ths of a pixel, and Skia cuts off what is
// less: text of 11.08px is drawn in that size and is as wide as in 11.0625px.
func advanceSize(size float64) float64 { return math.Floor(size*blinkUnits) / blinkUnits }

// advanceOf is the width of a character by itself, 0 if the font has none.
func advanceOf(f *fonts.Font, r rune, size float64) float64 {
	return float64(f.Advance(glyphOf(f, r))*size) / 1000
}

// glyphOf returns the glyph of a character, or 0, which is what stands for those that a font does not have.
func glyphOf(f *fonts.Font, r rune) uint16 {
	face, err := f.Shaping()
	if err != nil {
		return 0
	}
	glyph, ok := face.NominalGlyph(r)
	if !ok || glyph > math.MaxUint16 {
		return 0
	}
	return uint16(glyph)
}
