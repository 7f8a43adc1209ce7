package auto_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/auto"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// engines are a native engine and a browser, and both as one.
func engines() (native, browser *rendertest.Engine, both *auto.Engine) {
	native = &rendertest.Engine{Name: render.Native, Subset: true}
	browser = &rendertest.Engine{Name: render.Chromium}
	return native, browser, &auto.Engine{Native: native, Browser: browser}
}

func asking(engine, body string) render.Request {
	req := rendertest.Page(body)
	req.Engine = engine
	return req
}

func TestBothEnginesAreAnEngine(t *testing.T) {
	t.Parallel()
	_, _, both := engines()
	rendertest.TestEngine(t, both)
}

func TestThePageDecidesUnlessTheJobDoes(t *testing.T) {
	t.Parallel()
	const plain, outside = "<p>plain", "<p>two <!-- rendertest:outside=columns -->"
	for _, c := range []struct{ wish, body, engine, reason string }{
		{"", plain, "native", ""},
		{"auto", plain, "native", ""},
		{"auto", outside, "chromium", "`columns`"},
		{"native", plain, "native", ""},
		{"chromium", plain, "chromium", ""},
		{"chromium", outside, "chromium", ""},
	} {
		_, _, both := engines()
		report, pdf := rendertest.Render(t, both, asking(c.wish, c.body))
		if report.Engine != c.engine || report.Reason != c.reason {
			t.Errorf("%q, %s: by %s because of %q, want %s because of %q", c.wish, c.body, report.Engine, report.Reason, c.engine, c.reason)
		}
		rendertest.CheckPDF(t, pdf)
	}
}

func TestTheNativeEngineAskedForDoesNotLeaveThePageToTheBrowser(t *testing.T) {
	t.Parallel()
	_, browser, both := engines()
	report, err := both.Render(t.Context(), io.Discard, asking("native", "<!-- rendertest:outside=columns -->"))
	if f := fault.From(err); f == nil || f.Code != "outside_native_subset" || f.Kind != fault.Invalid || !strings.Contains(f.Message, "`columns`") {
		t.Errorf("error %v", err)
	}
	if report.Engine != "native" || browser.Renders() != 0 {
		t.Errorf("report %+v, %d pages in the browser", report, browser.Renders())
	}
}

func TestWithoutABrowserWhatNeedsOneIsUnavailable(t *testing.T) {
	t.Parallel()
	native, _, both := engines()
	both.Browser = nil
	if err := both.Probe(t.Context()); err != nil {
		t.Errorf("a worker without a browser is ill: %v", err)
	}
	for _, c := range []struct{ wish, body, says string }{
		{"auto", "<!-- rendertest:outside=columns -->", "The page needs a browser, and the worker has none: the native engine does not draw `columns`."},
		{"chromium", "<p>a", "The job needs a browser"},
	} {
		_, err := both.Render(t.Context(), io.Discard, asking(c.wish, c.body))
		if f := fault.From(err); !errors.Is(err, render.ErrEngineUnavailable) || !errors.Is(err, render.ErrNotHere) || !strings.HasPrefix(f.Message, c.says) {
			t.Errorf("%s: %v", c.wish, err)
		}
	}
	if report, _ := rendertest.Render(t, both, asking("auto", "<p>plain")); report.Engine != "native" {
		t.Errorf("report %+v", report)
	}
	native.SetDown(errors.New("no fonts"))
	if both.Probe(t.Context()) == nil {
		t.Error("nothing can render, and the probe says nothing")
	}
}

// wishes notes what an engine was asked as.
type wishes struct {
	*rendertest.Engine

	asked *string
}

func (w wishes) Render(ctx context.Context, out io.Writer, req render.Request) (render.Report, error) {
	*w.asked = req.Engine
	return w.Engine.Render(ctx, out, req)
}

