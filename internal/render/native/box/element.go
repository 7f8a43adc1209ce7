package box

import (
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/dom"
)

type imageValue = value.Image

// place is where an element's boxes go.
type place struct {
	lang  string
	outer string          // the language around the element: quotation marks are of that one
	item  bool            // into a flex container or a grid
	style *property.Style // of texts
}

// shape is what a display makes.
type shape struct {
	kind   Kind
	inline bool
}

var shapes = map[property.Keyword]shape{
	"block": {Block, false}, "flow-root": {Block, false}, "list-item": {Block, false}, "inline-block": {Block, true}, "inline": {Inline, false},
	"flex": {Flex, false}, "inline-flex": {Flex, true}, "grid": {Grid, false}, "inline-grid": {Grid, true},
	"table": {Table, false}, "inline-table": {Table, true}, "table-caption": {TableCaption, false},
	"table-column": {TableColumn, false}, "table-column-group": {TableColumn, false},
	"table-row-group": {TableRowGroup, false}, "table-header-group": {TableRowGroup, false}, "table-footer-group": {TableRowGroup, false},
	"table-row": {TableRow, false}, "table-cell": {TableCell, false},
}

// element appends what an element makes.
func (b *builder) element(n *dom.Node, in place, out *[]*Box) {
	styled := b.styles.Of(n)
	style := styled.Style
	if style.Display == "none" || b.done() {
		return
	}
	in.outer = in.lang
	if lang, ok := langOf(n); ok {
		in.lang = lang
	}
	b.counters.open()
	defer b.counters.close()
	b.counters.enter(n, style)
	if in.item {
		style = b.derived.item(style)
	}
	if b.special(n, style, in, out) {
		return
	}
	if style.Display == "contents" {
		in.style = b.derived.anonymous(style, "inline")
		b.inside(n, styled.Before, styled.After, in, out)
		return
	}
	x := b.principal(n, style, in)
	*out = append(*out, x)
	var raw []*Box
	around := in.style
	in = place{lang: in.lang, outer: in.outer, item: x.Kind == Flex || x.Kind == Grid, style: style}
	b.marker(x, styled.Marker, in, &raw)
	b.inside(n, styled.Before, styled.After, in, &raw)
	b.casing.end(x, around)
	b.fill(x, raw)
}

// principal makes the box of an element, still empty.
func (b *builder) principal(n *dom.Node, style *property.Style, in place) *Box {
	if n.Parent == nil {
		style = b.derived.root(style)
	}
	s := shapes[style.Display]
	x := b.box(s.kind, style)
	x.Node, x.Inline, x.Lang = n, s.inline, in.lang
	b.attributes(x, n)
	b.tableAttributes(x, n)
	b.casing.begin(x)
	return x
}

// inside appends the boxes of what is generated before, of the nodes in an element, and of what is generated after them.
func (b *builder) inside(n *dom.Node, before, after *property.Style, in place, out *[]*Box) {
	if before != nil {
		b.pseudo(n, before, "before", in, out)
	}
	for c := n.First; c != nil && !b.done(); c = c.Next {
		if c.IsElement() {
			b.element(c, in, out)
		} else {
			b.text(c, in, out)
		}
	}
	if after != nil {
		b.pseudo(n, after, "after", in, out)
	}
}

// text appends a node of text.
func (b *builder) text(n *dom.Node, in place, out *[]*Box) {
	if n.Text == "" {
		return
	}
	*out = append(*out, b.textBox(n.Text, in.style, in.lang))
}

// textBox makes a Text in its parent's style.
func (b *builder) textBox(text string, style *property.Style, lang string) *Box {
	x := b.box(Text, style)
	x.Lang = lang
	x.blank = style.WhiteSpaceCollapse == "collapse" && isBlank(text)
	x.Text = b.casing.apply(text, style.TextTransform, lang)
	return x
}

// isBlank reports whether there are only blanks: those of HTML.
func isBlank(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case ' ', '\t', '\n', '\r', '\f':
		default:
			return false
		}
	}
	return true
}

// fill gives a box its children, with the boxes between that the rules want.
func (b *builder) fill(x *Box, raw []*Box) {
	switch x.Kind {
	case Flex, Grid:
		b.fillItems(x, raw)
	case Table:
		b.fillTable(x, raw)
	case TableRowGroup:
		x.Children = b.rows(x, raw)
	case TableRow:
		x.Children = b.cells(x, raw)
	case TableColumn:
		b.fillColumns(x, raw)
	case Inline:
		b.fillInline(x, raw)
	default:
		b.fillBlock(x, raw)
	}
}
