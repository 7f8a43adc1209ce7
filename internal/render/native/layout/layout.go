// Package layout gives boxes their places and sizes (CSS 2.2 chapters 8 to 10, Flexbox 1, Grid 1, CSS Tables 3): it makes
// fragments of a tree of boxes, on a sheet that never ends. Cutting it into pages is for package page.
//
// A box is laid out in a space, which is all that it is told of what it stands in; the same box in the same space is laid out
// once. Margins that collapse are looked for ahead, so that the place of a block is known before its content is laid out, and
// with it which floats stand beside it.
package layout

import (
	"context"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/text"
)

// Faults of layout.
var (
	ErrTooManyFragments = fault.New(fault.Invalid, "layout_too_large", "Laying out the page takes more boxes than this server allows.")
	ErrTooDeep          = fault.New(fault.Invalid, "layout_too_deep", "The boxes of the page are nested too deep.")
)

// Area is the size of the area of the first page, in CSS pixels: the initial containing block.
type Area struct{ Width, Height float64 }

// Limits bound what layout may cost. A zero field means its default.
type Limits struct {
	MaxFragments int // made, those included that are made anew for another width; 20,000,000
	MaxDepth     int // of boxes in boxes, some kinds counting twice; 10,000
}

const (
	maxFragments = 20_000_000
	maxDepth     = 10_000
)

// Layout lays out a tree. The fragment is that of the root box; X and Y are its margins, and what is positioned in the initial
// containing block is among its children. It fails with one of the faults above or the cause of ctx. Equal arguments give equal
// results. The setter belongs to one goroutine, so layout does.
func Layout(ctx context.Context, tree *box.Tree, setter *text.Setter, area Area, limits Limits) (*fragment.Fragment, error) {
	l := newLayouter(ctx, setter, limits)
	l.area = Area{Width: bounded(area.Width), Height: bounded(area.Height)}
	l.root, l.quirks, l.states = tree.Root, tree.Quirks, make([]*state, tree.Count)
	return l.layoutRoot()
}

// Alone lays out a box that is no part of a page, a margin box for instance: the border box gets these sizes, where negative ones
// leave it to the box. It fails as [Layout] does.
func Alone(ctx context.Context, b *box.Box, setter *text.Setter, width, height float64) (*fragment.Fragment, error) {
	l := newLayouter(ctx, setter, Limits{})
	s := within(max(bounded(width), 0), indefinite)
	if width >= 0 {
		s.fixedWidth = bounded(width)
	}
	if height >= 0 {
		s.height, s.fixedHeight = bounded(height), bounded(height)
	}
	l.area = Area{Width: s.width, Height: max(s.height, 0)}
	l.root = b
	return l.layout(b, s)
}

// MinMax returns the least and the greatest width that the margin box of such a box wants.
func MinMax(ctx context.Context, b *box.Box, setter *text.Setter) (least, most float64, err error) {
	l := newLayouter(ctx, setter, Limits{})
	l.root = b
	least, most = l.minMax(b)
	return least, most, l.err()
}

// layouter lays out one tree.
type layouter struct {
	ctx    context.Context //nolint:containedctx // it lives as long as one call of Layout
	setter *text.Setter
	area   Area
	limits Limits
	root   *box.Box
	quirks bool // the page is in quirks mode

	states  []*state // by the order of boxes
	spare   []*container
	pending []pending // positioned boxes whose containing block is not finished
	count   int       // of fragments
	depth   int
	steps   int
	failed  error // the first failure: of where no error can be returned, as well
}

func newLayouter(ctx context.Context, setter *text.Setter, limits Limits) *layouter {
	if limits.MaxFragments <= 0 {
		limits.MaxFragments = maxFragments
	}
	if limits.MaxDepth <= 0 {
		limits.MaxDepth = maxDepth
	}
	return &layouter{ctx: ctx, setter: setter, limits: limits}
}

// err is the first failure, or that ctx is done. Every loop over boxes looks at it.
func (l *layouter) err() error {
	if l.failed != nil {
		return l.failed
	}
	if l.steps++; l.steps%256 == 0 && l.ctx.Err() != nil {
		l.failed = context.Cause(l.ctx)
	}
	return l.failed
}

// fail notes a failure where no error can be returned.
func (l *layouter) fail(err error) {
	if l.failed == nil {
		l.failed = err
	}
}

func (l *layouter) layoutRoot() (*fragment.Fragment, error) {
	s := l.filling(l.root, within(l.area.Width, l.area.Height))
	f, err := l.layout(l.root, s)
	if err != nil {
		return nil, err
	}
	e := l.edges(l.root, s)
	f.X, f.Margin = justify(&e, f.Width, l.area.Width, l.root.Style.Direction == "rtl", ""), e.margin
	f.Y = e.margin.Top
	if err := l.adoptRest(f); err != nil {
		return nil, err
	}
	return f, l.err()
}

// made counts a fragment.
func (l *layouter) made() {
	if l.count++; l.count > l.limits.MaxFragments {
		l.fail(ErrTooManyFragments)
	}
}

// newFragment makes the fragment of a box that has this width.
func (l *layouter) newFragment(b *box.Box, e edges, width float64) *fragment.Fragment {
	l.made()
	return &fragment.Fragment{Box: b, Width: max(bounded(width), 0), Margin: e.margin, Border: e.border, Padding: e.padding}
}
