package text

import (
	"unicode/utf8"

	"github.com/platen-render/platen/internal/render/native/box"
)

// sizer adds up what a flow wants at least and at most.
type sizer struct {
	*Flow
	atomic      func(*box.Box) (least, most float64)
	least, most float64

	part   float64 // since the last place where a line may end
	line   float64 // since the last place where it must
	blanks float64 // of both, at their end
	edges  float64 // where boxes begin, before what is in them: they stay with that
	before *piece
	sticky bool // lines end at blanks only, where a picture is at either side
}

// MinMax returns the least width in which nothing reaches over the edge that need not, and the width of the longest line when none is
// broken. Atomic returns those of the margin boxes of atomic boxes and floats.
func (f *Flow) MinMax(atomic func(*box.Box) (least, most float64)) (least, most float64) {
	s := sizer{Flow: f, atomic: atomic, sticky: f.setter.StickyImages && f.box.Kind == box.TableCell && f.box.Style.Width.Is("auto")}
	if f.indented() {
		indent := f.box.Style.TextIndent.Resolve(0)
		s.part, s.line = indent, indent
	}
	for i := range f.pieces {
		s.add(&f.pieces[i])
	}
	s.endLine()
	return finite(max(0, s.least)), finite(max(0, s.most, s.least))
}

func (s *sizer) add(p *piece) {
	switch p.kind {
	case wordPiece:
		s.allow(p)
		s.begin()
		s.grow(p.width)
		s.cuts(p)
		s.before = p
	case atomic:
		s.allow(p)
		s.begin()
		least, most := s.atomic(p.box)
		s.part += s.blanks0() + finite(least)
		s.line += finite(most)
		s.before = p
	case blank, tab:
		s.blank(p)
	case newline:
		s.endLine()
	case float:
		least, most := s.atomic(p.box)
		s.least = max(s.least, finite(least))
		s.line += finite(most)
	case open:
		s.edges += s.edge(p, 0)
	case closing:
		s.begin()
		s.grow(s.edge(p, 0))
	default:
	}
}

// begin adds the edges of boxes that begin here.
func (s *sizer) begin() {
	s.grow(s.edges)
	s.edges = 0
}

// grow adds something, after which blanks are no longer at the end.
func (s *sizer) grow(width float64) {
	if width == 0 {
		return
	}
	blanks := s.blanks0()
	s.part += blanks + width
	s.line += width
}

// blanks0 returns the blanks that were at the end: now they are not.
func (s *sizer) blanks0() float64 {
	b := s.blanks
	s.line += b
	s.blanks = 0
	return b
}

func (s *sizer) blank(p *piece) {
	width := p.width
	if p.kind == tab {
		f := filler{width: s.line + s.blanks}
		width = f.tab(p.look)
	}
	switch {
	case s.before == nil && p.look.collapse:
		return
	case p.look.collapse || p.look.wraps && !p.look.breakSpace:
		s.begin()
		s.blanks += width
	default:
		s.begin()
		s.grow(width)
	}
	if p.look.breakSpace && p.look.wraps {
		s.endPart()
	}
	s.before = p
}

// allow ends the part before a piece if a line may.
func (s *sizer) allow(p *piece) {
	if s.before != nil && s.canEnd(s.before, p) && !s.stuck(s.before, p) {
		s.endPart()
	}
}

// stuck reports whether pieces stay together because one of them is a picture.
func (s *sizer) stuck(before, p *piece) bool {
	return s.sticky && before.kind != blank && (picture(before) || picture(p))
}

// picture reports whether a piece is an <img> (Quirks Mode Standard, "The table cell width calculation quirk").
func picture(p *piece) bool {
	return p.kind == atomic && p.box.Kind == box.Replaced && p.box.Node != nil && p.box.Node.Tag == "img"
}

func (s *sizer) endPart() {
	s.least = max(s.least, s.part)
	s.part = 0
	s.line += s.blanks
	s.blanks = 0
}

func (s *sizer) endLine() {
	s.begin()
	s.blanks = 0
	s.least, s.most = max(s.least, s.part), max(s.most, s.line)
	s.part, s.line, s.before = 0, 0, nil
}

// cuts ends parts inside of a word that has just been added.
func (s *sizer) cuts(p *piece) {
	if !p.look.wraps {
		return
	}
	l := p.look
	from := p.start
	before := s.part - p.width
	for at := p.start + 1; at < p.end; at++ {
		allowed := s.canBreak(int(at), l) || l.breaking.anywhere && s.clusterAt(int(at))
		if !allowed || !utf8.RuneStart(s.text[at]) {
			continue
		}
		s.least = max(s.least, before+s.stretch(p, from, at))
		from, before = at, 0
	}
	if from > p.start {
		s.part = s.stretch(p, from, p.end)
	}
}

// stretch is the width of a part of a word.
func (s *sizer) stretch(p *piece, start, end int32) float64 {
	from := int(p.from + start - p.start)
	return p.word.width(p.look, from, from+int(end-start))
}
