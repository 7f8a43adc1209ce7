package bidi

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

// maxOpen is how many brackets may be open (definition BD16).
const maxOpen = 63

// pair is two brackets that belong together, as places in a sequence.
type pair struct{ opened, closed int }

// brackets gives brackets a direction in pairs (rule N0).
func (s *sequence) brackets() {
	for _, b := range s.pairs() {
		c := s.inside(b)
		if c == bidi.ON {
			continue
		}
		if c != s.embedding && s.before(b.opened) != c {
			c = s.embedding
		}
		s.set(b.opened, c)
		s.set(b.closed, c)
	}
}

// pairs finds the brackets that belong together, in the order of the first ones.
func (s *sequence) pairs() []pair {
	type open struct {
		closer rune
		at     int
	}
	var stack []open
	var found []pair
	for i, at := range s.places {
		if s.t[i] != bidi.ON {
			continue
		}
		r := s.text[at]
		properties, _ := bidi.LookupRune(r)
		switch {
		case !properties.IsBracket():
		case properties.IsOpeningBracket():
			if len(stack) == maxOpen {
				return sorted(found)
			}
			stack = append(stack, open{canonical([]rune(bidi.ReverseString(string(r)))[0]), i})
		default:
			for j, o := range slices.Backward(stack) {
				if o.closer == canonical(r) {
					found = append(found, pair{o.at, i})
					stack = stack[:j]
					break
				}
			}
		}
	}
	return sorted(found)
}

func sorted(pairs []pair) []pair {
	slices.SortFunc(pairs, func(a, b pair) int { return a.opened - b.opened })
	return pairs
}

// canonical makes one of the two angle brackets that are the same.
func canonical(r rune) rune {
	if r == '\u232a' {
		return '\u3009'
	}
	return r
}

// inside is the direction that is found between brackets: that of the embedding if it is there, the other one if only that is, or ON.
func (s *sequence) inside(b pair) bidi.Class {
	found := bidi.ON
	for _, c := range s.t[b.opened+1 : b.closed] {
		switch strong := strength(c); strong {
		case bidi.ON:
		case s.embedding:
			return strong
		default:
			found = strong
		}
	}
	return found
}

// before is the direction of what is before a place.
func (s *sequence) before(at int) bidi.Class {
	for _, c := range slices.Backward(s.t[:at]) {
		if strong := strength(c); strong != bidi.ON {
			return strong
		}
	}
	return s.start
}

// set gives a bracket its direction, and the marks on it.
func (s *sequence) set(at int, c bidi.Class) {
	s.t[at] = c
	for i := at + 1; i < len(s.t) && s.classes[s.places[i]] == bidi.NSM; i++ {
		s.t[i] = c
	}
}
