package dom

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/platen-render/platen/internal/fault"
)

// The limits of a page that are the default.
const (
	MaxBytes = 32 << 20  // of markup
	MaxNodes = 2_000_000 // elements and texts
)

// Limits bound a page. A zero field means its default.
type Limits struct {
	MaxBytes int // of markup; MaxBytes
	MaxNodes int // elements and texts; MaxNodes
}

func (l Limits) withDefaults() Limits {
	if l.MaxBytes <= 0 {
		l.MaxBytes = MaxBytes
	}
	if l.MaxNodes <= 0 {
		l.MaxNodes = MaxNodes
	}
	return l
}

// Faults of pages.
var (
	ErrTooLarge     = fault.New(fault.Invalid, "page_too_large", "The page is larger than this server allows.")
	ErrTooManyNodes = fault.New(fault.Invalid, "page_too_many_nodes", "The page has more elements than this server allows.")
	ErrTooDeep      = fault.New(fault.Invalid, "page_too_deep", "The elements of the page are nested more than 512 deep.")
)

// Parse reads markup as browsers do (HTML standard, section 13.2): anything is a page. It fails with one of the
// faults above, or with the cause of ctx.
func Parse(ctx context.Context, markup string, limits Limits) (*Document, error) {
	limits = limits.withDefaults()
	if len(markup) > limits.MaxBytes {
		return nil, ErrTooLarge
	}
	d := &Document{source: markup, lines: lineStarts(markup)}
	tags, parts, err := d.survey(ctx, limits.MaxNodes)
	if err != nil {
		return nil, err
	}
	top, err := html.Parse(&reader{ctx: ctx, rest: markup})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil: // the parser has no other error of its own, and a string has none
		return nil, ErrTooDeep.Because(err)
	}
	b := &builder{document: d, tags: tags, most: limits.MaxNodes, parts: parts}
	if err := b.build(ctx, top); err != nil {
		return nil, err
	}
	if d.Root == nil {
		return nil, errors.New("parse the page: no root") // the parser always makes one
	}
	d.number()
	d.Nodes = b.nodes
	return d, nil
}

// reader hands out markup as long as the context lasts.
type reader struct {
	ctx  context.Context // io.Reader has no other way to be told
	rest string
}

// Read implements [io.Reader].
func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, fmt.Errorf("read the page: %w", err)
	}
	if r.rest == "" {
		return 0, io.EOF
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// builder copies the parser's tree into ours.
type builder struct {
	document *Document
	tags     map[string]*places
	key      []byte // of the element at hand
	slab     []Node // nodes are allocated many at a time
	nodes    int
	most     int
	parts    int // of the page: about as many nodes
}

// build walks without recursion: the tree is as deep as the page wants, up to the parser's limit.
func (b *builder) build(ctx context.Context, top *html.Node) error {
	var parent *Node
	for from := top.FirstChild; from != nil; {
		if b.nodes&1023 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		node := b.node(from, parent)
		if b.nodes > b.most {
			return ErrTooManyNodes
		}
		if node != nil && node.IsElement() && from.FirstChild != nil && !isTemplate(from) {
			parent, from = node, from.FirstChild
			continue
		}
		for from.NextSibling == nil && from.Parent != nil && from.Parent != top {
			from, parent = from.Parent, parent.Parent
		}
		from = from.NextSibling
	}
	return nil
}

// isTemplate reports whether the content is kept apart and never shown.
func isTemplate(n *html.Node) bool { return n.DataAtom == atom.Template && n.Namespace == "" }

// node copies one node under parent; nil when it is none of ours.
func (b *builder) node(from *html.Node, parent *Node) *Node {
	switch {
	case from.Type == html.DoctypeNode:
		b.document.Quirks, b.document.LimitedQuirks = quirky(from)
		b.nodes++
		return nil
	case from.Type == html.TextNode && parent != nil:
		n := b.alloc()
		n.Text, n.Number = from.Data, -1
		parent.append(n)
		return n
	case from.Type == html.ElementNode:
		return b.element(from, parent)
	}
	b.nodes++
	return nil
}

func (b *builder) element(from *html.Node, parent *Node) *Node {
	n := b.alloc()
	n.Tag, n.Namespace, n.Attrs = from.Data, from.Namespace, from.Attr
	n.ID, _ = n.Attr("id")
	if class, ok := n.Attr("class"); ok {
		n.Classes = once(strings.Fields(class))
	}
	b.locate(n, parent)
	if parent != nil {
		parent.append(n)
	} else if b.document.Root == nil {
		b.document.Root = n
	}
	return n
}

// once removes what has been before from a list, which may be long.
func once(list []string) []string {
	if len(list) < 2 || len(list) == 2 && list[0] != list[1] {
		return list
	}
	seen := make(map[string]bool, len(list))
	return slices.DeleteFunc(list, func(s string) bool {
		before := seen[s]
		seen[s] = true
		return before
	})
}

func (b *builder) alloc() *Node {
	if len(b.slab) == 0 {
		b.slab = make([]Node, min(max(16, b.parts-b.nodes, b.nodes/4), 4096))
	}
	n := &b.slab[0]
	b.slab = b.slab[1:]
	b.nodes++
	return n
}

func (n *Node) append(child *Node) {
	child.Parent, child.Prev = n, n.Last
	if n.Last != nil {
		n.Last.Next = child
	} else {
		n.First = child
	}
	n.Last = child
}

// number counts the elements, and for each the siblings before it, all in one walk.
func (d *Document) number() {
	types := map[string]int32{}
	for n := d.Root; n != nil; n = n.following(nil) {
		if !n.IsElement() {
			continue
		}
		n.Number = len(d.Elements)
		d.Elements = append(d.Elements, n)
		if n == d.Root {
			n.index, n.typeIndex, n.siblings, n.sameType = 1, 1, 1, 1
		}
		n.numberChildren(types)
	}
}

// numberChildren uses types, which it clears, for counting them.
func (n *Node) numberChildren(types map[string]int32) {
	var count int32
	clear(types)
	for c := n.First; c != nil; c = c.Next {
		if c.IsElement() {
			count++
			types[c.Tag]++
			c.index, c.typeIndex = count, types[c.Tag]
		}
	}
	for c := n.First; c != nil && count > 0; c = c.Next {
		c.siblings, c.sameType = count, types[c.Tag]
	}
}
