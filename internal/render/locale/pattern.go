package locale

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/platen-render/platen/internal/fault"
)

// ErrPattern is a pattern of dates that cannot be read.
var ErrPattern = fault.New(fault.Invalid, "date_pattern_invalid", "The pattern is not valid.")

// Pattern is how a date is written (UTS 35, part 4, section 8). Its zero value writes nothing.
type Pattern []piece

// piece is a field, as MMMM, or literal text.
type piece struct {
	field byte // 0 for a text
	count int
	text  string
}

const maxPatternBytes = 200

// fields are the letters of a pattern and the lengths that each may have.
var fields = map[byte][]int{
	'G': {1, 2, 3}, 'y': {1, 2, 3, 4}, 'Q': {1, 2}, 'M': {1, 2, 3, 4, 5}, 'L': {1, 2, 3, 4, 5}, 'd': {1, 2}, 'D': {1, 2, 3},
	'E': {1, 2, 3, 4, 5}, 'c': {3, 4, 5}, 'a': {1, 2, 3}, 'H': {1, 2}, 'h': {1, 2}, 'm': {1, 2}, 's': {1, 2},
	'S': {1, 2, 3, 4, 5, 6, 7, 8, 9}, 'V': {2}, 'x': {3}, 'X': {3}, 'Z': {1, 2, 3},
}

// clock are the fields that a mere date does not have.
const clock = "aHhmsSVxXZ"

// ParsePattern reads a pattern, as "d. MMMM yyyy". Letters are fields; text that has letters stands in apostrophes, two of which are
// one. Errors: [ErrPattern], saying which letters there are.
func ParsePattern(text string) (Pattern, error) {
	if len(text) > maxPatternBytes {
		return nil, ErrPattern.With("A pattern has %d bytes at most.", maxPatternBytes)
	}
	if !utf8.ValidString(text) {
		return nil, ErrPattern.With("A pattern is UTF-8.")
	}
	var p Pattern
	for text != "" {
		next, rest, err := cutPiece(text)
		if err != nil {
			return nil, err
		}
		p, text = append(p, next), rest
	}
	return p, nil
}

// cutPiece reads what the text begins with.
func cutPiece(text string) (first piece, rest string, err error) {
	c := text[0]
	switch {
	case c == '\'':
		return cutQuoted(text[1:])
	case !isLetter(rune(c)):
		end := strings.IndexFunc(text, func(r rune) bool { return r == '\'' || isLetter(r) })
		if end < 0 {
			end = len(text)
		}
		return piece{text: text[:end]}, text[end:], nil
	}
	rest = strings.TrimLeft(text, text[:1])
	count := len(text) - len(rest)
	lengths, known := fields[c]
	if !known {
		return piece{}, "", ErrPattern.With("%q is no field of a date. Fields are %s; other text stands in 'apostrophes'.", c, fieldLetters)
	}
	if !slices.Contains(lengths, count) {
		return piece{}, "", ErrPattern.With("%q may not stand %d times in a row.", c, count)
	}
	return piece{field: c, count: count}, rest, nil
}

const fieldLetters = "G y Q M L d D E c a H h m s S VV xxx XXX Z"

// cutQuoted reads text up to an apostrophe; two of them are one, inside and outside.
func cutQuoted(text string) (first piece, rest string, err error) {
	if rest, isApostrophe := strings.CutPrefix(text, "'"); isApostrophe {
		return piece{text: "'"}, rest, nil
	}
	var quoted strings.Builder
	for {
		inside, rest, found := strings.Cut(text, "'")
		if !found {
			return piece{}, "", ErrPattern.With("An apostrophe is not closed.")
		}
		quoted.WriteString(inside)
		if text, found = strings.CutPrefix(rest, "'"); !found {
			return piece{text: quoted.String()}, rest, nil
		}
		quoted.WriteByte('\'')
	}
}

func isLetter(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }

// NeedsClock reports whether the pattern writes the time of day or the zone.
func (p Pattern) NeedsClock() bool {
	return slices.ContainsFunc(p, func(p piece) bool { return p.field != 0 && strings.IndexByte(clock, p.field) >= 0 })
}
