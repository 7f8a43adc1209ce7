package chromium_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// A page that waits for what never comes takes patience, and may take until its limit. None here may take
// longer than soon, which is far more than a page of this size needs on a busy machine.
const (
	patience = 40 * time.Second
	limit    = time.Minute
	soon     = 15 * time.Second
)

// around puts a script into the middle of a page which is whole only when it has been read to its end and has
// loaded.
func around(markup string) string {
	return `<p>before</p>` + markup + `<p>after</p><script>addEventListener("load", () => document.body.append("loaded"))</script>`
}

const whole = "before after loaded"

// renderSoon renders and fails the test when that takes longer than soon.
func renderSoon(tb testing.TB, e *chromium.Engine, req render.Request) (render.Report, string, error) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), limit)
	defer cancel()
	var pdf bytes.Buffer
	began := time.Now()
	report, err := e.Render(ctx, &pdf, req)
	if took := time.Since(began); took > soon {
		tb.Errorf("a page of a few words took %s: %s", took, req.HTML)
	}
	if err != nil {
		return report, "", err
	}
	return report, strings.Join(strings.Fields(rendertest.Text(tb, pdf.Bytes())), " "), nil
}

const (
	away   = "http://elsewhere.test/away"
	itself = "the page itself"
)

// leavers are pages that try to leave their place, with the name that the warning has for where to.
var leavers = map[string]struct{ markup, where string }{
	"location":         {`<script>location = "` + away + `?token=secret"</script>`, away},
	"loopback":         {`<script>location = "http://127.0.0.1:8080/livez"</script>`, "http://127.0.0.1:8080/livez"},
	"reload":           {`<script>location.reload()</script>`, itself},
	"own address":      {`<script>location = location.href</script>`, itself},
	"go":               {`<script>history.go(0)</script>`, itself},
	"busy reload":      {`<script>location.reload(); for (const t = Date.now(); Date.now() < t + 50;);</script>`, itself},
	"reload at load":   {`<script>addEventListener("load", () => location.reload())</script>`, itself},
	"endless reload":   {`<script>setInterval(() => location.reload(), 1); location.reload()</script>`, itself},
	"many clicks":      {`<a id="a" href="` + away + `"></a><script>for (let i = 0; i < 50; i++) a.click()</script>`, away},
	"refresh":          {`<meta http-equiv="Refresh" content="0;url=` + away + `">`, away},
	"refresh itself":   {`<meta http-equiv="refresh" content="0">`, itself},
	"open":             {`<script>open("` + away + `", "_self")</script>`, away},
	"from a frame":     {`<iframe width="1" height="1" srcdoc="<script>top.location = '` + away + `'</script>"></iframe>`, away},
	"push and reload":  {`<script>history.pushState({}, "", "/other"); location.reload()</script>`, "other"},
	"blank":            {`<script>location = "about:blank"</script>`, "about:blank"},
	"blob":             {`<script>location = URL.createObjectURL(new Blob(["<p>other"], {type: "text/html"}))</script>`, "a blob: resource"},
	"mail":             {`<script>location = "mailto:someone@elsewhere.test"</script>`, "mailto:someone@elsewhere.test"},
	"router":           {`<script>navigation.navigate("/other")</script>`, "other"},
	"question":         {`<script>onbeforeunload = (e) => { e.preventDefault(); return "stay" }; location.reload()</script>`, itself},
	"stopped dispatch": {`<script>navigation.onnavigate = (e) => e.stopImmediatePropagation(); location.reload()</script>`, itself},
}

func TestAPageThatTriesToLeaveIsStillWhole(t *testing.T) {
	t.Parallel()
	p := newProxy(t)
	e := newEngine(t, chromium.Options{ProxyAddr: p.addr, Settle: patience})
	for name, c := range leavers {
		report, text, err := renderSoon(t, e, rendertest.Page(around(c.markup)))
		if err != nil || text != whole {
			t.Errorf("%s: %q, %v, want %q", name, text, err, whole)
		}
		want := render.Warning{Code: "navigation_denied", Detail: c.where + ": the page may not leave its place"}
		if !slices.Equal(report.Warnings, []render.Warning{want}) {
			t.Errorf("%s: warnings %+v, want %+v", name, report.Warnings, want)
		}
	}
	if p.saw("/away") || p.saw("/livez") {
		t.Error("a page left its place")
	}
}

func TestAPageThatTriesToLeaveNeverHangs(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{Pool: 2, Settle: patience})
	markups := []string{ // bare, so that nothing is left to be read when the script runs, or everything is
		`<script>location = "http://127.0.0.1:8080/livez"</script>`,
		`<script>location.reload()</script>`,
		`<script>setTimeout(() => location.reload(), 10)</script>`,
		`<iframe srcdoc="<script>top.location.reload()</script>"></iframe>`,
	}
	pages := make(chan string)
	var renders sync.WaitGroup
	for range 2 {
		renders.Go(func() {
			for markup := range pages {
				if _, _, err := renderSoon(t, e, render.Request{HTML: markup, Output: render.DefaultOutput()}); err != nil {
					t.Errorf("%s: %v", markup, err)
				}
			}
		})
	}
	for i := range 40 {
		pages <- markups[i%len(markups)]
	}
	close(pages)
	renders.Wait()
}

