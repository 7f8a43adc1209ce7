// Package shape makes glyphs of text: bidirectional levels (UAX #9), places where lines may break (UAX #14), grapheme clusters
// (UAX #29), runs of one script and font, and the glyphs of such a run. Where the lines end up is for the layout.
package shape

import (
	"fmt"
	"slices"

	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// Shaper shapes text. It keeps what it learns about fonts, so one Shaper serves a whole job, or several; it is for
// one goroutine at a time.
type Shaper struct {
	buffer *harfbuzz.Buffer
	faces  map[*fonts.Font]*harfbuzz.Font
	starts []int // of the clusters of one run, sorted
	runs   int
}

// NewShaper makes the shaper of a job.
func NewShaper() *Shaper {
	return &Shaper{buffer: harfbuzz.NewBuffer(), faces: map[*fonts.Font]*harfbuzz.Font{}}
}

// Feature turns an OpenType feature on (1), off (0), or to one of its alternates.
type Feature struct {
	Tag   string // four letters: "kern", "liga", "tnum"
	Value uint32
}

// Run is text of one font, script and direction.
type Run struct {
	// Text is the whole paragraph: letters join across the ends of a run. Start and End bound the run in it.
	Text       []rune
	Start, End int
	Font       *fonts.Font
	Script     language.Script
	RTL        bool
	Lang       string // BCP 47
	Features   []Feature
}

// Glyph is one glyph of a shaped run. Lengths are in units of the font (see fonts.Font.Metrics); Y grows upwards, as fonts have it.
type Glyph struct {
	ID      uint16
	Advance int32
	X, Y    int32 // from where the pen stands
	// Start and End are the characters in Run.Text that the glyph stands for, with the neighbors that have the same ones.
	Start, End int
	// Safe says that a line may begin or end before this glyph without shaping the run anew.
	Safe bool
}

// Shape returns the glyphs of a run in visual order, from left to right, appended to dst. Letter and word spacing are left to the caller.
// The error is pdf.ErrFontInvalid, for a web font that misleads the shaper.
func (s *Shaper) Shape(dst []Glyph, r Run) (glyphs []Glyph, err error) {
	face, err := s.face(r.Font)
	if err != nil {
		return dst, err
	}
	// The tables of web fonts come from strangers, and the shaper was made for honest ones.
	defer func() {
		if p := recover(); p != nil {
			s.buffer = harfbuzz.NewBuffer()
			glyphs, err = dst, pdf.ErrFontInvalid.Because(fmt.Errorf("shaping with %q stopped: %v", r.Font.Family, p))
		}
	}()
	r.Font.BeginShaping()
	defer r.Font.EndShaping()
	s.runs++
	b := s.buffer
	b.Clear()
	b.ClusterLevel = harfbuzz.MonotoneGraphemes // a letter and its marks are one
	b.Props = harfbuzz.SegmentProperties{Language: language.NewLanguage(r.Lang), Script: r.Script, Direction: harfbuzz.LeftToRight}
	if r.RTL {
		b.Props.Direction = harfbuzz.RightToLeft
	}
	b.AddRunes(r.Text, r.Start, r.End-r.Start)
	b.Shape(face, features(r.Features))
	return s.appendGlyphs(dst, r), nil
}

// Runs counts the runs that were shaped: what the shaper keeps grows with the fonts, languages and features in them.
func (s *Shaper) Runs() int { return s.runs }

func (s *Shaper) face(f *fonts.Font) (*harfbuzz.Font, error) {
	if known, ok := s.faces[f]; ok {
		return known, nil
	}
	face, err := f.NewShaping()
	if err != nil {
		return nil, pdf.ErrFontInvalid.Because(err)
	}
	s.faces[f] = face
	return face, nil
}

func features(wanted []Feature) []harfbuzz.Feature {
	var all []harfbuzz.Feature
	for _, w := range wanted {
		if len(w.Tag) != 4 {
			continue
		}
		tag := opentype.NewTag(w.Tag[0], w.Tag[1], w.Tag[2], w.Tag[3])
		all = append(all, harfbuzz.Feature{Tag: tag, Value: w.Value, Start: harfbuzz.FeatureGlobalStart, End: harfbuzz.FeatureGlobalEnd})
	}
	return all
}

// drawn is the glyph to draw. The shaper takes a space of no width for what is not seen, such as a variation selector; on paper a space
// is as wide as the font says, so that an empty glyph stands for it.
func (r Run) drawn(glyph harfbuzz.GID, advance int32) uint16 {
	id := uint16(glyph) //nolint:gosec // G115: fonts have 65,535 glyphs at most
	if advance != 0 || r.Font.Advance(id) == 0 {
		return id
	}
	shaping, err := r.Font.Shaping()
	if err != nil {
		return id
	}
	space, ok := shaping.NominalGlyph(' ')
	if blank, has := r.Font.Blank(); ok && has && space == glyph {
		return blank
	}
	return id
}

// appendGlyphs reads the result. A cluster begins at the character that the shaper names, and ends where the next one in the text
// begins. Glyphs mostly come in the order of the text or against it, but marks of a run against the direction of its
// script stand the other way round.
func (s *Shaper) appendGlyphs(dst []Glyph, r Run) []Glyph {
	s.starts = s.starts[:0]
	for _, info := range s.buffer.Info {
		s.starts = append(s.starts, info.Cluster)
	}
	slices.Sort(s.starts)
	for i, info := range s.buffer.Info {
		pos := s.buffer.Pos[i]
		end := r.End
		if next, _ := slices.BinarySearch(s.starts, info.Cluster+1); next < len(s.starts) {
			end = s.starts[next]
		}
		dst = append(dst, Glyph{
			ID: r.drawn(info.Glyph, pos.XAdvance), Advance: pos.XAdvance, X: pos.XOffset, Y: pos.YOffset,
			Start: info.Cluster, End: end, Safe: info.Mask&harfbuzz.GlyphUnsafeToBreak == 0,
		})
	}
	return dst
}