func TestTheNativeEngineIsToldWhetherThereIsAChoice(t *testing.T) {
	t.Parallel()
	native, browser, both := engines()
	for _, c := range []struct {
		wish    string
		browser auto.Browser
		want    string
	}{{"", browser, "auto"}, {"auto", browser, "auto"}, {"native", browser, "native"}, {"", nil, "native"}, {"auto", nil, "native"}} {
		asked := ""
		both.Native, both.Browser = wishes{native, &asked}, c.browser
		rendertest.Render(t, both, asking(c.wish, "<p>plain"))
		if asked != c.want {
			t.Errorf("%q, a browser: %v: asked as %q, want %q", c.wish, c.browser != nil, asked, c.want)
		}
	}
}

func TestWithoutANativeEngineTheBrowserRendersAll(t *testing.T) {
	t.Parallel()
	_, browser, both := engines()
	both.Native = nil
	for _, wish := range []string{"", "auto", "chromium"} {
		if report, _ := rendertest.Render(t, both, asking(wish, "<!-- rendertest:outside=x --><p>a")); report.Engine != "chromium" || report.Reason != "" {
			t.Errorf("%q: report %+v", wish, report)
		}
	}
	if _, err := both.Render(t.Context(), io.Discard, asking("native", "<p>a")); !errors.Is(err, render.ErrEngineUnavailable) {
		t.Errorf("native: %v", err)
	}
	browser.SetDown(errors.New("broken"))
	if both.Probe(t.Context()) == nil {
		t.Error("the browser is down, and the probe says nothing")
	}
	both.Browser = nil
	if !errors.Is(both.Probe(t.Context()), render.ErrEngineUnavailable) {
		t.Error("there is no engine, and the probe says nothing")
	}
}

func TestAnEngineThatDoesNotExistIsRefused(t *testing.T) {
	t.Parallel()
	_, _, both := engines()
	if _, err := both.Render(t.Context(), io.Discard, asking("wkhtml", "<p>a")); err == nil || fault.From(err).Kind != fault.Invalid {
		t.Errorf("error %v", err)
	}
}

// failing is a native engine that writes something first, or nothing, and then fails.
type failing struct {
	write string
	err   error // nil is a panic
}

func (f failing) Probe(context.Context) error { return nil }

func (f failing) Render(_ context.Context, w io.Writer, _ render.Request) (render.Report, error) {
	_, err := io.WriteString(w, f.write)
	if err == nil && f.err == nil {
		panic("a bug")
	}
	return render.Report{}, errors.Join(err, f.err)
}

func TestTheBrowserTakesOverWhatTheNativeEngineBreaksOn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		native failing
		engine string
		logged bool
	}{
		"a bug":                      {failing{err: errors.New("no such glyph")}, "chromium", true},
		"a panic":                    {failing{}, "chromium", true},
		"a panic that it caught":     {failing{err: render.ErrPageFailed.Because(render.ErrDefect)}, "chromium", true},
		"the document is too large":  {failing{err: render.ErrDocumentTooLarge}, "native", false},
		"too late: something is out": {failing{write: "%PDF", err: errors.New("no such glyph")}, "native", false},
	} {
		_, browser, both := engines()
		var log bytes.Buffer
		both.Native, both.Logger = c.native, slog.New(slog.NewTextHandler(&log, nil))
		report, err := both.Render(t.Context(), &bytes.Buffer{}, asking("auto", "<p>a"))
		if report.Engine != c.engine || (err == nil) != (c.engine == "chromium") || (browser.Renders() == 1) != (err == nil) {
			t.Errorf("%s: by %s, %v", name, report.Engine, err)
		}
		if (report.Reason == "the native engine failed") != (err == nil) {
			t.Errorf("%s: reason %q", name, report.Reason)
		}
		if strings.Contains(log.String(), "native engine failed") != c.logged {
			t.Errorf("%s: log %q", name, log.String())
		}
	}
}

