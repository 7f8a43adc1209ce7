package cascade

import (
	"slices"
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/render/native/dom"
)

// hints are what attributes say of looks, as declarations (HTML standard, section 15).
func hints(n *dom.Node) string {
	if n.Namespace == "svg" {
		return svgHints(n)
	}
	var b strings.Builder
	for _, a := range n.Attrs {
		if write, ok := hintsOf[a.Key]; ok {
			b.WriteString(write(n, strings.TrimSpace(a.Val)))
		}
	}
	switch n.Tag {
	case "td", "th":
		b.WriteString(cellHints(n))
	case "bdi":
		b.WriteString(isolateHints(n))
	}
	return b.String()
}

var hintsOf = map[string]func(n *dom.Node, v string) string{
	"width": func(n *dom.Node, v string) string {
		return sized("width", v, is(n, "img table td th col colgroup hr iframe video canvas object embed"))
	},
	"height": func(n *dom.Node, v string) string {
		return sized("height", v, is(n, "img table td th tr thead tbody tfoot iframe video canvas object embed"))
	},
	"bgcolor": func(n *dom.Node, v string) string {
		return color("background-color", v, is(n, "body table thead tbody tfoot tr td th"))
	},
	"background": func(n *dom.Node, v string) string {
		if v == "" || !is(n, "body table thead tbody tfoot tr td th") {
			return ""
		}
		return "background-image:url(" + quote(v) + ");"
	},
	"leftmargin":   func(n *dom.Node, v string) string { return sized("margin-left", v, n.Tag == "body") },
	"rightmargin":  func(n *dom.Node, v string) string { return sized("margin-right", v, n.Tag == "body") },
	"topmargin":    func(n *dom.Node, v string) string { return sized("margin-top", v, n.Tag == "body") },
	"bottommargin": func(n *dom.Node, v string) string { return sized("margin-bottom", v, n.Tag == "body") },
	"marginwidth":  func(n *dom.Node, v string) string { return sized("margin-inline", v, n.Tag == "body") },
	"marginheight": func(n *dom.Node, v string) string { return sized("margin-block", v, n.Tag == "body") },
	"href":         linkColor,
	"contenteditable": func(_ *dom.Node, v string) string {
		return when(!strings.EqualFold(v, "false"), "overflow-wrap:break-word;")
	},
	"text":  func(n *dom.Node, v string) string { return color("color", v, n.Tag == "body") },
	"color": func(n *dom.Node, v string) string { return color("color", v, n.Tag == "font") + lineColor(n, v) },
	"noshade": func(n *dom.Node, _ string) string {
		_, colored := n.Attr("color")
		return when(n.Tag == "hr" && !colored, "border-style:solid;border-color:#808080;background-color:#808080;")
	},
	"bordercolor": func(n *dom.Node, v string) string { return color("border-color", v, n.Tag == "table") },
	"wrap":        func(n *dom.Node, _ string) string { return when(n.Tag == "pre", "white-space:pre-wrap;") },
	"face":        func(n *dom.Node, v string) string { return when(n.Tag == "font" && !unsafe(v), "font-family:"+v+";") },
	"size":        fontSize,
	"align":       align,
	"valign": func(n *dom.Node, v string) string {
		return words("vertical-align", v, "top middle bottom baseline", is(n, "td th tr thead tbody tfoot col"))
	},
	"nowrap": func(n *dom.Node, _ string) string { return when(is(n, "td th"), "white-space:nowrap;") },
	"border": border,
	"cellspacing": func(n *dom.Node, v string) string {
		return sized("border-spacing", v, n.Tag == "table")
	},
	"hspace": func(n *dom.Node, v string) string {
		return sized("margin-left", v, n.Tag == "img") + sized("margin-right", v, n.Tag == "img")
	},
	"vspace": func(n *dom.Node, v string) string {
		return sized("margin-top", v, n.Tag == "img") + sized("margin-bottom", v, n.Tag == "img")
	},
	"clear": func(n *dom.Node, v string) string {
		return words("clear", strings.Replace(v, "all", "both", 1), "left right both none", n.Tag == "br")
	},
	"type": listType,
	"start": func(n *dom.Node, v string) string {
		return number(v, n.Tag == "ol", func(i int) string { return "counter-reset:list-item " + strconv.Itoa(i-1) + ";" })
	},
	"value": func(n *dom.Node, v string) string {
		return number(v, n.Tag == "li", func(i int) string { return "counter-set:list-item " + strconv.Itoa(i) + ";" })
	},
	"hidden": func(n *dom.Node, v string) string {
		if strings.EqualFold(v, "until-found") {
			return "content-visibility:hidden;"
		}
		return "display:none;"
	},
	"dir": func(n *dom.Node, v string) string { return words("direction", v, "ltr rtl", true) },
}

func is(n *dom.Node, tags string) bool {
	return slices.Contains(strings.Fields(tags), n.Tag)
}

func when(ok bool, text string) string {
	if ok {
		return text
	}
	return ""
}

// unsafe reports whether a text would end its declaration.
func unsafe(v string) bool { return strings.ContainsAny(v, ";{}()\\\"") }

