package selector

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// The pseudo-classes and pseudo-elements that browsers know, by what they are on paper.

// nowhere are states that nothing is in on paper: nobody points, types or scrolls.
var nowhere = names(`hover active focus focus-visible focus-within visited target target-within current past future playing paused
	seeking buffering stalled muted volume-locked fullscreen picture-in-picture modal popover-open autofill -webkit-autofill
	user-valid user-invalid host -webkit-full-screen -webkit-drag -webkit-any-link-active open-xr active-view-transition
	-internal-autofill-selected -webkit-full-page-media -webkit-full-screen-ancestor target-current target-before target-after`)

// states are those of form controls and others, which are outside.
var states = names(`checked enabled disabled read-only read-write required optional valid invalid in-range out-of-range indeterminate
	default placeholder-shown open closed has-slotted interest-source interest-target`)

// unseen are parts that are not printed, or that only elements have which are outside.
var unseen = names(`selection placeholder backdrop file-selector-button cue cue-region spelling-error grammar-error target-text
	view-transition view-transition-group view-transition-image-pair view-transition-old view-transition-new highlight details-content
	scroll-marker scroll-marker-group scroll-button checkmark picker-icon picker slotted part search-text column interest-hint`)

// parts are pseudo-elements that are drawn by browsers and are outside.
var parts = names("first-line first-letter")

func names(list string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		m[name] = true
	}
	return m
}

// pseudo reads what begins with a colon.
func (r *reader) pseudo(c *compound) bool {
	r.next++
	element := r.peek().Is(":")
	if element {
		r.next++
	}
	v := r.peek()
	r.next++
	name := strings.ToLower(v.Text)
	switch {
	case v.Kind == syntax.Ident && (element || name == "before" || name == "after" || name == "first-line" || name == "first-letter"):
		return r.pseudoElement(name)
	case v.Kind == syntax.Function && element:
		return unseen[name] && r.pseudoElement(name)
	case r.selector.PseudoElement != "": // ::before:hover
		r.selector.Never = true
		return nowhere[name]
	case v.Kind == syntax.Ident:
		return r.pseudoClass(c, name)
	case v.Kind == syntax.Function:
		return r.functional(c, name, v)
	}
	return false
}

func (r *reader) pseudoElement(name string) bool {
	if r.selector.PseudoElement != "" {
		r.selector.Outside = "pseudo-elements of pseudo-elements are not supported"
		return name == "marker"
	}
	r.selector.PseudoElement = name
	r.selector.Specificity[2]++
	switch {
	case name == "before" || name == "after" || name == "marker":
		return true
	case parts[name]:
		r.selector.Outside = "::" + name + " is not supported"
		return true
	}
	r.selector.Never = true
	return unseen[name] || strings.HasPrefix(name, "-webkit-")
}

// test is a condition on an element.
type test func(m *Matcher, n *dom.Node) bool

func isRoot(m *Matcher, n *dom.Node) bool { return n.Parent == nil }

// simple are the pseudo-classes without arguments.
var simple = map[string]test{
	"root": isRoot, "scope": isRoot,
	"empty":         func(_ *Matcher, n *dom.Node) bool { return n.IsEmpty() },
	"first-child":   func(_ *Matcher, n *dom.Node) bool { return n.Index(false) == 1 },
	"last-child":    func(_ *Matcher, n *dom.Node) bool { return n.Index(true) == 1 },
	"only-child":    func(_ *Matcher, n *dom.Node) bool { return n.Index(false) == 1 && n.Index(true) == 1 },
	"first-of-type": func(_ *Matcher, n *dom.Node) bool { return n.TypeIndex(false) == 1 },
	"last-of-type":  func(_ *Matcher, n *dom.Node) bool { return n.TypeIndex(true) == 1 },
	"only-of-type":  func(_ *Matcher, n *dom.Node) bool { return n.TypeIndex(false) == 1 && n.TypeIndex(true) == 1 },
	"link":          isLink, "any-link": isLink, "-webkit-any-link": isLink,
	"defined": func(_ *Matcher, n *dom.Node) bool { return !strings.Contains(n.Tag, "-") },
}

func isLink(_ *Matcher, n *dom.Node) bool {
	_, ok := n.Attr("href")
	return ok && (n.Tag == "a" || n.Tag == "area")
}

