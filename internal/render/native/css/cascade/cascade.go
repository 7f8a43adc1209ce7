// Package cascade makes styles: it gathers the style sheets of a page, decides which rules hold for paper, and
// computes for every element what they amount to (CSS Cascade 5). What of a page the native engine cannot draw
// as a browser would is listed with its place; nothing that is right is dropped in silence.
//
// Elements that match the same rules below the same parent share one style: a table of 50,000 rows has a
// handful.
package cascade

import (
	"context"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// Faults of the cascade. Those of syntax are faults of it as well.
var (
	ErrExpansion     = fault.New(fault.Invalid, "css_expansion_too_large", "The custom properties of the page expand to more than this server allows.")
	ErrTooManyStyles = fault.New(fault.Invalid, "css_too_many_styles", "The page has more different styles than this server allows.")
	ErrTooManySheets = fault.New(fault.Invalid, "css_too_many_sheets", "The page has more style sheets than this server allows.")
	ErrTooManyRules  = fault.New(fault.Invalid, "css_too_many_rules", "The page has more style rules than this server allows.")
	ErrMatching      = fault.New(fault.Invalid, "css_matching_too_long", "Finding the style rules of the page's elements takes more steps than this server allows.")
)

// Caps.
const (
	maxSheets    = 256
	maxImports   = 8 // deep
	maxRules     = 200_000
	maxStyles    = 100_000
	maxSteps     = 500_000_000
	maxDocTokens = 4_000_000 // out of var(), in the whole page
)

// Options are what a page is computed for. Lengths are CSS pixels.
type Options struct {
	Library Library
	// Stock has sheets of earlier documents, and gets those of this one; nil has none.
	Stock *Stock
	// Width and Height are those of the sheet unless @page says otherwise; Margins those of the page unless it does.
	Width, Height float64
	Margins       property.Edges[float64]
	// Fonts is told the fonts that the page brings, before Metrics is asked for the first time; it may be nil.
	Fonts func(faces []FontFace)
	// Metrics returns the height of an x and the width of a 0 in a font. It is asked only when the page uses lengths in ex and
	// ch. Without it they are outside of what can be computed.
	Metrics func(s *property.Style) (ex, ch float64)
}

// Styled are the styles of an element and of what is generated in it. Before and After are nil when there is
// nothing.
type Styled struct {
	Style         *property.Style
	Before, After *property.Style
	// Marker is that of a list item's marker; nil when the page says nothing of it, and it looks as the browser has it.
	Marker *property.Style

	id     int32
	hidden bool // it, or an element around it, has display: none
	common bool // other documents may have it too
	apart  bool // it asks for nothing that is not supported together
}

// Hidden reports whether nothing of the element is shown: it, or an element around it, has display: none.
func (s *Styled) Hidden() bool { return s.hidden }

// Result is everything that layout needs to know of the style sheets.
type Result struct {
	Fonts []FontFace
	// Base is what the addresses in the page itself are relative to: that of its <base>, or "". Those in styles are relative to
	// the page already, wherever the style sheet came from.
	Base string
	// Findings stand in the order of their places; More is how many were not kept.
	Findings []Finding
	More     int

	styles   []*Styled
	distinct []*Styled
	pages    [8]*Page
}

// Distinct returns all styles of elements that are shown, each once, in the order of the first elements that have them.
func (r *Result) Distinct() []*Styled { return r.distinct }

// Of returns the styles of an element.
func (r *Result) Of(n *dom.Node) *Styled { return r.styles[n.Number] }

// Page returns what @page says of a page. Left pages are the even ones in a document from left to right.
func (r *Result) Page(first, left, blank bool) *Page { return r.pages[pageIndex(first, left, blank)] }

// Compute makes the styles of a document. It fails with one of the faults above, one of syntax, or the cause of
// ctx. Equal arguments give equal results. It is safe for concurrent use.
func Compute(ctx context.Context, doc *dom.Document, options Options) (*Result, error) {
	e := newEngine(ctx, doc, options)
	if err := e.load(); err != nil {
		return nil, err
	}
	if options.Fonts != nil {
		options.Fonts(e.fonts)
	}
	if err := e.findViewport(); err != nil {
		return nil, err
	}
	result := &Result{Fonts: e.fonts, Base: e.pageBase}
	if err := e.elements(result); err != nil {
		return nil, err
	}
	if err := e.pages(result); err != nil {
		return nil, err
	}
	result.distinct = e.distinct
	e.inspect(result)
	e.report(result)
	return result, nil
}
