package chromium_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// bare is an engine with the embedded fonts alone.
func bare(tb testing.TB) *chromium.Engine {
	tb.Helper()
	return newEngine(tb, chromium.Options{FontDir: dataDir(tb)})
}

// warns returns the details of the warnings with a code.
func warns(tb testing.TB, e *chromium.Engine, req render.Request, code string) []string {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), limit)
	defer cancel()
	report, err := e.Render(ctx, io.Discard, req)
	if err != nil {
		tb.Fatalf("%s: %v", req.HTML[:min(len(req.HTML), 200)], err)
	}
	var details []string
	for _, w := range report.Warnings {
		if w.Code == code {
			details = append(details, w.Detail)
		}
	}
	return details
}

// expectation is a page and the details of its warnings with one code.
type expectation struct {
	markup string
	want   []string
}

func expect(t *testing.T, e *chromium.Engine, code string, cases map[string]expectation) {
	t.Helper()
	for name, c := range cases {
		if got := warns(t, e, rendertest.Page(c.markup), code); !slices.Equal(got, c.want) {
			t.Errorf("%s: %s %q, want %q", name, code, got, c.want)
		}
	}
}

func TestErrorsOfScriptsAreWarnings(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	expect(t, e, render.ConsoleError, map[string]expectation{
		"none":            {"<p>x<script>console.log(1); console.warn(2); console.info(3); console.assert(true)</script>", nil},
		"written":         {"<p>x\n<script>\nconsole.error('no total', 5, {a: 1}, [1], null, undefined, 1n, NaN)</script>", []string{"no total 5 Object Array null undefined 1 NaN (line 3)"}},
		"an error":        {"<script>console.error(new RangeError('too much'))</script>", []string{"RangeError: too much (line 1)"}},
		"asserted":        {"<script>console.assert(1 > 2, 'order')</script>", []string{"Assertion failed: order (line 1)"}},
		"not caught":      {"<script>\n\nmissing.name()</script>", []string{"Uncaught ReferenceError: missing is not defined (line 3)"}},
		"in a handler":    {"<script>onload = () => { throw 'a text' }</script>", []string{"Uncaught a text (line 1)"}},
		"not a script":    {"<script>let = ;</script>", []string{"Uncaught SyntaxError: Unexpected token ';' (line 1)"}},
		"not handled":     {"<script>Promise.reject(new TypeError('no data'))</script>", []string{"Uncaught (in promise) TypeError: no data (line 1)"}},
		"handled late":    {"<script>const p = Promise.reject(1); setTimeout(() => p.catch(() => 0), 5)</script>", nil},
		"silenced":        {"<script>onerror = () => true; addEventListener('error', (e) => e.stopImmediatePropagation()); missing()</script>", []string{"Uncaught ReferenceError: missing is not defined (line 1)"}},
		"hostile values":  {"<script>console.error(new Proxy({}, {get() { throw 1 }}), {toString() { throw 2 }, get stack() { throw 3 }}); Error.prepareStackTrace = () => { throw 4 }; console.error('x')</script>", []string{"an object Object (line 1)", "x"}},
		"an image":        {"<img src='data:image/png,x' onerror='0'><script>1</script>", nil},
		"over many lines": {"<script>console.error('a\\n  b\\tc')</script>", []string{"a b c (line 1)"}},
		"long":            {"<script>console.error('ä'.repeat(5000))</script>", []string{strings.Repeat("ä", 300) + "… (line 1)"}},
	})
}

