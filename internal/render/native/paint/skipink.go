package paint

import (
	"cmp"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// widestGap is the most that a line keeps away from a glyph, as in Chromium.
const widestGap = 13

// crossed reports text that lines go through unless all ink is to be skipped: underscores, which would be lost beside the gaps, and
// ideographic scripts.
func crossed(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return r == '_' || r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo)
}

// inkKey is a glyph and a band of heights over the base line, in ems.
type inkKey struct {
	font      *fonts.Font
	glyph     uint16
	low, high float64
}

// span is from where to where something reaches; left is more than right where there is nothing.
type span struct{ left, right float64 }

// gaps are where a line under or over a text stops for its glyphs (CSS Text Decoration 4, text-decoration-skip-ink), sorted, from the
// start of the text. drop is where the line is, from the base line of the text. Half a pixel that touches does not count.
func (b *brush) gaps(d decoration, t *fragment.Text, drop float64) []span {
	if d.style.TextDecorationSkipInk == "none" || t.Choice.Font == nil || t.Size <= 0 {
		return nil
	}
	top, bottom := d.band()
	top, bottom = drop+top+0.5, drop+bottom-0.5
	away := min(d.thickness, widestGap)
	var gaps []span
	for _, g := range t.Glyphs {
		if d.style.TextDecorationSkipInk == "auto" && crossed(g.Text) {
			continue
		}
		i := b.inks.of(inkKey{t.Choice.Font, g.ID, (g.Y - bottom) / t.Size, (g.Y - top) / t.Size})
		if i.left > i.right {
			continue
		}
		lean := 0.0
		if t.Choice.Slant {
			lean = -(top + bottom) / 8 // the slant is a quarter
		}
		gaps = append(gaps, span{float64(i.left*t.Size) + g.X + lean - away, float64(i.right*t.Size) + g.X + lean + away})
	}
	slices.SortFunc(gaps, func(a, b span) int { return cmp.Compare(a.left, b.left) })
	return gaps
}

// inks remembers where glyphs have ink.
type inks struct {
	outlines map[*fonts.Font]*fonts.Outlines
	known    map[inkKey]span
}

func (i inks) of(key inkKey) span {
	if known, ok := i.known[key]; ok {
		return known
	}
	left, right, ok := i.outlinesOf(key.font).Ink(key.glyph, key.low, key.high)
	if !ok {
		left, right = 1, 0
	}
	i.known[key] = span{left, right}
	return i.known[key]
}

func (i inks) outlinesOf(f *fonts.Font) *fonts.Outlines {
	known := i.outlines[f]
	if known == nil {
		known = f.Outlines()
		i.outlines[f] = known
	}
	return known
}

// band is from where to where a line reaches, from its upper edge.
func (d decoration) band() (top, bottom float64) {
	switch d.style.TextDecorationStyle {
	case "double":
		return 0, 2*d.thickness + 1
	case "dotted", "dashed":
		middle := math.Floor(d.thickness / 2)
		return middle - d.thickness/2, middle + d.thickness/2
	case "wavy":
		return 0, math.Ceil(2 * (d.bend()*math.Sqrt(3)/6 + d.thickness/2))
	}
	return 0, d.thickness
}

// remains is what is left of the strip of a line when the gaps are taken out of it.
func remains(gaps []span, x, y, width, height float64) pdf.Path {
	var p pdf.Path
	at := x
	for _, g := range append(gaps, span{width, width}) {
		if from := min(x+g.left, x+width); from > at {
			p.AddRect(at, y, from-at, height)
		}
		at = max(at, x+g.right)
	}
	return p
}
