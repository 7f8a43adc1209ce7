package auto_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/auto"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/pdfium"
	"github.com/platen-render/platen/internal/render/pictures"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// realEngines are those of a worker.
func realEngines(t *testing.T) *auto.Engine {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	inside, err := native.New(ctx, native.Options{})
	if err != nil {
		t.Fatal(err)
	}
	browser := chromium.New(chromium.Options{Logger: slog.New(slog.NewTextHandler(t.Output(), nil)), Start: time.Minute})
	t.Cleanup(func() {
		if err := browser.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := browser.Probe(ctx); err != nil {
		t.Fatalf("the browser does not start (Debian package chromium-headless-shell): %v", err)
	}
	return &auto.Engine{Native: inside, Browser: browser}
}

func TestPagesThatAreNotThereAreTheSameErrorWhateverTheEngine(t *testing.T) {
	t.Parallel()
	both := realEngines(t)
	alone := &auto.Engine{Native: both.Native}
	reader := pdfium.New(pdfium.Options{Dir: t.TempDir()})
	t.Cleanup(func() {
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, c := range []struct {
		engine       *auto.Engine
		wish, by     string
		pages        render.PageRange
		header, page string
	}{
		{engine: both, wish: render.Native, by: render.Native, pages: render.PageRange{First: 9}},
		{engine: both, wish: render.Chromium, by: render.Chromium, pages: render.PageRange{First: 9}},
		{engine: both, wish: render.Chromium, by: render.Chromium, pages: render.PageRange{First: 9, Last: 9}},
		{engine: both, wish: render.Chromium, by: render.Chromium, pages: render.PageRange{First: 2, Last: 90}, header: "<b>x</b>"},
		{engine: both, wish: render.Auto, by: render.Native, pages: render.PageRange{First: 9}}, // no browser can have more of them
		{engine: both, wish: render.Auto, by: render.Chromium, pages: render.PageRange{First: 9}, page: "<script>1</script>"},
		{engine: alone, wish: render.Auto, by: render.Native, pages: render.PageRange{First: 9}},
	} {
		for _, format := range []render.Format{render.PDF, render.PNG, render.JPEG} {
			req := asking(c.wish, "<p>x"+c.page)
			req.Output.Format, req.Output.Pages, req.Output.Header = format, []render.PageRange{c.pages}, c.header
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			report, err := (&pictures.Engine{Printer: c.engine, Reader: reader}).Render(ctx, io.Discard, req)
			cancel()
			f := fault.From(err)
			if !errors.Is(err, render.ErrPageRange) || f.Code != render.ErrPageRange.Code || f.Message != render.ErrPageRange.Message || f.Kind != fault.Invalid {
				t.Errorf("%+v as %s: %v", c, format, err)
			}
			if report.Engine != c.by {
				t.Errorf("%+v as %s: by %s because of %q", c, format, report.Engine, report.Reason)
			}
		}
	}
	req := asking(render.Auto, "<p>x")
	req.Output.Pages = []render.PageRange{{First: 1, Last: 9}}
	if report, _ := rendertest.Render(t, both, req); report.Pages != 1 {
		t.Errorf("some of them: %+v", report)
	}
}
