package resources

import (
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// reference is a resource as a page or a style sheet names it.
type reference struct {
	raw   string
	base  *url.URL
	sheet bool // a style sheet, which names further ones
}

// Page is what an engine must know of a page before it chooses how to bring it into a browser.
type Page struct {
	// HasScript: there is a <script> that is executed, an event handler or a javascript: address, or, after the
	// beginning of an <svg>, what may be one there and is a text in HTML.
	HasScript bool
	// HasRelative: something that is loaded, a frame or a script included, has an address that is not
	// absolute, after <base>.
	HasRelative bool
	// HasFrames: there is an <iframe>, <frame>, <object> or <embed>.
	HasFrames bool
}

// Inspect looks at the markup, without loading anything.
func Inspect(page string) Page { return scanPage(page).Page }

// scan walks the tokens of a page. It builds no tree, so that it is linear and knows no depth that is too deep.
type scan struct {
	Page
	base       *url.URL
	hasBase    bool
	references []reference
	templates  int  // open <template> elements: what is in them is not loaded, unless it is a shadow tree
	foreign    bool // SVG or MathML has begun, where <title> and <style> hold markup, and CDATA sections are texts
}

func scanPage(page string) *scan {
	s := &scan{base: ownOrigin}
	tokens := html.NewTokenizer(strings.NewReader(page))
	cdata := strings.Contains(page, "<![CDATA[")
	style, text := false, false
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return s // the end: a string has no other error
		case html.StartTagToken, html.SelfClosingTagToken:
			token := tokens.Token()
			s.element(token)
			style, text = token.Data == "style", texts[token.Data]
		case html.EndTagToken:
			if name, _ := tokens.TagName(); string(name) == "template" && s.templates > 0 {
				s.templates--
			}
			style, text = false, false
		case html.TextToken:
			if text && s.foreign {
				s.HasScript = s.HasScript || markup.Match(tokens.Raw())
			}
			if style && s.templates == 0 {
				s.addSheet(string(tokens.Text()))
			}
		case html.CommentToken, html.DoctypeToken:
			s.HasScript = s.HasScript || s.foreign && cdata
		}
	}
}

// texts are the elements of HTML whose content is a text.
var texts = map[string]bool{
	"iframe": true, "noembed": true, "noframes": true, "noscript": true, "plaintext": true, "script": true, "style": true, "textarea": true,
	"title": true, "xmp": true,
}

// markup is the beginning of a tag.
var markup = regexp.MustCompile(`<[A-Za-z]`)

// attributes by name; the first of a name counts.
type attributes map[string]string

func (s *scan) element(token html.Token) {
	a := make(attributes, len(token.Attr))
	for _, attr := range token.Attr {
		key := strings.ToLower(attr.Key)
		if _, ok := a[key]; !ok {
			a[key] = attr.Val
		}
	}
	if _, shadow := a["shadowrootmode"]; token.Data == "template" && token.Type == html.StartTagToken && (s.templates > 0 || !shadow) {
		s.templates++ // that of a shadow tree is shown at once, and its scripts run
	}
	s.foreign = s.foreign || token.Data == "svg" || token.Data == "math"
	if s.templates == 0 || s.foreign { // a <template> of SVG is nothing special
		s.noteScript(token.Data, a)
	}
	if s.templates > 0 {
		return
	}
	if style, ok := a["style"]; ok {
		s.addSheet(style)
	}
	if load := elements[token.Data]; load != nil {
		load(s, a)
	}
}

// elements says what each element loads.
var elements = map[string]func(*scan, attributes){
	"base":   (*scan).setBase,
	"img":    func(s *scan, a attributes) { s.add(a["src"]); s.addSet(a["srcset"]) },
	"source": func(s *scan, a attributes) { s.note(a["src"]); s.addSet(a["srcset"]) },
	"link":   (*scan).link,
	"input": func(s *scan, a attributes) {
		if strings.EqualFold(a["type"], "image") {
			s.add(a["src"])
		}
	},
	"image":   func(s *scan, a attributes) { s.add(a["src"]); s.addEither(a["href"], a["xlink:href"]) },
	"feimage": func(s *scan, a attributes) { s.addEither(a["href"], a["xlink:href"]) },
	"use":     func(s *scan, a attributes) { s.note(a["href"]); s.note(a["xlink:href"]) },
	"video":   func(s *scan, a attributes) { s.add(a["poster"]); s.note(a["src"]) },
	"audio":   func(s *scan, a attributes) { s.note(a["src"]) },
	"body":    func(s *scan, a attributes) { s.add(a["background"]) },
	"table":   func(s *scan, a attributes) { s.add(a["background"]) },
	"td":      func(s *scan, a attributes) { s.add(a["background"]) },
	"th":      func(s *scan, a attributes) { s.add(a["background"]) },
	"script":  func(s *scan, a attributes) { s.note(a["src"]) },
	"iframe":  func(s *scan, a attributes) { s.HasFrames = true; s.note(a["src"]) },
	"frame":   func(s *scan, a attributes) { s.HasFrames = true; s.note(a["src"]) },
	"embed":   func(s *scan, a attributes) { s.HasFrames = true; s.note(a["src"]) },
	"object":  func(s *scan, a attributes) { s.HasFrames = true; s.note(a["data"]) },
}

