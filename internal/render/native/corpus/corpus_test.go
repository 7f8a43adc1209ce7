package corpus_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/fidelity"
	"github.com/platen-render/platen/internal/render/native/corpus"
)

// limit bounds a render of the longest document, 88 pages, on a busy machine.
const limit = 2 * time.Minute

// minWords are on each page on average; the emptiest is a cover or a ticket.
const minWords = 15

func documents(tb testing.TB) []corpus.Document {
	tb.Helper()
	all, err := corpus.Documents()
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

func TestEachDocumentHasARow(t *testing.T) {
	t.Parallel()
	var listed, there []string
	for _, d := range documents(t) {
		listed = append(listed, d.File)
	}
	entries, err := fs.ReadDir(os.DirFS("."), "testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			there = append(there, e.Name())
		}
	}
	slices.Sort(listed)
	if !slices.Equal(listed, there) {
		t.Errorf("README.md lists %v, there are %v", listed, there)
	}
}

func TestMostDocumentsAreForTheNativeEngine(t *testing.T) {
	t.Parallel()
	all := documents(t)
	inside := 0
	for _, d := range all {
		if d.Outside == "" {
			inside++
		}
	}
	if share := float64(inside) / float64(len(all)); share < 0.85 || share > 0.90 {
		t.Errorf("%d of %d, want 85 to 90 %%", inside, len(all))
	}
}

func TestTheBrowserRendersEachDocumentTheSameTwice(t *testing.T) {
	t.Parallel()
	e := chromium.New(chromium.Options{Pool: 2, FontDir: corpus.FontDir(t)})
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	if err := e.Probe(t.Context()); err != nil {
		t.Fatalf("the browser does not start (Debian package chromium-headless-shell): %v", err)
	}
	for _, d := range documents(t) {
		t.Run(path.Base(d.File), func(t *testing.T) {
			t.Parallel()
			first := read(t, e, d)
			if len(first.Pages) != d.Pages {
				t.Errorf("%d pages, README.md says %d", len(first.Pages), d.Pages)
			}
			if len(first.Words) < minWords*d.Pages {
				t.Errorf("%d words on %d pages", len(first.Words), d.Pages)
			}
			report := fidelity.Compare(first, read(t, e, d))
			if !report.SameText() || !report.SameSizes || report.Max > 0.01 {
				t.Errorf("another time it is another document:\n%s\n%s\n%s", fidelity.Header(), report.Row(d.File), report.Details())
			}
		})
	}
}

// read renders a document and reads it back. No document may cause a warning.
func read(tb testing.TB, e *chromium.Engine, d corpus.Document) fidelity.Document {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), limit)
	defer cancel()
	req, err := d.Request(ctx)
	if err != nil {
		tb.Fatal(err)
	}
	var pdf bytes.Buffer
	report, err := e.Render(ctx, &pdf, req)
	if err != nil {
		tb.Fatal(err)
	}
	for _, w := range report.Warnings {
		if w.Code != render.FontMissing { // some name fonts that are nowhere
			tb.Errorf("warning %+v", w)
		}
	}
	document, err := fidelity.Read(ctx, pdf.Bytes())
	if err != nil {
		tb.Fatal(err)
	}
	return document
}
