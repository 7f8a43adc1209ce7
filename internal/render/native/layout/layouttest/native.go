package layouttest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/images"
	"github.com/platen-render/platen/internal/render/native/layout"
	"github.com/platen-render/platen/internal/render/native/text"
)

// library is shared by all tests: fonts are parsed once.
var library = sync.OnceValues(func() (*fonts.Library, error) { return fonts.New(context.Background(), "") })

// limit is how long a page of a test may take.
const limit = 2 * time.Minute

// Layout lays out a page; resources may be nil.
func Layout(tb testing.TB, page string, resources map[string]render.Resource) *fragment.Fragment {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), limit)
	defer cancel()
	root, err := Try(ctx, page, resources, layout.Limits{})
	if err != nil {
		tb.Fatalf("layout: %v", err)
	}
	return root
}

// Try is [Layout] for pages that may fail.
func Try(ctx context.Context, page string, resources map[string]render.Resource, limits layout.Limits) (*fragment.Fragment, error) {
	tree, setter, err := Boxes(ctx, page, resources)
	if err != nil {
		return nil, err
	}
	return layout.Layout(ctx, tree, setter, layout.Area{Width: Width, Height: Height}, limits)
}

// Boxes makes the boxes of a page and a setter for them.
func Boxes(ctx context.Context, page string, resources map[string]render.Resource) (*box.Tree, *text.Setter, error) {
	faces, err := library()
	if err != nil {
		return nil, nil, err
	}
	setter := text.New(faces.NewSet())
	doc, err := dom.Parse(ctx, page, dom.Limits{})
	if err != nil {
		return nil, nil, err
	}
	setter.Quirks, setter.StickyImages = doc.Quirks || doc.LimitedQuirks, doc.Quirks
	found := cascade.Library{Resources: resources}
	styles, err := cascade.Compute(ctx, doc, cascade.Options{Library: found, Width: Width, Height: Height, Metrics: func(s *property.Style) (ex, ch float64) {
		m := setter.Metrics(s)
		return m.XHeight, m.ZeroWidth
	}})
	if err != nil {
		return nil, nil, err
	}
	tree, err := box.Build(ctx, doc, styles, images.New(found, 0))
	return tree, setter, err
}

// Rects returns the border boxes of all elements with an id: what is around all of their parts.
func Rects(root *fragment.Fragment) map[string]Rect {
	rects := map[string]Rect{}
	collect(rects, root, root.X+root.ShiftX, root.Y+root.ShiftY)
	return rects
}

func collect(rects map[string]Rect, f *fragment.Fragment, x, y float64) {
	if f.Box.Kind != box.TableGrid { // the wrapper is what an element is
		add(rects, f.Box, Rect{x, y, f.Width, f.Height})
	}
	for _, c := range f.Children {
		collect(rects, c, x+c.X+c.ShiftX, y+c.Y+c.ShiftY)
	}
	for _, line := range f.Lines {
		for _, part := range line.Parts {
			switch {
			case part.Inline != nil:
				add(rects, part.Inline.Box, Rect{x + part.Inline.X, y + part.Inline.Y, part.Inline.Width, part.Inline.Height})
			case part.Atomic != nil:
				a := part.Atomic
				collect(rects, a, x+a.X+a.ShiftX, y+a.Y+a.ShiftY)
			}
		}
	}
	if f.Table != nil {
		for _, c := range f.Table.Columns {
			add(rects, c.Box, Rect{x + c.X, y + c.Y, c.Width, c.Height})
		}
	}
}

func add(rects map[string]Rect, b *box.Box, r Rect) {
	if b.Node == nil || b.Node.ID == "" || b.Pseudo != "" || b.Anonymous || b.Kind == box.Text {
		return
	}
	o, ok := rects[b.Node.ID]
	if !ok {
		rects[b.Node.ID] = r
		return
	}
	x, y := min(o.X, r.X), min(o.Y, r.Y)
	rects[b.Node.ID] = Rect{x, y, max(o.X+o.Width, r.X+r.Width) - x, max(o.Y+o.Height, r.Y+r.Height) - y}
}
