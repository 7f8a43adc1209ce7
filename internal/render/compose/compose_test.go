package compose_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/compose"
	"github.com/platen-render/platen/internal/render/rendertest"
	"github.com/platen-render/platen/internal/render/templates"
)

func markdown(t *testing.T, text string) string {
	t.Helper()
	page, err := compose.Compose(t.Context(), compose.Source{Kind: compose.Markdown, Text: text}, compose.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	return page.HTML
}

func TestHTMLStaysAsItIs(t *testing.T) {
	t.Parallel()
	text := rendertest.Document(t, "../testdata/malformed.html")
	for _, source := range []string{text, "\ufeff" + text} {
		got, err := compose.Compose(t.Context(), compose.Source{Kind: compose.HTML, Text: source}, compose.Identity{})
		if err != nil || got.HTML != text {
			t.Fatalf("got %q, %v", got.HTML, err)
		}
	}
}

func TestATemplateIsFilledIn(t *testing.T) {
	t.Parallel()
	got, err := compose.Compose(t.Context(), compose.Source{
		Kind: compose.Template, Text: "\ufeff<p>{{.total}} {{documentKey}}", Data: json.RawMessage(`{"total": 1.10}`),
	}, compose.Identity{DocumentKey: "invoice:1"})
	if err != nil || got != (compose.Page{HTML: "<p>1.10 invoice:1", OwnIdentity: true}) {
		t.Fatalf("got %+v, %v", got, err)
	}
}

func TestATemplateIsFilledInForALocaleAndAZone(t *testing.T) {
	t.Parallel()
	got, err := compose.Compose(t.Context(), compose.Source{
		Kind: compose.Template, Text: `{{.at | date "datetime-short"}} {{money "EUR" .n}}`, Data: json.RawMessage(`{"at": "2026-03-31T22:15:00Z", "n": 1234.5}`),
		Locale: "de", TimeZone: "Europe/Berlin",
	}, compose.Identity{})
	if want := "01.04.26, 00:15 1.234,50\u00a0€"; err != nil || got != (compose.Page{HTML: want}) {
		t.Fatalf("got %+v, %v, want %q", got, err, want)
	}
}

func TestFaultsOfATemplateKeepTheirCode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]*fault.Error{"{{": templates.ErrInvalid, "{{.x}}": templates.ErrDataMissing} {
		if _, err := compose.Compose(t.Context(), compose.Source{Kind: compose.Template, Text: text}, compose.Identity{}); !errors.Is(err, want) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func TestTheDeadlineIsARenderTimeout(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	for _, src := range []compose.Source{{Kind: compose.Template, Text: "x"}, {Kind: compose.Markdown, Text: "x"}} {
		if _, err := compose.Compose(ctx, src, compose.Identity{}); !errors.Is(err, render.ErrTimeout) {
			t.Errorf("%s: got %v", src.Kind, err)
		}
	}
}

func TestAnotherEncodingIsRefused(t *testing.T) {
	t.Parallel()
	for kind, pointer := range map[compose.Kind]string{compose.HTML: "/html", compose.Markdown: "/markdown", compose.Template: "/template/html"} {
		_, err := compose.Compose(t.Context(), compose.Source{Kind: kind, Text: "\ufeffé \xe9\xe8"}, compose.Identity{})
		f := fault.From(err)
		if !errors.Is(err, compose.ErrInvalidUTF8) || f.Fields[0].Pointer != pointer || !strings.Contains(f.Message, "byte 3") {
			t.Errorf("%s: got %v %+v", kind, err, f.Fields)
		}
	}
	if _, err := compose.Compose(t.Context(), compose.Source{Kind: "word"}, compose.Identity{}); fault.From(err).Kind != fault.Internal {
		t.Errorf("an unknown kind: got %v", err)
	}
}

func TestMarkdownBecomesAPage(t *testing.T) {
	t.Parallel()
	page := markdown(t, rendertest.Document(t, "testdata/report.md"))
	for _, want := range []string{
		"<!DOCTYPE html>\n<html lang=\"en\">", `<meta charset="utf-8">`, "<title>Quarterly Platform Report</title>",
		`<meta name="author" content="Platform Team">`, `<h1 id="quarterly-platform-report">`, "<del>strike</del>",
		`<img src="assets/logo.png" alt="Logo" title="Our logo">`, `<td style="text-align:right">1,072,134</td>`,
		`<code class="language-go">`, `type="checkbox"`, `class="footnotes"`, "thead {\n  display: table-header-group;",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "author: Platform") {
		t.Error("the front matter is printed")
	}
	if _, err := html.Parse(strings.NewReader(page)); err != nil {
		t.Error(err)
	}
	if again := markdown(t, rendertest.Document(t, "testdata/report.md")); again != page {
		t.Error("the same text gives two pages")
	}
}

func TestMarkdownDetails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"title from a heading", "# *A* & `B`\n", "<title>A &amp; B</title>"},
		{"raw HTML is kept", "<div class=\"x\">\n\n*y*\n\n</div>\n", "<div class=\"x\">\n<p><em>y</em></p>\n</div>"},
		{"equal headings", "# A\n# A\n# A-1\n", `<h1 id="a">A</h1>` + "\n" + `<h1 id="a-1">A</h1>` + "\n" + `<h1 id="a-1-1">A-1</h1>`},
		{"heading without letters", "# !\n", `<h1 id="section">`},
		{"front matter is escaped", "---\ntitle: \"</title><b>\"\nlang: '\"de'\n---\nx", "<title>&lt;/title&gt;&lt;b&gt;</title>"},
		{"language", "---\r\nlang: de\r\n---\r\nx", `<html lang="de">`},
		{"rules are no front matter", "---\n\nx\n\n---\n", "<hr>\n<p>x</p>\n<hr>"},
		{"page break", `<div class="page-break"></div>`, `.page-break {`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if page := markdown(t, c.text); !strings.Contains(page, c.want) {
				t.Errorf("%q is not in %q", c.want, page[strings.Index(page, "</style>"):])
			}
		})
	}
}

