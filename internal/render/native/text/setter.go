// Package text makes lines of what stands in a block container: it collapses blanks (CSS Text 3), orders what runs from right to left
// (UAX #9), shapes words, breaks lines (UAX #14, as browsers do), and aligns what stands in them (CSS 2.2 section 10.8). Where a
// line may stand is told by a [Room]; how large atomic boxes are is for package layout.
//
// A [Flow] is the content of one container, cut into pieces: words, blanks, edges of inline boxes, atomic boxes, and marks
// where floats and positioned boxes are met. Lines are made of pieces from left to right, whatever the direction, put into visual
// order, and placed.
//
// Text that is hidden (visibility) takes room and has no parts; inline boxes and atomic ones that are hidden have theirs.
package text

import (
	"context"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fonts/shape"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// ErrTooManyParts is the fault of a page whose inline boxes, one in the other, are in very many lines.
var ErrTooManyParts = fault.New(fault.Invalid, "text_too_many_parts", "The inline elements of the page are in more lines than this server allows.")

// maxParts bounds how many parts of inline boxes there are in the lines of a job: 512 boxes in each other have that many in each line.
const maxParts = 4_000_000

// Setter sets the text of one job. It remembers the words that it has shaped. It is for one goroutine.
type Setter struct {
	// Quirks says that the page is in quirks mode, or in limited quirks mode: a line is then not made higher by the font of the container, or of an inline
	// box, that has no text of its own in it.
	Quirks bool
	// StickyImages says that it is in quirks mode without limits: pictures in a table cell stay together when its least width is asked for.
	StickyImages bool

	set       *fonts.Set
	stock     *Stock // nil shares nothing
	given     int    // words to it
	shaper    *shape.Shaper
	segmenter shape.Segmenter

	looks  map[lookKey]*look
	typos  map[typoKey]*typo
	last   *look
	words  map[wordKey]*word
	tokens map[string][]spot

	shaped  []shape.Glyph // scratch
	pieces  []piece       // scratch
	text    []byte        // scratch
	idle    []*liner      // scratch
	parts   int           // of inline boxes, in all lines
	inlines []inlineBox   // scratch
	room    []pdf.Glyph   // what is left of it is for the glyphs of parts to come
}

// New makes the setter of a job.
func New(set *fonts.Set) *Setter {
	return &Setter{
		set: set, shaper: shape.NewShaper(),
		looks: map[lookKey]*look{}, typos: map[typoKey]*typo{}, words: map[wordKey]*word{}, tokens: map[string][]spot{},
	}
}

// Missing returns the characters that no font has, sorted.
func (s *Setter) Missing() []rune { return s.set.Missing() }

// Line puts a text, or what else stands in a line, on one line at 0, 0: an outside marker, for instance.
func (s *Setter) Line(ctx context.Context, b *box.Box) (*fragment.Line, error) {
	holder := &box.Box{Kind: box.Block, Style: b.Style, Children: []*box.Box{b}, HasLines: true, Anonymous: true}
	flow, err := s.Flow(ctx, holder)
	if err != nil {
		return nil, err
	}
	l := s.liner(ctx, flow, endless{})
	defer s.release(l)
	l.single = true
	lines, _, err := l.all(0)
	if err != nil || len(lines) == 0 {
		return &fragment.Line{Forced: true}, err
	}
	return lines[0], nil
}

// endless is room for a line of its own.
type endless struct{}

func (endless) Edges(_, _ float64) (left, right float64)  { return 0, 0 }
func (endless) Below(top float64) (next float64, ok bool) { return top, false }
func (endless) Base() float64                             { return 0 }
func (endless) Float(_ *box.Box, _, _ float64) error      { return nil }
func (endless) Positioned(_ *box.Box, _, _ float64)       {}
func (endless) Atomic(b *box.Box) (*fragment.Fragment, error) {
	f := &fragment.Fragment{Box: b}
	if b.Kind == box.Replaced && b.Image != nil {
		f.Width, f.Height = b.Image.Width, b.Image.Height
	}
	return f, nil
}

// Metrics returns those of the primary font of a style.
func (s *Setter) Metrics(style *property.Style) Metrics { return s.look(style, "").metrics }
