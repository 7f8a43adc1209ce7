package cascade

import (
	"context"
	_ "embed"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/selector"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/dom"
)

//go:embed ua.css
var uaSheet string

//go:embed quirks.css
var quirksSheet string

// origin is where a declaration comes from; a later one is stronger as long as it is not important.
type origin uint8

const (
	fromBrowser origin = iota
	fromHints          // presentational attributes
	fromAuthor
)

// layer is a cascade layer; rules outside of any are in the root, which is the strongest.
type layer struct {
	names    []string
	children map[string]*layer
	order    int
}

func (l *layer) child(name string) *layer {
	if l.children == nil {
		l.children = map[string]*layer{}
	}
	if l.children[name] == nil {
		l.children[name] = &layer{}
		l.names = append(l.names, name)
	}
	return l.children[name]
}

// number gives layers their order: those inside come before what is directly in one.
func (l *layer) number(next int) int {
	for _, name := range l.names {
		next = l.children[name].number(next)
	}
	l.order = next
	return next + 1
}

// block are the declarations of a rule.
type block struct {
	id           int32
	declarations []declaration
	findings     []Finding // told once a rule of the block matches
	used         bool
}

// declaration is one that is right.
type declaration struct {
	longhands []property.Longhand // what it sets; nil when it must be expanded first
	name      string              // of the property, for what is expanded later
	values    []syntax.Value
	custom    bool
	important bool
	finding   Finding // its place
}

// rule is a selector with a block.
type rule struct {
	selector *selector.Selector
	block    *block
	origin   origin
	layer    *layer
	order    int32
}

// engine is one computation.
type engine struct {
	ctx     context.Context // it lives for one call and is looked at in every loop
	doc     *dom.Document
	options Options
	media   media
	layers  layer
	auto    int // layers without name

	rules      []*rule
	byID       map[string][]*rule
	byClass    map[string][]*rule
	byTag      map[string][]*rule
	universal  []*rule
	pageRules  []*pageRule
	fonts      []FontFace
	keyframes  map[string]bool
	sheets     int
	blocks     int32
	inline     map[string]*block // style attributes and hints, by text
	inlines    []*block
	findings   findings
	matcher    selector.Matcher
	cache      map[string]*Styled
	styles     int32
	initial    *property.Style
	rootStyle  *property.Style
	tokensLeft int
	steps      int
}

func newEngine(ctx context.Context, doc *dom.Document, options Options) *engine {
	return &engine{
		ctx: ctx, doc: doc, options: options,
		media: media{
			width:  max(options.Width-options.Margins.Left-options.Margins.Right, 0),
			height: max(options.Height-options.Margins.Top-options.Margins.Bottom, 0),
		},
		byID: map[string][]*rule{}, byClass: map[string][]*rule{}, byTag: map[string][]*rule{},
		keyframes: map[string]bool{}, inline: map[string]*block{}, cache: map[string]*Styled{},
		initial: property.InitialStyle(), matcher: selector.Matcher{Quirks: doc.Quirks}, tokensLeft: maxDocTokens,
	}
}

// tick looks at the context now and then.
func (e *engine) tick() error {
	if e.steps++; e.steps&255 == 0 && e.ctx.Err() != nil {
		return context.Cause(e.ctx)
	}
	if e.matcher.Steps > maxSteps {
		return ErrMatching
	}
	return nil
}

// add puts a rule where elements find it.
func (e *engine) add(r *rule) error {
	if len(e.rules) >= maxRules {
		return ErrTooManyRules
	}
	r.order = int32(len(e.rules)) //nolint:gosec // G115: at most maxRules
	e.rules = append(e.rules, r)
	if e.doc.Quirks {
		e.universal = append(e.universal, r)
		return nil
	}
	switch k := r.selector.Key(); {
	case k.ID != "":
		e.byID[k.ID] = append(e.byID[k.ID], r)
	case k.Class != "":
		e.byClass[k.Class] = append(e.byClass[k.Class], r)
	case k.Tag != "":
		e.byTag[k.Tag] = append(e.byTag[k.Tag], r)
	default:
		e.universal = append(e.universal, r)
	}
	return nil
}
