package rendertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
)

// TestEngine checks an engine against the contract of [render.Engine]. The engine must be idle. Each render
// has a minute.
func TestEngine(t *testing.T, e render.Engine) {
	t.Helper()
	for _, c := range []struct {
		name string
		test func(*testing.T, render.Engine)
	}{
		{"AProbeOfAWorkingEngineIsNil", probes},
		{"ADocumentIsAPDFWithThePagesText", makesPDF},
		{"AReportNamesWhatMadeTheBytes", reports},
		{"EqualRequestsGiveEqualBytes", isDeterministic},
		{"ADocumentOverItsBoundIsTooLarge", boundsBytes},
		{"APassedDeadlineIsATimeout", timesOut},
		{"ACancellationKeepsItsCause", keepsCause},
		{"ACancellationDuringARenderEndsIt", stops},
		{"ABrokenWriterIsReported", reportsWriter},
		{"ParallelRendersDoNotMix", rendersInParallel},
		{"MalformedMarkupIsStillADocument", toleratesMarkup},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, e) })
	}
}

// TestResources checks what the contract says about resources, on an engine that loads them.
func TestResources(t *testing.T, e render.Engine) {
	t.Helper()
	t.Run("AMissingImageIsAWarningThatNamesIt", func(t *testing.T) {
		report, pdf := Render(t, e, Page(`<p>kept</p><img src="missing/logo.png">`))
		if !strings.Contains(Text(t, pdf), "kept") {
			t.Error("the rest of the page is gone")
		}
		if len(report.Warnings) != 1 || report.Warnings[0].Code != "resource_failed" || !strings.Contains(report.Warnings[0].Detail, "missing/logo.png") {
			t.Errorf("warnings %+v, want one resource_failed that names missing/logo.png", report.Warnings)
		}
	})
	t.Run("AStyleSheetOfTheJobIsUsed", func(t *testing.T) {
		req := Page(`<link rel="stylesheet" href="css/own.css"><p>shown</p><p class="x">hidden</p>`)
		req.Resources = map[string]render.Resource{"css/own.css": {ContentType: "text/css", Body: []byte(".x{display:none}")}}
		report, pdf := Render(t, e, req)
		if text := Text(t, pdf); !strings.Contains(text, "shown") || strings.Contains(text, "hidden") {
			t.Errorf("the style sheet was not used: %q", text)
		}
		if len(report.Warnings) != 0 {
			t.Errorf("warnings %+v, want none", report.Warnings)
		}
	})
	t.Run("AnAbsoluteResourceNeedsNoNetwork", func(t *testing.T) {
		req := Page(`<link rel="stylesheet" href="https://cdn.invalid/own.css?v=1"><p>shown</p><p class="x">hidden</p>`)
		req.Resources = map[string]render.Resource{"https://cdn.invalid/own.css?v=1": {ContentType: "text/css", Body: []byte(".x{display:none}")}}
		report, pdf := Render(t, e, req)
		if text := Text(t, pdf); strings.Contains(text, "hidden") || len(report.Warnings) != 0 {
			t.Errorf("the style sheet was not used: %q, warnings %+v", text, report.Warnings)
		}
	})
}

// Page is a request for an A4 PDF of some markup.
func Page(body string) render.Request {
	return render.Request{HTML: "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><body>" + body, Output: render.DefaultOutput()}
}

// Render renders within a minute and fails the test when that fails.
func Render(tb testing.TB, e render.Engine, req render.Request) (render.Report, []byte) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), time.Minute)
	defer cancel()
	var document bytes.Buffer
	report, err := e.Render(ctx, &document, req)
	if err != nil {
		tb.Fatalf("render: %v", err)
	}
	return report, document.Bytes()
}

