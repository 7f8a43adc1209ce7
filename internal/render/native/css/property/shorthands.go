package property

import (
	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

var (
	fourSides  = []string{"top", "right", "bottom", "left"}
	twoSides   = []string{"start", "end"}
	lineParts  = []string{"-width", "-style", "-color"}
	pageBreaks = map[string]string{"auto": "auto", "avoid": "avoid", "always": "page", "left": "left", "right": "right"}
)

// around makes names: prefix, each of the words, suffix.
func around(prefix string, words []string, suffix string) []string {
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = prefix + w + suffix
	}
	return names
}

var shorthands = shorthandTable()

func shorthandTable() map[string]*shorthand {
	m := map[string]*shorthand{
		"margin":            sides(around("margin-", fourSides, "")...),
		"padding":           sides(around("padding-", fourSides, "")...),
		"inset":             sides(fourSides...),
		"overflow":          pair("overflow-x", "overflow-y"),
		"gap":               pair("row-gap", "column-gap"),
		"place-content":     {[]string{"align-content", "justify-content"}, placeContent},
		"place-items":       pair("align-items", "justify-items"),
		"place-self":        pair("align-self", "justify-self"),
		"border-spacing":    sides("-webkit-border-horizontal-spacing", "-webkit-border-vertical-spacing"),
		"flex-flow":         anyOrder("flex-direction", "flex-wrap"),
		"outline":           anyOrder("outline-style", "outline-color", "outline-width"),
		"text-decoration":   anyOrder("text-decoration-line", "text-decoration-style", "text-decoration-color", "text-decoration-thickness"),
		"list-style":        {[]string{"list-style-position", "list-style-image", "list-style-type"}, listStyleShorthand},
		"border-radius":     {around("border-", []string{"top-left", "top-right", "bottom-right", "bottom-left"}, "-radius"), borderRadius},
		"flex":              {[]string{"flex-grow", "flex-shrink", "flex-basis"}, flex},
		"font":              {fontLonghands, font},
		"font-variant":      {[]string{"font-variant-ligatures", "font-variant-caps", "font-variant-numeric"}, fontVariant},
		"background":        {backgroundLonghands, background},
		"grid-row":          {[]string{"grid-row-start", "grid-row-end"}, gridLines("grid-row-start", "grid-row-end")},
		"grid-column":       {[]string{"grid-column-start", "grid-column-end"}, gridLines("grid-column-start", "grid-column-end")},
		"grid-area":         {gridAreaNames, gridLines(gridAreaNames...)},
		"grid-template":     {templateNames, gridTemplate},
		"grid":              {append(append([]string{}, templateNames...), "grid-auto-flow", "grid-auto-rows", "grid-auto-columns"), grid},
		"white-space":       {[]string{"white-space-collapse", "text-wrap-mode"}, whiteSpace},
		"text-wrap":         {[]string{"text-wrap-mode"}, textWrap},
		"page-break-before": choice([]string{"break-before"}, pageBreaks),
		"page-break-after":  choice([]string{"break-after"}, pageBreaks),
		"page-break-inside": choice([]string{"break-inside"}, map[string]string{"auto": "auto", "avoid": "avoid"}),
		"all":               {nil, func(*value.Reader) (map[string][]syntax.Value, bool) { return nil, false }},
	}
	addBorders(m)
	for _, axis := range []string{"inline", "block"} {
		for _, name := range []string{"margin-", "padding-", "inset-"} {
			names := around(name+axis+"-", twoSides, "")
			m[name+axis] = pair(names[0], names[1])
		}
	}
	return m
}

// addBorders adds what sets borders: of a side, of an axis, of all, and of one part of all.
func addBorders(m map[string]*shorthand) {
	line := func(side string) []string { return around("border-"+side, lineParts, "") }
	var all [][]string
	for _, side := range fourSides {
		m["border-"+side] = anyOrder(line(side)...)
		all = append(all, line(side))
	}
	m["border"] = m["border-top"].also(all)
	for _, part := range lineParts {
		m["border"+part] = sides(around("border-", fourSides, part)...)
	}
	for _, axis := range []string{"inline-", "block-"} {
		start, end := axis+"start", axis+"end"
		m["border-"+start], m["border-"+end] = anyOrder(line(start)...), anyOrder(line(end)...)
		m["border-"+axis[:len(axis)-1]] = m["border-"+start].also([][]string{line(start), line(end)})
		for _, part := range lineParts {
			m["border-"+axis[:len(axis)-1]+part] = pair("border-"+start+part, "border-"+end+part)
		}
	}
}

