package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// flex lays out a flex container: as a block, until its own algorithm is here.
func (l *layouter) flex(b *box.Box, s space) (*fragment.Fragment, error) {
	r, err := l.block(b, s, nil)
	return r.f, err
}

// flexMinMax returns the least and the greatest width of its content box.
func (l *layouter) flexMinMax(b *box.Box) (least, most float64) { return l.childrenMinMax(b) }
