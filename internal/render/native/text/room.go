package text

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// Room is where lines are put: the content box of a block container, with the floats that reach into it. Positions are from the
// border box of the container.
type Room interface {
	// Edges returns between which two positions a line box of this height may stand whose top is here.
	Edges(top, height float64) (left, right float64)
	// Below returns the next position below top where the edges change; ok is false when nothing is in the way further down.
	Below(top float64) (next float64, ok bool)
	// Base is what percentages are of: the width of the content box.
	Base() float64
	// Atomic lays out an atomic box. Flow places it; its margins count.
	Atomic(b *box.Box) (*fragment.Fragment, error)
	// Float places a float that is met in a line whose top is here and that has used this much of its width. It stands at the
	// top of the line if it fits beside what is there, and further down otherwise.
	Float(b *box.Box, top, used float64) error
	// Positioned notes where a positioned box would stand if it were static: the corner of its margin box.
	Positioned(b *box.Box, x, y float64)
}
