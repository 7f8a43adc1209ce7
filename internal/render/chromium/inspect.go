package chromium

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// traits are what a page's markup says about how it must be brought into the browser.
type traits struct {
	script   bool   // something in it may run
	relative bool   // something in it is named relatively, or so that one cannot be sure
	base     string // of <base href>
}

// references are the attributes that name something by its address. Their values can be lists (srcset, ping).
var references = map[string]bool{
	"action": true, "background": true, "cite": true, "data": true, "formaction": true, "href": true,
	"imagesrcset": true, "longdesc": true, "manifest": true, "ping": true, "poster": true, "src": true,
	"srcset": true, "xlink:href": true,
}

// inspect reads the markup once. In doubt a page is said to have a script or a relative name: that costs 25 ms,
// while the opposite would lose a resource.
func inspect(markup string) traits {
	var seen traits
	tokens := html.NewTokenizer(strings.NewReader(markup))
	inStyle := false
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			seen.relative = seen.relative && !absolute(seen.base)
			return seen
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := tokens.TagName()
			tag := string(name)
			inStyle = tag == "style"
			seen.script = seen.script || tag == "script"
			for more {
				var key, value []byte
				key, value, more = tokens.TagAttr()
				seen.attribute(tag, string(key), strings.TrimSpace(string(value)))
			}
		case html.TextToken:
			if inStyle {
				seen.css(string(tokens.Text()))
			}
		case html.EndTagToken:
			inStyle = false
		default:
		}
	}
}

func (t *traits) attribute(tag, key, value string) {
	switch {
	case strings.HasPrefix(key, "on"), strings.Contains(strings.ToLower(value), "script:"):
		t.script = true
	case key == "http-equiv" && strings.EqualFold(value, "refresh"): // it would leave by itself, and only a served page is held
		t.script = true
	case key == "srcdoc":
		t.script, t.relative = true, true
	case key == "style":
		t.css(value)
	case tag == "base" && key == "href":
		if t.base == "" {
			t.base = value
		}
	case key == "href" && (tag == "a" || tag == "area"): // nothing is loaded from it
	case references[key] && value != "" && !absolute(value) && !strings.HasPrefix(value, "#"):
		t.relative = true
	}
}

// cssReference finds what style sheets name: url(…), src(…), @import "…" and the strings of image-set(…).
var cssReference = regexp.MustCompile(`(?i)(?:url|src|image-set)\(\s*(["']?)([^"')]*)|@import\s+(["'])([^"']*)`)

func (t *traits) css(text string) {
	if strings.Contains(text, `\`) && strings.Contains(text, "(") {
		t.relative = true // an escape may hide a name
		return
	}
	for _, m := range cssReference.FindAllStringSubmatch(text, -1) {
		name := strings.TrimSpace(m[2] + m[4])
		if !absolute(name) && !strings.HasPrefix(name, "#") {
			t.relative = true
			return
		}
	}
}

// absolute reports whether every address in a value, which may be a list, has a scheme that needs no base.
func absolute(value string) bool {
	value = strings.ToLower(value)
	if strings.HasPrefix(value, "data:") {
		return !strings.Contains(value, ", ") // a srcset may go on after it
	}
	for part := range strings.SplitSeq(value, ", ") {
		if !strings.HasPrefix(part, "http:") && !strings.HasPrefix(part, "https:") &&
			!strings.HasPrefix(part, "mailto:") && !strings.HasPrefix(part, "tel:") {
			return false
		}
	}
	return true
}
