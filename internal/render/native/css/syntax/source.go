package syntax

import "sort"

// Source is a style sheet's text with its place.
type Source struct {
	Name string // "document", or the address of the sheet
	Text string
	// Line and Column are where the text begins in what Name names, from 1.
	Line, Column int

	lines []int
}

// NewSource makes a source.
func NewSource(name, text string, line, column int) *Source {
	s := &Source{Name: name, Text: text, Line: max(line, 1), Column: max(column, 1), lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// Position is where an offset of the text lies.
func (s *Source) Position(offset int) (line, column int) {
	i := sort.SearchInts(s.lines, offset+1) - 1
	column = offset - s.lines[i] + 1
	if i == 0 {
		column += s.Column - 1
	}
	return s.Line + i, column
}
