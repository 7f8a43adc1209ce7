package page

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// epsilon is how far something may stick out and still fit: Chromium counts in steps of this size.
const epsilon = 1.0 / 64

// A mark says how far a fragment has been shown: where its next part begins. Positions inside a fragment are those of the sheet
// without end, from the border box of the fragment, whatever pages have cut off; those on a page are the same less lead.
//
// What is left of a box is a mark and not a fragment, so that a page costs what stands on it and the depth of the tree, but
// nothing for what is left.
type mark struct {
	f *fragment.Fragment
	// begun says that a part of the box is on a page before.
	begun bool
	// lead is the position that stands where the border box of the next part begins.
	lead float64
	// next is the first band, or line, that has not begun; loose the first float beside lines that has not.
	next, loose int
	// open are children that have begun, or should have, and go on.
	open []*mark
	// places are the first of the marks in open, by their fragments: a page may have many thousands of floats. The first indexed of
	// them are there; nil is none yet.
	places  map[*fragment.Fragment]*mark
	indexed int
	// at is where the part begins in the next part of its parent, from the top.
	at float64
	// taken is the height of all parts before; rest that of what is left: 0 when only what sticks out is left.
	taken, rest float64
}

// start is the mark of a fragment of which nothing has been shown.
func start(f *fragment.Fragment) *mark { return &mark{f: f, rest: f.Height} }

// moved is the same mark at another place.
func (m *mark) moved(at float64) *mark {
	again := *m
	again.at, again.places = at, nil
	return &again
}

// ended says that the box itself has been shown.
func (m *mark) ended() bool { return m.begun && m.rest <= epsilon }

// indexFrom is how many open marks are worth an index.
const indexFrom = 10

// find returns the mark of a child that goes on, or nil.
func (m *mark) find(f *fragment.Fragment) *mark {
	if m == nil {
		return nil
	}
	if len(m.open) < indexFrom {
		for _, o := range m.open {
			if o.f == f {
				return o
			}
		}
		return nil
	}
	if m.places == nil {
		m.places, m.indexed = make(map[*fragment.Fragment]*mark, len(m.open)), 0
	}
	for ; m.indexed < len(m.open); m.indexed++ {
		if o := m.open[m.indexed]; m.places[o.f] == nil {
			m.places[o.f] = o
		}
	}
	return m.places[f]
}

// monolithic says that a box has no place where it may be cut (CSS Fragmentation 3, section 4.1). Boxes that would scroll do not on
// paper, and are cut. What is atomic in a line is cut with its line or not at all.
func monolithic(f *fragment.Fragment) bool {
	return f.Box.Kind == box.Replaced && len(f.Children) == 0 && len(f.Lines) == 0
}

// clips says that what sticks out of the box is not seen.
func clips(f *fragment.Fragment) bool { return f.Box.Style.OverflowY != "visible" }

// definite says that the height of the box is a length, and not that of its content. Those of the parts of a table are least
// ones.
func definite(f *fragment.Fragment) bool {
	switch f.Box.Kind {
	case box.Table, box.TableGrid, box.TableRowGroup, box.TableRow, box.TableCell:
		return false
	default:
		h := f.Box.Style.Height
		return h.Keyword == "" && !h.Length.HasPercent()
	}
}

// parallel says that the children of the box stand beside each other.
func parallel(f *fragment.Fragment) bool {
	return f.Box.Kind == box.Flex || f.Box.Kind == box.Grid || f.Box.Kind == box.TableRow
}

// trailing is what ends a box: border and padding.
func trailing(f *fragment.Fragment) float64 { return f.Border.Bottom + f.Padding.Bottom }

// static says that a positioned box stands where it would stand in the flow.
func static(f *fragment.Fragment) bool {
	inset := &f.Box.Style.Inset
	return inset.Top.Is("auto") && inset.Bottom.Is("auto")
}

// fromBottom says that a positioned box is placed from the bottom of its containing block.
func fromBottom(f *fragment.Fragment) bool {
	inset := &f.Box.Style.Inset
	return inset.Top.Is("auto") && !inset.Bottom.Is("auto")
}
