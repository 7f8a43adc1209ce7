package render

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Bounds of what warnings name.
const (
	maxGlyphs      = 10 // characters
	maxClippedText = 80 // runes of a text that is cut off
	maxOfACode     = 20 // warnings
)

// GlyphsMissing is the warning of characters that no font has, in any order: `U+65E5 "日", U+672C "本"`, the first ten by their number. Those
// that nobody sees where they stand alone have their number only.
func GlyphsMissing(missing []rune) Warning {
	missing = slices.Compact(slices.Sorted(slices.Values(missing)))
	var names []string
	for _, r := range missing[:min(len(missing), maxGlyphs)] {
		name := fmt.Sprintf("U+%04X", r)
		if seen(r) {
			name += ` "` + string(r) + `"`
		}
		names = append(names, name)
	}
	detail := strings.Join(names, ", ")
	if more := len(missing) - len(names); more > 0 {
		detail += fmt.Sprintf(" (and %d more)", more)
	}
	return Warning{Code: GlyphMissing, Detail: detail}
}

// brailleBlank is the one symbol without ink.
const brailleBlank = '\u2800'

// seen reports whether a character shows something by itself: it is no space, no mark on another one, not for private use, unassigned or for
// control, and no filler.
func seen(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) && r != brailleBlank
}

// BlankPage is the warning of a page with nothing on it: no text, no picture, no border and no colored box. Its number counts from 1. What
// stands on every page alike makes no page less blank: its margins with what is in them, and the background of the canvas and of the sheet.
func BlankPage(number int) Warning {
	return Warning{Code: PageBlank, Detail: fmt.Sprintf("page %d", number)}
}

// ClippedText is the warning of a text that is cut off on a page. Text is all of the text node, the beginning of which is named.
func ClippedText(page int, text string) Warning {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > maxClippedText {
		runes = append(runes[:maxClippedText], '…')
	}
	return Warning{Code: TextClipped, Detail: fmt.Sprintf("page %d: %q", page, string(runes))}
}

// MissingFont is the warning of a family that a page names first and that is not there.
func MissingFont(family string) Warning {
	return Warning{Code: FontMissing, Detail: family + ": named and not found"}
}

// FewWarnings keeps the first warnings of each code and counts the others of it in one more: a table that is too wide has thousands.
func FewWarnings(all []Warning) []Warning {
	var few []Warning
	count := map[string]int{}
	for _, w := range all {
		if count[w.Code]++; count[w.Code] <= maxOfACode {
			few = append(few, w)
		}
	}
	for i := 0; i < len(few); i++ {
		code := few[i].Code
		if more := count[code] - maxOfACode; more > 0 {
			few = append(few, Warning{Code: code, Detail: fmt.Sprintf("and %d more", more)})
			count[code] = 0
		}
	}
	return few
}
