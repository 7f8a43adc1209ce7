package box

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/platen-render/platen/internal/render/native/css/property"
)

// casing transforms texts (CSS Text 3, section 2.1). It remembers what came before: a word may begin in another text.
type casing struct {
	casers map[caserOf]cases.Caser
	before rune
}

type caserOf struct {
	lang  string
	upper bool
}

func newCasing() casing { return casing{casers: map[caserOf]cases.Caser{}, before: ' '} }

// edge ends a word: what follows stands in another line, or after something that is no text.
func (c *casing) edge() { c.before = ' ' }

// begin and end say that a box begins or ends whose parent has the style around. Words end where Blink has them end: at the
// start of all that is not inline, but at the end only of a block that stands in the flow of a block container.
func (c *casing) begin(x *Box) {
	if x.Kind != Inline && !x.OutOfFlow() {
		c.edge()
	}
}

func (c *casing) end(x *Box, around *property.Style) {
	if x.blockLevel() && (around == nil || around.Display != "inline") {
		c.edge()
	}
}

func (c *casing) apply(text string, how property.Keyword, lang string) string {
	before := c.before
	if last, _ := utf8.DecodeLastRuneInString(text); text != "" {
		c.before = last
	}
	switch how {
	case "uppercase", "lowercase":
		return c.change(text, how == "uppercase", lang)
	case "capitalize":
		return capitalize(text, before)
	default:
		return text
	}
}

// change uses the mappings of the language, if it has any of its own (Unicode, SpecialCasing.txt).
func (c *casing) change(text string, upper bool, lang string) string {
	lang, _, _ = strings.Cut(strings.ToLower(lang), "-")
	if lang == "el" && upper {
		return greekUpper(text)
	}
	tag := language.Und
	switch lang {
	case "tr", "az", "lt":
		tag = language.Make(lang)
	default:
		lang = ""
	}
	key := caserOf{lang, upper}
	caser, ok := c.casers[key]
	if !ok {
		caser = cases.Lower(tag)
		if upper {
			caser = cases.Upper(tag)
		}
		c.casers[key] = caser
	}
	return caser.String(text)
}

// capitalize makes the first letter of each word a capital, and changes nothing else.
func capitalize(text string, before rune) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		after, _ := utf8.DecodeRuneInString(text[i:])
		if inWord(r) && !inWord(before) {
			b.WriteRune(unicode.ToTitle(r))
		} else {
			b.WriteString(text[i-size : i])
		}
		between := unicode.IsLetter(before) && midLetter(r) && unicode.IsLetter(after)
		if !between && !transparent(r) {
			before = r
		}
	}
	return b.String()
}

// inWord reports whether words go on with a character (UAX 29, section 4.1).
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Pc, r)
}

// transparent are marks on the character before, and what shows nothing. A zero width space ends a word.
func transparent(r rune) bool { return unicode.In(r, unicode.M, unicode.Cf) && r != '\u200b' }

// midLetter reports whether a character between two letters is part of the word.
func midLetter(r rune) bool {
	return strings.ContainsRune("'\u00b7\u0387\u05f4\u2018\u2019\u2027", r)
}
