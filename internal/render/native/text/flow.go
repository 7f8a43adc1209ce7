package text

import (
	"context"
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
)

// Flow is the inline content of a block container, ready to be put in lines. It is not changed by that, and may be put in lines
// several times.
type Flow struct {
	setter  *Setter
	box     *box.Box
	look    *look // of the container
	text    string
	pieces  []piece
	inlines []inlineBox
	// spots says of each byte of the text what may happen before it; nil when the text is ASCII, whose rules are quick.
	spots []spot
	// level is that of the container: 1 when its text runs from right to left. levels says that there are others than 0.
	level  uint8
	levels bool
	bases  []paragraphLevel // with unicode-bidi: plaintext
}

// kind says what a piece is.
type kind uint8

const (
	wordPiece kind = iota // letters without blanks
	blank                 // spaces, collapsed or preserved
	tab                   // a preserved one
	newline               // a break that must be
	wbr                   // a place where a word may break
	open                  // the start of an inline box
	closing               // its end
	atomic                // a box that is as a letter
	float                 // where a float is met
	mark                  // where a positioned box is met
	invisible             // what orders directions and has no glyph
	void                  // stands for an inline box with nothing in it; only in lines
)

// piece is what lines are made of.
type piece struct {
	kind   kind
	level  uint8
	start  int32 // in the text
	end    int32
	inline int32 // the innermost inline box around it, or the one that is opened or closed; -1 is the container
	from   int32 // where the piece begins in its word: pieces of one font share a word
	look   *look
	box    *box.Box
	word   *word
	width  float64
}

// content reports whether the piece is something that lines are made for.
func (p *piece) content() bool {
	return p.kind == wordPiece || p.kind == blank || p.kind == tab || p.kind == atomic || p.kind == newline
}

// inlineBox is an inline box of the flow.
type inlineBox struct {
	box    *box.Box
	look   *look
	parent int32 // -1 is the container
	depth  int32
	edged  bool // has a margin, a border or a padding at its sides: glyphs do not join across it
}

// Flow prepares the inline content of a block container: its children must be inline-level, floats, or out of flow. The error is the
// cause of ctx, or pdf.ErrFontInvalid.
func (s *Setter) Flow(ctx context.Context, b *box.Box) (*Flow, error) {
	c := collector{
		ctx: ctx, setter: s, flow: &Flow{setter: s, box: b, look: s.look(b.Style, b.Lang)},
		text: s.text[:0], pieces: s.pieces[:0], inlines: s.inlines[:0], inline: -1, start: true,
	}
	c.bidi = b.Style.Direction == "rtl" || b.Style.UnicodeBidi == "bidi-override" || b.Style.UnicodeBidi == "isolate-override"
	if err := c.children(b); err != nil {
		return nil, err
	}
	f := c.flow
	f.text = string(c.text)
	f.inlines = slices.Clone(c.inlines)
	s.text, s.pieces, s.inlines = c.text[:0], c.pieces[:0], c.inlines[:0]
	if c.bidi {
		c.pieces = f.readLevels(c.pieces)
		s.pieces = c.pieces[:0]
	}
	f.pieces = slices.Clone(c.pieces)
	clear(c.pieces) // the scratch must not keep boxes
	if c.wide {
		f.findSpots()
	}
	if err := f.shape(ctx); err != nil {
		return nil, err
	}
	return f, nil
}

// every is how often loops look at their context.
const every = 1024

// shape finds the glyphs of all words. Pieces that follow each other in one font are shaped together, as if there were no boxes
// around them, unless those have edges.
func (f *Flow) shape(ctx context.Context) error {
	for i := 0; i < len(f.pieces); {
		if i%every == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p := &f.pieces[i]
		next := i + 1
		switch p.kind {
		case wordPiece:
			next = f.joined(i)
			if err := f.shapeFrom(i, next); err != nil {
				return err
			}
			p.fitSymbol()
		case blank:
			p.width = float64(int(p.end-p.start)) * p.look.blank
			if err := f.kernSpaces(i); err != nil {
				return err
			}
			p.fitSymbol()
		default:
		}
		i = next
	}
	return nil
}

// joined returns the end of the pieces that are shaped with the one at i.
func (f *Flow) joined(i int) int {
	first, last := &f.pieces[i], i
	for j := i + 1; j < len(f.pieces); j++ {
		p := &f.pieces[j]
		switch {
		case (p.kind == open || p.kind == closing) && !f.inlines[p.inline].edged:
			continue
		case p.kind == wordPiece && p.look.typo == first.look.typo && p.level == first.level &&
			p.look.size == first.look.size && p.start == f.pieces[last].end && p.end-first.start <= longWord &&
			p.look.letter == first.look.letter:
			last = j
			continue
		}
		break
	}
	return last + 1
}

// shapeFrom shapes the pieces from i until next, which are words and edges between them, as one word.
func (f *Flow) shapeFrom(i, next int) error {
	first, last := &f.pieces[i], &f.pieces[next-1]
	w, err := f.wordOf(first, first.start, last.end)
	if err != nil {
		return err
	}
	for j := i; j < next; j++ {
		p := &f.pieces[j]
		if p.kind == wordPiece {
			p.word, p.from = w, p.start-first.start
			p.width = w.width(p.look, int(p.from), int(p.from+p.end-p.start))
		}
	}
	return nil
}

// wordOf returns the glyphs of a stretch of text that looks as a piece does.
func (f *Flow) wordOf(p *piece, start, end int32) (*word, error) {
	key := wordKey{typo: p.look.typo.id, rtl: p.level%2 == 1, text: f.text[start:end]}
	if f.spots != nil {
		key.before, key.after = f.neighbors(start, end)
	}
	return f.setter.word(key, p.look.typo)
}
