package layout

import (
	"math"
	"slices"
	"sort"

	"github.com/platen-render/platen/internal/render/native/css/property"
)

// shelf is the floats of one formatting context, as stairs: from the top of each step on, until the next one, floats at the left
// reach to one position and floats at the right to another. Positions are from the border box of the root of the context.
type shelf struct {
	steps []step // by top; the first is above everything, the last has no end
	last  float64
	// leftEnd and rightEnd are how far down floats of either side reach; less than everything when there are none.
	leftEnd, rightEnd float64
}

type step struct{ top, left, right float64 }

// clean takes everything off.
func (f *shelf) clean() *shelf {
	none := math.Inf(-1)
	*f = shelf{steps: append(f.steps[:0], step{none, none, math.Inf(1)}), last: none, leftEnd: none, rightEnd: none}
	return f
}

// at returns the index of the step at a position.
func (f *shelf) at(y float64) int {
	return max(sort.Search(len(f.steps), func(i int) bool { return f.steps[i].top > y })-1, 0)
}

// edges returns how far floats reach in from both sides between two positions.
func (f *shelf) edges(top, height float64) (left, right float64) {
	i := f.at(top)
	left, right = f.steps[i].left, f.steps[i].right
	for i++; i < len(f.steps) && f.steps[i].top < top+height; i++ {
		left, right = max(left, f.steps[i].left), min(right, f.steps[i].right)
	}
	return left, right
}

// below returns the next position where the edges change.
func (f *shelf) below(y float64) (next float64, ok bool) {
	i := f.at(y) + 1
	if i >= len(f.steps) {
		return y, false
	}
	return f.steps[i].top, true
}

// clear returns how far down the floats reach that a value of clear is about.
func (f *shelf) clear(side property.Keyword) float64 {
	switch side {
	case "left":
		return f.leftEnd
	case "right":
		return f.rightEnd
	case "both":
		return max(f.leftEnd, f.rightEnd)
	}
	return math.Inf(-1)
}

// bottom is how far down all floats reach.
func (f *shelf) bottom() float64 { return max(f.leftEnd, f.rightEnd) }

// slack is what may be lost in sums: less than a browser can tell apart.
const slack = 1.0 / 128

// place finds the highest place for a float of this size that is not above top, nor above an earlier float (CSS 2.2, section 9.5.1),
// between two sides, and puts it there.
func (f *shelf) place(left bool, width, height, top, from, to float64) (x, y float64) {
	y = max(top, f.last)
	for {
		edgeLeft, edgeRight := f.edges(y, 0)
		low, high := max(edgeLeft, from), min(edgeRight, to)
		free := edgeLeft <= from && edgeRight >= to
		if free || width <= max(high-low, 0)+slack {
			x = low
			if !left {
				x = high - width
			}
			break
		}
		next, ok := f.below(y)
		if !ok {
			x = low
			break
		}
		y = next
	}
	f.last = y
	f.add(left, x, x+width, y, y+height)
	return x, y
}

// add takes the room of a float.
func (f *shelf) add(left bool, from, to, top, bottom float64) {
	if left {
		f.leftEnd = max(f.leftEnd, bottom)
	} else {
		f.rightEnd = max(f.rightEnd, bottom)
	}
	if bottom <= top || to <= from {
		return
	}
	first, end := f.split(top), f.split(bottom)
	for i := first; i < end; i++ {
		if left {
			f.steps[i].left = max(f.steps[i].left, to)
		} else {
			f.steps[i].right = min(f.steps[i].right, from)
		}
	}
}

// split makes a step begin at a position and returns its index.
func (f *shelf) split(y float64) int {
	i := f.at(y)
	if f.steps[i].top == y {
		return i
	}
	f.steps = slices.Insert(f.steps, i+1, step{y, f.steps[i].left, f.steps[i].right})
	return i + 1
}
