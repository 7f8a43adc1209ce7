package shape

import (
	"slices"

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
	begin := 0 // of the cluster
	for i, g := range glyphs {
		first := i == 0 || glyphs[i-1].Start != g.Start
		last := i+1 == len(glyphs) || glyphs[i+1].Start != g.Start
		drawn := pdf.Glyph{ID: g.ID, X: float64(float64(units+int(g.X))*scale) + extra, Y: -float64(g.Y) * scale}
		if first {
			begin = len(dst)
			drawn.Text = p.Slice(g.Start, g.End)
		}
		dst = append(dst, drawn)
		if last && s.RTL && g.End-g.Start > 1 {
			dst = p.apart(dst, begin, g, s.Font)
		}
		units += int(g.Advance)
		if last {
			extra += s.after(p.Runes[g.Start])
		}
	}
	return dst, float64(float64(units)*scale) + extra
}

// apart says what the glyphs of a cluster from right to left stand for, those of dst from begin on. Programs that extract text turn such
// runs around letter by letter, and some would turn the letters of a ligature around too. So empty glyphs where the cluster begins stand
// for its characters from the last to the second. What is drawn stands for the first character; where that begins with a mark, another
// empty glyph tells where the letter does, or words would be torn there.
func (p *Paragraph) apart(dst []pdf.Glyph, begin int, g Glyph, f *fonts.Font) []pdf.Glyph {
	blank, ok := f.Blank()
	if !ok {
		return dst
	}
	drawn := slices.Clone(dst[begin:])
	empty := pdf.Glyph{ID: blank, X: drawn[len(drawn)-1].X}
	dst = dst[:begin]
	for i := g.End - 1; i > g.Start; i-- {
		empty.Text = p.Slice(i, i+1)
		dst = append(dst, empty)
	}
	drawn[0].Text = p.Slice(g.Start, g.Start+1)
	if len(drawn) > 1 {
		empty.Text, drawn[0].Text = drawn[0].Text, ""
		dst = append(dst, empty)
	}
	return append(dst, drawn...)
}

func (s Setting) after(r rune) float64 {
	if r == ' ' || r == '\u00a0' {
		return s.LetterSpacing + s.WordSpacing
	}
	return s.LetterSpacing
}
