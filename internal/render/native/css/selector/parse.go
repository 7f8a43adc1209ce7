package selector

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// Bounds on one list; a longer one is invalid.
const (
	maxSelectors = 4096
	maxCompounds = 64
)

type parser struct {
	parent List
}

func (p *parser) list(values []syntax.Value) (List, bool) {
	parts := syntax.SplitComma(values)
	if len(parts) > maxSelectors {
		return nil, false
	}
	var list List
	for _, part := range parts {
		s, ok := p.complex(part, p.parent != nil)
		if !ok {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}

// forgiving reads a list and leaves out what is invalid: of :is and :where.
func (p *parser) forgiving(values []syntax.Value) List {
	var list List
	for _, part := range syntax.SplitComma(values) {
		if s, ok := p.complex(part, false); ok && s.PseudoElement == "" && len(list) < maxSelectors {
			list = append(list, s)
		}
	}
	return list
}

// reader walks the values of one complex selector.
type reader struct {
	*parser
	values   []syntax.Value
	next     int
	selector *Selector
	hasAmp   bool
}

func (r *reader) peek() syntax.Value {
	if r.next >= len(r.values) {
		return syntax.Value{}
	}
	return r.values[r.next]
}

// complex reads one selector. A nested one that does not say & is below the parent.
func (p *parser) complex(values []syntax.Value, nested bool) (*Selector, bool) {
	r := &reader{parser: p, values: syntax.Trim(values), selector: &Selector{}}
	if len(r.values) == 0 {
		return nil, false
	}
	var first byte
	if nested {
		if by, found := r.combinator(); found {
			first = by
		}
	}
	c, ok := r.compound()
	if !ok {
		return nil, false
	}
	leftmost := c
	for count := 1; r.next < len(r.values); count++ {
		by, found := r.combinator()
		if !found || count > maxCompounds || r.selector.PseudoElement != "" {
			return nil, false
		}
		next, ok := r.compound()
		if !ok {
			return nil, false
		}
		next.combinator, next.previous = by, c
		c = next
	}
	if nested && (!r.hasAmp || first != 0) {
		if first == 0 {
			first = ' '
		}
		leftmost.combinator, leftmost.previous = first, r.ampersand()
	}
	r.selector.last = c
	return r.selector, true
}

// ampersand is a compound that is whatever the parent rule selects.
func (r *reader) ampersand() *compound {
	c := &compound{}
	c.tests = append(c.tests, anyOf(r.parent))
	r.selector.Specificity = r.selector.Specificity.plus(highest(r.parent))
	return c
}

// combinator reads one; blanks alone are the descendant's.
func (r *reader) combinator() (by byte, found bool) {
	blank := false
	for r.peek().Kind == syntax.Space {
		blank = true
		r.next++
	}
	for _, c := range []string{">", "+", "~"} {
		if r.peek().Is(c) {
			r.next++
			for r.peek().Kind == syntax.Space {
				r.next++
			}
			return c[0], true
		}
	}
	return ' ', blank
}

// compound reads simple selectors up to a combinator.
func (r *reader) compound() (*compound, bool) {
	c := &compound{}
	start := r.next
	if !r.typeSelector(c) {
		return nil, false
	}
	for r.next < len(r.values) {
		v := r.peek()
		var ok bool
		switch {
		case v.Kind == syntax.Space || v.Is(">") || v.Is("+") || v.Is("~"):
			return c, r.next > start
		case v.Kind == syntax.Hash:
			c.ids, ok = append(c.ids, v.Text), true
			r.selector.Specificity[0]++
			r.next++
		case v.Is("."):
			ok = r.class(c)
		case v.Kind == syntax.Brackets:
			ok = r.attribute(c, v)
		case v.Is(":"):
			ok = r.pseudo(c)
		case v.Is("&"):
			r.nesting(c)
			ok = true
		}
		if !ok {
			return nil, false
		}
	}
	return c, r.next > start
}

// typeSelector reads a tag or *; one with a namespace is any namespace's or invalid.
func (r *reader) typeSelector(c *compound) bool {
	v := r.peek()
	if v.Kind == syntax.Ident || v.Is("*") {
		r.next++
		if r.peek().Is("|") { // *|tag; other prefixes are not declared
			if !v.Is("*") {
				return false
			}
			r.next++
			v = r.peek()
			r.next++
		}
		if v.Kind == syntax.Ident {
			c.tag = strings.ToLower(v.Text)
			r.selector.Specificity[2]++
			return true
		}
		return v.Is("*")
	}
	return !v.Is("|")
}

func (r *reader) class(c *compound) bool {
	r.next++
	v := r.peek()
	if v.Kind != syntax.Ident {
		return false
	}
	c.classes = append(c.classes, v.Text)
	r.selector.Specificity[1]++
	r.next++
	return true
}

func (r *reader) nesting(c *compound) {
	r.next++
	r.hasAmp = true
	if r.parent == nil { // at the top it is :scope, the root
		c.tests = append(c.tests, isRoot)
		return
	}
	c.tests = append(c.tests, anyOf(r.parent))
	r.selector.Specificity = r.selector.Specificity.plus(highest(r.parent))
}

// foldedAttributes have values in which case does not count (HTML standard, section 4.16.2), the common ones.
var foldedAttributes = map[string]bool{
	"align": true, "bgcolor": true, "charset": true, "color": true, "dir": true, "face": true, "lang": true, "link": true, "media": true,
	"method": true, "nowrap": true, "rel": true, "rev": true, "rules": true, "scope": true, "shape": true, "target": true, "text": true,
	"type": true, "valign": true, "frame": true, "clear": true, "checked": true, "disabled": true, "http-equiv": true,
}

// attribute reads [name], [name=value] and the others.
func (r *reader) attribute(c *compound, v syntax.Value) bool {
	r.next++
	r.selector.Specificity[1]++
	args := syntax.WithoutSpace(v.Args)
	if len(args) > 2 && args[0].Is("*") && args[1].Is("|") {
		args = args[2:]
	}
	if len(args) == 0 || args[0].Kind != syntax.Ident {
		return false
	}
	a := attribute{name: strings.ToLower(args[0].Text)}
	a.fold = foldedAttributes[a.name]
	args = args[1:]
	if len(args) > 0 {
		if args[0].Kind != syntax.Delim || len(args) < 2 || (args[1].Kind != syntax.Ident && args[1].Kind != syntax.String) {
			return false
		}
		a.match, a.value = args[0].Text, args[1].Text
		switch a.match {
		case "=", "~=", "|=", "^=", "$=", "*=":
		default:
			return false
		}
		args = args[2:]
	}
	if len(args) == 1 && (args[0].IsIdent("i") || args[0].IsIdent("s")) && a.match != "" {
		a.fold = args[0].IsIdent("i")
		args = nil
	}
	c.attrs = append(c.attrs, a)
	return len(args) == 0
}
