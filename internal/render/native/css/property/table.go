package property

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// Property is one row of the table: a longhand that is applied.
type Property struct {
	Name      string
	Initial   string // as CSS
	Inherited bool
	Index     int // in [All]

	quirk quirk

	read func(r *value.Reader, s *Style) bool
	skip func(r *value.Reader) bool // reads, and keeps nothing
	copy func(to, from *Style)
	text func(s *Style) string
}

// Set reads values into a style. It reports whether they are right; outside says why they are right, but cannot
// be applied, and then the style is not to be used.
func (p *Property) Set(s *Style, context *value.Context, values []syntax.Value) (outside string, ok bool) {
	return p.SetFrom(s, value.NewReader(context, values))
}

// SetFrom is [Property.Set] with all that a reader holds.
func (p *Property) SetFrom(s *Style, r *value.Reader) (outside string, ok bool) {
	p.quirk.allow(r)
	if !p.read(r, s) || !r.Done() {
		return "", false
	}
	return r.Outside, true
}

// check reports what [Property.SetFrom] would, without a style.
func (p *Property) check(r *value.Reader) (outside string, ok bool) {
	if !p.skip(r) || !r.Done() {
		return "", false
	}
	return r.Outside, true
}

// Copy takes the value over from another style.
func (p *Property) Copy(to, from *Style) { p.copy(to, from) }

// Text is the computed value as CSS, for people and tests: browsers write some of them in another way.
func (p *Property) Text(s *Style) string { return p.text(s) }

// row makes a row from where the value is kept and how it is read.
func row[T any](name, initial string, inherited bool, field func(*Style) *T, read func(*value.Reader) (T, bool)) *Property {
	return &Property{
		Name: name, Initial: initial, Inherited: inherited,
		read: func(r *value.Reader, s *Style) bool {
			v, ok := read(r)
			if ok {
				*field(s) = v
			}
			return ok
		},
		skip: func(r *value.Reader) bool {
			_, ok := read(r)
			return ok
		},
		copy: func(to, from *Style) { *field(to) = *field(from) },
		text: func(s *Style) string { return text(*field(s)) },
	}
}

// inherited and own make rows of the two groups.
func inherited[T any](name, initial string, field func(*Style) *T, read func(*value.Reader) (T, bool)) *Property {
	return row(name, initial, true, field, read)
}

func own[T any](name, initial string, field func(*Style) *T, read func(*value.Reader) (T, bool)) *Property {
	return row(name, initial, false, field, read)
}

// pixels makes the row write its number as a length.
func (p *Property) pixels(field func(*Style) *float64) *Property {
	p.text = func(s *Style) string { return text(px(*field(s))) }
	return p
}

// All are the longhands that are applied, in the order in which they are computed: what others depend on comes
// first.
var All = number(fontRows, colorRows, textRows, boxRows, borderRows, paintRows, flowRows, gridRows, svgRows)

func number(groups ...func() []*Property) []*Property {
	var all []*Property
	for _, group := range groups {
		for _, p := range group() {
			p.Index, p.quirk = len(all), quirks[p.Name]
			all = append(all, p)
		}
	}
	return all
}

var byName = index(All)

func index(all []*Property) map[string]*Property {
	m := make(map[string]*Property, len(all))
	for _, p := range all {
		m[p.Name] = p
	}
	return m
}

// Find returns the longhand of a name, or nil. It knows no aliases.
func Find(name string) *Property { return byName[name] }

// Class is what becomes of a property.
type Class uint8

// The classes.
const (
	Unknown  Class = iota // browsers do not know it either
	Applied               // in the table, or a shorthand of what is
	NoEffect              // changes nothing on paper
	Outside               // changes something that the native engine does not draw
)

// Classify says what becomes of a property, whose name is in lower case, and the name under which it is known.
func Classify(name string) (Class, string) {
	if to, ok := aliases[name]; ok {
		name = to
	}
	switch {
	case byName[name] != nil || shorthands[name] != nil || logical[name] != (flowing{}):
		return Applied, name
	case noEffect[name], dependent[name]:
		return NoEffect, name
	}
	if _, ok := outside[name]; ok || newRules[name] {
		return Outside, name
	}
	return Unknown, name
}

// Harmless reports whether a value of an Outside property changes nothing: its initial value, for instance.
func Harmless(name, text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	if CSSWide(text) {
		return true
	}
	for harmless := range strings.SplitSeq(outside[name], "|") {
		if strings.TrimSpace(harmless) == text {
			return true
		}
	}
	return false
}

// CSSWide reports whether a text is one of the keywords that every property takes. They are in lower case.
func CSSWide(text string) bool {
	switch text {
	case "initial", "inherit", "unset", "revert", "revert-layer":
		return true
	}
	return false
}

// InitialStyle returns the style of nothing: all initial values. As every style it is shared and not to be changed.
func InitialStyle() *Style { return initialStyle }

var initialStyle = readInitialStyle()

func readInitialStyle() *Style {
	s := &Style{}
	c := &value.Context{FontSize: 16, RootFontSize: 16, ParentSize: 16, ParentWeight: 400}
	for i, p := range All {
		p.read(value.NewReader(c, initialValues[i]), s)
	}
	return s
}

// InitialValues returns the initial value of a longhand.
func (p *Property) InitialValues() []syntax.Value { return initialValues[p.Index] }
