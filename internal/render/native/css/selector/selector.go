// Package selector reads selectors and matches them (Selectors 4). It has :is, :where, nesting and
// pseudo-elements, which the usual library lacks, and asks the tree for the place of an element among its
// siblings instead of counting: a table of 50,000 rows with tr:nth-child(even) costs what it should.
//
// Matching goes from right to left and knows when no other ancestor can help, so that a chain of descendants
// costs as much as the tree is deep, whatever the selector. Only :is and :not inside of each other multiply.
package selector

import "github.com/platen-render/platen/internal/render/native/css/syntax"

// List are selectors between commas.
type List []*Selector

// Selector is one complex selector.
type Selector struct {
	// PseudoElement is "", "before", "after" or "marker"; or another one, which Outside tells of or which is never there.
	PseudoElement string
	Specificity   Specificity
	// Outside says why the selector, which is right, cannot be matched; "" when it can. Then it matches where the
	// rest of it would.
	Outside string
	// Never: it matches nothing on paper, such as a:hover.
	Never bool

	last *compound
}

// Specificity is compared from left to right: ids, classes, types.
type Specificity [3]int32

// Less reports whether s counts less than t.
func (s Specificity) Less(t Specificity) bool {
	for i := range s {
		if s[i] != t[i] {
			return s[i] < t[i]
		}
	}
	return false
}

func (s Specificity) plus(t Specificity) Specificity {
	return Specificity{s[0] + t[0], s[1] + t[1], s[2] + t[2]}
}

// compound is what an element must be, and by what it hangs on the compound before it.
type compound struct {
	tag     string // "" for any
	ids     []string
	classes []string
	attrs   []attribute
	tests   []test

	combinator byte // ' ', '>', '+', '~', or 0 at the beginning
	previous   *compound
}

// attribute is a condition on an attribute.
type attribute struct {
	name, value string
	match       string // "", "=", "~=", "|=", "^=", "$=", "*="
	fold        bool   // letters of either case are the same
}

// Key is what an element must have for a selector to match it: rules are found by it. The first that is not
// empty counts.
type Key struct{ ID, Class, Tag string }

// Key returns what the last compound asks for.
func (s *Selector) Key() Key {
	c := s.last
	switch {
	case len(c.ids) > 0:
		return Key{ID: c.ids[0]}
	case len(c.classes) > 0:
		return Key{Class: c.classes[0]}
	}
	return Key{Tag: c.tag}
}

// Parse reads a list of selectors. Nested is what & stands for, nil at the top. An invalid selector makes the
// whole list invalid, as in browsers.
func Parse(prelude []syntax.Value, nested List) (List, bool) {
	p := &parser{parent: nested}
	return p.list(prelude)
}
