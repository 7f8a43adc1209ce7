package cascade

import (
	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// Finding is something of a page that the native engine does not draw as a browser would.
type Finding struct {
	Kind    string // property, value, at-rule, selector, element, attribute
	Feature string // "columns", "@container", "::first-letter", "<video>"
	Value   string // of a declaration
	Reason  string
	Source  string // "document", or the address of a style sheet
	Line    int    // from 1; 0 is unknown
	Column  int
}

// maxFindings are kept; more are only counted.
const maxFindings = 1000

// findings collects, each place once.
type findings struct {
	list []Finding
	seen map[Finding]bool
	more int
	// asked counts how often something was found, known or not.
	asked int
}

func (f *findings) add(x Finding) {
	if f.seen == nil {
		f.seen = map[Finding]bool{}
	}
	f.asked++
	x.Value = shorten(x.Value)
	switch {
	case f.seen[x]:
	case len(f.list) >= maxFindings:
		f.more++
	default:
		f.seen[x] = true
		f.list = append(f.list, x)
	}
}

// shorten cuts what nobody would read.
func shorten(text string) string {
	const most = 120
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// at places a finding in a source.
func at(source *syntax.Source, offset int, x Finding) Finding {
	x.Source = source.Name
	x.Line, x.Column = source.Position(offset)
	return x
}
