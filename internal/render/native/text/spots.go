package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/platen-render/platen/internal/render/native/fonts/shape"
)

// spot says what may happen before a byte.
type spot uint8

const (
	inside    spot = 0
	cluster   spot = 1 // a grapheme cluster begins
	breakable spot = 2 // a line may begin
)

// findSpots looks at each stretch without blanks by itself: after blanks a line may always begin.
func (f *Flow) findSpots() {
	f.spots = make([]spot, len(f.text))
	for i := 0; i < len(f.text); {
		if isBlank(f.text[i]) {
			f.spots[i] = cluster
			i++
			continue
		}
		end := i
		for end < len(f.text) && !isBlank(f.text[end]) {
			end++
		}
		copy(f.spots[i:end], f.setter.token(f.text[i:end]))
		i = end
	}
}

// rememberedToken is how long a text may be whose spots are remembered.
const rememberedToken = 64

// token returns the spots of a stretch without blanks. They are those of its pattern: amounts of money have few.
func (s *Setter) token(text string) []spot {
	if len(text) > rememberedToken {
		return s.spots(text)
	}
	var room [rememberedToken]byte
	pattern := appendPattern(room[:0], text)
	known, ok := s.tokens[string(pattern)]
	if ok {
		return known
	}
	spots := s.spots(text)
	if len(s.tokens) >= maxWords {
		clear(s.tokens)
	}
	s.tokens[string(pattern)] = spots
	return spots
}

// appendPattern appends a text with one digit for all digits of ASCII and one letter for all its letters: to the rules for lines (UAX #14), those for
// clusters (UAX #29) and our own they are the same.
func appendPattern(b []byte, text string) []byte {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			b = append(b, '0')
		case alphanumeric(c):
			b = append(b, 'a')
		default:
			b = append(b, c)
		}
	}
	return b
}

// spots finds them: between two characters of ASCII browsers have rules of their own.
func (s *Setter) spots(text string) []spot {
	out := make([]spot, len(text))
	if ascii(text) {
		for i := range out {
			out[i] = cluster
			if i > 0 && asciiBreak(text, i) {
				out[i] |= breakable
			}
		}
		return out
	}
	p := s.segmenter.Paragraph(text, shape.LTR)
	at, next := 0, 0
	for i, r := range p.Runes {
		if i == next {
			out[at] = cluster
			next = p.Cluster(i)
		}
		if i > 0 && out[at] == cluster && s.breaks(text, at, p.Breaks[i-1]) {
			out[at] |= breakable
		}
		at += utf8.RuneLen(r)
	}
	return out
}

func (s *Setter) breaks(text string, at int, b shape.Break) bool {
	if text[at] < utf8.RuneSelf && text[at-1] < utf8.RuneSelf {
		return asciiBreak(text, at)
	}
	if strings.HasPrefix(text[at:], object) { // before an atomic box, but for what glues
		r, _ := utf8.DecodeLastRuneInString(text[:at])
		return r != '\u00a0' && r != '\u202f' && r != '\u2060' && r != '\u2011'
	}
	return b != shape.None
}

// object stands for an atomic box in the text.
const object = "\ufffc"

// opensAfter are the characters after which a line may begin with what opens; the sets below are those that do not begin a line
// after a hyphen and a question mark. All of it is what Blink does, measured pair by pair.
const (
	opensAfter       = `!"#%&)*+,.:;=>\]|}~`
	opening          = `(<[{`
	notAfterHyphen   = `!$),./:;?]}`
	notAfterQuestion = `!"'),./:;?]}`
)

// asciiBreak reports whether a line may begin at i, between two characters of ASCII that are no blanks.
func asciiBreak(text string, i int) bool {
	before, after := text[i-1], text[i]
	switch {
	case before == '-':
		if after >= '0' && after <= '9' { // a minus, unless a word is before it
			return i >= 2 && alphanumeric(text[i-2])
		}
		return strings.IndexByte(notAfterHyphen, after) < 0
	case before == '?':
		return strings.IndexByte(notAfterQuestion, after) < 0
	case alphanumeric(before):
		return false
	}
	return strings.IndexByte(opening, after) >= 0 && strings.IndexByte(opensAfter, before) >= 0
}

func alphanumeric(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// canBreak reports whether a line may begin at a place in the text, next to no blank, for a piece that looks like this.
func (f *Flow) canBreak(at int, l *look) bool {
	if at <= 0 || at >= len(f.text) {
		return false
	}
	var allowed bool
	if f.spots == nil {
		if allowed = asciiBreak(f.text, at); !allowed && !l.breaking.all {
			return false
		}
	} else {
		allowed = f.spots[at]&breakable != 0
	}
	before, size := utf8.DecodeLastRuneInString(f.text[:at])
	if before == softHyphen && size > 1 {
		return l.hyphens && allowed
	}
	if allowed && !l.breaking.keep || !l.breaking.all && !l.breaking.keep {
		return allowed
	}
	after, _ := utf8.DecodeRuneInString(f.text[at:])
	letters := letter(before) && letter(after)
	if l.breaking.keep {
		return allowed && !letters
	}
	return letters && f.clusterAt(at)
}

const softHyphen = '\u00ad'

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// clusterAt reports whether a grapheme cluster begins at a place.
func (f *Flow) clusterAt(at int) bool { return f.spots == nil || f.spots[at]&cluster != 0 }

// neighbors returns the characters before and after a stretch that may change the forms of its letters, as in Arabic.
func (f *Flow) neighbors(start, end int32) (before, after rune) {
	if r, _ := utf8.DecodeLastRuneInString(f.text[:start]); joins(r) {
		if first, _ := utf8.DecodeRuneInString(f.text[start:]); joins(first) {
			before = r
		}
	}
	if r, _ := utf8.DecodeRuneInString(f.text[end:]); joins(r) {
		if last, _ := utf8.DecodeLastRuneInString(f.text[:end]); joins(last) {
			after = r
		}
	}
	return before, after
}

// joins reports whether a character belongs to a script whose letters join, or is what makes letters join.
func joins(r rune) bool {
	return r >= 0x600 && (r <= 0x8ff && (r < 0x780 || r > 0x7bf) || r >= 0x1800 && r <= 0x18af || r == 0x200d ||
		r >= 0x10ac0 && r <= 0x10aff || r >= 0x10d00 && r <= 0x10d3f || r >= 0x1e900 && r <= 0x1e95f) && r != utf8.RuneError
}
