package property

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// Longhand is a part of a declaration. Values nil is the initial value.
type Longhand struct {
	Name   string
	Values []syntax.Value
}

// Property is the row of the table in a direction of the text; nil if there is none.
func (l *Longhand) Property(direction Keyword) *Property {
	if p := byName[l.Name]; p != nil {
		return p
	}
	return byName[Physical(l.Name, direction)]
}

// shorthand is a property that sets others. expand reads all values into the longhands that were said; the others
// are set to their initial values.
type shorthand struct {
	longhands []string
	expand    func(r *value.Reader) (map[string][]syntax.Value, bool)
}

// Longhands returns what a name sets: itself, if it is no shorthand.
func Longhands(name string) []string {
	if name == "all" {
		return everything
	}
	if s := shorthands[name]; s != nil {
		return s.longhands
	}
	return []string{name}
}

var everything = allNames(All)

// allNames are those that "all" sets (CSS Cascade 4, section 3.2).
func allNames(all []*Property) []string {
	var names []string
	for _, p := range all {
		if p.Name != "direction" && p.Name != "unicode-bidi" && p.Name != "size" {
			names = append(names, p.Name)
		}
	}
	return names
}

// Expand splits a declaration into longhands. Keywords that every property takes go to each of them. It reports
// whether the value is right, and if so why it is outside, if it is: one that only browsers can read may be right.
func Expand(name string, context *value.Context, values []syntax.Value) (list []Longhand, outside string, ok bool) {
	list, outside, ok = expand(name, context, values)
	if ok {
		return list, outside, true
	}
	if function := value.Foreign(values); function != "" {
		return nil, "the function " + function + "() is not supported here", true
	}
	return nil, "", false
}

func expand(name string, context *value.Context, values []syntax.Value) (list []Longhand, outside string, ok bool) {
	if len(values) == 1 && values[0].Kind == syntax.Ident && CSSWide(strings.ToLower(values[0].Text)) {
		for _, longhand := range Longhands(name) {
			list = append(list, Longhand{longhand, values})
		}
		return list, "", true
	}
	r := value.NewReader(context, values)
	s := shorthands[name]
	if s == nil {
		outside, ok = check(name, r, false)
		return []Longhand{{name, values}}, outside, ok
	}
	parts, ok := s.expand(r)
	if !ok || !r.Done() {
		return nil, "", false
	}
	outside = r.Outside
	list = make([]Longhand, 0, len(s.longhands))
	for _, longhand := range s.longhands {
		if v := parts[longhand]; v != nil {
			r.Restart(v)
			reason, good := check(longhand, r, name == "inset")
			if !good {
				return nil, "", false
			}
			if outside == "" {
				outside = reason
			}
		}
		list = append(list, Longhand{longhand, parts[longhand]})
	}
	return list, outside, true
}

// check reports whether a longhand takes what a reader holds; strictly, it takes nothing more in quirks mode.
func check(name string, r *value.Reader, strict bool) (outside string, ok bool) {
	p := byName[Physical(name, "ltr")]
	if p == nil {
		return "", false
	}
	if !strict && p.Name == name { // no logical one has quirks
		p.quirk.allow(r)
	} else {
		noQuirk.allow(r)
	}
	return p.check(r)
}

// accepts reads the longest beginning of the rest that a longhand takes, and returns it; nil for none.
func accepts(name string, r *value.Reader) []syntax.Value {
	p := byName[Physical(name, "ltr")]
	mark, reason := r.Mark(), r.Outside
	if p == nil || !p.skip(r) || r.Mark() == mark {
		r.Reset(mark)
		r.Outside = reason
		return nil
	}
	return r.Since(mark)
}

// anyOrder takes values for the longhands in any order, each at most once.
func anyOrder(names ...string) *shorthand {
	return &shorthand{names, func(r *value.Reader) (map[string][]syntax.Value, bool) {
		parts := map[string][]syntax.Value{}
		for !r.Done() {
			if !oneOf(r, names, parts) {
				return nil, false
			}
		}
		return parts, len(parts) > 0
	}}
}

// oneOf gives the next values to the first longhand that takes them and has none yet.
func oneOf(r *value.Reader, names []string, parts map[string][]syntax.Value) bool {
	for _, name := range names {
		if parts[name] == nil {
			if v := accepts(name, r); v != nil {
				parts[name] = v
				return true
			}
		}
	}
	return false
}

// also makes every longhand of one of the groups take what the first group took, and resets others: border.
func (s *shorthand) also(groups [][]string) *shorthand {
	all := &shorthand{}
	for _, group := range groups {
		all.longhands = append(all.longhands, group...)
	}
	all.expand = func(r *value.Reader) (map[string][]syntax.Value, bool) {
		first, ok := s.expand(r)
		parts := map[string][]syntax.Value{}
		for _, group := range groups {
			for i, name := range group {
				parts[name] = first[s.longhands[i]]
			}
		}
		return parts, ok
	}
	return all
}

// sides takes one to four values: for all, for top and sides, and so on.
func sides(names ...string) *shorthand {
	return &shorthand{names, func(r *value.Reader) (map[string][]syntax.Value, bool) {
		given := singles(r)
		n := len(given)
		if n == 0 || n > len(names) {
			return nil, false
		}
		parts := map[string][]syntax.Value{}
		for i, name := range names {
			parts[name] = given[sideIndex(i, n)]
		}
		return parts, true
	}}
}

// sideIndex is which of n values side i takes, in the order top, right, bottom, left.
func sideIndex(i, n int) int {
	switch {
	case i < n:
		return i
	case i == 3 && n >= 2:
		return 1
	}
	return 0
}

// singles are the values of the rest, each by itself.
func singles(r *value.Reader) [][]syntax.Value {
	var list [][]syntax.Value
	for !r.Done() {
		mark := r.Mark()
		r.Skip()
		list = append(list, r.Since(mark))
	}
	return list
}

// pair takes one or two values of several words each.
func pair(first, second string) *shorthand {
	return &shorthand{[]string{first, second}, func(r *value.Reader) (map[string][]syntax.Value, bool) {
		one := accepts(first, r)
		two := one
		if !r.Done() {
			two = accepts(second, r)
		}
		return map[string][]syntax.Value{first: one, second: two}, one != nil && two != nil
	}}
}

// choice takes one word, which stands for a value of each longhand.
func choice(names []string, words map[string]string) *shorthand {
	return &shorthand{names, func(r *value.Reader) (map[string][]syntax.Value, bool) {
		v := r.Peek()
		means, ok := words[strings.ToLower(v.Text)]
		if v.Kind != syntax.Ident || !ok {
			return nil, false
		}
		r.Skip()
		parts := map[string][]syntax.Value{}
		for i, word := range strings.Fields(means) {
			parts[names[i]] = ident(word)
		}
		return parts, true
	}}
}

func ident(word string) []syntax.Value { return []syntax.Value{{Kind: syntax.Ident, Text: word}} }

func numberValue(v float64) syntax.Value {
	return syntax.Value{Kind: syntax.Number, Number: v, Integer: v == float64(int(v))}
}
