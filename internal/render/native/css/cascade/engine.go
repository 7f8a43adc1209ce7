package cascade

import (
	"context"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/selector"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/dom"
)

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

// engine is one computation.
type engine struct {
	ctx      context.Context // it lives for one call and is looked at in every loop
	doc      *dom.Document
	pageBase string // what addresses in the page itself are relative to
	options  Options
	media    media
	viewport media // the area of the first page, which is what vw and vh are of; queries are not asked of it
	layers   layer
	auto     int // layers without name

	browser    *browserSheets
	rules      ruleSet // the page's own
	pageRules  []*pageRule
	fonts      []FontFace
	keyframes  map[string]bool
	sheets     int
	blocks     int32
	used       []bool            // by the id of the block: it holds for some element
	told       map[*rule]bool    // rules with unsupported selectors that would
	inline     map[string]*block // style attributes and hints, by text
	inlines    []*block
	findings   findings
	matcher    selector.Matcher
	matches    matches   // of the element at hand
	computing  computing // of the style at hand
	declared   [2][]held // in it: normal and important ones
	key        []byte
	cache      map[string]*Styled
	styles     int32
	next       int32 // the number of the next style
	own        bool  // there are rules that are not in the stock
	sheetsRoom int   // of those that are
	roots      *roots
	tree       *tree            // of earlier documents with the same rules; nil when there is none
	planting   map[string]*kept // for those to come
	distinct   []*Styled
	fontUnits  bool           // ex or ch are used
	anyContext *value.Context // for finding out whether a value is right
	initial    *property.Style
	rootStyle  *property.Style
	bodyColor  value.Color // in quirks mode, that of tables
	tokensLeft int
	steps      int
}

func newEngine(ctx context.Context, doc *dom.Document, options Options) *engine {
	e := &engine{
		ctx: ctx, doc: doc, options: options,
		media: media{
			width:  max(options.Width-options.Margins.Left-options.Margins.Right, 0),
			height: max(options.Height-options.Margins.Top-options.Margins.Bottom, 0),
		},
		browser: &browserSheets{}, rules: newRuleSet(), told: map[*rule]bool{},
		keyframes: map[string]bool{}, inline: map[string]*block{}, cache: map[string]*Styled{},
		initial: property.InitialStyle(), matcher: selector.Matcher{Quirks: doc.Quirks}, tokensLeft: maxDocTokens,
	}
	e.viewport = e.media
	e.pageBase = baseOf(doc)
	e.anyContext = &value.Context{
		FontSize: 16, RootFontSize: 16, LineHeight: 20, RootLineHeight: 20, ParentSize: 16, ParentWeight: 400,
		ViewportWidth: e.media.width, ViewportHeight: e.media.height, Quirks: doc.Quirks,
	}
	if options.Metrics != nil {
		e.anyContext.Ex, e.anyContext.Ch = 8, 8
	}
	return e
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

// add takes in a rule.
func (e *engine) add(r *rule) error {
	n := len(e.browser.rules.all) + len(e.rules.all)
	if n >= maxRules {
		return ErrTooManyRules
	}
	r.order = int32(n)
	e.rules.add(r, e.doc.Quirks)
	return nil
}
