// Package dom reads a page into a tree of elements and texts that remember where in the source they stand. It
// bounds what a page may cost before the tree is built, keeps nothing that is not shown or asked for by a
// selector (no comments), and numbers siblings once, so that :nth-child costs the same in a table of ten rows
// and of fifty thousand.
package dom

import (
	"strings"

	"golang.org/x/net/html"
)

// Position is a place in a source. Lines and columns start at 1, columns count bytes; the zero value is unknown.
type Position struct{ Line, Column int }

// Node is an element or, when Tag is empty, a text. Nodes belong to their [Document] and are not changed after
// [Parse]: they may be read by several goroutines.
type Node struct {
	Tag       string // lower case in HTML; SVG keeps its own ("linearGradient")
	Namespace string // "", "svg" or "math"
	Text      string // of a text
	Attrs     []html.Attribute

	Parent, First, Last, Prev, Next *Node

	ID      string
	Classes []string // each once

	// At is where the start tag stands; of an element that the parser supplied, that of its parent.
	At Position
	// Content is where what follows the start tag stands, of a <style> for instance.
	Content Position
	// Number counts the elements of the document from 0; -1 of a text.
	Number int

	index, typeIndex   int32 // from 1, among the elements of the parent
	siblings, sameType int32 // how many there are
}

// IsElement reports whether the node is an element.
func (n *Node) IsElement() bool { return n.Tag != "" }

// Attr returns the value of an attribute and whether it is there. Names are lower case in HTML.
func (n *Node) Attr(name string) (string, bool) {
	for i := range n.Attrs {
		if n.Attrs[i].Key == name {
			return n.Attrs[i].Val, true
		}
	}
	return "", false
}

// Index is the place among the elements of the parent, from 1, from the start or from the end.
func (n *Node) Index(fromEnd bool) int {
	if fromEnd {
		return int(n.siblings - n.index + 1)
	}
	return int(n.index)
}

// TypeIndex is the place among the elements of the parent that have the same tag, from 1.
func (n *Node) TypeIndex(fromEnd bool) int {
	if fromEnd {
		return int(n.sameType - n.typeIndex + 1)
	}
	return int(n.typeIndex)
}

// PrevElement returns the element before this one, or nil.
func (n *Node) PrevElement() *Node {
	for p := n.Prev; p != nil; p = p.Prev {
		if p.IsElement() {
			return p
		}
	}
	return nil
}

// IsEmpty reports whether there is neither element nor text in it (Selectors 3, :empty).
func (n *Node) IsEmpty() bool { return n.First == nil }

// AllText returns the text below the node in order.
func (n *Node) AllText() string {
	var b strings.Builder
	for d := n.First; d != nil; d = d.following(n) {
		b.WriteString(d.Text)
	}
	return b.String()
}

// following is the next node in document order below top, or nil.
func (n *Node) following(top *Node) *Node {
	if n.First != nil {
		return n.First
	}
	for n != top {
		if n.Next != nil {
			return n.Next
		}
		n = n.Parent
	}
	return nil
}

// Document is a page.
type Document struct {
	Root     *Node   // <html>
	Elements []*Node // in document order
	Nodes    int     // how many there are about: elements, texts, and the like
	// Quirks: the page has no doctype, or an old one, and browsers read it as those of 1998 did.
	Quirks bool
	// LimitedQuirks: it has a doctype between those and today's, and browsers only make its lines as they did then.
	LimitedQuirks bool

	source string
	lines  []int
}

// Head and Body return these elements; nil when the page has none (a frameset has no body).
func (d *Document) Head() *Node { return d.child("head") }

// Body is described at [Document.Head].
func (d *Document) Body() *Node { return d.child("body") }

func (d *Document) child(tag string) *Node {
	for c := d.Root.First; c != nil; c = c.Next {
		if c.Tag == tag {
			return c
		}
	}
	return nil
}

// Title is the text of the first <title>, blanks collapsed.
func (d *Document) Title() string {
	for _, e := range d.Elements {
		if e.Tag == "title" && e.Namespace == "" {
			return strings.Join(strings.Fields(e.AllText()), " ")
		}
	}
	return ""
}