func TestAnErrorNamesTheFileOfItsScript(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	req := rendertest.Page(`<script src="js/total.js"></script>`)
	req.Resources = map[string]render.Resource{"js/total.js": {ContentType: "text/javascript", Body: []byte("\nconst a = 1;\na.b.c = 1")}}
	want := []string{"Uncaught TypeError: Cannot set properties of undefined (setting 'c') (js/total.js:3)"}
	if got := warns(t, e, req, render.ConsoleError); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAFloodOfMessagesIsCutShort(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	for name, script := range map[string]string{
		"many":     `for (let i = 0; i < 200000; i++) console.error("flood", i)`,
		"large":    `const s = "x".repeat(2e7); for (let i = 0; i < 12; i++) console.error(s)`,
		"too long": `const s = "x".repeat(2.5e8); try { console.error(s) } catch (e) {} console.error("after")`,
		"deep":     `let o = {}; for (let i = 0; i < 1e5; i++) o = {o}; for (let i = 0; i < 20; i++) console.error(o, "x")`,
		"thrown":   `for (let i = 0; i < 20000; i++) setTimeout(() => { throw new Error("flood " + i) }, 0)`,
	} {
		report, text, err := renderSoon(t, e, rendertest.Page(`<p>kept</p><script>`+script+`</script>`))
		errors := 0
		for _, w := range report.Warnings {
			if w.Code == render.ConsoleError {
				errors++
			}
			if len(w.Detail) > 2000 {
				t.Errorf("%s: a warning of %d bytes", name, len(w.Detail))
			}
		}
		if err != nil || text != "kept" || errors == 0 || errors > 10 {
			t.Errorf("%s: %q, %v, %d errors, want 1 to 10", name, text, err, errors)
		}
	}
}

func TestTextThatIsCutIsNamed(t *testing.T) {
	t.Parallel()
	const long = "a text that is far longer than the room it has got here"
	named := []string{`page 1: "` + long + `"`}
	page := func(text string) []string { return []string{`page 1: "` + text + `"`} }
	box := func(style string) string { return `<div style="` + style + `">` + long + `</div>` }
	expect(t, bare(t), render.TextClipped, map[string]expectation{
		"hidden below":             {box("width:90px;height:20px;overflow:hidden"), named},
		"hidden beside":            {box("width:90px;overflow:hidden;white-space:nowrap"), named},
		"clip":                     {box("width:90px;overflow:clip;white-space:nowrap"), named},
		"scrolled":                 {box("width:90px;height:20px;overflow:auto"), named},
		"an ellipsis":              {box("width:90px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap"), named},
		"clamped":                  {box("width:90px;overflow:hidden;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical"), named},
		"in a box of the box":      {`<div style="width:90px;overflow:hidden"><b><i style="white-space:nowrap">` + long + `</i></b></div>`, named},
		"from right to left":       {`<div dir="rtl" style="width:90px;overflow:hidden;white-space:nowrap">` + long + `</div>`, named},
		"placed in the box":        {`<div style="position:relative;width:90px;height:40px;overflow:hidden"><p style="position:absolute;top:30px;white-space:nowrap">` + long + `</p></div>`, named},
		"by the sheet":             {`<p style="position:absolute;left:600px;width:1200px;white-space:nowrap">` + long + ` ` + long + ` ` + long, page((long + " " + long + " " + long)[:80] + "…")},
		"fixed, by the sheet":      {`<p style="position:fixed;left:640px;white-space:nowrap">` + long, named},
		"wider than can be shrunk": {`<p style="white-space:nowrap">` + strings.Repeat(long+" ", 4), page(strings.Repeat(long+" ", 4)[:80] + "…")},
		"left of the sheet":        {`<p style="position:absolute;left:-60px;white-space:nowrap">` + long, named},
		"by script":                {`<div id="d">` + long + `</div><script>d.style.cssText = "width:90px;height:20px;over" + "flow:hidden"</script>`, named},

		"all there":             {box("width:600px;height:60px;overflow:hidden"), nil},
		"shrunk to fit":         {box("width:900px;white-space:nowrap;text-align:right"), nil},
		"for screen readers":    {box("position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0);white-space:nowrap"), nil},
		"replaced by a picture": {box("text-indent:-9999px;width:90px;height:20px;overflow:hidden"), nil},
		"far to the left":       {box("position:absolute;left:-9999px"), nil},
		"not shown":             {box("width:90px;height:20px;overflow:hidden;visibility:hidden"), nil},
		"not opaque":            {box("width:90px;height:20px;overflow:hidden;opacity:0"), nil},
		"folded":                {box("height:0;overflow:hidden"), nil},
		"a tight line":          {`<p style="font:16px/1 'Noto Sans';height:1em;overflow:hidden">Ägypten qjp`, nil},
		"a float is held":       {`<div style="overflow:hidden"><p style="float:left">` + long + `</div>`, nil},
		"placed outside":        {`<div style="width:90px;height:20px;overflow:hidden">in<p style="position:absolute;top:90px;left:9px;white-space:nowrap">` + long + `</p><div style="height:90px"></div></div>`, nil},
		"overflow of the page":  {`<style>html,body{height:100%;overflow:hidden;margin:0}</style>` + strings.Repeat("<p>line</p>", 10), nil},
		"a picture before it":   {`<!DOCTYPE html><style>@page{margin:20mm}@page:first{margin-top:0}body{margin:0}</style><header style="display:flex;justify-content:flex-end"><img style="width:42px" src='data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path d="M0 0h40v40"/></svg>'></header><p style="text-align:right">` + long, nil},
		"a small one on it":     {`<!DOCTYPE html><style>@page{margin:0}body{margin:0}</style><svg viewBox="0 0 192 56" style="position:absolute;left:25mm;top:8mm;width:48mm;height:14mm"><path d="M0 28 L28 0 L56 28 L28 56 Z"/></svg><p style="margin:90mm 20mm 0;text-align:right">one<p style="margin:9mm 20mm;text-align:right">two`, nil},
		"a picture all over it": {`<!DOCTYPE html><style>@page{size:A4 landscape;margin:0}body{margin:0}</style><svg viewBox="0 0 297 209.5" style="position:absolute;width:297mm;height:209.5mm"><path d="M9 9h279v190"/></svg><p style="position:relative;text-align:right">` + long, nil},
		"a table":               {`<table>` + strings.Repeat("<tr><td>"+long+"<td>1.234,56", 9) + `</table>`, nil},
	})
}

func TestASheetOfAnotherSizeCutsByItsOwnEdge(t *testing.T) {
	t.Parallel()
	const row = `<p style="position:absolute;left:0;white-space:nowrap;margin:0">0123456789 0123456789 0123456789 0123456789 0123456789</p>`
	e := bare(t)
	for name, c := range map[string]struct {
		markup string
		change func(*render.Output)
		cut    bool
	}{
		"a4":                      {row, func(*render.Output) {}, false},
		"a small page of its own": {`<style>@page { size: 60mm 60mm; margin: 5mm }</style>` + row, func(*render.Output) {}, true},
		"a small paper": {row, func(o *render.Output) {
			o.Width, o.Height, o.Margin = 60, 60, render.Margin{Top: 5, Right: 5, Bottom: 5, Left: 5}
		}, true},
		"without margins":         {row, func(o *render.Output) { o.Width, o.Height, o.Margin = 60, 60, render.Margin{} }, true},
		"scaled":                  {row, func(o *render.Output) { o.Scale = 2 }, false}, // shrunk to fit
		"scaled, beyond the edge": {`<p style="position:fixed;left:330px;white-space:nowrap">0123456789 0123456789`, func(o *render.Output) { o.Scale = 2 }, true},
		"landscape":               {`<p style="position:fixed;left:700px;white-space:nowrap">0123456789 0123456789`, func(o *render.Output) { o.Landscape = true }, false},
	} {
		req := rendertest.Page(c.markup)
		c.change(&req.Output)
		if got := warns(t, e, req, render.TextClipped); (len(got) > 0) != c.cut {
			t.Errorf("%s: %q, want some: %v", name, got, c.cut)
		}
	}
}

func TestAPictureCutsByItsSheet(t *testing.T) {
	t.Parallel()
	e := bare(t)
	req := rendertest.Page(`<p style="position:absolute;left:700px;top:10px;white-space:nowrap">beyond the right edge</p><p style="position:absolute;top:1500px">below`)
	req.Output.Format, req.Output.FullPage = render.PNG, false
	if got := warns(t, e, req, render.TextClipped); len(got) != 2 {
		t.Errorf("one sheet: %q, want two texts", got)
	}
	req.Output.FullPage = true
	if got := warns(t, e, req, render.TextClipped); len(got) != 0 {
		t.Errorf("the whole page: %q, want none", got)
	}
}

func TestCharactersWithoutAGlyphAreNamed(t *testing.T) {
	t.Parallel()
	const trap = "日本語 עברית فارسی 😀"
	want := []string{`U+65E5 "日", U+672C "本", U+8A9E "語", U+1F600 "😀"`} // Hebrew and Arabic are in the binary
	e := bare(t)
	expect(t, e, render.GlyphMissing, map[string]expectation{
		"all":                 {`<p>` + trap, want},
		"again, and bold":     {`<p>` + trap + `<p><b>` + trap + `</b> <i>語</i>`, want},
		"in a box of its own": {`<p style="opacity:.5">語`, []string{`U+8A9E "語"`}},
		"by a style sheet":    {`<style>p::before{content:"語 "}</style><p>x`, []string{`U+8A9E "語"`}},
		"one among many":      {`<p>` + strings.Repeat("Zażółć gęślą jaźń Ελληνικά кириллица עברית فارسی ", 30) + "한", []string{`U+D55C "한"`}},
		"more than ten":       {`<p>一二三四五六七八九十百千`, []string{`U+4E00 "一", U+4E03 "七", U+4E09 "三", U+4E5D "九", U+4E8C "二", U+4E94 "五", U+516B "八", U+516D "六", U+5341 "十", U+5343 "千" (and 2 more)`}},
		"a private one":       {"<p>\uf8d0", []string{"U+F8D0"}},
		"the last one":        {"<p>\U0010fffd", []string{"U+10FFFD"}},
		"none":                {`<p>Zażółć gęślą jaźń, Ελληνικά, кириллица, עברית فارسی – “quotes” … € ✓ → −`, nil},
		"invisible ones":      {"<p>a\u200bb\u00adc\u200dd\ufeffe\u2060f\u00a0g\ufe0f\u200e", nil},
	})
	req := rendertest.Page("<p>x")
	req.Output.Header, req.Output.Footer = "<b>"+trap+"</b>", `<span>語 – </span><span class="pageNumber"></span>`
	if got := warns(t, e, req, render.GlyphMissing); !slices.Equal(got, want) {
		t.Errorf("in header and footer: %q, want %q", got, want)
	}
	req.Output.Header, req.Output.Footer = "plain", "עברית"
	if got := warns(t, e, req, render.GlyphMissing); got != nil {
		t.Errorf("a plain header: %q", got)
	}
	req = rendertest.Page("<p>" + trap)
	req.Output.Format = render.PNG
	if got := warns(t, e, req, render.GlyphMissing); !slices.Equal(got, want) {
		t.Errorf("in a picture: %q, want %q", got, want)
	}
}

func TestAGlyphOfAnotherFontIsNotMissing(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	font, err := os.ReadFile("/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf")
	if err != nil {
		t.Fatalf("install the Debian package fonts-noto-core: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "devanagari.ttf"), font, 0o644); err != nil {
		t.Fatal(err)
	}
	page := rendertest.Page(`<p>देवनागरी`)
	if got := warns(t, newEngine(t, chromium.Options{FontDir: dir}), page, render.GlyphMissing); got != nil {
		t.Errorf("with the font: %q", got)
	}
	if got := warns(t, bare(t), page, render.GlyphMissing); len(got) != 1 || !strings.Contains(got[0], "U+0926") {
		t.Errorf("without it: %q", got)
	}
	own := rendertest.Page(`<style>@font-face{font-family:Own;src:url(own.ttf)} p{font-family:Own}</style><p>देवनागरी`)
	own.Resources = map[string]render.Resource{"own.ttf": {ContentType: "font/ttf", Body: font}}
	if got := warns(t, bare(t), own, render.GlyphMissing); got != nil {
		t.Errorf("with a font of the page: %q", got)
	}
}

func TestFontsThatAreNamedAndNotFound(t *testing.T) {
	t.Parallel()
	e := bare(t)
	expect(t, e, render.FontMissing, map[string]expectation{
		"the first is missing": {`<p style="font-family:'Corporate Sans', Arial, sans-serif">x`, []string{"Corporate Sans: named and not found"}},
		"without quotes":       {`<p style="font-family:Corporate Sans">x`, []string{"Corporate Sans: named and not found"}},
		"once":                 {`<style>p{font-family:Nowhere}</style><p>x<p>y<p style="font-family:nowhere,serif">z`, []string{"Nowhere: named and not found"}},
		"by a variable":        {`<style>:root{--f:Nowhere, serif}p{font-family:var(--f)}</style><p>x`, []string{"Nowhere: named and not found"}},
		"a liar":               {`<p style="font-family:Nowhere">x<script>document.fonts.check = () => true; Object.defineProperty(document, "fonts", {get: () => []}); CanvasRenderingContext2D.prototype.measureText = () => ({width: Math.random()})</script>`, []string{"Nowhere: named and not found"}},

		"a later one is missing": {`<p style="font-family:Arial, Nowhere">x`, nil},
		"none is named":          {`<p>x`, nil},
		"generic ones":           {`<p style="font-family:sans-serif">x<p style="font-family:system-ui">x<p style="font-family:-apple-system,BlinkMacSystemFont,Nowhere">x<p style="font-family:ui-monospace,Nowhere">x`, nil},
		"aliases":                {`<p style="font-family:Helvetica">x<p style="font-family:'Times New Roman'">x<p style="font-family:COURIER NEW">x`, nil},
		"embedded ones":          {`<p style="font-family:'Noto Sans'">x<p style="font-family:noto serif">x`, nil},
		"not used":               {`<style>.none{font-family:Nowhere}</style><p>x<p class="none"></p><p class="none" style="display:none">x</p>`, nil},
	})
	own := rendertest.Page(`<style>@font-face{font-family:"Own Font";src:url(own.ttf);unicode-range:U+41-5A}p{font-family:own font}</style><p>ABC<p>abc`)
	font, err := os.ReadFile("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
	if err != nil {
		t.Fatalf("install the Debian package fonts-dejavu-core: %v", err)
	}
	own.Resources = map[string]render.Resource{"own.ttf": {ContentType: "font/ttf", Body: font}}
	if got := warns(t, e, own, render.FontMissing); got != nil {
		t.Errorf("a font of the page: %q", got)
	}
	installed := rendertest.Page(`<p style="font-family:'DejaVu Sans Mono'">x<p style="font-family:DejaVu Serif">x`)
	if got := warns(t, newEngine(t, chromium.Options{}), installed, render.FontMissing); got != nil {
		t.Errorf("fonts of the system: %q", got)
	}
	if got := warns(t, e, installed, render.FontMissing); len(got) != 2 {
		t.Errorf("without them: %q, want both", got)
	}
}

func TestPagesWithNothingOnThemAreNumbered(t *testing.T) {
	t.Parallel()
	const next = `<p style="break-before:page"></p>`
	e := bare(t)
	cases := map[string]expectation{
		"none":          {`<p>one<p style="break-before:page">two`, nil},
		"in the middle": {`<p>one` + next + `<p style="break-before:page">three`, []string{"page 2"}},
		"at the end":    {`<p>one` + next + `<div style="height:9px"></div>`, []string{"page 2"}},
		"all of it":     {``, []string{"page 1"}},
		"a background":  {`<style>body{background:#eef}</style><p>one` + next + `<p style="break-before:page">three`, []string{"page 2"}},
		"a line":        {`<p>one` + next + `<hr><p style="break-before:page">three`, nil},
		"a picture":     {`<p>one` + next + `<img src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'%3E%3Crect width='9' height='9'/%3E%3C/svg%3E"><p style="break-before:page">three`, nil},
		"a colored box": {`<p>one` + next + `<div style="background:red;height:50px"></div><p style="break-before:page">three`, nil},
		"half a text":   {`<p>one` + next + `<p style="opacity:.5">two`, nil},
	}
	expect(t, e, render.PageBlank, cases)
	for name, c := range cases { // what is in the margins is not of the page
		req := rendertest.Page(c.markup)
		req.Output.Header, req.Output.Footer = "<b>Acme</b>", `<span class="pageNumber"></span>`
		if got := warns(t, e, req, render.PageBlank); !slices.Equal(got, c.want) {
			t.Errorf("%s, with header and footer: %q, want %q", name, got, c.want)
		}
	}
	many := rendertest.Page(`<p>one` + strings.Repeat(next, 13) + `<p style="break-before:page">end`)
	if got := warns(t, e, many, render.PageBlank); len(got) != 11 || !slices.Contains(got, "3 more pages") {
		t.Errorf("many: %q", got)
	}
}

func TestAHeaderHigherThanItsMarginIsNamed(t *testing.T) {
	t.Parallel()
	e := bare(t)
	lines := func(n int) string { return strings.Repeat("<div>line</div>", n) }
	for name, c := range map[string]struct {
		header, footer string
		margin         float64
		want           []string
	}{
		"both fit":           {lines(2), lines(2), 25, nil},
		"a high header":      {lines(12), "", 20, []string{"header: it is higher than the top margin, and runs into the page"}},
		"a high footer":      {"", lines(12), 20, []string{"footer: it is higher than the bottom margin, and runs into the page"}},
		"enough room for it": {lines(12), "", 60, nil},
	} {
		req := rendertest.Page("<p>body")
		req.Output.Header, req.Output.Footer = c.header, c.footer
		req.Output.Margin.Top, req.Output.Margin.Bottom = c.margin, c.margin
		if got := warns(t, e, req, render.TextClipped); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestAHighTableHeadRepeatsAndCoversNothing(t *testing.T) {
	t.Parallel()
	var rows strings.Builder
	for i := range 330 {
		fmt.Fprintf(&rows, "<tr><td>row-%d-<td>1.234,56", i)
	}
	report, pdf := rendertest.Render(t, bare(t), rendertest.Page(`<style>th{padding:14px 0;line-height:2}</style><table><thead><tr><th>Head<br>of two<br>lines<th>Amount</thead>`+rows.String()+`</table>`))
	pages := rendertest.PageTexts(t, pdf)
	if len(pages) < 10 || len(report.Warnings) != 0 {
		t.Fatalf("%d pages, warnings %+v", len(pages), report.Warnings)
	}
	seen := 0
	for i, text := range pages {
		if strings.Count(text, "Head") != 1 || strings.Index(text, "lines") > strings.Index(text, "row-") {
			t.Errorf("page %d does not begin with its head: %.200s", i+1, text)
		}
		seen += strings.Count(text, "row-")
	}
	if seen != 330 {
		t.Errorf("%d rows are there, want 330", seen)
	}
}

func TestAResourceIsWarnedAboutWithItsStatus(t *testing.T) {
	t.Parallel()
	host := webServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow.png" {
			select {
			case <-r.Context().Done():
			case <-time.After(10 * time.Second):
			}
		}
		w.WriteHeader(http.StatusNotFound)
	})
	e, _ := guarded(t, chromium.Options{Settle: 2 * time.Second}, host)
	req := rendertest.Page(`<p>x<img src="http://` + host + `/gone.png?key=secret"><img src="http://` + host + `/slow.png"><img src="http://127.0.0.1:9/denied.png">`)
	got, want := warns(t, e, req, render.ResourceFailed), []string{"http://127.0.0.1:9/denied.png: could not be loaded", "http://" + host + "/gone.png: HTTP status 404"}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := warns(t, e, req, render.ResourceUnfinished), []string{"http://" + host + "/slow.png: was not loaded in time"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAFileThatNobodyReadsHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{Settle: patience})
	req := rendertest.Page(`<p>x<script>fetch("x.txt")</script>`)
	req.Resources = map[string]render.Resource{"x.txt": {ContentType: "text/plain", Body: []byte("x")}}
	if report, text, err := renderSoon(t, e, req); err != nil || text != "x" || len(report.Warnings) != 0 {
		t.Errorf("%q, %+v, %v", text, report.Warnings, err)
	}
}

func TestHostilePagesAreExaminedInTime(t *testing.T) {
	t.Parallel()
	e := bare(t)
	for name, markup := range map[string]string{
		"many boxes":       strings.Repeat(`<div style="width:9px;height:9px;overflow:hidden">text that is cut</div>`, 8_000),
		"many empty boxes": `<style>div{width:9px;height:9px;overflow:hidden}i{display:block;height:20px}</style>` + strings.Repeat(`<div><i></i></div>`, 10_000),
		"boxes in boxes":   strings.Repeat(`<div style="overflow:hidden;height:9px">a`, 400) + strings.Repeat("<p>text</p>", 2000),
		"many families":    familiesOf(3000),
		"many characters":  "<p>" + everyCharacter(),
		"a document anew":  `<p>x</p><script>setInterval(() => { document.open(); document.write("<p>x<script>1<\/script>"); document.close() }, 0)</script>`,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		began := time.Now()
		report, err := e.Render(ctx, io.Discard, rendertest.Page(markup))
		cancel()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(report.Warnings) > 40 {
			t.Errorf("%s: %d warnings", name, len(report.Warnings))
		}
		t.Logf("%s: %s, %d warnings", name, time.Since(began), len(report.Warnings))
	}
}

func familiesOf(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<i style="font-family:F%d">x</i> `, i)
	}
	return b.String()
}

func everyCharacter() string {
	var b strings.Builder
	for r := rune(0x3400); r < 0x9fff; r++ {
		b.WriteRune(r)
		if r%40 == 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}
