// Package fragment says what layout makes of boxes: rectangles with lines in them, on a sheet without end. Package page cuts them
// into pages and package paint draws them.
//
// Lengths are CSS pixels (1/96 inch); y grows downwards. X and Y of a fragment are where its border box begins, from the border
// box of the fragment that holds it. What stands in lines is placed from the border box of the fragment that has the lines.
package fragment

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// Edges are widths of the four sides.
type Edges struct{ Top, Right, Bottom, Left float64 }

// Across is the sum of left and right.
func (e Edges) Across() float64 { return e.Left + e.Right }

// Along is the sum of top and bottom.
func (e Edges) Along() float64 { return e.Top + e.Bottom }

// Fragment is a box that has been laid out, or the part of one that stands on one page.
type Fragment struct {
	Box                     *box.Box
	X, Y, Width, Height     float64 // of the border box
	Margin, Border, Padding Edges   // as used; margins before they collapse

	// ShiftX and ShiftY are what position: relative adds, for painting and for what is positioned inside, not for the flow.
	ShiftX, ShiftY float64

	// Baseline is that of the first line, LastBaseline that of the last, from the top of the border box; HasBaseline says that
	// there are any.
	Baseline, LastBaseline float64
	HasBaseline            bool

	// Children are all fragments in it but for those in lines: in flow, floats, and positioned ones whose containing block it
	// is. In flow means: neither float nor out of flow. They stand in the order of the document, positioned ones last.
	Children []*Fragment
	Lines    []*Line
	// Marker is the marker of a list item outside of it: one line.
	Marker *Line

	// Overflow is how far the content reaches down, from the top of the border box: it may be more than Height.
	Overflow float64

	// Table is set of a TableGrid.
	Table *Table

	// CutTop and CutBottom say that another part of the box is on the page before or after: there is no border, padding and
	// margin on that side. Before is the height of the parts before this one, all together, without what they are cut by: a
	// background image begins that far above.
	CutTop, CutBottom bool
	Before            float64
	// Lead is subtracted from Y of all children and lines: what of them stood on pages before.
	Lead float64

	// Hidden says of a table cell that it is empty and that neither its background nor its borders are painted (empty-cells: hide).
	Hidden bool

	// Repeated says that this is a table head or foot shown again: links lead and outlines point to the first one.
	Repeated bool
}

// InFlow reports whether the fragment takes room in its parent.
func (f *Fragment) InFlow() bool { return !f.Box.Floats() && !f.Box.OutOfFlow() }

// ContentX and ContentY are where the content box begins, from the border box.
func (f *Fragment) ContentX() float64 { return f.Border.Left + f.Padding.Left }

// ContentY is described at [Fragment.ContentX].
func (f *Fragment) ContentY() float64 { return f.Border.Top + f.Padding.Top }

// ContentWidth is the width of the content box.
func (f *Fragment) ContentWidth() float64 {
	return f.Width - f.Border.Across() - f.Padding.Across()
}

// ContentHeight is the height of the content box.
func (f *Fragment) ContentHeight() float64 {
	return f.Height - f.Border.Along() - f.Padding.Along()
}

// Table is what only tables have.
type Table struct {
	// Collapsed are the borders between cells when they collapse, in the order in which they are painted. Positions are from the
	// border box of the table.
	Collapsed []Rule
	// Columns are the fragments of columns and column groups, which have nothing but a background.
	Columns []*Fragment
	// Rows tells where groups and rows are in Children: a child is a row group, its children are rows, theirs are cells. A cell
	// that spans rows is in its first row and taller than that.
}

// Rule is a piece of a collapsed border: a line from (X1, Y1) to (X2, Y2), which is its middle.
type Rule struct {
	X1, Y1, X2, Y2 float64
	Width          float64
	Style          string // solid, dashed, …
	Color          [4]float64
}

// Line is a line box with what stands in it. All positions are from the border box of the fragment that has the line.
type Line struct {
	Left, Top, Width, Height float64
	Baseline                 float64
	// Parts stand in the order in which they are painted: an inline box before what is in it.
	Parts []Part
	// Forced says that the line ends with a break that the text wants, or is the last.
	Forced bool
}

// Part is something in a line: exactly one of these.
type Part struct {
	Text   *Text
	Inline *Inline
	Atomic *Fragment // an atomic box: X and Y of its border box from that of the fragment that has the line
}

// Text is a stretch of one font and style, shaped.
type Text struct {
	Box             *box.Box // the Text
	X, Y            float64  // the start of the base line, at the left
	Width           float64
	Size            float64
	Choice          fonts.Choice
	Glyphs          []pdf.Glyph // positions are from X, in CSS pixels: shared between fragments, never changed
	Ascent, Descent float64     // of the font, rounded as for line heights, both positive
}

// Inline is the part of an inline box that stands in one line.
type Inline struct {
	Box                 *box.Box
	X, Y, Width, Height float64 // of the border box
	Start, End          bool    // whether it has its left and its right edge here: border, padding, radius
}
