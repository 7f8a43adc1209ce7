package cascade_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// last returns the styles of the last element.
func last(tb testing.TB, page string) *cascade.Styled {
	tb.Helper()
	doc, result := mustCompute(tb, "<!doctype html>"+page)
	return result.Of(doc.Elements[len(doc.Elements)-1])
}

// color computes what a style sheet makes of the color of a paragraph.
func color(tb testing.TB, css string) string {
	tb.Helper()
	return last(tb, "<style>"+css+"</style><div class=d><p id=p class='a b' title=t>x").Style.Color.String()
}

const (
	red   = "rgb(255, 0, 0)"
	black = "rgb(0, 0, 0)"
)

func TestTheRuleThatCountsMostWins(t *testing.T) {
	t.Parallel()
	for css, want := range map[string]string{
		"p{color:red}":                                                         red,
		"p{color:red}p{color:#000}":                                            black,
		"#p{color:red}p.a.b{color:#000}":                                       red,
		"p{color:red!important}#p{color:#000}":                                 red,
		"p{color:red;color:blurple}":                                           red,
		"@media print{p{color:red}}":                                           red,
		"@media screen{p{color:red}}":                                          black,
		"@media not screen{p{color:red}}":                                      red,
		"@media (min-width:600px) and (max-width:700px){p{color:red}}":         red,
		"@media (width>=600px){p{color:red}}":                                  red,
		"@media (600px<width<=640px){p{color:red}}":                            black,
		"@media (orientation:portrait){p{color:red}}":                          red,
		"@media (nonsense){p{color:red}}":                                      black,
		"@media not (nonsense){p{color:red}}":                                  black,
		"@media screen,print{p{color:red}}":                                    red,
		"p:hover{color:red}":                                                   black,
		"p:not(:hover){color:red}":                                             red,
		"p:nonsense,p{color:red}":                                              black,
		":is(:nonsense,p){color:red}":                                          red,
		"div>p:only-child{color:red}":                                          red,
		"div{color:red}":                                                       red,
		"div{color:red}p{color:initial}":                                       black,
		".d{.a{color:red}}":                                                    red,
		".d{&>.a{color:red}}":                                                  red,
		".d{@media print{.a{color:red}}}":                                      red,
		"@layer x{#p{color:#000}}p{color:red}":                                 red,
		"@layer x,y;@layer y{p{color:red}}@layer x{p{color:#000}}":             red,
		"@layer x{p{color:red!important}}p{color:#000!important}":              red,
		":root{--c:red}p{color:var(--c)}":                                      red,
		"p{color:var(--none,red)}":                                             red,
		"div{color:red}p{color:var(--none)}":                                   red,
		":root{--a:var(--b);--b:var(--a)}div{color:red}p{color:var(--a,blue)}": "rgb(0, 0, 255)",
	} {
		if got := color(t, css); got != want {
			t.Errorf("%s: %s, want %s", css, got, want)
		}
	}
}

func TestACycleOfVariablesIsNothing(t *testing.T) {
	t.Parallel()
	if got := color(t, ":root{--x:var(--y)var(--y);--y:var(--x)var(--x)}p{color:var(--x)}"); got != black {
		t.Errorf("color %s", got)
	}
}

// bomb is a chain of properties of which each is twice the one before.
func bomb(item string) string {
	var b strings.Builder
	b.WriteString("<style>:root{--x0:1px;")
	for i := 1; i < 60; i++ {
		fmt.Fprintf(&b, "--x%d:%s;", i, strings.ReplaceAll(item, "N", fmt.Sprint(i-1)))
	}
	b.WriteString("}p{margin:var(--x59)}</style><p>x")
	return b.String()
}

func TestVariablesThatDoubleAreRefused(t *testing.T) {
	t.Parallel()
	for _, item := range []string{"var(--xN) var(--xN)", "(var(--xN))(var(--xN))", "f(var(--xN),var(--xN))"} {
		if _, _, err := compute(t.Context(), bomb(item)); !errors.Is(err, cascade.ErrExpansion) {
			t.Errorf("%s: %v", item, err)
		}
	}
}

func TestCapsHaveErrorsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		page string
		want error
	}{
		"nesting": {"<style>" + strings.Repeat("a{", 100) + "</style>", syntax.ErrTooDeep},
		"sheets":  {strings.Repeat("<style>a{}</style>", 300), cascade.ErrTooManySheets},
		"rules":   {"<style>" + strings.Repeat("a,b,c,d,e,f,g,h,i,j{top:0}", 20_001) + "</style>", cascade.ErrTooManyRules},
	} {
		if _, _, err := compute(t.Context(), c.page); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestACanceledContextEndsTheWork(t *testing.T) {
	t.Parallel()
	doc, err := dom.Parse(t.Context(), strings.Repeat("<p>x", 5000), dom.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := cascade.Compute(ctx, doc, a4()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestEverythingOutsideIsTold(t *testing.T) {
	t.Parallel()
	_, result := mustCompute(t, `<!doctype html><style>
p { columns: 2; cursor: pointer; transition: all 1s; nonsense: 1 }
.nobody { columns: 3 }
p { display: ruby; box-shadow: none; animation: fade 1s }
@keyframes fade { to { opacity: 0 } }
@media screen { p { columns: 4 } }
p::first-letter { color: red }
p:has(b) { color: red }
@container (width > 1px) { p { color: red } }
p { margin: var(--m) } :root { --m: stretch(1px); --w: stretch } p { width: var(--w) }
</style>
<p style="color: red;
 filter: blur(2px)">x</p><input><div style="display:none"><video></video></div><script>1</script>`)
	type short struct {
		Line           int
		Feature, Value string
	}
	var got []short
	for _, f := range result.Findings {
		if f.Reason == "" || f.Source != "document" || f.Column == 0 {
			t.Errorf("incomplete: %+v", f)
		}
		got = append(got, short{f.Line, f.Feature, f.Value})
	}
	want := []short{
		{2, "columns", "2"},
		{4, "display", "ruby"},
		{4, "animation", "fade"},
		{7, "::first-letter", ""},
		{8, ":has()", ""},
		{9, "@container", ""},
		{10, "width", "var(--w)"},
		{13, "filter", "blur(2px)"},
		{13, "<input>", ""},
		{13, "<script>", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestPagesHaveSizesMarginsAndBoxes(t *testing.T) {
	t.Parallel()
	_, result := mustCompute(t, `<!doctype html><html style="color:red"><style>
@page { size: A5 landscape; margin: 1cm 2cm; @bottom-right { content: "Page " counter(page) " of " counter(pages); font-size: 8pt } @top-left { content: none } }
@page :first { margin-top: 3cm; @bottom-right { content: "first" } }
@page :left { margin-left: 5cm }</style>`)
	first, second, third := result.Page(true, false, false), result.Page(false, true, false), result.Page(false, false, false)
	if got := fmt.Sprintf("%.1f %.1f", third.Width, third.Height); got != "793.7 559.4" {
		t.Errorf("size %s", got)
	}
	if got := fmt.Sprintf("%.0f %.0f %.0f %.0f", first.Margins.Top, third.Margins.Top, second.Margins.Left, third.Margins.Left); got != "113 38 189 76" {
		t.Errorf("margins %s", got)
	}
	box := third.Boxes["bottom-right"]
	if len(third.Boxes) != 1 || box.FontSize != 8*96.0/72 || box.TextAlign != "right" || box.Color.String() != red {
		t.Fatalf("boxes %v", third.Boxes)
	}
	want := []property.ContentItem{
		{Text: "Page "},
		{Kind: property.ContentCounter, Name: "page", Style: property.ListStyle{Name: "decimal"}},
		{Text: " of "},
		{Kind: property.ContentCounter, Name: "pages", Style: property.ListStyle{Name: "decimal"}},
	}
	if diff := cmp.Diff(want, box.Content.Items); diff != "" {
		t.Errorf("content:\n%s", diff)
	}
	if got := first.Boxes["bottom-right"].Content.Items[0].Text; got != "first" {
		t.Errorf("the first page has %q", got)
	}
}

func TestSheetsAndFontsComeFromTheLibrary(t *testing.T) {
	t.Parallel()
	doc, err := dom.Parse(t.Context(), `<!doctype html><link rel=stylesheet href="css/a.css"><p>x`, dom.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	options := a4()
	options.Library.Resources = map[string]render.Resource{
		"css/a.css": {Body: []byte(`@import "b.css" print; @import "c.css" screen; @font-face{font-family:F;src:url(f.woff2) format("woff2");font-weight:100 900}`)},
		"css/b.css": {Body: []byte("p{color:red}\np{columns:3}")},
		"css/c.css": {Body: []byte("p{color:blue!important}")},
	}
	result, err := cascade.Compute(t.Context(), doc, options)
	if err != nil {
		t.Fatal(err)
	}
	if got := result.Of(doc.Elements[len(doc.Elements)-1]).Style.Color.String(); got != red {
		t.Errorf("color %s", got)
	}
	if f := result.Findings; len(f) != 1 || f[0].Source != "css/b.css" || f[0].Line != 2 || f[0].Column != 3 {
		t.Errorf("findings %+v", f)
	}
	want := []cascade.FontFace{{
		Family: "F", Sources: []cascade.FontSource{{Base: "css/a.css", URL: "f.woff2", Format: "woff2"}},
		MinWeight: 100, MaxWeight: 900, MinStretch: 100, MaxStretch: 100, Source: "css/a.css", Line: 1,
	}}
	if diff := cmp.Diff(want, result.Fonts); diff != "" {
		t.Errorf("fonts:\n%s", diff)
	}
}

func TestGeneratedContentHasAStyle(t *testing.T) {
	t.Parallel()
	s := last(t, `<style>p::before{content:"a" attr(title);color:red}p::after{color:red}</style><p title=t>x`)
	if s.After != nil || s.Before == nil || s.Before.Color.String() != red || len(s.Before.Content.Items) != 2 {
		t.Errorf("before %v, after %v", s.Before, s.After)
	}
}

// rows is a statement of n rows.
func rows(n int) string {
	return "<!doctype html><style>tr:nth-child(even) td:first-child{color:red}td{padding:2px}</style><table>" +
		strings.Repeat("<tr><td>2026-11-29</td><td>Order</td><td>12.00</td></tr>", n) + "</table>"
}

func BenchmarkStatement(b *testing.B) {
	for _, n := range []int{2000, 50_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			page := rows(n)
			b.ReportAllocs()
			for b.Loop() {
				mustCompute(b, page)
			}
		})
	}
}

func BenchmarkInvoice(b *testing.B) {
	page, err := os.ReadFile(corpusFolder + "invoice.html")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		mustCompute(b, string(page))
	}
}

// A block is found for one element first and only then for the selector that cannot be drawn: it is told all the same.
func TestASelectorOutsideIsToldThoughItsRuleHoldsElsewhere(t *testing.T) {
	t.Parallel()
	_, result := mustCompute(t, `<!doctype html><style>div, p::first-letter { color: red }</style><div>a</div><p>b</p>`)
	if len(result.Findings) != 1 || result.Findings[0].Feature != "::first-letter" {
		t.Errorf("findings %v", result.Findings)
	}
}

func TestMarkersHaveStyles(t *testing.T) {
	t.Parallel()
	doc, result := mustCompute(t, `<!doctype html><style>.a::marker { color: #010203; font-weight: bold; visibility: hidden; margin: 9px }
		p::marker, .c::marker { content: "x" }</style><ul><li class=a>a<li>b<li class=c>c</ul><p>d`)
	var items []*cascade.Styled
	for _, n := range doc.Elements {
		if n.Tag == "li" {
			items = append(items, result.Of(n))
		}
	}
	if m := items[0].Marker; m == nil || m.FontWeight != 700 || m.Color != value.RGB(1, 2, 3) || m.Visibility != "visible" {
		t.Errorf("marker %+v", items[0].Marker)
	}
	if items[1].Marker != nil {
		t.Error("nothing is said of the second marker")
	}
	if len(result.Findings) != 1 || result.Findings[0].Feature != "content" {
		t.Errorf("findings %v", result.Findings)
	}
}

func TestWhatElementsLookLikeByThemselvesIsInsideOfTheSubset(t *testing.T) {
	t.Parallel()
	all := `<p><h1><ul><li>a</ul><dl><dt>a<dd>b</dl><table><caption>c<thead><tr><th>h<tbody><tr><td>d</table><hr><q>q</q><a href=x>a</a>
		<abbr title=x>a</abbr><bdo dir=rtl>x</bdo><sub>a</sub><sup>b</sup><mark>m</mark><pre>p</pre><svg></svg><blockquote>b</blockquote>`
	for _, doctype := range []string{"<!doctype html>", ""} {
		if _, result := mustCompute(t, doctype+all); len(result.Findings) != 0 {
			t.Errorf("findings %v", result.Findings)
		}
	}
}

func TestRowsShareTheirStyles(t *testing.T) {
	t.Parallel()
	doc, result := mustCompute(t, rows(1000))
	different := map[*cascade.Styled]bool{}
	for _, n := range doc.Elements {
		different[result.Of(n)] = true
	}
	if len(different) > 12 {
		t.Errorf("%d styles", len(different))
	}
}
