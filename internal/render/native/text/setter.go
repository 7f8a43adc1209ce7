// Package text makes lines of what stands in a block container: it collapses blanks (CSS Text 3), orders what runs from right to left
// (UAX #9), shapes words, breaks lines (UAX #14, as browsers do), and aligns what stands in them (CSS 2.2 section 10.8). Where a
// line may stand is told by a [Room]; where what is not text comes from is for package layout.
package text

import (
	"context"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fonts/shape"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// Setter sets the text of one job. It remembers the words that it has shaped. It is for one goroutine.
type Setter struct {
	set       *fonts.Set
	shaper    *shape.Shaper
	segmenter shape.Segmenter
}

// New makes the setter of a job.
func New(set *fonts.Set) *Setter {
	return &Setter{set: set, shaper: shape.NewShaper()}
}

// Missing returns the characters that no font has, sorted.
func (s *Setter) Missing() []rune { return s.set.Missing() }

// Metrics are the heights of a font in its size, in pixels.
type Metrics struct {
	Ascent, Descent, LineGap, XHeight, ZeroWidth float64
}

// Metrics returns those of the primary font of a style.
func (s *Setter) Metrics(style *property.Style) Metrics { return Metrics{} }

// Flow is the inline content of a block container, ready to be put in lines.
type Flow struct{}

// Flow prepares the inline content of a block container.
func (s *Setter) Flow(ctx context.Context, b *box.Box) (*Flow, error) { return &Flow{}, ctx.Err() }

// MinMax returns the least and the greatest width that the content wants.
func (f *Flow) MinMax(atomic func(*box.Box) (least, most float64)) (least, most float64) {
	return 0, 0
}

// Lines puts the content in lines, the first of which begins at top. It returns where the last one ends.
func (f *Flow) Lines(ctx context.Context, room Room, top float64) (lines []*fragment.Line, bottom float64, err error) {
	return nil, top, ctx.Err()
}

// Line puts a text on one line at 0, 0.
func (s *Setter) Line(ctx context.Context, b *box.Box) (*fragment.Line, error) {
	return &fragment.Line{}, ctx.Err()
}
