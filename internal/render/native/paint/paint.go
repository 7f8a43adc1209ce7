// Package paint draws the pages of a document on paper: backgrounds, borders, text and pictures, in the order of CSS 2.2, appendix E,
// with links, places to link to, and the outline. It decides where nothing stands: that is what package page hands over.
//
// Lengths are CSS pixels; the canvas is told once for each sheet that a pixel is three quarters of a point. Edges of boxes are on whole
// pixels, as in the browser.
package paint

import (
	"context"
	"math"
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/images"
	"github.com/platen-render/platen/internal/render/native/page"
	"github.com/platen-render/platen/internal/render/native/pdf"
	"github.com/platen-render/platen/internal/render/native/svg"
)

// Options are what is needed beside the pages.
type Options struct {
	// Background says that backgrounds are printed; where print-color-adjust is exact they are anyway.
	Background bool
	// Outline says that headings make the outline of the document.
	Outline bool
	// Document is the page, and Styles says what style an element of it has: for the <svg> in it. Both may be nil without one.
	Document *dom.Document
	Styles   func(*dom.Node) *property.Style
	// Pictures finds the images of backgrounds; nil has none.
	Pictures *images.Loader
	// Broken is told the name of an image that turned out to be damaged and was left out, once each; it may be nil.
	Broken func(name string)
	// Notes takes what is noticed; it may be nil.
	Notes *Notes
	// Progress is told after each page how many are done; it may be nil.
	Progress func(done int)
}

// points is how many points a pixel has.
const points = 0.75

// Paint draws the pages at the end of a document, which the caller closes. It fails with a fault of the document, with
// svg.ErrTooComplex, with a fault of the styles of an SVG file, or with the cause of ctx. Equal arguments give equal calls of the
// document.
func Paint(ctx context.Context, doc *pdf.Document, pages []*page.Page, tree *box.Tree, options Options) error {
	p := newPainter(ctx, doc, tree, options)
	for i, sheet := range pages {
		p.sheet(sheet)
		if p.err != nil {
			return p.err
		}
		if options.Progress != nil {
			options.Progress(i + 1)
		}
	}
	p.notes.done()
	if options.Broken != nil {
		slices.Sort(p.broken)
		for _, name := range slices.Compact(p.broken) {
			options.Broken(name)
		}
	}
	return doc.Err()
}

// painter is what is known across pages. Its error ends all loops.
type painter struct {
	ctx     context.Context // it lives for one call and is looked at in every loop
	doc     *pdf.Document
	tree    *box.Tree
	options Options
	page    *pdf.Page

	sorter      *builder
	sources     map[*dom.Document]*svg.Source
	stored      map[*images.Image]*pdf.Image
	decorations map[*box.Box][]decoration
	links       map[*box.Box]*box.Box
	placed      map[*box.Box]bool
	broken      []string
	inks        inks
	notes       *noticing

	count int
	err   error
}

func newPainter(ctx context.Context, doc *pdf.Document, tree *box.Tree, options Options) *painter {
	if options.Notes == nil {
		options.Notes = &Notes{}
	}
	return &painter{
		notes: newNoticing(options.Notes),
		ctx:   ctx, doc: doc, tree: tree, options: options,
		sorter: &builder{owners: map[*box.Box]*box.Box{}}, sources: map[*dom.Document]*svg.Source{},
		stored: map[*images.Image]*pdf.Image{}, decorations: map[*box.Box][]decoration{},
		links: map[*box.Box]*box.Box{}, placed: map[*box.Box]bool{},
		inks: inks{map[*fonts.Font]*fonts.Outlines{}, map[inkKey]span{}},
	}
}

// stopped reports whether there is no use in going on; it looks at the context now and then.
func (p *painter) stopped() bool {
	if p.count++; p.err == nil && p.count%512 == 0 {
		if p.ctx.Err() != nil {
			p.err = context.Cause(p.ctx)
		} else {
			p.err = p.doc.Err()
		}
	}
	return p.err != nil
}

func (p *painter) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// sheet draws one page: the sheet itself, its margin boxes, and what stands in its area, which is cut off at the edges of the area.
func (p *painter) sheet(s *page.Page) {
	p.page = p.doc.Page(s.Width*points, s.Height*points)
	defer p.page.Finish()
	p.page.Transform(pdf.Matrix{A: points, D: points})
	whole := rect{0, 0, float64(s.Width * points), float64(s.Height * points)}
	b := &brush{painter: p, c: p.page.Canvas, matrix: pdf.Matrix{A: points, D: points}, around: whole}
	p.notes.begin(s.Number, whole, p.doc)
	b.own(s)
	for _, m := range s.Margins {
		b.all(m, m.X, m.Y, nil)
	}
	p.area(b, s)
}

// area draws what stands in the area of a page. The area begins at a whole pixel, in the browser as well (measured): so does all that is in
// it. A document that is too wide is shrunk there.
func (p *painter) area(b *brush, s *page.Page) {
	scale := s.Scale
	if scale <= 0 {
		scale = 1
	}
	m := pdf.Matrix{A: 1 / scale, D: 1 / scale, E: snap(s.Area.X), F: snap(s.Area.Y)}
	b.c.Save()
	defer b.c.Restore()
	b.c.Transform(m)
	inner := &brush{painter: p, c: b.c, matrix: fragment.Times(b.matrix, m), around: unbounded}
	width, height := s.Area.Width*scale, s.Area.Height*scale
	within := (*clip)(nil).within(shape{rect: rect{0, 0, math.Ceil(width), math.Ceil(height)}})
	if s.Root != nil {
		p.places(s.Root, s.Root.X, s.Root.Y, inner.matrix)
		inner.canvasOf(s.Root, rect{0, 0, width, height}.snapped())
	}
	p.notes.begin(s.Number, mapped(inner.matrix, rect{0, 0, width, height}), p.doc)
	if s.Root != nil {
		inner.all(s.Root, s.Root.X+s.Root.ShiftX, s.Root.Y+s.Root.ShiftY, within)
	}
	for _, f := range s.Fixed {
		inner.all(f, f.X+f.ShiftX, f.Y+f.ShiftY, within)
	}
	inner.use(nil)
	p.notes.end(p.doc)
}

// own paints what @page wants: a background on the whole sheet, and a border within the margins.
func (b *brush) own(s *page.Page) {
	if s.Style == nil {
		return
	}
	sheet := rect{0, 0, s.Width, s.Height}
	b.background(panel{style: s.Style, border: shape{rect: sheet}, whole: sheet})
	border := rect{s.Border.X, s.Border.Y, s.Border.X + s.Border.Width, s.Border.Y + s.Border.Height}.snapped()
	w := s.Style.BorderWidth
	b.border(panel{
		style: s.Style, border: rounded(border, s.Style, sides{}),
		widths: fragment.Edges{Top: w.Top, Right: w.Right, Bottom: w.Bottom, Left: w.Left},
	})
}

// all paints a fragment and all that is in it.
func (b *brush) all(f *fragment.Fragment, x, y float64, within *clip) {
	l := b.sorter.page(f, x, y, within)
	b.show(l)
	b.sorter.done(l)
	b.use(nil)
}

// canvasOf paints the background of the canvas: all of the area of the page, but no margin (measured in Chromium). Its images are placed
// in the box of the root element (CSS Backgrounds 3, section 2.11.2).
func (b *brush) canvasOf(root *fragment.Fragment, area rect) {
	if b.tree == nil || b.tree.Canvas == nil {
		return
	}
	whole := panelOf(root, root.X, root.Y).whole
	b.background(panel{style: b.tree.Canvas, border: shape{rect: area}, whole: whole})
}