func probes(t *testing.T, e render.Engine) {
	t.Helper()
	if err := e.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func makesPDF(t *testing.T, e render.Engine) {
	t.Helper()
	_, pdf := Render(t, e, Page("<h1>Invoice 4711</h1><p>Total 12.34</p>"))
	CheckPDF(t, pdf)
	if text := Text(t, pdf); !strings.Contains(text, "Invoice 4711") || !strings.Contains(text, "Total 12.34") {
		t.Errorf("text %q", text)
	}
}

func reports(t *testing.T, e render.Engine) {
	t.Helper()
	var last int
	req := Page("<p>one</p>")
	req.Progress = func(percent int) {
		if percent < last || percent > 100 {
			t.Errorf("progress went from %d to %d", last, percent)
		}
		last = percent
	}
	report, pdf := Render(t, e, req)
	if report.Engine == "" || report.Version == "" || report.ContentType != "application/pdf" {
		t.Errorf("report %+v", report)
	}
	if report.Pages != 1 || Pages(t, pdf) != 1 {
		t.Errorf("report says %d pages, pdfinfo %d, want 1", report.Pages, Pages(t, pdf))
	}
	if len(report.Warnings) != 0 {
		t.Errorf("warnings %+v, want none", report.Warnings)
	}
}

func isDeterministic(t *testing.T, e render.Engine) {
	t.Helper()
	_, first := Render(t, e, Page("<h1>same</h1>"))
	_, second := Render(t, e, Page("<h1>same</h1>"))
	if !bytes.Equal(first, second) {
		t.Errorf("%d and %d bytes differ", len(first), len(second))
	}
	_, other := Render(t, e, Page("<h1>other</h1>"))
	if bytes.Equal(first, other) {
		t.Error("another page has the same bytes")
	}
}

func boundsBytes(t *testing.T, e render.Engine) {
	t.Helper()
	req := Page("<h1>too large</h1>")
	_, pdf := Render(t, e, req)
	req.MaxBytes = int64(len(pdf))
	Render(t, e, req)
	req.MaxBytes--
	if _, err := e.Render(t.Context(), io.Discard, req); !errors.Is(err, render.ErrDocumentTooLarge) {
		t.Errorf("%v, want document_too_large", err)
	}
}

func timesOut(t *testing.T, e render.Engine) {
	t.Helper()
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	if _, err := e.Render(ctx, io.Discard, Page("late")); !errors.Is(err, render.ErrTimeout) {
		t.Errorf("%v, want render_timeout", err)
	}
}

var errShutdown = errors.New("the worker stops")

func keepsCause(t *testing.T, e render.Engine) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errShutdown)
	if _, err := e.Render(ctx, io.Discard, Page("canceled")); !errors.Is(err, errShutdown) {
		t.Errorf("%v, want the cause", err)
	}
}

func stops(t *testing.T, e render.Engine) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	req := Page(strings.Repeat("<p>many words</p>", 2000))
	req.Progress = func(int) { cancel(errShutdown) }
	done := make(chan error, 1)
	go func() {
		_, err := e.Render(ctx, io.Discard, req)
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil && !errors.Is(err, errShutdown) {
			t.Errorf("%v, want the cause or a document", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("still rendering 10 s after the cancellation")
	}
}

type brokenWriter struct{}

var errDiskFull = errors.New("disk full")

func (brokenWriter) Write([]byte) (int, error) { return 0, errDiskFull }

func reportsWriter(t *testing.T, e render.Engine) {
	t.Helper()
	if _, err := e.Render(t.Context(), brokenWriter{}, Page("nowhere")); !errors.Is(err, errDiskFull) {
		t.Errorf("%v, want the writer's error", err)
	}
}

func rendersInParallel(t *testing.T, e render.Engine) {
	t.Helper()
	const n = 6
	var group sync.WaitGroup
	documents := make([]bytes.Buffer, n)
	errs := make([]error, n)
	for i := range n {
		group.Go(func() {
			_, errs[i] = e.Render(t.Context(), &documents[i], Page(fmt.Sprintf("<p>number-%d-end</p>", i)))
		})
	}
	group.Wait()
	for i := range n {
		if errs[i] != nil {
			t.Fatalf("render %d: %v", i, errs[i])
		}
		if text := strings.TrimSpace(Text(t, documents[i].Bytes())); text != fmt.Sprintf("number-%d-end", i) {
			t.Errorf("document %d says %q", i, text)
		}
	}
}

func toleratesMarkup(t *testing.T, e render.Engine) {
	t.Helper()
	_, pdf := Render(t, e, Page("<table><p>loose<b>words</table></i><div"))
	CheckPDF(t, pdf)
	if !strings.Contains(Text(t, pdf), "loose") {
		t.Error("the text is gone")
	}
}
