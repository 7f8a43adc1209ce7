package compose

import (
	"regexp"
	"strings"
	"unicode"
)

// The Markdown parser needs time that grows with the square of these, and cannot be interrupted.
const (
	maxMarkers      = 40       // of lists and quotations, at the beginning of one line
	maxBrackets     = 2000     // "[" in one block
	maxColumns      = 200      // of a table
	maxCells        = 500_000  // of all tables together
	maxAddressBytes = 16 << 20 // of all links together
)

var (
	markers   = regexp.MustCompile(`^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]))+`)
	marker    = regexp.MustCompile(`>|[-+*][ \t]|\d{1,9}[.)][ \t]`)
	delimiter = regexp.MustCompile(`^[-|: \t>]*$`)
)

// checkMarkdown refuses a text that nobody wrote by hand. Lines up to an empty one are taken for one block, but
// for an item of a list, which always begins a block of its own.
func checkMarkdown(body string) error {
	brackets, columns, cells := 0, 0, 0
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\r\n")
		prefix := markers.FindString(line)
		if strings.TrimSpace(line) == "" || strings.Trim(prefix, "> \t") != "" {
			brackets, columns = 0, 0
		}
		if brackets += strings.Count(line, "["); brackets > maxBrackets {
			return ErrMarkdownTooComplex.With("A block of the Markdown has more than %d opening brackets.", maxBrackets)
		}
		if len(marker.FindAllString(prefix, maxMarkers+1)) > maxMarkers {
			return ErrMarkdownTooComplex.With("The Markdown has lists or quotations nested more than %d deep.", maxMarkers)
		}
		if strings.Contains(line, "-") && delimiter.MatchString(line) {
			columns = 1 + strings.Count(line, "|")
		}
		if columns > maxColumns {
			return ErrMarkdownTooComplex.With("A table of the Markdown has more than %d columns.", maxColumns)
		}
		if cells += columns; cells > maxCells {
			return ErrMarkdownTooComplex.With("The tables of the Markdown have more than %d cells.", maxCells)
		}
	}
	return nil
}

// idRune keeps letters, digits, "-" and "_" of a heading for its id.
func idRune(r rune) rune {
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
		return r
	case unicode.IsSpace(r):
		return '-'
	default:
		return -1
	}
}
