package catalog

import (
	"strings"

	"golang.org/x/net/html"
)

// inHead are the elements that a head is made of, with those around it.
var inHead = map[string]bool{
	"html": true, "head": true, "meta": true, "title": true, "link": true, "style": true, "script": true, "base": true,
}

// hasText are those of them that may have text in them.
var hasText = map[string]bool{"title": true, "style": true, "script": true}

// withStyle puts a style sheet at the end of the head, written or not: it wins over what the page has there.
func withStyle(page, css string) string {
	at := headEnd(page)
	return page[:at] + "<style>" + css + "</style>" + page[at:]
}

// headEnd is where the head of a page ends: before the first thing that cannot be in one.
func headEnd(page string) int {
	tokens := html.NewTokenizer(strings.NewReader(page))
	at, inside := 0, "" // inside an element with text
	for {
		kind := tokens.Next()
		size := len(tokens.Raw())
		switch kind {
		case html.ErrorToken:
			return len(page)
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := tokens.TagName()
			if !inHead[string(name)] {
				return at
			}
			inside = ""
			if hasText[string(name)] {
				inside = string(name)
			}
		case html.EndTagToken:
			name, _ := tokens.TagName()
			if string(name) != inside {
				return at // </head>, that is
			}
			inside = ""
		case html.TextToken:
			if inside == "" && strings.TrimSpace(string(tokens.Raw())) != "" {
				return at
			}
		case html.CommentToken, html.DoctypeToken:
		}
		at += size
	}
}
