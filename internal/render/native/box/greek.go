package box

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Marks on Greek letters.
const (
	dialytika = '\u0308'
	iotaBelow = '\u0345'
)

// accents are the marks that Greek capitals do not have.
const accents = "\u0300\u0301\u0304\u0306\u0313\u0314\u0342"

// greekUpper writes capitals as Greek does, without accents (Unicode, SpecialCasing.txt leaves it to languages; this is what ICU
// does): the dialytika stays, and comes where an accent has kept two vowels apart; the word "or" keeps its tonos.
func greekUpper(text string) string {
	letters := []rune(norm.NFD.String(text))
	out := make([]rune, 0, len(letters))
	apart := false // the letter before was a vowel with an accent
	for i := 0; i < len(letters); {
		base := letters[i]
		marks := i + 1
		for marks < len(letters) && unicode.Is(unicode.Mn, letters[marks]) {
			marks++
		}
		if !unicode.Is(unicode.Greek, base) {
			out = append(out, []rune(strings.ToUpper(string(letters[i:marks])))...)
			i, apart = marks, false
			continue
		}
		l := greekLetter{upper: unicode.ToUpper(base)}
		l.take(letters[i+1 : marks])
		l.dialytika = l.dialytika || apart && (l.upper == 'Ι' || l.upper == 'Υ')
		alone := !cased(letters, i-1, -1) && !cased(letters, marks, 1)
		out = l.write(out, alone)
		apart = l.accent && !l.dialytika && strings.ContainsRune("ΑΕΗΙΟΥΩ", l.upper)
		i = marks
	}
	return norm.NFC.String(string(out))
}

// greekLetter is a letter with what stands on and below it.
type greekLetter struct {
	upper                  rune
	accent, dialytika, sub bool
	others                 []rune
}

func (l *greekLetter) take(marks []rune) {
	for _, m := range marks {
		switch {
		case m == dialytika:
			l.dialytika = true
		case m == iotaBelow:
			l.sub = true
		case strings.ContainsRune(accents, m):
			l.accent = true
		default:
			l.others = append(l.others, m)
		}
	}
}

// write appends the capital; alone says that it is a word by itself.
func (l *greekLetter) write(out []rune, alone bool) []rune {
	out = append(out, l.upper)
	if l.dialytika && (l.upper == 'Ι' || l.upper == 'Υ') {
		out = append(out, dialytika)
	}
	if l.upper == 'Η' && l.accent && !l.sub && alone {
		out = append(out, '\u0301')
	}
	out = append(out, l.others...)
	if l.sub {
		out = append(out, 'Ι')
	}
	return out
}

// cased reports whether the next character in a direction that is no mark has two cases.
func cased(letters []rune, i, step int) bool {
	for i >= 0 && i < len(letters) && unicode.Is(unicode.Mn, letters[i]) {
		i += step
	}
	return i >= 0 && i < len(letters) && (unicode.IsUpper(letters[i]) || unicode.IsLower(letters[i]) || unicode.IsTitle(letters[i]))
}
