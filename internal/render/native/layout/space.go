package layout

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/fragment"
)

// indefinite is a length that is not known.
const indefinite = -1

// farthest is what lengths are kept below, as in browsers: 2^25 pixels.
const farthest = 1 << 25

// space is what a box is given by what it stands in. Lengths are CSS pixels. It is comparable: a box that is laid out again in the
// same space is not laid out again. Make one with [within] and set what differs.
type space struct {
	// width and height are those of the content box of the containing block: what percentages are of, and what an automatic
	// width fills. The height is often indefinite.
	width, height float64
	// passed says that height is that of a box further out, for heights of percent alone.
	passed bool

	// beside is what others, floats for instance, take of the width: an automatic width fills the rest.
	beside float64

	// fixedWidth and fixedHeight are those of the border box when the parent has decided them, as flex boxes, grids and tables
	// do; indefinite leaves them to the style of the box.
	fixedWidth, fixedHeight float64
	// soft says that percentages of children do not resolve against fixedHeight.
	soft bool
	// natural says that the height of the style, and its limits, do not count: who asks wants that of the content.
	natural bool

	// shrink makes an automatic width that of the content, at most what is available: floats, positioned and atomic boxes.
	shrink bool

	// minHeight is the least height of the border box that the parent wants: of a table cell, for instance. 0 is none.
	minHeight float64

	// collapsed says that border counts instead of the borders of the style: of tables and cells whose borders collapse.
	collapsed bool
	border    fragment.Edges

	// lower moves the content of a block container down, which takes as much more room: table cells on one baseline. A cell with
	// vertical-align: middle or bottom that is higher than its content moves it by itself.
	lower float64
}

// within is the space in a content box of this size, for a box that decides its own size.
func within(width, height float64) space {
	return space{width: width, height: height, fixedWidth: indefinite, fixedHeight: indefinite}
}

// room is the width that a margin box may take.
func (s space) room() float64 { return max(s.width-s.beside, 0) }

// units is how many units of Blink a pixel has. Lengths are whole units here as there: in a long table what is less than that adds up
// to pixels. Sums of them are exact, whatever the machine.
const units = 64

// bounded keeps a length finite and makes it whole units, less rather than more.
func bounded(length float64) float64 {
	if math.IsNaN(length) {
		return 0
	}
	return math.Trunc(min(max(length, -farthest), farthest)*units) / units
}

// enough is at least the length, for text that is to fit.
func enough(length float64) float64 {
	if math.IsNaN(length) {
		return 0
	}
	return math.Ceil(min(max(length, -farthest), farthest)*units) / units
}
