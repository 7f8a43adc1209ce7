package selector

import (
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/dom"
)

// Matcher matches selectors against the elements of a document. It counts its steps, so that a caller can bound
// them. The zero value is ready. It is not safe for concurrent use.
type Matcher struct {
	// Quirks: ids and classes of either case are the same.
	Quirks bool
	// Steps is how many compounds were compared so far.
	Steps int
}

// Match reports whether the selector, its pseudo-element aside, matches an element.
func (m *Matcher) Match(s *Selector, n *dom.Node) bool { return m.match(s, n) }

func (m *Matcher) match(s *Selector, n *dom.Node) bool { return m.chain(s.last, n) == matched }

// result of matching a chain: how far a failure reaches.
type result uint8

const (
	matched      result = iota
	failsHere           // another element may do
	failsSibling        // no sibling before can do, an ancestor may
	failsAll            // no element before or above can do
)

func (m *Matcher) chain(c *compound, n *dom.Node) result {
	if !m.compound(c, n) {
		return failsHere
	}
	if c.previous == nil {
		return matched
	}
	switch c.combinator {
	case '>':
		return m.above(c.previous, n.Parent)
	case '+':
		return m.before(c.previous, n.PrevElement())
	case '~':
		return m.anyBefore(c.previous, n)
	}
	return m.anyAbove(c.previous, n)
}

// anyAbove: if the chain matched but failed above, then it fails above the others too.
func (m *Matcher) anyAbove(c *compound, n *dom.Node) result {
	for p := n.Parent; p != nil; p = p.Parent {
		if r := m.chain(c, p); r == matched || r == failsAll {
			return r
		}
	}
	return failsAll
}

func (m *Matcher) above(c *compound, parent *dom.Node) result {
	if parent == nil {
		return failsAll
	}
	if r := m.chain(c, parent); r == matched || r == failsAll {
		return r
	}
	return failsSibling
}

func (m *Matcher) before(c *compound, sibling *dom.Node) result {
	if sibling == nil {
		return failsSibling
	}
	return m.chain(c, sibling)
}

func (m *Matcher) anyBefore(c *compound, n *dom.Node) result {
	for p := n.PrevElement(); p != nil; p = p.PrevElement() {
		if r := m.chain(c, p); r != failsHere {
			return r
		}
	}
	return failsSibling
}

// compound reports whether an element is what a compound says.
func (m *Matcher) compound(c *compound, n *dom.Node) bool {
	m.Steps++
	if c.tag != "" && c.tag != n.Tag && (n.Namespace == "" || !strings.EqualFold(c.tag, n.Tag)) {
		return false
	}
	for _, id := range c.ids {
		if n.ID != id && (!m.Quirks || !strings.EqualFold(n.ID, id)) {
			return false
		}
	}
	for _, class := range c.classes {
		if !slices.Contains(n.Classes, class) && (!m.Quirks || !containsFold(n.Classes, class)) {
			return false
		}
	}
	for i := range c.attrs {
		if !c.attrs[i].matches(n) {
			return false
		}
	}
	for _, t := range c.tests {
		if !t(m, n) {
			return false
		}
	}
	return true
}

func containsFold(list []string, want string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, want) })
}

func (a *attribute) matches(n *dom.Node) bool {
	got, ok := n.Attr(a.name)
	if !ok {
		return false
	}
	want := a.value
	if a.fold && a.match != "" {
		got, want = strings.ToLower(got), strings.ToLower(want)
	}
	switch a.match {
	case "=":
		return got == want
	case "~=":
		return want != "" && slices.Contains(strings.Fields(got), want)
	case "|=":
		return got == want || strings.HasPrefix(got, want+"-")
	case "^=":
		return want != "" && strings.HasPrefix(got, want)
	case "$=":
		return want != "" && strings.HasSuffix(got, want)
	case "*=":
		return want != "" && strings.Contains(got, want)
	}
	return true
}
