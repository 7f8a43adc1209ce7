package box

import (
	"context"
	"maps"
	"slices"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/images"
)

// ErrTooManyBoxes is the fault of a page that comes to more than four million boxes, or whose inline boxes are cut into more than
// a million parts.
var ErrTooManyBoxes = fault.New(fault.Invalid, "page_too_many_boxes", "The page has more boxes than this server allows.")

// ErrTooMuchText is the fault of a page that generates more than 4 MiB of text: a long string before each of many elements.
var ErrTooMuchText = fault.New(fault.Invalid, "page_too_much_text", "The page generates more text than this server allows.")

// Bounds of a tree. Blocks inside of deeply nested inline boxes cut these into many parts out of few elements.
const (
	maxBoxes = 4_000_000
	maxParts = 1_000_000
	maxText  = 4 << 20
)

// Tree is what a page consists of.
type Tree struct {
	Root  *Box // that of <html>, a block container, a Flex, a Grid or a Table
	Count int  // of all boxes: one more than the greatest Order
	// Quirks says that the page is in quirks mode.
	Quirks bool
	// NoLinks says that no box has a Link.
	NoLinks bool
	// Canvas is the style whose background is the canvas's: that of <html> or, if that has none, of <body>; nil if neither has
	// one. CanvasBox is the box of that element, which must then not paint its background.
	Canvas    *property.Style
	CanvasBox *Box
	// Unavailable are the images that are not to be had, by address, sorted, each once.
	Unavailable []string
}

// Build makes the boxes of a page. It fails with [ErrTooManyBoxes], [ErrTooMuchText] or the cause of ctx. Equal arguments give equal trees.
// Pictures is used by this call alone as long as it runs.
func Build(ctx context.Context, doc *dom.Document, styles *cascade.Result, pictures *images.Loader) (*Tree, error) {
	b := newBuilder(pictures.Until(ctx))
	b.expected = doc.Nodes + doc.Nodes/8
	b.ctx, b.styles, b.quirks, b.base = ctx, styles, doc.Quirks, styles.Base
	var top []*Box
	b.element(doc.Root, place{}, &top)
	tree := &Tree{Root: b.root(doc, top), Quirks: doc.Quirks, NoLinks: !b.linked}
	b.number(tree)
	b.canvas(tree, doc)
	if b.err != nil {
		return nil, b.err
	}
	tree.Unavailable = slices.Sorted(maps.Keys(b.missing))
	return tree, nil
}

// builder makes one tree. Its error ends all loops.
type builder struct {
	ctx      context.Context // it lives for one call and is looked at in every loop; nil of a margin box
	styles   *cascade.Result
	pictures *images.Loader
	quirks   bool
	linked   bool   // there is a Link
	base     string // of addresses

	err       error
	count     int
	parts     int
	generated int   // bytes of text that are
	expected  int   // how many boxes there will be about
	slab      []Box // they are allocated many at a time

	derived  derived
	counters counters
	quotes   int // how many are open
	casing   casing
	missing  map[string]bool
}

func newBuilder(pictures *images.Loader) *builder {
	return &builder{pictures: pictures, missing: map[string]bool{}, derived: newDerived(), counters: newCounters(), casing: newCasing()}
}

// root is the box of <html>; an empty one when it shows nothing, or is no box.
func (b *builder) root(doc *dom.Document, top []*Box) *Box {
	if len(top) == 1 && top[0].Node == doc.Root && top[0].Kind < Replaced {
		return top[0]
	}
	root := b.box(Block, b.derived.root(b.styles.Of(doc.Root).Style))
	root.Node = doc.Root
	b.fill(root, top)
	return root
}

// box allocates one. It never returns nil: once there are too many, what comes out is thrown away.
func (b *builder) box(kind Kind, style *property.Style) *Box {
	if len(b.slab) == 0 {
		b.slab = make([]Box, min(max(8, b.expected-b.count, b.count/4), 1024))
	}
	x := &b.slab[0]
	b.slab = b.slab[1:]
	x.Kind, x.Style = kind, style
	if b.count++; b.count > maxBoxes && b.err == nil {
		b.err = ErrTooManyBoxes
	}
	return x
}

// anonymous makes a box that no element made, below one that some did.
func (b *builder) anonymous(kind Kind, display property.Keyword, in *Box) *Box {
	x := b.box(kind, b.derived.anonymous(in.Style, display))
	x.Anonymous, x.Lang = true, in.Lang
	return x
}

// done reports whether the work must end: because of an error, or of the context.
func (b *builder) done() bool {
	if b.err == nil && b.ctx != nil && b.ctx.Err() != nil {
		b.err = context.Cause(b.ctx)
	}
	return b.err != nil
}

// canvas finds whose background is that of the canvas (CSS Backgrounds 3, section 2.11.1).
func (b *builder) canvas(tree *Tree, doc *dom.Document) {
	if hasBackground(tree.Root.Style) {
		tree.Canvas, tree.CanvasBox = tree.Root.Style, tree.Root
		return
	}
	for _, c := range tree.Root.Children {
		if c.Node != nil && c.Node == doc.Body() && hasBackground(c.Style) {
			tree.Canvas, tree.CanvasBox = c.Style, c
		}
	}
}

func hasBackground(s *property.Style) bool {
	return s.BackgroundColor.A > 0 || slices.ContainsFunc(s.BackgroundImage, func(i imageValue) bool { return !i.IsNone() })
}

// number gives the boxes their order and their parents, in one walk.
func (b *builder) number(tree *Tree) {
	tree.Count = 0
	b.numberBox(tree, tree.Root, nil)
}

func (b *builder) numberBox(tree *Tree, x, parent *Box) {
	x.Parent, x.Order = parent, tree.Count
	if tree.Count++; tree.Count&1023 == 0 && b.done() {
		return
	}
	if x.Marker != nil {
		b.numberBox(tree, x.Marker, x)
	}
	var group *Box
	for _, c := range x.Children {
		if c.ColumnGroup != nil && c.ColumnGroup != group {
			group = c.ColumnGroup
			b.numberBox(tree, group, x)
		}
		b.numberBox(tree, c, x)
	}
}
