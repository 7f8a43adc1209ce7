package cascade

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// media answers media queries for paper (Media Queries 4). Width and height are those of the page's area.
type media struct{ width, height float64 }

// matches reports whether one of the queries holds; none at all is true.
func (m media) matches(prelude []syntax.Value) bool {
	if len(syntax.Trim(prelude)) == 0 {
		return true
	}
	for _, query := range syntax.SplitComma(prelude) {
		if m.query(syntax.WithoutSpace(query)) {
			return true
		}
	}
	return false
}

// query reads "not? type and conditions" or conditions alone.
func (m media) query(v []syntax.Value) bool {
	if len(v) == 0 {
		return false
	}
	negated := false
	if v[0].Kind == syntax.Ident && len(v) > 1 && (v[0].IsIdent("only") || (v[0].IsIdent("not") && v[1].Kind == syntax.Ident)) {
		negated = v[0].IsIdent("not")
		v = v[1:]
	}
	if v[0].Kind == syntax.Ident && !v[0].IsIdent("not") {
		holds := v[0].IsIdent("all") || v[0].IsIdent("print")
		if len(v) > 1 {
			if !v[1].IsIdent("and") {
				return false
			}
			c, known := condition(v[2:], m.feature)
			holds = holds && c && known
		}
		return holds != negated
	}
	holds, known := condition(v, m.feature)
	return holds && known
}

// condition reads "(a) and (b)", "(a) or (b)", "not (a)" over what one term means. Known is false when a term is
// not understood: then the whole is neither true nor false.
func condition(v []syntax.Value, term func(syntax.Value) (holds, known bool)) (holds, known bool) {
	if len(v) == 0 {
		return false, false
	}
	if v[0].IsIdent("not") {
		holds, known = condition(v[1:], term)
		return !holds, known
	}
	holds, known = oneTerm(v[0], term)
	for i := 1; i+1 < len(v); i += 2 {
		h, k := oneTerm(v[i+1], term)
		switch {
		case v[i].IsIdent("and"):
			holds, known = holds && h, (known && k) || (known && !holds) || (k && !h)
		case v[i].IsIdent("or"):
			holds, known = (holds && known) || (h && k), known || k
		default:
			return false, false
		}
	}
	return holds, known && len(v)%2 == 1
}

// oneTerm is a term, or a condition in parentheses.
func oneTerm(v syntax.Value, term func(syntax.Value) (holds, known bool)) (holds, known bool) {
	if v.Kind == syntax.Parens && len(v.Args) > 0 {
		if first := v.Args[0]; first.Kind == syntax.Parens || first.IsIdent("not") || (first.Kind == syntax.Function && first.Text != "calc") {
			return condition(syntax.WithoutSpace(v.Args), term)
		}
	}
	return term(v)
}

// mediaWords are the features that take words, with the one that holds on paper.
var mediaWords = map[string]string{
	"orientation": "", "hover": "none", "any-hover": "none", "pointer": "none", "any-pointer": "none", "update": "none",
	"overflow-block": "paged", "overflow-inline": "none", "prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference",
	"prefers-contrast": "no-preference", "prefers-reduced-transparency": "no-preference", "prefers-reduced-data": "no-preference",
	"forced-colors": "none", "inverted-colors": "none", "scripting": "enabled", "display-mode": "browser", "scan": "progressive",
	"color-gamut": "srgb", "dynamic-range": "standard", "video-dynamic-range": "standard",
}

// feature is one condition in parentheses.
func (m media) feature(v syntax.Value) (holds, known bool) {
	args := syntax.WithoutSpace(v.Args)
	if v.Kind != syntax.Parens || len(args) == 0 {
		return false, false
	}
	if len(args) == 1 && args[0].Kind == syntax.Ident {
		return m.boolean(strings.ToLower(args[0].Text))
	}
	if len(args) >= 3 && args[0].Kind == syntax.Ident && args[1].Is(":") {
		return m.compare(strings.ToLower(args[0].Text), args[2:])
	}
	return m.span(args)
}