func TestAPageThatCannotBeHeldFails(t *testing.T) {
	t.Parallel()
	p := newProxy(t)
	e := newEngine(t, chromium.Options{ProxyAddr: p.addr, Settle: patience})
	for name, markup := range map[string]string{
		"history":      `<script>history.back()</script>`,
		"late history": `<img src="http://elsewhere.test/x.png"><script>setTimeout(() => history.back(), 1)</script>`,
		"form":         `<form id="f" action="` + away + `" method="post"></form><script>f.submit()</script>`,
		"own form":     `<form id="f"></form><script>f.submit()</script>`,
		"button":       `<form action="` + away + `"><button id="b"></button></form><script>b.click()</script>`,
		"frame":        `<iframe srcdoc="<script>location.reload()</script>"></iframe>`,
	} {
		if _, text, err := renderSoon(t, e, rendertest.Page(around(markup))); !errors.Is(err, render.ErrPageFailed) {
			t.Errorf("%s: %q, %v, want page_failed", name, text, err)
		}
	}
	if p.saw("/away") {
		t.Error("a page left its place")
	}
	if _, _, err := renderSoon(t, e, rendertest.Page(around(""))); err != nil {
		t.Errorf("the next page: %v", err)
	}
}

func TestAFormSentAfterItsPageWasReadIsRefused(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{Settle: patience})
	report, text, err := renderSoon(t, e, rendertest.Page(around(
		`<form id="f" action="`+away+`" method="post"></form><script>addEventListener("load", () => f.submit())</script>`)))
	if err != nil || text != whole || len(report.Warnings) != 1 || report.Warnings[0].Code != "navigation_denied" {
		t.Errorf("%q, %+v, %v, want %q and navigation_denied", text, report.Warnings, err, whole)
	}
}

func TestAPageMayMoveWithinItself(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{Settle: patience})
	for name, markup := range map[string]string{
		"fragment":        `<script>location = "#x"</script>`,
		"anchor":          `<a id="a" href="#x"></a><script>a.click()</script>`,
		"refresh":         `<meta http-equiv="refresh" content="0;url=#x">`,
		"history":         `<script>history.pushState({}, "", "/other"); history.replaceState({}, "", "/another")</script>`,
		"there and back":  `<script>history.pushState({}, "", "/other"); history.back()</script>`,
		"script address":  `<script>location = "javascript:void(0)"</script>`,
		"frames may move": `<iframe id="f" width="1" height="1" src="data:,"></iframe><script>f.src = "data:,x"</script>`,
	} {
		report, text, err := renderSoon(t, e, rendertest.Page(around(markup)))
		if err != nil || text != whole || len(report.Warnings) != 0 {
			t.Errorf("%s: %q, warnings %+v, %v, want %q", name, text, report.Warnings, err, whole)
		}
	}
}

func TestAPageThatStopsLoadingIsStillADocument(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{Settle: patience})
	for name, c := range map[string]struct{ markup, want string }{
		"stop":           {`<p>kept</p><img src="data:,"><script>stop()</script>`, "kept"},
		"stop a request": {`<p>kept</p><script>fetch("/a"); stop()</script>`, "kept"},
		"stop at load":   {`<p>kept</p><script>onload = () => stop()</script>`, "kept"},
		"never closed":   {`<script>onload = () => { document.open(); document.write("<p>kept") }</script>`, "kept"},
		"written anew":   {`<script>onload = () => setTimeout(() => { document.open(); document.write("<p>kept"); document.close() }, 0)</script>`, "kept"},
		"by its address": {`<script>location = "javascript:'<p>kept'"</script>`, "kept"},
		"close":          {`<p>kept</p><script>close()</script>`, "kept"},
		"print":          {`<p>kept</p><script>print(); onload = () => print()</script>`, "kept"},
	} {
		if _, text, err := renderSoon(t, e, rendertest.Page(c.markup)); err != nil || text != c.want {
			t.Errorf("%s: %q, %v, want %q", name, text, err, c.want)
		}
	}
}

func TestAPictureOfAPageThatTriesToLeaveIsMade(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{Settle: patience})
	req := rendertest.Page(around(`<script>location.reload()</script>`))
	req.Output.Format = render.PNG
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	report, err := e.Render(ctx, io.Discard, req)
	if err != nil || len(report.Warnings) != 1 || report.Warnings[0].Code != "navigation_denied" {
		t.Errorf("%+v, %v, want navigation_denied", report, err)
	}
}

func TestAWarningDoesNotDependOnTheOrderOfEvents(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{Settle: patience})
	markup := strings.Repeat(`<img src="http://elsewhere.test/a.png">`, 20)
	for range 20 {
		report, _, err := renderSoon(t, e, rendertest.Page(markup))
		if err != nil || len(report.Warnings) != 1 {
			t.Fatalf("warnings %+v, %v, want one", report.Warnings, err)
		}
		for _, w := range report.Warnings {
			if !strings.HasSuffix(w.Detail, ".png: could not be loaded") {
				t.Errorf("warning %+v, want one about an image that could not be loaded", w)
			}
		}
	}
}
