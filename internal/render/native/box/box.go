// Package box makes the box tree of a page (CSS Display 3): what is laid out, in place of what was written. Elements that show
// nothing are gone, generated content and list markers are there, counters and quotation marks have become text, tables have all
// the parts that CSS 2.2 section 17.2.1 wants, and a block that stands inside of an inline box has been moved beside its halves.
//
// It knows no positions and no sizes: that is for package layout. A tree is never changed once it is made.
package box

import (
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/images"
)

// Kind is how a box is laid out.
type Kind uint8

// The kinds. Whether a box of one of the first kinds takes part in its parent as a block or as an atomic part of a line is told
// by [Box.Inline]; that it is a float or positioned, by its style.
const (
	// Block is a block container: its children are either all block-level or all inline-level (and then it is [Box.HasLines]).
	Block Kind = iota
	Flex
	Grid
	Table         // the wrapper: captions and one TableGrid; its style is that of the table without border, padding and background
	Replaced      // an image or an <svg>: Image is set; or a [Widget]
	TableCaption  // a block container
	TableGrid     // the rows and columns; its style is that of the table without position, float, margin, opacity and the like
	TableColumn   // Span columns, without children; columns stand before groups of rows
	TableRowGroup // Head, Foot or body; Head is the first of the groups and Foot the last
	TableRow
	TableCell // a block container
	Inline    // a box of lines, whose children are inline-level
	Text
	Break // <br>
	Wbr   // <wbr>
)

// Group tells row groups apart.
type Group uint8

// The groups. A second thead or tfoot is a body.
const (
	Body Group = iota
	Head
	Foot
)

// Box is one box. Which fields count depends on its kind.
type Box struct {
	Kind  Kind
	Style *property.Style // never nil; an anonymous box has the inherited values of its parent and the initial ones of the rest
	// Node is the element that made the box, also for what is generated in it; nil of an anonymous box.
	Node *dom.Node
	// Pseudo is "before", "after" or "marker" for generated boxes.
	Pseudo string
	// Anonymous says that no element and no pseudo-element made the box.
	Anonymous bool
	// Order is the place in the order of the document, from 0, without gaps: parents come before their children.
	Order int
	// Inline says that the box is atomic in a line: inline-block, inline-flex, inline-table, an image.
	Inline bool

	Parent   *Box
	Children []*Box

	// HasLines says that all children of a block container are inline-level, floats and positioned boxes among them; a
	// container without children has no lines.
	HasLines bool

	// Text is that of a Text, after text-transform and before blanks are collapsed.
	Text string
	Lang string // BCP 47, from the nearest lang attribute; "" is unknown

	// Image is that of a Replaced; nil of a Widget. An image that is not to be had becomes what browsers show: an Inline, or a
	// Block if it is one or has both its sizes, with the icon for it (a Widget) and its alternative text.
	Image *images.Image
	// Widget is what a Replaced without an image shows. Its style has its width and height.
	Widget Widget

	// Marker is the marker of a list item whose list-style-position is outside: a Text, or a Replaced. It is not among the
	// children. An inside marker is the first child. Both have the Pseudo "marker".
	Marker *Box
	// Symbol is "disc", "circle" or "square" of a marker that browsers draw as a shape: its Text must not be written, and it has
	// another width. With the ascent A of its font, rounded, and integer division, as Blink does it: the shape is a square of
	// (A*2/3+1)/2 px whose left edge is 1 px inside the marker and whose top is 3*(A-A*2/3)/2 px below the top of the font's
	// ascent; the marker is 2 px wider than the shape. Outside, it begins A*2/3+8 px before the content of the list item. Inside,
	// it begins 1 px before the line, and what follows it stands 1 em after it.
	Symbol string

	Group            Group
	ColSpan, RowSpan int // of a cell, at least 1; RowSpan 0 is to the end of its group
	Span             int // of a column, at least 1
	// ColumnGroup is the <colgroup> around a column: a TableColumn that is no child of anything and stands for all its columns
	// together. Columns of one group share it; nil is none. A <colgroup> without <col> is itself a column.
	ColumnGroup *Box

	// First and Last say of an Inline that it is the beginning or the end of what its element makes: a block inside cuts it.
	First, Last bool

	// Link is the address that an <a href> leads to, absolute or "#name", for the box of the element; "" is none. Anchor is the
	// name under which the element can be reached: its id, or the name of an <a>.
	Link, Anchor string
	// Heading is 1–6 of an h1–h6.
	Heading int

	holds bool // of an Inline: there is a block in it that has yet to be moved out
	blank bool // of a Text: nothing but blanks that collapse
}

// Widget is a small picture that is the browser's own.
type Widget uint8

// The widgets.
const (
	NoWidget Widget = iota
	Checkbox
	CheckedBox
	DisabledCheckbox
	DisabledCheckedBox
	BrokenImage // the icon for an image that is not to be had
)

// OutOfFlow reports whether the box is positioned absolutely or fixed.
func (b *Box) OutOfFlow() bool {
	return b.Kind != Text && (b.Style.Position == "absolute" || b.Style.Position == "fixed")
}

// Floats reports whether the box is a float. Items of flex containers and grids are none.
func (b *Box) Floats() bool {
	return b.Kind != Text && b.Style.Float != "none" && !b.OutOfFlow() && !b.item()
}

func (b *Box) item() bool { return b.Parent != nil && (b.Parent.Kind == Flex || b.Parent.Kind == Grid) }

// InlineLevel reports whether the box takes part in a line: as text, as an inline box or as an atomic one.
func (b *Box) InlineLevel() bool { return b.Inline || b.Kind >= Inline }
