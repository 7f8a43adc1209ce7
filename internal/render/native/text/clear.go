package text

import (
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
)

// Clearing is a [Room] with floats that a <br clear> can go below.
type Clearing interface {
	// Clear returns where the line after a <br> may begin at the earliest that would begin at top.
	Clear(b *box.Box, top float64) float64
}

// cleared is where the next line begins: below the floats that the end of this one clears (CSS 2.2, section 9.5.2).
func (l *liner) cleared(bottom float64) float64 {
	room, ok := l.room.(Clearing)
	if !ok || !l.line.forced || len(l.line.items) == 0 {
		return bottom
	}
	for _, it := range slices.Backward(l.line.items) {
		switch p := it.piece; {
		case p.kind == newline && p.box != nil && p.box.Kind == box.Break && p.box.Style.Clear != "none":
			return max(bottom, finite(room.Clear(p.box, bottom)))
		case p.content():
			return bottom
		}
	}
	return bottom
}
