package shape

import (
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// Setting is how the glyphs of a run are set: its font and direction, and what the layout adds.
type Setting struct {
	Font *fonts.Font
	RTL  bool
	Size float64
	// LetterSpacing is added after each cluster; WordSpacing after each space and no-break space.
	LetterSpacing, WordSpacing float64
}

// Place appends the glyphs of a run for drawing and returns how wide they are. A cluster's first glyph in visual order carries its text.
func (p *Paragraph) Place(dst []pdf.Glyph, glyphs []Glyph, s Setting) (placed []pdf.Glyph, width float64) {
	_, em := s.Font.Metrics()
	scale := s.Size / float64(em)
	units := 0 // whole units are summed, so that the sum does not depend on where it was begun
	extra := 0.0
	begin, length := 0, 0 // of the cluster
	for i, g := range glyphs {
		first := i == 0 || glyphs[i-1].Start != g.Start
		last := i+1 == len(glyphs) || glyphs[i+1].Start != g.Start
		drawn := pdf.Glyph{ID: g.ID, X: float64(float64(units+int(g.X))*scale) + extra, Y: -float64(g.Y) * scale}
		if first {
			begin, length = i, clusterLength(glyphs[i:])
		}
		switch {
		case s.RTL && length > 1 && length == g.End-g.Start:
			// Each glyph stands for its character, for the reason that appendLigature gives: a letter comes after its marks.
			at := g.End - 1 - (i - begin)
			drawn.Text = p.Slice(at, at+1)
			dst = append(dst, drawn)
		case first && last && s.RTL && g.End-g.Start > 1:
			dst = p.appendLigature(dst, drawn, g, s.Font)
		case first:
			drawn.Text = p.Slice(g.Start, g.End)
			dst = append(dst, drawn)
		default:
			dst = append(dst, drawn)
		}
		units += int(g.Advance)
		if last {
			extra += s.after(p.Runes[g.Start])
		}
	}
	return dst, float64(float64(units)*scale) + extra
}

// clusterLength is how many glyphs the first cluster has.
func clusterLength(glyphs []Glyph) int {
	n := 1
	for n < len(glyphs) && glyphs[n].Start == glyphs[0].Start {
		n++
	}
	return n
}

// appendLigature appends a ligature of a run from right to left. Programs that extract text turn such runs around letter by letter, and
// some would turn the letters of the ligature around too. So it stands for its first letter only, and empty glyphs
// to the left of it stand for the others.
func (p *Paragraph) appendLigature(dst []pdf.Glyph, drawn pdf.Glyph, g Glyph, f *fonts.Font) []pdf.Glyph {
	blank, ok := f.Blank()
	if !ok {
		drawn.Text = p.Slice(g.Start, g.End)
		return append(dst, drawn)
	}
	for i := g.End - 1; i > g.Start; i-- {
		dst = append(dst, pdf.Glyph{ID: blank, X: drawn.X, Text: p.Slice(i, i+1)})
	}
	drawn.Text = p.Slice(g.Start, g.Start+1)
	return append(dst, drawn)
}

func (s Setting) after(r rune) float64 {
	if r == ' ' || r == '\u00a0' {
		return s.LetterSpacing + s.WordSpacing
	}
	return s.LetterSpacing
}
