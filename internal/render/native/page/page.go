// Package page cuts the sheet without end that layout makes into pages, as Chromium does (CSS Fragmentation 3, CSS Paged Media 3).
//
// A page costs what stands on it: what is left of a document is kept as marks, one for each box that is open, and nothing is
// copied but what the edge of a page cuts. Of all places where a page may end the best one is taken, and the last of those. What
// the rules leave open is done as Chromium does it; where it has been measured, the comments say so.
package page

import (
	"context"
	"math"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// ErrTooManyPages is the fault of a document with more pages than are allowed.
var ErrTooManyPages = fault.New(fault.Invalid, "too_many_pages", "The document has more pages than this server allows.")

// ErrTooManyParts is the fault of a document whose boxes are cut into too many parts: deeply nested ones that are thousands of pages
// high, for instance.
var ErrTooManyParts = fault.New(fault.Invalid, "too_many_parts", "The boxes of the document are cut into more parts than this server allows.")

// Area is a rectangle on a sheet, in CSS pixels from its top left corner.
type Area struct{ X, Y, Width, Height float64 }

// Page is one page. Positions of Fixed and Root are from the corner of the area, and both are to be clipped to it: what stands higher
// than a page is on all that it reaches. Those of Margins are from the corner of the sheet.
type Page struct {
	Number        int     // from 1
	Width, Height float64 // of the sheet, in CSS pixels
	// Border is the border box of the page itself, inside of its margins; Area is what is left for the content, inside of
	// border and padding.
	Border, Area Area
	// Scale is how many pixels of Root and Fixed make one of the sheet; 1 but for documents that are shrunk.
	Scale   float64
	Root    *fragment.Fragment
	Fixed   []*fragment.Fragment
	Margins []*fragment.Fragment
	Style   *property.Style // of the page itself
}

// Sheets returns what @page says of a page.
type Sheets func(first, left, blank bool) *cascade.Page

// Limits bound a document. A zero field means its default.
type Limits struct {
	MaxPages int // 10,000
}

// Bounds of a document. A part of a box takes some 1.5 kB with what is known of it; boxes that are not cut have none.
const (
	maxPages = 10_000
	maxParts = 300_000
)

// Options are what Paginate needs besides the sheet without end.
type Options struct {
	Sheets Sheets
	// Relayout lays the document out for a page area of another size; nil is for documents whose pages have the same width.
	Relayout func(width, height float64) (*fragment.Fragment, error)
	// Shrink is how many pixels of the layout make one of the sheet, for content that is too wide for it; 0 is 1. Root was laid out, and
	// Relayout is asked, for areas that are that many times larger. See [Shrink].
	Shrink float64
	// Margins is what margin boxes are made with.
	Margins Margins
	Limits  Limits
}

// Paginate cuts a document into pages: at least one. Root was laid out for the area of the first page and is not changed; pages share
// what they do not cut. It fails with [ErrTooManyPages], [ErrTooManyParts], the cause of ctx, or what Relayout and Margins fail with. Equal arguments give
// equal results.
//
// Chromium makes no blank pages for break-before: left and its like, so there are none.
func Paginate(ctx context.Context, root *fragment.Fragment, o Options) ([]*Page, error) {
	if o.Limits.MaxPages <= 0 {
		o.Limits.MaxPages = maxPages
	}
	if o.Shrink <= 0 {
		o.Shrink = 1
	}
	p := &pagination{ctx: ctx, o: o, root: root, first: root, sheets: map[float64]*fragment.Fragment{}, clipped: map[*fragment.Fragment]*box.Box{}}
	p.c = &cutter{
		facts:  facts{ctx: ctx, reach: map[*fragment.Fragment]float64{}, forced: map[*fragment.Fragment]bool{}},
		sorted: map[*fragment.Fragment]bands{}, rules: map[*fragment.Fragment]*rules{},
	}
	p.width = First(o.Sheets).Width * o.Shrink
	p.sheets[p.width] = root
	p.c.gather(root)
	if err := p.pages(); err != nil {
		return nil, err
	}
	if err := p.margins(); err != nil {
		return nil, err
	}
	return p.list, nil
}

// pagination is one call of Paginate.
type pagination struct {
	ctx  context.Context //nolint:containedctx // it lives as long as one call of Paginate
	o    Options
	root *fragment.Fragment // in the current layout
	// first is that of the first page: what is fixed stays where it is there, as in Chromium.
	first *fragment.Fragment
	c     *cutter
	list  []*Page
	// width is the one that the current layout was made for; sheets are the layouts by width.
	width  float64
	sheets map[float64]*fragment.Fragment
	// clipped are the boxes of paragraphs that have been broken anew, without what had been shown.
	clipped map[*fragment.Fragment]*box.Box
}

// pages cuts until nothing is left.
func (p *pagination) pages() error {
	m := start(p.root)
	for m != nil {
		if err := p.ctx.Err(); err != nil {
			return context.Cause(p.ctx)
		}
		if len(p.list) >= p.o.Limits.MaxPages {
			return ErrTooManyPages
		}
		if p.c.parts > maxParts {
			return ErrTooManyParts
		}
		page := p.page(len(p.list) + 1)
		var err error
		if m, err = p.resize(m, page); err != nil {
			return err
		}
		y := 0.0
		if !m.begun {
			y = p.root.Y
		}
		p.c.height = page.Area.Height * page.Scale
		s := space{limit: p.c.height - y, top: true}
		var to *mark
		if p.c.crosses(m, s.limit, 0) {
			to, _ = p.c.choose(m, s)
		}
		page.Root, m = p.c.build(m, to, s)
		page.Root.Y = y
		page.Fixed = fixed(p.first, len(p.list), p.c.height)
		p.list = append(p.list, page)
	}
	if err := p.ctx.Err(); err != nil {
		return context.Cause(p.ctx)
	}
	return nil
}

// page measures a page by its number. As in Chromium its border box begins at a whole pixel and is a whole number of pixels wide and
// high, a part of one counting as a whole.
func (p *pagination) page(n int) *Page {
	s := p.o.Sheets(n == 1, n%2 == 0, false)
	border := Area{
		math.Round(s.Margins.Left), math.Round(s.Margins.Top),
		whole(s.Width - s.Margins.Left - s.Margins.Right), whole(s.Height - s.Margins.Top - s.Margins.Bottom),
	}
	b, pad := s.Style.BorderWidth, s.Style.Padding
	left, top := b.Left+pad.Left.Resolve(border.Width), b.Top+pad.Top.Resolve(border.Width)
	right, bottom := b.Right+pad.Right.Resolve(border.Width), b.Bottom+pad.Bottom.Resolve(border.Width)
	return &Page{
		Number: n, Width: s.Width, Height: s.Height, Style: s.Style, Border: border, Scale: p.o.Shrink,
		Area: Area{border.X + left, border.Y + top, atLeast(border.Width - left - right), atLeast(border.Height - top - bottom)},
	}
}

func whole(px float64) float64 { return atLeast(math.Ceil(px - epsilon)) }

// atLeast keeps an area from vanishing: each page has to take something.
func atLeast(px float64) float64 {
	if math.IsNaN(px) {
		return 1
	}
	return max(px, 1)
}

// First is the area of the first page: what the document is to be laid out for.
func First(sheets Sheets) Area {
	p := &pagination{o: Options{Sheets: sheets, Shrink: 1}}
	return p.page(1).Area
}
