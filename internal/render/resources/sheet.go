package resources

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// sheet walks the tokens of a style sheet, or of a style attribute.
type sheet struct {
	base       *url.URL
	references []reference

	rule      string   // the at-rule whose prelude is being read: "@import"
	property  string   // the declaration whose value is being read
	functions []string // open functions and parentheses, innermost last
	source    string   // in a font's src: the address whose format is not known yet
	done      bool     // in a font's src: one was taken
}

// scanSheet returns what a style sheet loads: its imports, and every url() and image-set() but for namespaces.
// Of the sources of a font the first in a format of today is taken, as browsers do.
func scanSheet(text string, base *url.URL) []reference {
	if !mayLoad(text) {
		return nil
	}
	s := &sheet{base: base}
	lexer := css.NewLexer(parse.NewInputString(text))
	for {
		kind, data := lexer.Next()
		if kind == css.ErrorToken { // the end: a string has no other error
			s.endValue()
			return s.references
		}
		s.token(kind, string(data))
	}
}

// mayLoad is false for most style sheets, and takes a hundredth of the time: nothing is loaded without one of these words, or an escape, which
// may spell any.
func mayLoad(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc([]string{"url", "src", "import", "image-set", `\`}, func(word string) bool { return strings.Contains(text, word) })
}

func (s *sheet) token(kind css.TokenType, data string) {
	switch kind {
	case css.AtKeywordToken:
		s.rule = strings.ToLower(unescape(data))
	case css.SemicolonToken, css.LeftBraceToken, css.RightBraceToken:
		s.endValue()
		s.rule, s.property, s.functions = "", "", nil
	case css.IdentToken, css.CustomPropertyNameToken:
		if s.property == "" {
			s.property = strings.ToLower(unescape(data))
		}
	case css.FunctionToken:
		s.functions = append(s.functions, strings.ToLower(unescape(strings.TrimSuffix(data, "("))))
	case css.LeftParenthesisToken:
		s.functions = append(s.functions, "")
	case css.RightParenthesisToken:
		if n := len(s.functions); n > 0 {
			s.functions = s.functions[:n-1]
		}
	case css.CommaToken:
		if len(s.functions) == 0 {
			s.endSource()
		}
	case css.URLToken:
		s.address(urlOf(data))
	case css.StringToken:
		s.text(unescape(trimQuotes(data)))
	default:
	}
}

// address is a url().
func (s *sheet) address(raw string) {
	switch {
	case s.rule == "@namespace" || s.rule == "@charset":
	case s.rule == "@import":
		s.add(raw, true)
		s.rule = "@import, read"
	case s.property == "src":
		s.endSource()
		s.source = raw
	default:
		s.add(raw, false)
	}
}

// text is a string: an address in an import and in an image-set, a format in the sources of a font.
func (s *sheet) text(value string) {
	function := ""
	if n := len(s.functions); n > 0 {
		function = s.functions[n-1]
	}
	switch {
	case s.rule == "@import":
		s.add(value, true)
		s.rule = "@import, read"
	case function == "image-set" || function == "-webkit-image-set" || function == "url" || function == "src":
		s.address(value)
	case function == "format" && (strings.EqualFold(value, "embedded-opentype") || strings.EqualFold(value, "svg")):
		s.source = ""
	}
}

// endSource takes the source that was read, unless an earlier one was.
func (s *sheet) endSource() {
	path, _, _ := strings.Cut(s.source, "?")
	path, _, _ = strings.Cut(path, "#")
	if path != "" && !s.done && !strings.HasSuffix(strings.ToLower(path), ".eot") {
		s.add(s.source, false)
		s.done = true
	}
	s.source = ""
}

func (s *sheet) endValue() {
	s.endSource()
	s.done = false
}

func (s *sheet) add(raw string, imported bool) {
	if raw = strings.TrimSpace(raw); raw != "" && !strings.HasPrefix(raw, "#") {
		s.references = append(s.references, reference{raw: raw, base: s.base, sheet: imported})
	}
}

// urlOf returns the address in a url() token, quoted or not.
func urlOf(token string) string {
	inner := token
	if i := strings.IndexByte(inner, '('); i >= 0 {
		inner = inner[i+1:]
	}
	return unescape(trimQuotes(strings.Trim(strings.TrimSuffix(inner, ")"), " \t\n\r\f")))
}

func trimQuotes(s string) string {
	if len(s) > 0 && (s[0] == '"' || s[0] == '\'') {
		return strings.TrimSuffix(s[1:], s[:1])
	}
	return s
}

// unescape resolves CSS escapes (CSS Syntax 3, section 4.3.7).
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, `\`)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		s = unescapeOne(&b, after)
	}
}

// unescapeOne writes what follows a backslash and returns the rest.
func unescapeOne(b *strings.Builder, s string) (rest string) {
	digits := 0
	for digits < len(s) && digits < 6 && isHex(s[digits]) {
		digits++
	}
	if digits > 0 {
		code, err := strconv.ParseUint(s[:digits], 16, 32)
		if err != nil || code == 0 || code > utf8.MaxRune {
			code = utf8.RuneError
		}
		b.WriteRune(rune(code)) //nolint:gosec // G115: it is at most utf8.MaxRune
		s = s[digits:]
		if strings.HasPrefix(s, "\r\n") {
			return s[2:]
		}
		if s != "" && strings.IndexByte(" \t\n\r\f", s[0]) >= 0 {
			return s[1:]
		}
		return s
	}
	if strings.HasPrefix(s, "\n") {
		return s[1:] // a line that goes on
	}
	r, size := utf8.DecodeRuneInString(s)
	if size > 0 {
		b.WriteRune(r)
	}
	return s[size:]
}
