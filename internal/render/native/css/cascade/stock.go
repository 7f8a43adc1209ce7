package cascade

import (
	"hash/maphash"
	"sync"

	"github.com/platen-render/platen/internal/render/native/css/selector"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// Bounds of a stock, in bytes as readSheet.room counts them.
const (
	stocked      = 8 << 20 // of each of the two generations
	stockedSheet = stocked / 2
	stockedSeen  = 4096 // sheets that were seen once
)

// What a sheet takes at most for each byte of its text, with a token in each, and for each longhand. Usual ones take half as much.
const (
	roomOfByte     = 128
	roomOfLonghand = 48
)

// Stock is the style sheets that documents have in common, read, and the styles that their elements have: those of the templates that they are
// made of. What it has depends on nothing but its key, so that a document is the same whether that was there or not. The
// zero Stock is empty. Safe for concurrent use; do not copy it.
type Stock struct {
	mu sync.Mutex
	// A sheet is found in either generation, and is then in the young one. When that is full it is the old one, and the old one goes.
	young, old map[sheetKey]*readSheet
	size       int // of the young one, in bytes
	// seen are the hashes of sheets that one document had. A sheet is kept when the second has it: many are of one document alone.
	// That two have the same hash does no harm.
	seen map[uint64]struct{}
	seed maphash.Seed
	// trees are those of the documents, the last ones that were used first.
	trees []*tree
}

// sheetKey is everything that what is read of a sheet depends on: its text, where that stands, and what for.
type sheetKey struct {
	text, name   string
	line, column int
	context      value.Context
}

// readSheet is what a sheet was read into: of rules that did not hold for the media, the syntax alone. It is not changed any more once it is in
// the stock. Its maps are nil when it will not get there.
type readSheet struct {
	rules     []*syntax.Rule
	selectors map[*syntax.Rule]readSelectors
	blocks    map[*syntax.Declaration]readBlock // by their first ones
	room      int                               // that it takes, in bytes
	stocked   bool                              // it is in the stock
	// library says that the sheet names files of its own folder: what they are called here depends on what the page has of them.
	library bool
}

type readSelectors struct {
	list selector.List
	ok   bool
}

// readBlock are the declarations of a rule, as in [block].
type readBlock struct {
	declarations []declaration
	findings     []Finding
	tokens       int
	fontUnits    bool // ex or ch are used
}

// find returns what was read of a sheet; nil when the stock has none of it. It is wanted when it was seen before.
func (s *Stock) find(key sheetKey) (known *readSheet, wanted bool) {
	if s == nil || roomOfByte*len(key.text) > stockedSheet {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known = s.young[key]; known != nil {
		return known, true
	}
	if known = s.old[key]; known != nil {
		s.put(key, known)
		return known, true
	}
	if s.seen == nil {
		s.seed = maphash.MakeSeed()
	}
	if s.seen == nil || len(s.seen) >= stockedSeen {
		s.seen = map[uint64]struct{}{}
	}
	hash := maphash.Comparable(s.seed, key)
	_, wanted = s.seen[hash]
	s.seen[hash] = struct{}{}
	return nil, wanted
}

// keep adds a sheet that was read to its end.
func (s *Stock) keep(key sheetKey, r *readSheet) {
	if r.stocked || r.library || r.blocks == nil {
		return
	}
	r.stocked, r.room = true, roomOfByte*len(key.text)
	for _, b := range r.blocks {
		for i := range b.declarations {
			r.room += roomOfLonghand * len(b.declarations[i].longhands)
		}
	}
	if r.room > stockedSheet {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(key, r)
}

func (s *Stock) put(key sheetKey, r *readSheet) {
	if s.young[key] != nil {
		return
	}
	if s.young == nil || s.size+r.room > stocked {
		s.old, s.young, s.size = s.young, map[sheetKey]*readSheet{}, 0
	}
	s.young[key] = r
	s.size += r.room
}

// sheetRead returns what was read of a sheet before, or its rules with nothing else.
func (e *engine) sheetRead(s sheet) (*readSheet, sheetKey, error) {
	key := sheetKey{s.source.Text, s.source.Name, s.source.Line, s.source.Column, *e.anyContext}
	known, wanted := e.options.Stock.find(key)
	if known != nil {
		e.sheetsRoom += known.room
		return known, key, nil
	}
	rules, err := syntax.ParseSheet(e.ctx, s.source.Text)
	if err != nil {
		return nil, key, err
	}
	r := &readSheet{rules: rules}
	if wanted {
		r.selectors, r.blocks = map[*syntax.Rule]readSelectors{}, map[*syntax.Declaration]readBlock{}
	}
	return r, key, nil
}

// selectorsOf reads the selectors of a rule.
func (s sheet) selectorsOf(r *syntax.Rule) (selector.List, bool) {
	if known, ok := s.read.selectors[r]; ok {
		return known.list, known.ok
	}
	list, ok := selector.Parse(r.Prelude, s.parent)
	if s.read.selectors != nil && !s.read.stocked {
		s.read.selectors[r] = readSelectors{list, ok}
	}
	return list, ok
}
