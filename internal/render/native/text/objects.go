package text

import (
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// takeAtomic adds a box that is as a letter; it is laid out once, however often the line is made anew.
func (f *filler) takeAtomic(p *piece) (full bool, err error) {
	a := f.atomics[p]
	if a == nil {
		if a, err = f.room.Atomic(p.box); err != nil {
			return false, err
		}
		if a == nil {
			a = &fragment.Fragment{Box: p.box}
		}
		if f.atomics == nil {
			f.atomics = map[*piece]*fragment.Fragment{}
		}
		f.atomics[p] = a
	}
	width := finite(a.Width + a.Margin.Across())
	f.allow(p)
	if !f.fits(width) && f.back() {
		return true, nil
	}
	f.add(item{piece: p, width: width, atomic: a})
	return false, nil
}

// takeFloat has a float placed, once, which may leave less room for the line.
func (f *filler) takeFloat(p *piece) error {
	at := int32(f.place.at) //nolint:gosec // G115: pieces are counted
	if at >= f.floated {
		f.floated = at + 1
		if err := f.room.Float(p.box, f.top, f.used()); err != nil {
			return err
		}
		f.edges(f.top, f.height)
	}
	f.pass(p)
	return nil
}

// used is how much of the line has content, blanks at its end aside.
func (f *filler) used() float64 {
	if f.before == nil {
		return 0
	}
	used := f.width
	for i := len(f.line.items) - 1; i >= 0 && (!f.line.items[i].piece.content() || f.line.items[i].piece.kind == blank); i-- {
		if f.line.items[i].piece.kind == blank {
			used -= f.line.items[i].width
		}
	}
	return used
}