func TestAPageBeyondTheLimitsOfTheNativeEngineIsForTheBrowser(t *testing.T) {
	t.Parallel()
	_, browser, both := engines()
	limit := fault.New(fault.Invalid, "page_too_deep", "The page is too deep.")
	both.Native = failing{err: fmt.Errorf("read the page: %w", limit)}
	report, err := both.Render(t.Context(), io.Discard, asking("auto", "<p>a"))
	if err != nil || report.Engine != "chromium" || report.Reason != "a limit of the native engine, `page_too_deep`" {
		t.Errorf("report %+v, %v", report, err)
	}
	both.Browser = nil
	for _, wish := range []string{"auto", "native"} { // an error that clients know
		report, err = both.Render(t.Context(), io.Discard, asking(wish, "<p>a"))
		if f := fault.From(err); !errors.Is(err, limit) || f.Code != "page_too_complex" || f.Message != limit.Message || report.Engine != "native" {
			t.Errorf("%s, without a browser: report %+v, %v", wish, report, err)
		}
	}
	if browser.Renders() != 1 {
		t.Errorf("%d pages in the browser", browser.Renders())
	}
}

func TestAPageThatMayHaveEndedAnAttemptIsForTheBrowser(t *testing.T) {
	t.Parallel()
	native, browser, both := engines()
	req := asking("auto", "<p>a")
	req.Alone = true
	report, err := both.Render(t.Context(), io.Discard, req)
	if err != nil || report.Engine != "chromium" || report.Reason == "" || native.Renders() != 0 || browser.Renders() != 1 {
		t.Errorf("report %+v, %v, %d native renders", report, err, native.Renders())
	}
	req.Engine = "native"
	if report, err = both.Render(t.Context(), io.Discard, req); err != nil || report.Engine != "native" {
		t.Errorf("asked for: report %+v, %v", report, err)
	}
	req.Engine, both.Browser = "auto", nil
	if report, err = both.Render(t.Context(), io.Discard, req); err != nil || report.Engine != "native" {
		t.Errorf("without a browser: report %+v, %v", report, err)
	}
}

func TestACanceledRenderIsNotTriedInTheBrowser(t *testing.T) {
	t.Parallel()
	_, browser, both := engines()
	both.Native = failing{err: errors.New("stopped")}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := both.Render(ctx, io.Discard, asking("auto", "<p>a")); err == nil || browser.Renders() != 0 {
		t.Errorf("error %v, %d pages in the browser", err, browser.Renders())
	}
}

func TestTheEngineIsThereUntilItsContextEnds(t *testing.T) {
	t.Parallel()
	for _, browser := range []auto.Browser{nil, &rendertest.Engine{}} {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- (&auto.Engine{Browser: browser}).Run(ctx) }()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestWhatOnlyABrowserDoesIsForTheBrowser(t *testing.T) {
	t.Parallel()
	for reason, ask := range map[string]func(*render.Request){
		"a page on the web": func(r *render.Request) { r.HTML, r.URL = "", "https://example.com/report" },
		"`wait_for`":        func(r *render.Request) { r.Wait.Selector = "#total" },
	} {
		native, _, both := engines()
		req := asking("auto", "<p>a")
		ask(&req)
		if report, err := both.Render(t.Context(), io.Discard, req); err != nil || report.Engine != render.Chromium || report.Reason != reason {
			t.Errorf("%s: %+v, %v, want the browser because of it", reason, report, err)
		}
		req.Engine = render.Native
		report, err := both.Render(t.Context(), io.Discard, req)
		if f := fault.From(err); !errors.Is(err, render.ErrOutsideSubset) || !strings.Contains(f.Message, reason) || report.Engine != render.Native {
			t.Errorf("%s: %+v, %v, want outside_native_subset by the native engine", reason, report, err)
		}
		req.Engine, both.Browser = render.Auto, nil
		if _, err := both.Render(t.Context(), io.Discard, req); !errors.Is(err, render.ErrEngineUnavailable) || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s without a browser: %v", reason, err)
		}
		if native.Renders() != 0 {
			t.Errorf("%s: the native engine was asked", reason)
		}
	}
}