// boolean is a feature by itself: whether it is anything but none or zero.
func (m media) boolean(name string) (holds, known bool) {
	if word, ok := mediaWords[name]; ok {
		return word != "none" && word != "no-preference", true
	}
	if v, ok := m.number(name); ok {
		return v != 0, true
	}
	return false, false
}

// number is what a feature with a number has on paper.
func (m media) number(name string) (float64, bool) {
	switch name {
	case "width", "device-width":
		return m.width, true
	case "height", "device-height":
		return m.height, true
	case "aspect-ratio", "device-aspect-ratio":
		return m.width / max(m.height, 1), true
	case "color":
		return 8, true
	case "color-index", "monochrome", "grid":
		return 0, true
	case "resolution", "-webkit-device-pixel-ratio":
		return 300.0 / 96, true
	}
	return 0, false
}

// compare is "name: value" with or without min- and max-.
func (m media) compare(name string, v []syntax.Value) (holds, known bool) {
	base, low := strings.CutPrefix(name, "min-")
	base, high := strings.CutPrefix(base, "max-")
	if strings.HasPrefix(name, "-webkit-min-") || strings.HasPrefix(name, "-webkit-max-") {
		base, low, high = "-webkit-"+name[len("-webkit-min-"):], name[8:11] == "min", name[8:11] == "max"
	}
	if _, ok := mediaWords[base]; ok && len(v) == 1 && v[0].Kind == syntax.Ident {
		return v[0].IsIdent(m.word(base)) && !low && !high, true
	}
	have, ok := m.number(base)
	want, good := operand(v)
	if !ok || !good {
		return false, false
	}
	switch {
	case low:
		return have >= want, true
	case high:
		return have <= want, true
	}
	return have == want, true
}

func (m media) word(name string) string {
	switch {
	case name != "orientation":
		return mediaWords[name]
	case m.width > m.height:
		return "landscape"
	}
	return "portrait"
}

// operand is a length, number, ratio or resolution. Relative lengths are of the initial font.
func operand(v []syntax.Value) (float64, bool) {
	r := value.NewReader(&value.Context{FontSize: 16, RootFontSize: 16, Ex: 8, Ch: 8}, v)
	if n, ok := r.Number(); ok {
		if r.Delim("/") {
			d, ok := r.Number()
			return n / d, ok && r.Done() && d != 0
		}
		return n, r.Done()
	}
	if l, ok := r.Length(); ok {
		return l, r.Done()
	}
	n, ok := r.Resolution()
	return n, ok && r.Done()
}

// span is a range: "width >= 600px" or "400px <= width < 900px".
func (m media) span(args []syntax.Value) (holds, known bool) {
	var parts [][]syntax.Value
	var signs []string
	from := 0
	for i := 0; i < len(args); i++ {
		if sign := args[i].Text; args[i].Kind == syntax.Delim && (sign == "<" || sign == ">" || sign == "=") {
			parts = append(parts, args[from:i])
			if sign != "=" && i+1 < len(args) && args[i+1].Is("=") {
				sign += "="
				i++
			}
			signs = append(signs, sign)
			from = i + 1
		}
	}
	parts = append(parts, args[from:])
	if len(signs) == 0 || len(signs) > 2 {
		return false, false
	}
	holds = true
	for i, sign := range signs {
		left, ok := m.side(parts[i])
		right, good := m.side(parts[i+1])
		if !ok || !good {
			return false, false
		}
		holds = holds && ordered(left, sign, right)
	}
	return holds, true
}

func (m media) side(v []syntax.Value) (float64, bool) {
	if len(v) == 1 && v[0].Kind == syntax.Ident {
		return m.number(strings.ToLower(v[0].Text))
	}
	return operand(v)
}

func ordered(a float64, sign string, b float64) bool {
	switch sign {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	}
	return a == b
}
