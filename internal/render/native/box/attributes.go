package box

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/render/native/dom"
)

// langOf is the language that an element itself says.
func langOf(n *dom.Node) (string, bool) {
	for _, a := range n.Attrs {
		if a.Key == "lang" || a.Key == "xml:lang" {
			return strings.TrimSpace(a.Val), true
		}
	}
	return "", false
}

// attributes takes over where an element leads to, how it is reached, and whether it is a heading.
func (b *builder) attributes(x *Box, n *dom.Node) {
	if n.Namespace != "" {
		return
	}
	x.Anchor = n.ID
	if href, ok := n.Attr("href"); ok && n.Tag == "a" {
		x.Link = target(b.base, href)
		b.linked = b.linked || x.Link != ""
	}
	if name, _ := n.Attr("name"); name != "" && x.Anchor == "" && n.Tag == "a" {
		x.Anchor = name
	}
	if len(n.Tag) == 2 && n.Tag[0] == 'h' && n.Tag[1] >= '1' && n.Tag[1] <= '6' {
		x.Heading = int(n.Tag[1] - '0')
	}
}

// closed are the schemes to which no document leads: they run something, or say where files of a machine are.
var closed = []string{"javascript", "vbscript", "data", "file", "blob", "about", "filesystem"}

// target is where a link leads to: an absolute address, a name in the document ("#name"), or nowhere ("").
func target(base, href string) string {
	href = strings.TrimSpace(href)
	if name, ok := strings.CutPrefix(href, "#"); ok {
		if plain, err := url.PathUnescape(name); err == nil {
			name = plain
		}
		if name == "" {
			return ""
		}
		return "#" + name
	}
	u, err := url.Parse(strings.ReplaceAll(href, " ", "%20"))
	if err != nil {
		return ""
	}
	if from, err := url.Parse(base); err == nil && from.Scheme != "" && from.Host != "" {
		u = from.ResolveReference(u)
	}
	if u.Scheme == "" || slices.Contains(closed, strings.ToLower(u.Scheme)) {
		return ""
	}
	return u.String()
}

// tableAttributes takes over how far cells and columns reach (HTML standard, section 4.9.11).
func (b *builder) tableAttributes(x *Box, n *dom.Node) {
	switch x.Kind {
	case TableCell:
		x.ColSpan, x.RowSpan = 1, 1
		if n.Namespace != "" || (n.Tag != "td" && n.Tag != "th") {
			return
		}
		x.ColSpan = span(n, "colspan", 1, 1000)
		x.RowSpan = span(n, "rowspan", 0, 65534)
	case TableColumn:
		x.Span = 1
		if n.Namespace == "" && (n.Tag == "col" || n.Tag == "colgroup") {
			x.Span = span(n, "span", 1, 1000)
		}
	case TableRowGroup:
		switch x.Style.Display {
		case "table-header-group":
			x.Group = Head
		case "table-footer-group":
			x.Group = Foot
		default:
		}
	default:
	}
}

// span reads a number as HTML does: what follows it does not count; wrong or below least is 1.
func span(n *dom.Node, name string, least, most int) int {
	v, ok := n.Attr(name)
	if !ok {
		return 1
	}
	i, ok := integer(v)
	if !ok || i < least {
		return 1
	}
	return min(i, most)
}

// integer reads a number by the rules of the HTML standard, section 2.3.4.1. It stays within 32 bits.
func integer(v string) (int, bool) {
	v = strings.TrimLeft(v, " \t\n\f\r")
	end := 0
	if end < len(v) && (v[end] == '-' || v[end] == '+') {
		end++
	}
	for end < len(v) && v[end] >= '0' && v[end] <= '9' {
		end++
	}
	i, err := strconv.ParseInt(v[:end], 10, 32)
	if err != nil && i == 0 {
		return 0, false
	}
	return int(i), true // what is too large is the largest there is
}
