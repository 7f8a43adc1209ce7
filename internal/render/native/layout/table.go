package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// tableGrid lays out rows and columns: as a block, until its own algorithm is here.
func (l *layouter) tableGrid(b *box.Box, s space) (*fragment.Fragment, error) {
	s.shrink = true
	r, err := l.block(b, s, nil)
	return r.f, err
}

// tableMinMax returns the least and the greatest width of its border box.
func (l *layouter) tableMinMax(b *box.Box) (least, most float64) {
	e := l.edges(b, within(0, indefinite))
	least, most = l.childrenMinMax(b)
	return least + e.across(), most + e.across()
}