func quote(v string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", "").Replace(v) + `"`
}

// sized reads a number, perhaps with a percent sign, as HTML does: what follows does not count.
func sized(name, v string, ok bool) string {
	end := 0
	for end < len(v) && (v[end] >= '0' && v[end] <= '9' || v[end] == '.') {
		end++
	}
	n, err := strconv.ParseFloat(v[:end], 64)
	if !ok || err != nil || (n == 0 && (name == "width" || name == "height") && strings.HasPrefix(v[end:], "%")) {
		return ""
	}
	unit := "px"
	if strings.HasPrefix(v[end:], "%") {
		unit = "%"
	}
	return name + ":" + strconv.FormatFloat(n, 'f', -1, 64) + unit + ";"
}

func words(name, v, allowed string, ok bool) string {
	v = strings.ToLower(v)
	for w := range strings.FieldsSeq(allowed) {
		if w == v && ok {
			return name + ":" + w + ";"
		}
	}
	return ""
}

func number(v string, ok bool, text func(int) string) string {
	n, err := strconv.Atoi(v)
	if err != nil || !ok {
		return ""
	}
	return text(n)
}

func fontSize(n *dom.Node, v string) string {
	size, err := strconv.Atoi(v)
	if n.Tag == "hr" {
		return when(err == nil && size > 1, "height:"+strconv.Itoa(size-2)+"px;") + when(err == nil && size <= 1, "border-bottom-width:0;")
	}
	if n.Tag != "font" || err != nil {
		return ""
	}
	if v[0] == '+' || v[0] == '-' {
		size += 3
	}
	names := []string{"x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"}
	return "font-size:" + names[min(max(size, 1), 7)-1] + ";"
}

func align(n *dom.Node, v string) string {
	v = strings.ToLower(v)
	switch {
	case n.Tag == "table" && v == "center":
		return "margin-left:auto;margin-right:auto;"
	case n.Tag == "table":
		return words("float", v, "left right", true)
	case n.Tag == "img":
		return imageAligns[v]
	case n.Tag == "hr":
		return map[string]string{"left": "margin-left:0;margin-right:auto;", "right": "margin-left:auto;margin-right:0;", "center": "margin-left:auto;margin-right:auto;"}[v]
	case n.Tag == "caption":
		return words("caption-side", v, "top bottom", true)
	case is(n, "div"):
		return map[string]string{"left": "text-align:-webkit-left;", "right": "text-align:-webkit-right;", "center": "text-align:-webkit-center;", "middle": "text-align:-webkit-center;", "justify": "text-align:justify;"}[v]
	case is(n, "td th tr thead tbody tfoot"):
		return map[string]string{"left": "text-align:-webkit-left;", "right": "text-align:-webkit-right;", "center": "text-align:-webkit-center;", "middle": "text-align:-webkit-center;", "justify": "text-align:justify;"}[v]
	}
	return words("text-align", v, "left right center justify", is(n, "p h1 h2 h3 h4 h5 h6"))
}

// imageAligns are what browsers make of the align attribute of a picture.
var imageAligns = map[string]string{
	"left": "float:left;vertical-align:top;", "right": "float:right;vertical-align:top;", "top": "vertical-align:top;",
	"absmiddle": "vertical-align:middle;", "abscenter": "vertical-align:middle;", "center": "vertical-align:-webkit-baseline-middle;", "absbottom": "vertical-align:bottom;",
	"texttop": "vertical-align:text-top;", "middle": "vertical-align:-webkit-baseline-middle;",
}

func border(n *dom.Node, v string) string {
	if n.Tag == "img" {
		return when(sized("border-width", v, true) != "", sized("border-width", v, true)+"border-style:solid;")
	}
	if n.Tag != "table" {
		return ""
	}
	if v == "0" {
		return "border-width:0;"
	}
	width := sized("border-width", v, true)
	if width == "" {
		width = "border-width:1px;"
	}
	if _, colored := n.Attr("bordercolor"); colored {
		return width + "border-style:solid;"
	}
	return width + "border-style:outset;"
}

// cellHints are what a table's attributes say of its cells.
func cellHints(n *dom.Node) string {
	table := n.Parent
	for table != nil && table.Tag != "table" {
		table = table.Parent
	}
	if table == nil {
		return ""
	}
	text := ""
	if v, ok := table.Attr("cellpadding"); ok {
		text += sized("padding", v, true)
	}
	if v, ok := table.Attr("border"); ok && strings.TrimSpace(v) != "0" {
		_, colored := table.Attr("bordercolor")
		text += "border-width:1px;border-color:inherit;border-style:inset;" + when(colored, "border-style:solid;")
	}
	return text
}

func listType(n *dom.Node, v string) string {
	if !is(n, "ol ul li") {
		return ""
	}
	names := map[string]string{"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
	if name, ok := names[v]; ok {
		return "list-style-type:" + name + ";"
	}
	return words("list-style-type", v, "disc circle square none", true)
}

// svgAttributes are properties that shapes have as attributes.
const svgAttributes = "fill fill-opacity fill-rule clip-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin " +
	"stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color display visibility stop-color stop-opacity transform-origin " +
	"font-size font-family font-weight text-anchor filter mask clip-path marker-start marker-mid marker-end"

func svgHints(n *dom.Node) string {
	var text strings.Builder
	for _, a := range n.Attrs {
		if slices.Contains(strings.Fields(svgAttributes), a.Key) && !strings.ContainsAny(a.Val, ";{}") {
			text.WriteString(a.Key + ":" + a.Val + ";")
		}
		if n.Tag == "svg" && (a.Key == "width" || a.Key == "height") {
			text.WriteString(svgSized(a.Key, strings.TrimSpace(a.Val)))
		}
	}
	return text.String()
}

// svgSized is a size of an <svg>: a value of CSS, but that a number needs no unit (SVG 2, section 7.2).
func svgSized(name, v string) string {
	switch _, err := strconv.ParseFloat(v, 64); {
	case err == nil:
		return name + ":" + v + "px;"
	case strings.ContainsAny(v, ";{}!"):
		return ""
	}
	return name + ":" + v + ";"
}
