// Package bidi finds the embedding levels of bidirectional text, as the Unicode Bidirectional Algorithm does (UAX #9): an even level runs
// from left to right, an odd one from right to left, and a number in text from right to left has a level of its own above it.
package bidi

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

// Direction is the base direction of a paragraph. The zero Direction takes it from the first strong character (rules P2 and P3).
type Direction byte

// The directions.
const (
	Auto Direction = iota
	LTR
	RTL
)

// Levels returns the level of each character before lines are broken. A paragraph separator ends a paragraph, and what follows is another
// one of the same base direction. Any text is allowed, and takes time in proportion to its length.
func Levels(text []rune, base Direction) []uint8 {
	levels := make([]uint8, 0, len(text))
	classes := make([]bidi.Class, len(text))
	for i, r := range text {
		properties, _ := bidi.LookupRune(r)
		classes[i] = properties.Class()
	}
	for start := 0; start < len(text); {
		end := len(text)
		if i := slices.Index(classes[start:], bidi.B); i >= 0 {
			end = start + i + 1
		}
		p := paragraph{text: text[start:end], classes: classes[start:end]}
		levels = append(levels, p.find(base)...)
		start = end
	}
	return levels
}

// First is the direction of the first strong character of a text, or Auto if it has none. Isolates do not matter, as in the attribute dir
// of HTML.
func First(text string) Direction {
	for _, r := range text {
		properties, _ := bidi.LookupRune(r)
		switch properties.Class() {
		case bidi.L:
			return LTR
		case bidi.R, bidi.AL:
			return RTL
		default:
		}
	}
	return Auto
}

// paragraph is one while its levels are found.
type paragraph struct {
	text     []rune
	classes  []bidi.Class // of the characters themselves
	types    []bidi.Class // what the rules make of them
	embedded []uint8      // the levels of the embeddings
	levels   []uint8      // the result
	match    []int        // of what opens an isolate: where that ends, or the length; of what closes one: where it begins, or -1
	base     uint8
}

func (p *paragraph) find(base Direction) []uint8 {
	p.matchIsolates()
	switch {
	case base == RTL, base == Auto && p.firstStrong(0, len(p.text)) == bidi.R:
		p.base = 1
	default:
	}
	p.types, p.embedded = slices.Clone(p.classes), make([]uint8, len(p.text))
	p.embed()
	p.levels = slices.Clone(p.embedded)
	for _, s := range p.sequences() {
		s.resolve()
	}
	p.removed()
	p.separators()
	return p.levels
}

func initiates(c bidi.Class) bool { return c == bidi.LRI || c == bidi.RLI || c == bidi.FSI }

// isRemoved reports whether rule X9 takes a character out of the text.
func isRemoved(c bidi.Class) bool {
	switch c {
	case bidi.LRE, bidi.RLE, bidi.LRO, bidi.RLO, bidi.PDF, bidi.BN:
		return true
	default:
		return false
	}
}

// matchIsolates finds which characters open and close the same isolate (definition BD9).
func (p *paragraph) matchIsolates() {
	p.match = make([]int, len(p.text))
	var opened []int
	for i, c := range p.classes {
		p.match[i] = -1
		switch {
		case initiates(c):
			p.match[i] = len(p.text)
			opened = append(opened, i)
		case c == bidi.PDI && len(opened) > 0:
			last := opened[len(opened)-1]
			opened = opened[:len(opened)-1]
			p.match[last], p.match[i] = i, last
		default:
		}
	}
}

// firstStrong is L or R as the first strong character in a stretch says, isolates left out; L if there is none (rules P2 and P3).
func (p *paragraph) firstStrong(start, end int) bidi.Class {
	for i := start; i < end; i++ {
		switch c := p.classes[i]; {
		case c == bidi.L:
			return bidi.L
		case c == bidi.R || c == bidi.AL:
			return bidi.R
		case initiates(c):
			i = p.match[i]
		default:
		}
	}
	return bidi.L
}

// removed gives what rule X9 took out the level of what is before it, so that it divides no word.
func (p *paragraph) removed() {
	for i, c := range p.classes {
		switch {
		case !isRemoved(c):
		case i == 0:
			p.levels[i] = p.base
		default:
			p.levels[i] = p.levels[i-1]
		}
	}
}

// separators puts separators, and blanks before them and at the end, on the level of the paragraph (rule L1).
func (p *paragraph) separators() {
	trailing := true
	for i, c := range slices.Backward(p.classes) {
		switch {
		case c == bidi.B || c == bidi.S:
			trailing = true
		case c == bidi.WS || initiates(c) || c == bidi.PDI || isRemoved(c):
		default:
			trailing = false
		}
		if trailing {
			p.levels[i] = p.base
		}
	}
}