// The parser takes minutes or gigabytes for each of these.
func TestHostileMarkdownIsRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"quotations":      strings.Repeat(">", 100_000),
		"lists":           strings.Repeat("- ", 100_000) + "a",
		"numbered lists":  strings.Repeat("1. ", 100_000) + "a",
		"links":           strings.Repeat("[a](", 100_000),
		"links, lines":    strings.Repeat("[a](\n", 100_000),
		"definitions":     strings.Repeat("[a]: b\n", 100_000),
		"columns":         "|" + strings.Repeat("a|", 20_000) + "\n|" + strings.Repeat("-|", 20_000) + "\n" + strings.Repeat("|a\n", 1000),
		"cells":           "|" + strings.Repeat("a|", 150) + "\n|" + strings.Repeat("-|", 150) + "\n" + strings.Repeat("|a\n", 100_000),
		"long references": "[a]: " + strings.Repeat("x", 1_000_000) + "\n\n" + strings.Repeat("[a]\n\n", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := compose.Compose(t.Context(), compose.Source{Kind: compose.Markdown, Text: text}, compose.Identity{})
			if !errors.Is(err, compose.ErrMarkdownTooComplex) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestLongMarkdownIsNotRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"list of links": strings.Repeat("- [a](https://example.com/a)\n", 10_000),
		"table":         "| a | b | c |\n|---|--:|---|\n" + strings.Repeat("| 1 | 2 | 3 |\n", 10_000),
		"headings":      strings.Repeat("# Same\n\ntext\n\n", 10_000),
		"just below":    strings.Repeat(strings.Repeat("[a](", 2000)+"\n\n", 10),
		"nested":        strings.Repeat("> ", 40) + "a",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			markdown(t, text)
			if took := time.Since(start); took > time.Minute {
				t.Errorf("took %v", took)
			}
		})
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add("---\ntitle: x\n---\n# a\n- b\n  > c\n\n|a|b|\n|-|-|\n|1|2|\n\n[^1] [x][y]\n\n[^1]: z\n[y]: <u> 't'\n```go\n```\n<b>")
	f.Fuzz(func(t *testing.T, text string) {
		page, err := compose.Compose(t.Context(), compose.Source{Kind: compose.Markdown, Text: text}, compose.Identity{})
		if err != nil && fault.From(err).Kind != fault.Invalid {
			t.Fatal(err)
		}
		if err == nil && !strings.HasSuffix(page.HTML, "</main>\n</body>\n</html>\n") {
			t.Fatalf("the page does not end: %q", page.HTML)
		}
	})
}
