package cascade

import (
	"maps"
	"slices"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/selector"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// Bounds of the trees of a stock.
const (
	treesMost   = 64
	treesRoom   = 12 << 20      // of all together, in bytes, with the sheets that they hold on to
	treeRoom    = treesRoom / 4 // of one
	roomOfStyle = 5 << 10       // without what has no fixed size
	roomOfToken = 80
)

// tree is the styles that documents with the same rules have in common, by what elements match below which parent (see appendKey). It is not
// changed once it is in the stock: a document that has more puts a larger one in its place.
type tree struct {
	roots  roots
	styles map[string]*kept
	next   int32 // the number of the next style: no other one of the tree has it
	room   int
}

// roots are everything that a tree depends on.
type roots struct {
	rules    []rooted
	viewport media
	context  value.Context
}

// rooted is a rule of a document. Selectors and declarations out of the stock are the same when they are at the same place.
type rooted struct {
	selector *selector.Selector
	first    *declaration
	block    int32
	layer    int
}

// kept is a style with what computing it cost the document, in tokens out of var(), and what it takes, in bytes.
type kept struct {
	styled       *Styled
	tokens, room int
}

// treeFor looks for the tree of the document.
func (e *engine) treeFor() {
	if e.options.Stock == nil || e.own || e.fontUnits || e.doc.Quirks {
		return // in quirks mode styles depend on more
	}
	e.roots = &roots{rules: make([]rooted, len(e.rules.all)), viewport: e.viewport, context: *e.anyContext}
	for i, r := range e.rules.all {
		at := &e.roots.rules[i]
		at.selector, at.block, at.layer = r.selector, r.block.id, r.layer.order
		if len(r.block.declarations) > 0 {
			at.first = &r.block.declarations[0]
		}
	}
	if e.tree = e.options.Stock.treeOf(e.roots); e.tree != nil {
		e.next = e.tree.next
	}
}

// planted returns a style out of the tree, as if it were computed now; nil when the tree has none.
func (e *engine) planted(m *matches) (*Styled, error) {
	if e.tree == nil {
		return nil, nil // as documented
	}
	known := e.tree.styles[string(e.key)]
	if known == nil {
		return nil, nil // as documented
	}
	if e.tokensLeft -= known.tokens; e.tokensLeft < 0 {
		return nil, ErrExpansion
	}
	lists := [][]entry{m.element, m.before, m.after, m.marker}
	if known.styled.Style.Display != "list-item" {
		lists = lists[:3]
	}
	for _, list := range lists {
		for _, x := range list {
			e.use(x.block)
		}
	}
	return known.styled, nil
}

// plant keeps a style that was computed for the tree, unless it depends on attributes or on what is told of this document.
func (e *engine) plant(key string, s, parent *Styled, m *matches, told, tokens int) {
	inline := func(x entry) bool { return x.inline || x.origin == fromHints }
	if e.roots == nil || told != e.findings.asked || parent != nil && !parent.common || slices.ContainsFunc(m.element, inline) {
		return
	}
	s.common = true
	room := roomOfStyle + roomOfToken*tokens + 2*len(key)
	for _, list := range [][]entry{m.element, m.before, m.after, m.marker} {
		for _, x := range list {
			room += roomOfToken * x.block.tokens
		}
	}
	for _, style := range []*property.Style{s.Before, s.After, s.Marker} {
		if style != nil {
			room += roomOfStyle
		}
	}
	room += roomOfToken * (len(s.Style.GridTemplateColumns.List) + len(s.Style.GridTemplateRows.List))
	if e.planting == nil {
		e.planting = map[string]*kept{}
	}
	e.planting[key] = &kept{s, tokens, room}
}

// grow puts the tree with the new styles of the document into the stock.
func (e *engine) grow() {
	if len(e.planting) == 0 {
		return
	}
	t := &tree{roots: *e.roots, styles: e.planting, next: e.next, room: e.sheetsRoom}
	if e.tree != nil {
		t.room = e.tree.room
	}
	for _, k := range e.planting {
		t.room += k.room
	}
	if t.room > treeRoom {
		return
	}
	if e.tree != nil {
		t.styles = maps.Clone(e.tree.styles)
		maps.Copy(t.styles, e.planting)
	}
	e.options.Stock.plant(e.tree, t)
}

// treeOf returns the tree with these roots, or nil.
func (s *Stock) treeOf(r *roots) *tree {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.trees, func(t *tree) bool { return t.roots.equal(r) })
	if i < 0 {
		return nil
	}
	t := s.trees[i]
	copy(s.trees[1:i+1], s.trees[:i])
	s.trees[0] = t
	return t
}

func (r *roots) equal(s *roots) bool {
	return r.viewport == s.viewport && r.context == s.context && slices.Equal(r.rules, s.rules)
}

// plant puts a tree in the place of the one that it grew from, nil being none. When another document was faster, it is not needed.
func (s *Stock) plant(from, t *tree) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.trees, func(u *tree) bool { return u.roots.equal(&t.roots) })
	switch {
	case i < 0 && from == nil:
		s.trees = slices.Insert(s.trees, 0, t)
	case i >= 0 && s.trees[i] == from:
		s.trees[i] = t
	default:
		return
	}
	room := 0
	for i, t := range s.trees {
		if room += t.room; i == treesMost || i > 0 && room > treesRoom {
			clear(s.trees[i:])
			s.trees = s.trees[:i]
			return
		}
	}
}

// tokensOf counts values, with those inside of others.
func tokensOf(values []syntax.Value) int {
	n := len(values)
	for i := range values {
		n += tokensOf(values[i].Args)
	}
	return n
}
