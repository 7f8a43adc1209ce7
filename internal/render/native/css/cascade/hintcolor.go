package cascade

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// color is what an attribute says of a color.
func color(name, v string, ok bool) string {
	v = legacyColor(v)
	return when(ok && v != "", name+":"+v+";")
}

// lineColor is the color of an <hr>, which fills it.
func lineColor(n *dom.Node, v string) string {
	if n.Tag != "hr" {
		return ""
	}
	return when(legacyColor(v) != "", "border-style:solid;") + color("border-color", v, true) + color("background-color", v, true)
}

// linkColor is the color that <body link> gives to links.
func linkColor(n *dom.Node, _ string) string {
	if n.Tag != "a" {
		return ""
	}
	body := n.Parent
	for body != nil && body.Tag != "body" {
		body = body.Parent
	}
	if body == nil {
		return ""
	}
	v, _ := body.Attr("link")
	return color("color", v, true)
}

// maxColor is how much of an attribute counts.
const maxColor = 128

// legacyColor reads a color as the attributes of old have it: whatever it says means something, but for nothing and for transparent (HTML
// standard, section 2.3.6, "legacy color parsing").
func legacyColor(v string) string {
	v = strings.ToLower(strings.TrimSpace(v))
	switch {
	case v == "" || v == "transparent":
		return ""
	case colorName(v), len(v) == 4 && v[0] == '#' && strings.Trim(v[1:], "0123456789abcdef") == "":
		return v
	}
	digits := []byte(v)
	for i, c := range digits {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			digits[i] = '0'
		}
	}
	digits = digits[:min(len(digits), maxColor)]
	if v[0] == '#' {
		digits = digits[1:]
	}
	for len(digits) == 0 || len(digits)%3 != 0 {
		digits = append(digits, '0')
	}
	third := len(digits) / 3
	from := max(third-8, 0)
	for third-from > 2 && digits[from] == '0' && digits[third+from] == '0' && digits[2*third+from] == '0' {
		from++
	}
	end := min(from+2, third)
	color := []byte("#")
	for i := range 3 {
		color = append(color, when(third == 1, "0")...)
		color = append(color, digits[i*third+from:i*third+end]...)
	}
	return string(color)
}

// colorName reports whether a word is the name of a color.
func colorName(word string) bool {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
		return false
	}
	r := value.NewReader(&value.Context{}, []syntax.Value{{Kind: syntax.Ident, Text: word}})
	_, ok := r.Color()
	return ok && word != "currentcolor"
}
