package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// grid lays out a grid: as a block, until its own algorithm is here.
func (l *layouter) grid(b *box.Box, s space) (*fragment.Fragment, error) {
	r, err := l.block(b, s, nil)
	return r.f, err
}

// gridMinMax returns the least and the greatest width of its content box.
func (l *layouter) gridMinMax(b *box.Box) (least, most float64) { return l.childrenMinMax(b) }
