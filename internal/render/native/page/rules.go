package page

import (
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// appeal says how good a place is to break at (CSS Fragmentation 3, section 4.4): the best one that fits is taken, and the last of
// several that are equally good.
type appeal uint8

const (
	lastResort    appeal = iota // between the edge of a box and its first child, or through something that has no place
	violatesAvoid               // where break-before, break-after or break-inside says no
	violatesLines               // leaves fewer lines than orphans wants
	perfect
	forced // must be
)

// rank orders the values of break-before and break-after that may meet at one place: the greater one holds.
func rank(k property.Keyword) int {
	switch k {
	case "page", "left", "right", "recto", "verso", "always":
		return 2 // Chromium makes no blank page for one of the sides
	case "avoid", "avoid-page":
		return 1
	default:
		return 0
	}
}

// passes says that the values of the first and the last child count for the box as well (section 3.1).
func passes(b *box.Box) bool {
	switch b.Kind {
	case box.Block, box.TableCaption, box.Table, box.TableGrid, box.TableRowGroup:
		return true
	case box.Flex:
		return b.Style.FlexDirection == "column"
	default:
		return false
	}
}

// before is what a box says of the place before it.
func before(f *fragment.Fragment) int {
	r := rank(f.Box.Style.BreakBefore)
	for r < 2 && passes(f.Box) {
		if f = first(f); f == nil {
			break
		}
		r = max(r, rank(f.Box.Style.BreakBefore))
	}
	return r
}

// after is what a box says of the place after it.
func after(f *fragment.Fragment) int {
	r := rank(f.Box.Style.BreakAfter)
	for r < 2 && passes(f.Box) {
		if f = last(f); f == nil {
			break
		}
		r = max(r, rank(f.Box.Style.BreakAfter))
	}
	return r
}

// first returns the first child in the flow, or nil.
func first(f *fragment.Fragment) *fragment.Fragment {
	for _, c := range f.Children {
		if c.InFlow() {
			return c
		}
	}
	return nil
}

// last returns the last child in the flow, or nil.
func last(f *fragment.Fragment) *fragment.Fragment {
	for _, c := range slices.Backward(f.Children) {
		if c.InFlow() {
			return c
		}
	}
	return nil
}

// between says whether a break between two siblings is forced (2) or to be avoided (1).
func between(a, b []*fragment.Fragment) int {
	r := 0
	for _, f := range a {
		r = max(r, after(f))
	}
	for _, f := range b {
		r = max(r, before(f))
	}
	return r
}

// avoids says that a box is not to be cut. Browsers want that of thead and tfoot.
func avoids(b *box.Box) bool {
	return rank(b.Style.BreakInside) == 1 || heading(b)
}

func heading(b *box.Box) bool {
	return b.Group != box.Body && b.Node != nil && (b.Node.Tag == "thead" || b.Node.Tag == "tfoot")
}

// topMargin is the margin above a box, with those of its descendants that collapse with it.
func topMargin(f *fragment.Fragment) float64 {
	up, down := 0.0, 0.0
	for {
		up, down = max(up, f.Margin.Top), min(down, f.Margin.Top)
		if f.Border.Top+f.Padding.Top > 0 || establishes(f) || len(f.Lines) > 0 {
			return up + down
		}
		if f = first(f); f == nil {
			return up + down
		}
	}
}

// bottomMargin is the margin below a box, with those of its descendants that collapse with it.
func bottomMargin(f *fragment.Fragment) float64 {
	up, down := 0.0, 0.0
	for {
		up, down = max(up, f.Margin.Bottom), min(down, f.Margin.Bottom)
		if trailing(f) > 0 || establishes(f) || len(f.Lines) > 0 {
			return up + down
		}
		if f = last(f); f == nil {
			return up + down
		}
	}
}

// establishes says that a box keeps floats and margins inside (CSS Display 3: an independent formatting context).
func establishes(f *fragment.Fragment) bool {
	b := f.Box
	if b.Kind != box.Block {
		return true
	}
	p := b.Parent
	return clips(f) || b.Inline || b.Floats() || b.OutOfFlow() || b.Style.Display == "flow-root" ||
		p == nil || p.Kind == box.Flex || p.Kind == box.Grid
}
