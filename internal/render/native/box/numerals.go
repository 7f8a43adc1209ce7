package box

import (
	"slices"
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
)

// system writes numbers in a counter style (CSS Counter Styles 3, section 6); ok is false of numbers out of its range.
type system func(i int) (text string, ok bool)

// systems are the styles that the cascade knows, but for decimal, to which all others fall back.
var systems = map[property.Keyword]system{
	"none":   func(int) (string, bool) { return "", true },
	"disc":   func(int) (string, bool) { return "\u2022", true },
	"circle": func(int) (string, bool) { return "\u25e6", true },
	"square": func(int) (string, bool) { return "\u25a0", true },

	"decimal-leading-zero": padded,
	"lower-roman":          func(i int) (string, bool) { text, ok := roman(i); return strings.ToLower(text), ok },
	"upper-roman":          roman,
	"lower-alpha":          letters(alphabet("abcdefghijklmnopqrstuvwxyz")),
	"lower-latin":          letters(alphabet("abcdefghijklmnopqrstuvwxyz")),
	"upper-alpha":          letters(alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
	"upper-latin":          letters(alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
	"lower-greek":          letters(alphabet("αβγδεζηθικλμνξοπρστυφχψω")),
}

func alphabet(text string) []rune { return []rune(text) }

// numeral writes the value of a counter.
func numeral(style property.ListStyle, value int) string {
	if style.IsText {
		return style.Text
	}
	if write, ok := systems[style.Name]; ok {
		if text, ok := write(value); ok {
			return text
		}
	}
	return strconv.Itoa(value)
}

// padded writes two digits at least; a minus is as good as one.
func padded(i int) (string, bool) {
	text := strconv.Itoa(i)
	return strings.Repeat("0", max(0, 2-len(text))) + text, true
}

// letters writes a, b, …, z, aa, ab: there is no zero.
func letters(digits []rune) system {
	return func(i int) (string, bool) {
		if i < 1 {
			return "", false
		}
		var out []rune
		for ; i > 0; i = (i - 1) / len(digits) {
			out = append(out, digits[(i-1)%len(digits)])
		}
		slices.Reverse(out)
		return string(out), true
	}
}

// romans are the digits of Roman numbers, the largest first.
var romans = []struct {
	value int
	text  string
}{
	{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"},
}

func roman(i int) (string, bool) {
	if i < 1 || i > 3999 {
		return "", false
	}
	var b strings.Builder
	for _, r := range romans {
		for ; i >= r.value; i -= r.value {
			b.WriteString(r.text)
		}
	}
	return b.String(), true
}
