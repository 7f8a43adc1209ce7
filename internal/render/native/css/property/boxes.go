package property

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

func zIndex(r *value.Reader) (Integer, bool) {
	if _, ok := r.Keyword("auto"); ok {
		return Integer{}, true
	}
	n, ok := r.Integer()
	return Integer{Set: true, Value: n}, ok
}

func ratio(r *value.Reader) (Ratio, bool) {
	_, auto := r.Keyword("auto")
	w, ok := factor(r)
	if !ok {
		return Ratio{Auto: auto}, auto
	}
	h := 1.0
	if r.Delim("/") {
		if h, ok = factor(r); !ok {
			return Ratio{}, false
		}
	}
	if _, late := r.Keyword("auto"); late {
		auto = true
	}
	if w == 0 || h == 0 { // a degenerate ratio is none
		return Ratio{Auto: true}, true
	}
	return Ratio{Auto: auto, Width: w, Height: h}, true
}

const lineStyles = "none hidden solid dashed dotted double groove ridge inset outset"

var borderStyle = keyword(lineStyles)

func outlineStyle(r *value.Reader) (Keyword, bool) {
	k, ok := r.Keyword(append(strings.Fields(lineStyles), "auto")...)
	if k == "auto" {
		r.Refuse("how an outline of the style auto looks depends on the browser")
		k = "solid"
	}
	return Keyword(k), ok && k != "hidden"
}

func outlineColor(r *value.Reader) (value.Color, bool) {
	return r.Color()
}

func corner(r *value.Reader) (Corner, bool) {
	x, ok := r.NonNegative()
	if !ok {
		return Corner{}, false
	}
	if y, two := r.NonNegative(); two {
		return Corner{x, y}, true
	}
	return Corner{x, x}, true
}

func backgroundSize(r *value.Reader) (BackgroundSize, bool) {
	if k, ok := r.Keyword("cover", "contain"); ok {
		return BackgroundSize{Keyword: Keyword(k)}, true
	}
	one := size("auto", false)
	w, ok := one(r)
	if !ok {
		return BackgroundSize{}, false
	}
	h, two := one(r)
	if !two {
		h = Size{Keyword: "auto"}
	}
	return BackgroundSize{Width: w, Height: h}, true
}

func repeat(r *value.Reader) (Repeat, bool) {
	if k, ok := r.Keyword("repeat-x", "repeat-y"); ok {
		if k == "repeat-x" {
			return Repeat{"repeat", "no-repeat"}, true
		}
		return Repeat{"no-repeat", "repeat"}, true
	}
	one := keyword("repeat no-repeat space round")
	x, ok := one(r)
	if y, two := one(r); two {
		return Repeat{x, y}, ok
	}
	return Repeat{x, x}, ok
}

// pageSizes are the names of CSS Paged Media 3, section 7.1, in millimetres.
var pageSizes = map[string][2]float64{
	"a3": {297, 420}, "a4": {210, 297}, "a5": {148, 210}, "b4": {250, 353}, "b5": {176, 250},
	"jis-b4": {257, 364}, "jis-b5": {182, 257}, "letter": {215.9, 279.4}, "legal": {215.9, 355.6}, "ledger": {279.4, 431.8},
}

func pageSize(r *value.Reader) (PageSize, bool) {
	if _, ok := r.Keyword("auto"); ok {
		return PageSize{}, true
	}
	if w, ok := r.Length(); ok {
		h, two := r.Length()
		if !two {
			h = w
		}
		if w == 0 || h == 0 { // browsers take the sheet that they were asked for
			return PageSize{}, true
		}
		return PageSize{Width: w, Height: h}, w > 0 && h > 0
	}
	return namedPage(r)
}

// namedPage reads a name and an orientation in any order.
func namedPage(r *value.Reader) (PageSize, bool) {
	const px = 96 / 25.4
	var s PageSize
	read := false
	for !r.Done() {
		if k, ok := r.Keyword("portrait", "landscape"); ok && s.Orientation == "" {
			s.Orientation, read = Keyword(k), true
			continue
		}
		v := r.Peek()
		paper, ok := pageSizes[strings.ToLower(v.Text)]
		if v.Kind != syntax.Ident || !ok || s.Width != 0 {
			return s, false
		}
		r.Skip()
		s.Width, s.Height, read = paper[0]*px, paper[1]*px, true
	}
	if s.Width != 0 && s.Orientation == "landscape" {
		s.Width, s.Height = s.Height, s.Width
	}
	return s, read
}

// paintValue reads fill and stroke.
func paintValue(r *value.Reader) (Paint, bool) {
	if _, ok := r.Keyword("none"); ok {
		return Paint{}, true
	}
	if _, ok := r.Keyword("context-fill", "context-stroke"); ok {
		r.Refuse("paints of a context are not supported")
		return Paint{}, true
	}
	var p Paint
	if v := r.Peek(); v.Kind == syntax.URL {
		r.Skip()
		p.URL = v.Text
		if _, ok := r.Keyword("none"); ok || r.Done() {
			return p, true
		}
	}
	var ok bool
	p.Color, ok = r.Color()
	p.Set = ok
	return p, ok
}

// svgLength takes a bare number for pixels as well.
func svgLength(r *value.Reader) (value.Length, bool) {
	if v, ok := r.Number(); ok {
		return value.Px(v), true
	}
	return r.LengthPercent()
}

// svgWidth is one that is not negative.
func svgWidth(r *value.Reader) (value.Length, bool) {
	calculated := r.Peek().Kind == syntax.Function
	l, ok := svgLength(r)
	below := l.Px < 0 || l.Percent < 0
	if calculated && below && l.HasPercent() {
		r.Refuse("differences of lengths and percentages are not supported here")
	} else if calculated && below {
		l = value.Length{}
	}
	return l, ok && (calculated || !below)
}

func dashes(r *value.Reader) ([]value.Length, bool) {
	if _, ok := r.Keyword("none"); ok {
		return nil, true
	}
	var list []value.Length
	for !r.Done() {
		l, ok := svgWidth(r)
		if !ok {
			return nil, false
		}
		list = append(list, l)
		r.Delim(",")
	}
	return list, len(list) > 0
}
