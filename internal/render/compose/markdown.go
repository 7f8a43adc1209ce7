package compose

import (
	"context"
	_ "embed" // the style sheet
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	renderhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

//go:embed print.css
var printStyle string

// fromMarkdown makes a whole page. The parser cannot be interrupted, so that its input is checked before.
func fromMarkdown(ctx context.Context, source string) (string, error) {
	front, body := splitFrontMatter(source)
	if err := checkMarkdown(body); err != nil {
		return "", err
	}
	markdown := goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderhtml.WithUnsafe()),
	)
	bytes := []byte(body)
	doc := markdown.Parser().Parse(text.NewReader(bytes), parser.WithContext(parser.NewContext(parser.WithIDs(newHeadingIDs()))))
	if ctx.Err() != nil {
		return "", fmt.Errorf("markdown: %w", context.Cause(ctx))
	}
	title, err := inspect(doc, bytes)
	if err != nil {
		return "", err
	}
	if front["title"] == "" {
		front["title"] = title
	}
	var b strings.Builder
	writeHead(&b, front)
	if err := markdown.Renderer().Render(&b, bytes, doc); err != nil {
		return "", fmt.Errorf("render markdown: %w", err)
	}
	b.WriteString("</main>\n</body>\n</html>\n")
	return b.String(), nil
}

func writeHead(b *strings.Builder, front map[string]string) {
	language := "en"
	if front["lang"] != "" {
		language = front["lang"]
	}
	fmt.Fprintf(b, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n", html.EscapeString(language))
	fmt.Fprintf(b, "<title>%s</title>\n", html.EscapeString(front["title"]))
	for _, name := range []string{"author", "description"} {
		if front[name] != "" {
			fmt.Fprintf(b, "<meta name=\"%s\" content=\"%s\">\n", name, html.EscapeString(front[name]))
		}
	}
	fmt.Fprintf(b, "<style>\n%s</style>\n</head>\n<body>\n<main>\n", printStyle)
}

var (
	frontMatter = regexp.MustCompile(`\A---[ \t]*\r?\n((?:[^\r\n]*\r?\n)*?)---[ \t]*(?:\r?\n|\z)`)
	frontField  = regexp.MustCompile(`(?m)^(title|author|description|lang):[ \t]*(.*?)[ \t\r]*$`)
)

// splitFrontMatter takes the block between two lines of dashes off the top. The fields that a page has a place
// for are read; it is not a YAML parser, and others are dropped. A block without any field is no front matter
// but two rules with text between them.
func splitFrontMatter(source string) (fields map[string]string, body string) {
	fields = map[string]string{}
	m := frontMatter.FindStringSubmatch(source)
	if m == nil {
		return fields, source
	}
	for _, field := range frontField.FindAllStringSubmatch(m[1], -1) {
		fields[field[1]] = unquote(field[2])
	}
	if len(fields) == 0 {
		return fields, source
	}
	return fields, source[len(m[0]):]
}

func unquote(s string) string {
	for _, quote := range []string{`"`, `'`} {
		if len(s) >= 2 && strings.HasPrefix(s, quote) && strings.HasSuffix(s, quote) {
			return s[1 : len(s)-1]
		}
	}
	return s
}

// inspect returns the text of the first heading, and refuses a document that would grow beyond measure: every
// use of a reference repeats its whole address.
func inspect(doc ast.Node, source []byte) (title string, err error) {
	left := maxAddressBytes
	err = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if title == "" {
				title = plainText(n, source)
			}
		case *ast.Link:
			left -= len(n.Destination) + len(n.Title)
		case *ast.Image:
			left -= len(n.Destination) + len(n.Title)
		}
		if left < 0 {
			return ast.WalkStop, ErrMarkdownTooComplex.With("The addresses of all links together are longer than %d bytes.", maxAddressBytes)
		}
		return ast.WalkContinue, nil
	})
	return title, err
}

// plainText is what a heading says without its marks.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		switch child := child.(type) {
		case *ast.Text:
			b.Write(child.Segment.Value(source))
		case *ast.String:
			b.Write(child.Value)
		default:
			b.WriteString(plainText(child, source))
		}
	}
	return b.String()
}

// headingIDs names headings as GitHub does, "two-words" and then "two-words-1", in linear time.
type headingIDs struct{ used map[string]int }

func newHeadingIDs() *headingIDs { return &headingIDs{map[string]int{}} }

// Generate implements parser.IDs.
func (h *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.Map(idRune, strings.ToLower(string(util.TrimLeftSpace(util.TrimRightSpace(value)))))
	if id == "" {
		id = "section"
	}
	for {
		n, taken := h.used[id]
		if !taken {
			h.used[id] = 1
			return []byte(id)
		}
		h.used[id] = n + 1
		id += "-" + strconv.Itoa(n)
	}
}

// Put implements parser.IDs.
func (h *headingIDs) Put(value []byte) { h.used[string(value)] = 1 }
