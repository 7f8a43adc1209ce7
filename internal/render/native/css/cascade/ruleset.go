package cascade

import (
	"context"
	_ "embed"
	"slices"
	"sync"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/selector"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/dom"
)

//go:embed ua.css
var uaSheet string

//go:embed quirks.css
var quirksSheet string

// block are the declarations of a rule. It is not changed once it is read: those of the browser belong to all pages.
type block struct {
	id           int32
	declarations []declaration
	findings     []Finding // told once a rule of the block matches
	tokens       int       // of the declarations
}

// first is the place of a declaration that changes something; false when none does.
func (b *block) first() (Finding, bool) {
	if len(b.declarations) > 0 {
		return b.declarations[0].finding, true
	}
	if i := slices.IndexFunc(b.findings, func(f Finding) bool { return f.Kind != "animation" }); i >= 0 {
		return b.findings[i], true
	}
	return Finding{}, false
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

// ruleSet are rules in their order, and where elements find them.
type ruleSet struct {
	all       []*rule
	byID      map[string][]*rule
	byClass   map[string][]*rule
	byTag     map[string][]*rule
	universal []*rule
}

func newRuleSet() ruleSet {
	return ruleSet{byID: map[string][]*rule{}, byClass: map[string][]*rule{}, byTag: map[string][]*rule{}}
}

// add puts a rule where elements find it; with quirks ids and classes of either case are the same, and any element may be meant.
func (s *ruleSet) add(r *rule, quirks bool) {
	s.all = append(s.all, r)
	k := r.selector.Key()
	switch {
	case quirks && k.Tag == "" || k == selector.Key{}:
		s.universal = append(s.universal, r)
	case k.ID != "":
		s.byID[k.ID] = append(s.byID[k.ID], r)
	case k.Class != "":
		s.byClass[k.Class] = append(s.byClass[k.Class], r)
	default:
		s.byTag[k.Tag] = append(s.byTag[k.Tag], r)
	}
}

// browserSheets are what elements look like by themselves: read once, and the same for all pages.
type browserSheets struct {
	rules  ruleSet
	blocks int32
}

var (
	standardSheets = sync.OnceValues(func() (*browserSheets, error) { return readBrowserSheets(false, uaSheet) })
	quirksSheets   = sync.OnceValues(func() (*browserSheets, error) { return readBrowserSheets(true, uaSheet, quirksSheet) })
)

func sheetsOfBrowser(quirks bool) (*browserSheets, error) {
	if quirks {
		return quirksSheets()
	}
	return standardSheets()
}

// readBrowserSheets lasts a millisecond or two and is for every job to come: that of the one that is first may end.
func readBrowserSheets(quirks bool, texts ...string) (*browserSheets, error) {
	e := newEngine(context.Background(), &dom.Document{Quirks: quirks}, Options{})
	e.anyContext.Internal = true
	for _, text := range texts {
		if err := e.read(sheet{source: syntax.NewSource("browser", text, 1, 1), origin: fromBrowser, layer: &e.layers}); err != nil {
			return nil, err
		}
	}
	return &browserSheets{rules: e.rules, blocks: e.blocks}, nil
}