// setBase honours the first <base> with an address; it holds for what comes after it.
func (s *scan) setBase(a attributes) {
	href, ok := a["href"]
	if !ok || s.hasBase {
		return
	}
	if u, err := resolve(ownOrigin, href); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		s.base, s.hasBase = u, true
	}
}

func (s *scan) link(a attributes) {
	kinds := strings.Fields(strings.ToLower(a["rel"]))
	sheet, alternate := false, false
	for _, kind := range kinds {
		sheet = sheet || kind == "stylesheet"
		alternate = alternate || kind == "alternate"
	}
	if _, disabled := a["disabled"]; sheet && !alternate && !disabled {
		s.addReference(reference{raw: a["href"], base: s.base, sheet: true})
	}
}

// add notes an image.
func (s *scan) add(raw string) { s.addReference(reference{raw: raw, base: s.base}) }

func (s *scan) addEither(first, second string) {
	if first == "" {
		first = second
	}
	s.add(first)
}

func (s *scan) addSet(set string) {
	for _, raw := range splitSet(set) {
		s.add(raw)
	}
}

func (s *scan) addSheet(text string) {
	for _, ref := range scanSheet(text, s.base) {
		s.addReference(ref)
	}
}

func (s *scan) addReference(ref reference) {
	s.note(ref.raw)
	if raw := strings.TrimSpace(ref.raw); raw != "" && !strings.HasPrefix(raw, "#") {
		s.references = append(s.references, ref)
	}
}

// note sees whether an address is relative, of things that are not loaded here as well.
func (s *scan) note(raw string) {
	raw = strings.TrimSpace(raw)
	if raw == "" || strings.HasPrefix(raw, "#") {
		return
	}
	u, err := resolve(s.base, raw)
	if err != nil {
		return
	}
	if own(u) || (strings.HasPrefix(raw, "//") && !s.hasBase) {
		s.HasRelative = true
	}
	if u.Scheme == "javascript" {
		s.HasScript = true
	}
}

// scripts are the types of a <script> that are executed (MIME Sniffing, section 4.6); others are data.
var scripts = map[string]bool{
	"": true, "module": true, "importmap": true, "text/javascript": true, "application/javascript": true,
	"text/ecmascript": true, "application/ecmascript": true, "text/x-javascript": true, "application/x-javascript": true,
	"text/x-ecmascript": true, "application/x-ecmascript": true, "text/jscript": true, "text/livescript": true,
	"text/javascript1.0": true, "text/javascript1.1": true, "text/javascript1.2": true, "text/javascript1.3": true,
	"text/javascript1.4": true, "text/javascript1.5": true,
}

func (s *scan) noteScript(name string, a attributes) {
	if name == "script" {
		kind, _, _ := strings.Cut(strings.ToLower(a["type"]), ";")
		s.HasScript = s.HasScript || scripts[strings.TrimSpace(kind)]
	}
	for key := range a {
		s.HasScript = s.HasScript || strings.HasPrefix(key, "on")
	}
	if srcdoc, ok := a["srcdoc"]; ok && name == "iframe" {
		s.HasScript = s.HasScript || strings.Contains(strings.ToLower(srcdoc), "<script")
	}
}

// splitSet reads the addresses of a srcset (HTML standard, section 4.8.4.4.1): an address ends at a blank, or
// at a comma that ends it; its descriptors end at a comma outside of parentheses.
func splitSet(set string) []string {
	const blanks = " \t\n\f\r"
	var found []string
	for {
		set = strings.TrimLeft(set, blanks+",")
		if set == "" {
			return found
		}
		end := strings.IndexAny(set, blanks)
		if end < 0 {
			end = len(set)
		}
		raw := set[:end]
		set = set[end:]
		if address := strings.TrimRight(raw, ","); address != raw {
			found = append(found, address)
			continue
		}
		found = append(found, raw)
		set = afterDescriptors(set)
	}
}

func afterDescriptors(set string) string {
	open := false
	for i, r := range set {
		switch {
		case r == '(':
			open = true
		case r == ')':
			open = false
		case r == ',' && !open:
			return set[i+1:]
		}
	}
	return ""
}
