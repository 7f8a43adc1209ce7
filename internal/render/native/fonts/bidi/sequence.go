package bidi

import "golang.org/x/text/unicode/bidi"

// sequence is an isolating run sequence: the characters of one level around the isolates in it (definition BD13).
type sequence struct {
	*paragraph
	places     []int        // in the paragraph
	t          []bidi.Class // of those
	embedding  bidi.Class   // L or R
	start, end bidi.Class   // sos and eos
}

// direction is that of a level.
func direction(level uint8) bidi.Class {
	if level%2 == 1 {
		return bidi.R
	}
	return bidi.L
}

// sequences cuts the text into level runs, and joins those that belong together (rule X10).
func (p *paragraph) sequences() []*sequence {
	var runs [][]int
	runOf := make([]int, len(p.text))
	last, before, after := -1, make([]int, len(p.text)), make([]int, len(p.text)) // neighbors that are not removed
	for i, c := range p.classes {
		if isRemoved(c) {
			continue
		}
		if last < 0 || p.embedded[last] != p.embedded[i] {
			runs = append(runs, nil)
		}
		before[i], after[i] = last, -1
		if last >= 0 {
			after[last] = i
		}
		runOf[i], last = len(runs)-1, i
		runs[runOf[i]] = append(runs[runOf[i]], i)
	}
	var out []*sequence
	for _, places := range runs {
		if first := places[0]; p.classes[first] == bidi.PDI && p.match[first] >= 0 {
			continue // it goes on with another run
		}
		end := places[len(places)-1]
		for initiates(p.classes[end]) && p.match[end] < len(p.text) {
			places = append(places, runs[runOf[p.match[end]]]...)
			end = places[len(places)-1]
		}
		following := after[end]
		if initiates(p.classes[end]) {
			following = -1
		}
		out = append(out, p.sequence(places, before[places[0]], following))
	}
	return out
}

func (p *paragraph) sequence(places []int, before, after int) *sequence {
	level := p.embedded[places[0]]
	edge := func(neighbor int) bidi.Class {
		if neighbor < 0 {
			return direction(max(level, p.base))
		}
		return direction(max(level, p.embedded[neighbor]))
	}
	s := &sequence{paragraph: p, places: places, embedding: direction(level), start: edge(before), end: edge(after)}
	s.t = make([]bidi.Class, len(places))
	for i, at := range places {
		s.t[i] = p.types[at]
	}
	return s
}

// resolve gives the characters their levels (rules W1 to I2).
func (s *sequence) resolve() {
	s.marks()
	s.separatorsOfNumbers()
	s.numbers()
	s.brackets()
	s.neutrals()
	for i, at := range s.places {
		level := s.embedded[at]
		switch {
		case s.t[i] == bidi.EN || s.t[i] == bidi.AN:
			level = (level + 2) &^ 1
		case s.t[i] != s.embedding:
			level++
		}
		s.levels[at] = level
	}
}

// marks gives marks the type of what they stand on, and makes numbers after Arabic letters Arabic (rules W1 and W2).
func (s *sequence) marks() {
	strong, before := s.start, s.start
	for i, c := range s.t {
		switch {
		case c == bidi.NSM:
			c = before
			if initiates(before) || before == bidi.PDI {
				c = bidi.ON
			}
		case c == bidi.EN && strong == bidi.AL:
			c = bidi.AN
		}
		if c == bidi.L || c == bidi.R || c == bidi.AL {
			strong = c
		}
		s.t[i], before = c, c
	}
}

// separatorsOfNumbers makes separators and signs parts of the numbers they belong to (rules W4 and W5).
func (s *sequence) separatorsOfNumbers() {
	for i := 1; i+1 < len(s.t); i++ {
		c, before, after := s.t[i], s.t[i-1], s.t[i+1]
		if before == after && (before == bidi.EN && (c == bidi.ES || c == bidi.CS) || before == bidi.AN && c == bidi.CS) {
			s.t[i] = before
		}
	}
	for i := 0; i < len(s.t); {
		end := i
		for end < len(s.t) && s.t[end] == bidi.ET {
			end++
		}
		if end > i && (i > 0 && s.t[i-1] == bidi.EN || end < len(s.t) && s.t[end] == bidi.EN) {
			s.fill(i, end, bidi.EN)
		}
		i = end + 1
	}
}

func (s *sequence) fill(start, end int, c bidi.Class) {
	for i := start; i < end; i++ {
		s.t[i] = c
	}
}

// numbers ends the weak types: what is left of separators is neutral, and numbers in text from left to right are as letters (rules W3, W6
// and W7).
func (s *sequence) numbers() {
	strong := s.start
	for i, c := range s.t {
		switch c {
		case bidi.AL:
			s.t[i], strong = bidi.R, bidi.R
		case bidi.L, bidi.R:
			strong = c
		case bidi.ES, bidi.ET, bidi.CS:
			s.t[i] = bidi.ON
		case bidi.EN:
			if strong == bidi.L {
				s.t[i] = bidi.L
			}
		default:
		}
	}
}

// strength is the direction that a character has for neutral ones beside it: numbers are as letters from right to left. ON is none.
func strength(c bidi.Class) bidi.Class {
	switch c {
	case bidi.L:
		return bidi.L
	case bidi.R, bidi.EN, bidi.AN:
		return bidi.R
	default:
		return bidi.ON
	}
}

// neutrals gives what has no direction that of its neighbors, or of the embedding where those differ (rules N1 and N2).
func (s *sequence) neutrals() {
	before := s.start
	for i := 0; i < len(s.t); {
		if strong := strength(s.t[i]); strong != bidi.ON {
			before = strong
			i++
			continue
		}
		end, after := i, s.end
		for end < len(s.t) && strength(s.t[end]) == bidi.ON {
			end++
		}
		if end < len(s.t) {
			after = strength(s.t[end])
		}
		if before != after {
			s.fill(i, end, s.embedding)
		} else {
			s.fill(i, end, before)
		}
		i = end
	}
}