func (r *reader) pseudoClass(c *compound, name string) bool {
	r.selector.Specificity[1]++
	switch {
	case simple[name] != nil:
		c.tests = append(c.tests, simple[name])
	case nowhere[name]:
		c.tests = append(c.tests, never)
		r.selector.Never = true
	case states[name]:
		r.selector.Outside = ":" + name + " is not supported"
	default:
		return false
	}
	return true
}

func never(*Matcher, *dom.Node) bool { return false }

// functional reads a pseudo-class with arguments.
func (r *reader) functional(c *compound, name string, v syntax.Value) bool {
	switch name {
	case "is", "where", "matches", "-webkit-any", "any":
		return r.matchesAny(c, name, v)
	case "not":
		list, ok := r.list(v.Args)
		for _, s := range list {
			ok = ok && s.PseudoElement == ""
			r.selector.Outside += s.Outside
		}
		r.selector.Specificity = r.selector.Specificity.plus(highest(list))
		c.tests = append(c.tests, noneOf(list))
		return ok
	case "has", "state", "host-context", "host", "active-view-transition-type":
		r.selector.Outside = ":" + name + "() is not supported"
		r.selector.Specificity[1]++
		return len(v.Args) > 0
	case "lang":
		return r.lang(c, v)
	case "dir":
		return r.dir(c, v)
	}
	return r.nth(c, name, v)
}

// list reads an unforgiving list inside of a pseudo-class, in which & still has its meaning.
func (r *reader) list(values []syntax.Value) (List, bool) {
	var list List
	for _, part := range syntax.SplitComma(values) {
		s, ok := r.complex(part, false)
		if !ok {
			return nil, false
		}
		list = append(list, s)
	}
	return list, len(list) <= maxSelectors
}

func (r *reader) matchesAny(c *compound, name string, v syntax.Value) bool {
	list := r.forgiving(v.Args)
	for _, s := range list {
		r.selector.Outside += s.Outside
	}
	if name != "where" {
		r.selector.Specificity = r.selector.Specificity.plus(highest(list))
	}
	c.tests = append(c.tests, anyOf(list))
	return name != "any" && name != "matches"
}

func highest(list List) Specificity {
	var best Specificity
	for _, s := range list {
		if best.Less(s.Specificity) {
			best = s.Specificity
		}
	}
	return best
}

func anyOf(list List) test {
	return func(m *Matcher, n *dom.Node) bool {
		for _, s := range list {
			if s.PseudoElement == "" && m.match(s, n) {
				return true
			}
		}
		return false
	}
}

func noneOf(list List) test {
	some := anyOf(list)
	return func(m *Matcher, n *dom.Node) bool { return !some(m, n) }
}

// lang matches the language of the element or of the nearest ancestor that has one, and its sub-languages.
func (r *reader) lang(c *compound, v syntax.Value) bool {
	r.selector.Specificity[1]++
	var ranges []string
	for _, part := range syntax.SplitComma(v.Args) {
		if len(part) != 1 || (part[0].Kind != syntax.Ident && part[0].Kind != syntax.String) {
			return false
		}
		ranges = append(ranges, strings.ToLower(strings.TrimPrefix(part[0].Text, "*-")))
	}
	c.tests = append(c.tests, func(_ *Matcher, n *dom.Node) bool {
		lang := strings.ToLower(inheritedAttr(n, "lang"))
		for _, want := range ranges {
			if lang != "" && (lang == want || strings.HasPrefix(lang, want+"-") || want == "*") {
				return true
			}
		}
		return false
	})
	return true
}

func inheritedAttr(n *dom.Node, name string) string {
	for ; n != nil; n = n.Parent {
		if v, ok := n.Attr(name); ok {
			return v
		}
	}
	return ""
}

func (r *reader) dir(c *compound, v syntax.Value) bool {
	r.selector.Specificity[1]++
	if len(v.Args) != 1 || v.Args[0].Kind != syntax.Ident {
		return false
	}
	want := strings.ToLower(v.Args[0].Text)
	c.tests = append(c.tests, func(_ *Matcher, n *dom.Node) bool {
		dir := strings.ToLower(inheritedAttr(n, "dir"))
		return dir == want || (dir == "" && want == "ltr")
	})
	return true
}
