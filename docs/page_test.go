package docs_test

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// page is what the checks need of a Markdown file.
type page struct {
	links   []string // destinations, of images too, as written
	code    []string // code spans and code blocks
	anchors []string // of its headings
}

func parse(source string) page {
	var p page
	src := []byte(source)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(src))
	// The visitor returns no error, so Walk has none to report.
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := node.(type) {
		case *ast.Link:
			p.links = append(p.links, string(n.Destination))
		case *ast.Image:
			p.links = append(p.links, string(n.Destination))
		case *ast.Heading:
			p.anchors = append(p.anchors, anchor(inlineText(n, src)))
		case *ast.CodeSpan:
			p.code = append(p.code, inlineText(n, src))
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			p.code = append(p.code, string(n.Lines().Value(src)))
		}
		return ast.WalkContinue, nil
	})
	return p
}

// inlineText returns the text below a node without its markup.
func inlineText(node ast.Node, source []byte) string {
	var b strings.Builder
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		if t, ok := child.(*ast.Text); ok {
			b.Write(t.Segment.Value(source))
			continue
		}
		b.WriteString(inlineText(child, source))
	}
	return b.String()
}

var notInAnchors = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)

// anchor is the fragment that hosts of Markdown give a heading.
func anchor(heading string) string {
	return strings.ReplaceAll(notInAnchors.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

// follow says what is wrong with a link of the page at from, or nothing. Links to other hosts are not followed.
func follow(pages map[string]page, from, link string) string {
	target, err := url.Parse(link)
	if err != nil {
		return err.Error()
	}
	if target.IsAbs() || target.Host != "" {
		return ""
	}
	to := from
	if target.Path != "" {
		to = path.Join(path.Dir(from), target.Path)
	}
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(to))); err != nil {
		return "no such file"
	}
	if target.Fragment == "" {
		return ""
	}
	if p, ok := pages[to]; ok && !slices.Contains(p.anchors, target.Fragment) {
		return "no such heading"
	}
	return ""
}
