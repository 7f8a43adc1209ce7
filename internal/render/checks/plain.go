package checks

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// brokenWord is a hyphen at the end of a line. U+0002 and U+FFFE stand for one in text that was taken from a PDF, with or without the
// end of the line.
var brokenWord = regexp.MustCompile(`[-\x{2010}\x{ad}][ \t]*[\r\n]+[ \t]*|[\x{2}\x{fffe}]\s*`)

// plain is a text without what a reader does not see: runs of white space are one space, letters are composed (NFC), ligatures and
// positional forms are the letters that they show (see [unjoined]), and invisible characters are gone.
func plain(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	space := false
	for _, r := range norm.NFC.String(text) {
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case invisible(r):
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		if unicode.Is(unjoined, r) {
			b.WriteString(norm.NFKC.String(string(r)))
			continue
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

// unjoined are the blocks of ligatures and of letters by their place in a word (Unicode, Alphabetic Presentation Forms and Arabic
// Presentation Forms A and B). Other compatibility characters keep what they are: 2² is not 22.
var unjoined = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0xfb00, Hi: 0xfdff, Stride: 1}, {Lo: 0xfe70, Hi: 0xfefc, Stride: 1}}}

// invisible reports whether a character shows nothing of its own: soft hyphens, joiners, directions, variants, controls.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Variation_Selector) || r == 0xfffe
}

// squeezed is a plain text without its spaces.
func squeezed(text string) string { return strings.ReplaceAll(text, " ", "") }

// Bounds of what counts as letters with gaps between them: so many pieces in a row, none longer than a ligature with what it is made
// of, and hardly more letters than pieces.
const (
	leastPieces  = 4
	longestPiece = 3
	mostLetters  = 1.3
)

// spacedOut returns the passages of a plain text that are letters with gaps between them, without the gaps. That is how the text of a
// PDF comes where its letters are spaced, and where it was taken to run from top to bottom.
func spacedOut(text string) []string {
	var passages []string
	var passage strings.Builder
	pieces, letters := 0, 0
	end := func() {
		if pieces >= leastPieces && float64(letters) <= mostLetters*float64(pieces) {
			passages = append(passages, passage.String())
		}
		passage.Reset()
		pieces, letters = 0, 0
	}
	for piece := range strings.SplitSeq(text, " ") {
		n := utf8.RuneCountInString(piece)
		if n > longestPiece {
			end()
			continue
		}
		passage.WriteString(piece)
		pieces, letters = pieces+1, letters+n
	}
	end()
	return passages
}
