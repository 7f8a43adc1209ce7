package layout

// indefinite is a length that is not known.
const indefinite = -1

// space is what a box is given by what it stands in. Lengths are CSS pixels.
type space struct {
	// width and height are those of the content box of the containing block: what percentages are of, and what an automatic
	// width fills. The height is often indefinite.
	width, height float64

	// fixedWidth and fixedHeight are those of the border box when the parent has decided them, as flex boxes, grids and tables
	// do; indefinite leaves them to the style of the box.
	fixedWidth, fixedHeight float64
	// soft says that percentages of children do not resolve against fixedHeight.
	soft bool

	// shrink makes an automatic width that of the content, at most what is available: floats, positioned and atomic boxes.
	shrink bool

	// minHeight is the least height of the border box that the parent wants: of a table cell, for instance. 0 is none.
	minHeight float64
}
