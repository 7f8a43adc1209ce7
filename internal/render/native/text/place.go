package text

import (
	"slices"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// glyphsAtOnce is how many glyphs are allotted at a time.
const glyphsAtOnce = 512

// part returns the part that text of this piece and face is added to: the last one, if it is the same, or a new one.
func (l *liner) part(it *item, choice fonts.Choice) *fragment.Text {
	v, p := &l.visual, it.piece
	if t := v.text; t != nil && t.Box == p.box && t.Choice == choice && v.look == p.look {
		return t
	}
	l.endText()
	m := p.look.metrics // whatever the face: as backgrounds and lines have it
	t := &fragment.Text{
		Box: p.box, X: finite(v.x), Y: finite(v.out.Baseline + l.frames[it.frame].shift), Size: p.look.size, Choice: choice,
		Ascent: m.Ascent, Descent: m.Descent, Glyphs: l.flow.setter.glyphs(),
	}
	v.text, v.look = t, p.look
	if !p.look.hidden {
		v.out.Parts = append(v.out.Parts, fragment.Part{Text: t})
	}
	return t
}

// endText ends the last part: its glyphs are final.
func (l *liner) endText() {
	t := l.visual.text
	if t == nil {
		return
	}
	l.visual.text = nil
	t.Glyphs = l.flow.setter.keep(slices.Clip(t.Glyphs))
}

// keep takes glyphs out of the room that they were put in; a part that outgrew it has its own.
func (s *Setter) keep(part []pdf.Glyph) []pdf.Glyph {
	n := len(s.room)
	if len(part) > 0 && n+len(part) <= cap(s.room) && &s.room[:n+1][n] == &part[0] {
		s.room = s.room[:n+len(part)]
	}
	return part
}

// glyphs returns room for the glyphs of a part.
func (s *Setter) glyphs() []pdf.Glyph {
	if cap(s.room)-len(s.room) < glyphsAtOnce/16 {
		s.room = make([]pdf.Glyph, 0, glyphsAtOnce)
	}
	return s.room[len(s.room):]
}

func (l *liner) placeWord(it *item) {
	p, v := it.piece, &l.visual
	if is, outside := p.symbol(); is {
		l.placeSymbol(it, outside)
		return
	}
	runs := p.word.runs
	for i := range runs {
		r := &runs[i]
		if p.level%2 == 1 {
			r = &runs[len(runs)-1-i]
		}
		if r.touches(p) {
			l.placeRun(it, r)
		}
	}
	if len(runs) == 0 {
		v.x += it.width
	}
}

// touches reports whether any glyph of the run belongs to the piece.
func (r *run) touches(p *piece) bool {
	if p.from == 0 && int(p.end-p.start) == len(p.word.text) {
		return true
	}
	glyphs := p.of(r)
	return slices.ContainsFunc(glyphs, func(g glyph) bool { return p.covers(&g) })
}

func (l *liner) placeRun(it *item, r *run) {
	p, v := it.piece, &l.visual
	t := l.part(it, r.choice)
	scale := p.look.scaled / r.em
	x, units, extra := v.x-t.X, 0, 0.0
	glyphs := p.of(r)
	for j := range glyphs {
		g := &glyphs[j]
		if !p.covers(g) {
			continue
		}
		t.Glyphs = append(t.Glyphs, pdf.Glyph{
			ID: g.id, X: x + float64(float64(units+int(g.x))*scale) + extra, Y: -float64(float64(g.y) * scale), Text: g.text,
		})
		units += int(g.advance)
		if g.last {
			extra += p.look.letter
		}
		if g.blank {
			extra += p.look.word + v.extra
		}
	}
	x += float64(float64(units)*scale) + extra
	t.Width = x
	v.x = finite(t.X + x)
}

// placeBlank adds spaces, which are glyphs too: programs that extract text see where words end.
func (l *liner) placeBlank(it *item) {
	p, v := it.piece, &l.visual
	n := int(p.end - p.start)
	each := it.width/float64(max(n, 1)) + v.extra
	if it.hangs {
		each = it.width / float64(max(n, 1))
	}
	t := l.part(it, p.look.typo.faces.Primary())
	for range n {
		if p.look.space != 0 {
			t.Glyphs = append(t.Glyphs, pdf.Glyph{ID: p.look.space, X: v.x - t.X, Text: " "})
		}
		v.x = finite(v.x + each)
	}
	t.Width = v.x - t.X
}