// listStyleShorthand: a "none" is for the type, for the image, or for both.
func listStyleShorthand(r *value.Reader) (map[string][]syntax.Value, bool) {
	parts, nones := map[string][]syntax.Value{}, 0
	for !r.Done() {
		if _, ok := r.Keyword("none"); ok {
			nones++
		} else if !oneOf(r, []string{"list-style-position", "list-style-image", "list-style-type"}, parts) {
			return nil, false
		}
	}
	for _, name := range []string{"list-style-type", "list-style-image"} {
		if nones > 0 && parts[name] == nil {
			parts[name] = ident("none")
			nones = max(nones-1, 0)
			if nones == 0 && name == "list-style-type" {
				break // the image is none anyway
			}
		}
	}
	return parts, nones == 0
}

func borderRadius(r *value.Reader) (map[string][]syntax.Value, bool) {
	names := shorthandCorners
	var radii [2][][]syntax.Value
	at := 0
	for _, v := range singles(r) {
		if v[0].Is("/") {
			at++
		} else if at < 2 {
			radii[at] = append(radii[at], v)
		}
		if at > 1 {
			return nil, false
		}
	}
	if at == 0 {
		radii[1] = radii[0]
	}
	parts := map[string][]syntax.Value{}
	for i, name := range names {
		for _, list := range radii {
			if n := len(list); n == 0 || n > 4 {
				return nil, false
			}
			parts[name] = append(parts[name], list[sideIndex(i, len(list))]...)
		}
	}
	return parts, true
}

var shorthandCorners = around("border-", []string{"top-left", "top-right", "bottom-right", "bottom-left"}, "-radius")

// flex reads none, or a factor or two and a basis in either order (CSS Flexbox 1, section 7.1).
func flex(r *value.Reader) (map[string][]syntax.Value, bool) {
	one, zero := []syntax.Value{numberValue(1)}, []syntax.Value{numberValue(0)}
	if _, ok := r.Keyword("none"); ok {
		return map[string][]syntax.Value{"flex-grow": zero, "flex-shrink": zero, "flex-basis": ident("auto")}, true
	}
	parts := map[string][]syntax.Value{}
	for !r.Done() {
		if parts["flex-grow"] == nil {
			if v := accepts("flex-grow", r); v != nil {
				parts["flex-grow"] = v
				parts["flex-shrink"] = accepts("flex-shrink", r)
				continue
			}
		}
		v := accepts("flex-basis", r)
		if v == nil || parts["flex-basis"] != nil {
			return nil, false
		}
		parts["flex-basis"] = v
	}
	if parts["flex-grow"] == nil {
		parts["flex-grow"] = one
	}
	if parts["flex-shrink"] == nil {
		parts["flex-shrink"] = one
	}
	if parts["flex-basis"] == nil {
		parts["flex-basis"] = []syntax.Value{{Kind: syntax.Percentage}}
	}
	return parts, true
}

// whiteSpaces are the words that stand for two properties (CSS Text 4, section 3.1).
var whiteSpaces = choice([]string{"white-space-collapse", "text-wrap-mode"}, map[string]string{
	"normal": "collapse wrap", "pre": "preserve nowrap", "pre-wrap": "preserve wrap", "pre-line": "preserve-breaks wrap",
})

func whiteSpace(r *value.Reader) (map[string][]syntax.Value, bool) {
	mark := r.Mark()
	if parts, ok := whiteSpaces.expand(r); ok {
		return parts, true
	}
	r.Reset(mark)
	return anyOrder(whiteSpaces.longhands...).expand(r)
}

// placeContent is of both axes; a baseline of the one is the start of the other.
func placeContent(r *value.Reader) (map[string][]syntax.Value, bool) {
	mark := r.Mark()
	r.Keyword("first")
	if _, ok := r.Keyword("baseline"); ok && r.Done() {
		return map[string][]syntax.Value{"align-content": ident("baseline"), "justify-content": ident("start")}, true
	}
	r.Reset(mark)
	return pair("align-content", "justify-content").expand(r)
}

var textWraps = []string{"wrap", "nowrap"}

func textWrap(r *value.Reader) (map[string][]syntax.Value, bool) {
	parts := map[string][]syntax.Value{}
	styled := false
	for !r.Done() {
		if k, ok := r.Keyword(textWraps...); ok && parts["text-wrap-mode"] == nil {
			parts["text-wrap-mode"] = ident(k)
		} else if k, ok := r.Keyword("auto", "balance", "pretty", "stable"); ok && !styled {
			styled = true
			if k == "balance" || k == "pretty" {
				r.Refuse("the value " + k + " is not supported")
			}
		} else {
			return nil, false
		}
	}
	return parts, true
}
