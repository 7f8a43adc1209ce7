package property

import (
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// generic are the family names that stand for whatever there is.
const generic = "serif sans-serif monospace cursive fantasy system-ui ui-serif ui-sans-serif ui-monospace ui-rounded math emoji fangsong -webkit-body"

func fontFamily(r *value.Reader) ([]string, bool) { return listOf(family)(r) }

// family reads a string, or words that make a name (CSS Fonts 4, section 2.1.1).
func family(r *value.Reader) (string, bool) {
	if v := r.Peek(); v.Kind == syntax.String {
		r.Skip()
		return v.Text, true
	}
	var parts []string
	for r.Peek().Kind == syntax.Ident {
		parts = append(parts, r.Peek().Text)
		r.Skip()
	}
	name := strings.Join(parts, " ")
	if len(parts) == 1 {
		lower := strings.ToLower(name)
		if CSSWide(lower) || lower == "default" {
			return "", false
		}
		for g := range strings.FieldsSeq(generic) {
			if lower == g {
				return g, true
			}
		}
	}
	return name, name != ""
}

// fontSize is what must be remembered of how a size came about: a family of monospace alone makes a size that
// goes back to the default smaller, as all browsers do.
type fontSize struct {
	keyword  int // from 1: xx-small
	absolute bool
}

var fontSizes = []string{"xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"}

// keywordSizes are those of Chromium for a default of 16 pixels, of 13 for monospace, and of that in quirks mode.
var keywordSizes = [3][8]float64{{9, 10, 13, 16, 18, 24, 32, 48}, {9, 10, 12, 13, 16, 20, 26, 39}, {9, 9, 10, 13, 16, 20, 26, 40}}

const maxFontSize = 10000 // pixels, as in Chromium

func fontSizeRow() *Property {
	field := func(s *Style) *float64 { return &s.FontSize }
	p := inherited("font-size", "medium", field, nil)
	p.read = readFontSize
	p.skip = func(r *value.Reader) bool {
		_, _, ok := sizeOf(r, fontSize{})
		return ok
	}
	p.copy = func(to, from *Style) { to.FontSize, to.size = from.FontSize, from.size }
	return p.pixels(field)
}

func readFontSize(r *value.Reader, s *Style) bool {
	size, how, ok := sizeOf(r, s.size)
	if ok {
		s.FontSize, s.size = size, how
	}
	return ok
}

// sizeOf reads a size and how it came about, knowing that of the parent.
func sizeOf(r *value.Reader, parent fontSize) (size float64, how fontSize, ok bool) {
	if k, ok := r.Keyword(fontSizes...); ok {
		i := slices.Index(fontSizes, k)
		return keywordSizes[0][i], fontSize{keyword: i + 1}, true
	}
	if k, ok := r.Keyword("larger", "smaller"); ok {
		size = r.Context.ParentSize * 1.2
		if k == "smaller" {
			size = r.Context.ParentSize / 1.2
		}
		return size, fontSize{absolute: parent.absolute}, true
	}
	if _, ok := r.Keyword("math"); ok {
		r.Refuse("the value math is not supported")
		return 0, parent, true
	}
	v := r.Peek()
	l, ok := r.NonNegative()
	fontRelative := v.Kind == syntax.Percentage || v.Text == "em" || v.Text == "ex" || v.Text == "ch" || v.Text == "lh"
	return min(max(l.Resolve(r.Context.ParentSize), 0), maxFontSize), fontSize{absolute: parent.absolute || !fontRelative}, ok
}

// FitFamily makes the size of a style fit its family, once both are known; parent is nil at the root.
func (s *Style) FitFamily(parent *Style, quirks bool) {
	was := parent != nil && parent.monospace()
	is := s.monospace()
	switch {
	case s.size.keyword > 0 && is && quirks:
		s.FontSize = keywordSizes[2][s.size.keyword-1]
	case s.size.keyword > 0 && is:
		s.FontSize = keywordSizes[1][s.size.keyword-1]
	case s.size.keyword > 0:
		s.FontSize = keywordSizes[0][s.size.keyword-1]
	case was == is || s.size.absolute:
	case is:
		s.FontSize = s.FontSize * 13 / 16
	default:
		s.FontSize = s.FontSize * 16 / 13
	}
}

func (s *Style) monospace() bool { return len(s.FontFamily) == 1 && s.FontFamily[0] == "monospace" }

func fontWeight(r *value.Reader) (float64, bool) {
	k, ok := r.Keyword("normal", "bold", "bolder", "lighter")
	if !ok {
		calculated := r.Peek().Kind == syntax.Function
		v, ok := r.Number()
		if calculated {
			v = min(max(v, 1), 1000)
		}
		return v, ok && v >= 1 && v <= 1000
	}
	parent := r.Context.ParentWeight
	switch k {
	case "normal":
		return 400, true
	case "bold":
		return 700, true
	case "bolder": // CSS Fonts 4, section 2.2.1
		return step(parent, [3]float64{350, 550, 900}, [4]float64{400, 700, 900, parent}), true
	}
	return step(parent, [3]float64{100, 550, 750}, [4]float64{parent, 100, 400, 700}), true
}

// step returns the result for the first limit that v is below; lighter counts its second limit in.
func step(v float64, limits [3]float64, results [4]float64) float64 {
	for i, limit := range limits {
		if v < limit {
			return results[i]
		}
	}
	return results[3]
}

func fontStyle(r *value.Reader) (Keyword, bool) {
	k, ok := r.Keyword("normal", "italic", "oblique")
	if k == "oblique" {
		if a, ok := r.Angle(false); ok {
			if a < -90 || a > 90 {
				return "", false
			}
			r.Refuse("angles of oblique are not supported")
		}
	}
	return Keyword(k), ok
}

var stretches = map[string]float64{
	"ultra-condensed": 50, "extra-condensed": 62.5, "condensed": 75, "semi-condensed": 87.5, "normal": 100,
	"semi-expanded": 112.5, "expanded": 125, "extra-expanded": 150, "ultra-expanded": 200,
}

func fontStretch(r *value.Reader) (float64, bool) {
	if v := r.Peek(); v.Kind == syntax.Ident {
		percent, ok := stretches[strings.ToLower(v.Text)]
		r.Skip()
		return percent, ok
	}
	if r.Peek().Kind != syntax.Percentage && r.Peek().Kind != syntax.Function {
		return 0, false
	}
	if _, plain := r.Number(); plain {
		return 0, false
	}
	v, ok := r.NumberOrPercent()
	return v * 100, ok && v >= 0
}

// features reads font-feature-settings.
func features(r *value.Reader) ([]Feature, bool) {
	if _, ok := r.Keyword("normal"); ok {
		return nil, true
	}
	return listOf(feature)(r)
}

func feature(r *value.Reader) (Feature, bool) {
	v := r.Peek()
	if v.Kind != syntax.String || len(v.Text) != 4 {
		return Feature{}, false
	}
	r.Skip()
	f := Feature{Tag: v.Text, Value: 1}
	if k, ok := r.Keyword("on", "off"); ok {
		if k == "off" {
			f.Value = 0
		}
	} else if n, ok := r.Integer(); ok {
		f.Value = n
	}
	return f, f.Value >= 0
}
