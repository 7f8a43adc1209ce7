package chromium_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// newEngine returns an engine that is closed when the test ends.
func newEngine(tb testing.TB, opts chromium.Options) *chromium.Engine {
	tb.Helper()
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.NewTextHandler(tb.Output(), nil))
	}
	if opts.Start == 0 {
		opts.Start = time.Minute // a busy machine takes its time
	}
	e := chromium.New(opts)
	tb.Cleanup(func() {
		if err := e.Close(); err != nil {
			tb.Errorf("close: %v", err)
		}
	})
	if err := e.Probe(tb.Context()); err != nil {
		tb.Fatalf("the browser does not start (Debian package chromium-headless-shell): %v", err)
	}
	return e
}

// document is a request for a PDF of a document.
func document(tb testing.TB, path string) render.Request {
	tb.Helper()
	return render.Request{HTML: rendertest.Document(tb, path), Output: render.DefaultOutput()}
}

func TestTheEngineKeepsTheContract(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	rendertest.TestEngine(t, e)
	rendertest.TestResources(t, e)
}

func TestAnInvoiceIsOnePage(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	report, pdf := rendertest.Render(t, e, document(t, "../../../examples/invoice.html"))
	rendertest.CheckPDF(t, pdf)
	if !strings.Contains(rendertest.Text(t, pdf), "INV-2026-00417") {
		t.Error("the number of the invoice is not on it")
	}
	if report.Pages != 1 || len(report.Warnings) != 0 || report.Engine != "chromium" || report.Version == "" {
		t.Errorf("report %+v", report)
	}
	_, again := rendertest.Render(t, e, document(t, "../../../examples/invoice.html"))
	if !bytes.Equal(pdf, again) {
		t.Error("the same invoice has other bytes")
	}
	if date, ok := rendertest.Info(t, pdf)["CreationDate"]; ok {
		t.Errorf("the invoice has a date: %s", date)
	}
}

func TestAStatementRepeatsItsHeaderOnEveryPage(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	report, pdf := rendertest.Render(t, e, document(t, "../../../examples/statement.html"))
	pages := rendertest.PageTexts(t, pdf)
	if report.Pages != len(pages) || report.Pages != rendertest.Pages(t, pdf) || report.Pages < 80 {
		t.Errorf("report says %d pages, the text has %d", report.Pages, len(pages))
	}
	for i, text := range pages {
		if !strings.Contains(text, "Balance") {
			t.Errorf("page %d has no header row", i+1)
		}
	}
	_, again := rendertest.Render(t, e, document(t, "../../../examples/statement.html"))
	if !bytes.Equal(pdf, again) {
		t.Error("the same statement has other bytes")
	}
}
