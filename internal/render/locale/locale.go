// Package locale writes dates, numbers and amounts of money as the readers of a language and a region expect them.
//
// What is known of each locale are facts of the Unicode CLDR (see the command cldr below this folder, which wrote them down). All
// locales that CLDR covers well are known; any other tag has the facts of the nearest parent, of en in the end, so that no tag is an
// error. Calendars are Gregorian, digits are those that are usual for the locale.
//
// Numbers come as text in plain decimal notation, -1234.50, and are never made floats: they are exact whatever their length. Nothing
// here reads the clock, the machine's locale or its zone.
package locale

import (
	"strings"

	"golang.org/x/text/language"
)

// Locale is one locale. The zero value is en. It is safe for concurrent use.
type Locale struct {
	tag   language.Tag
	chain []*Facts
}

// Of returns the locale of a BCP 47 tag, or what is nearest to it.
func Of(tag string) Locale {
	l := Locale{tag: language.English}
	for _, name := range Parents(tag, func(tag string) bool { return find(tag) != nil }) {
		l.chain = append(l.chain, find(name))
	}
	if len(l.chain) > 1 {
		l.tag = language.Make(tag)
	}
	return l
}

// fact is the nearest fact. For [Currencies] it is the list of all, the nearest first.
func (l Locale) fact(i int) string {
	for _, facts := range l.facts() {
		if facts[i] != "" {
			return facts[i]
		}
	}
	return ""
}

func (l Locale) facts() []*Facts {
	if l.chain == nil {
		return []*Facts{english}
	}
	return l.chain
}

// name is one of a list.
func (l Locale) name(list, i int) string { return strings.Split(l.fact(list), "|")[i] }
