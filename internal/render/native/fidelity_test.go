package native_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/fidelity"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/native/corpus"
)

// The line that is held: which part of the documents the engine takes, and which part of the words of each is in its place.
const (
	taken   = 0.85
	inPlace = 0.95
)

// limit bounds a render of the longest document, 88 pages, on a busy machine.
const limit = 2 * time.Minute

func engine(tb testing.TB) *native.Engine {
	tb.Helper()
	e, err := native.New(tb.Context(), native.Options{FontDir: corpus.FontDir(tb)})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func browser(tb testing.TB) *chromium.Engine {
	tb.Helper()
	e := chromium.New(chromium.Options{Pool: 2, FontDir: corpus.FontDir(tb)})
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

// draw makes the PDF of a request. When the environment says so it is kept there, to be looked at.
func draw(tb testing.TB, e render.Engine, req render.Request, name string) []byte {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), limit)
	defer cancel()
	var pdf bytes.Buffer
	report, err := e.Render(ctx, &pdf, req)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	for _, w := range report.Warnings {
		if w.Code != render.TextClipped && w.Code != render.FontMissing && w.Code != render.PageBlank { // which some pages are about
			tb.Errorf("%s: warning %+v", name, w)
		}
	}
	if dir := os.Getenv("PLATEN_KEEP"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".pdf"), pdf.Bytes(), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return pdf.Bytes()
}

// compared measures one document by what the browser makes of it.
func compared(t *testing.T, ours, theirs render.Engine, d corpus.Document) fidelity.Report {
	t.Helper()
	req, err := d.Request(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimSuffix(d.File, filepath.Ext(d.File))
	want, err := fidelity.Read(t.Context(), draw(t, theirs, req, name+".chromium"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := fidelity.Read(t.Context(), draw(t, ours, req, name+".native"))
	if err != nil {
		t.Fatal(err)
	}
	return fidelity.Compare(want, got)
}

// The browser is the oracle: of the documents that the engine takes, each has as many pages, the same text in the same order, and
// nearly all words in the same place. Those that it does not take are the ones that the list says.
func TestFidelity(t *testing.T) {
	t.Parallel()
	ours, theirs := engine(t), browser(t)
	all, err := corpus.Documents()
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]string, len(all))
	t.Cleanup(func() { t.Logf("\n%s\n%s", fidelity.Header(), strings.Join(rows, "\n")) })
	inside := 0
	for i, d := range all {
		req, err := d.Request(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		decision, err := ours.Inspect(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if decision.Inside != (d.Outside == "") {
			t.Errorf("%s: inside is %v (%s), the list says %q", d.File, decision.Inside, decision.Reason(), d.Outside)
		}
		if !decision.Inside {
			rows[i] = fmt.Sprintf("%s goes to the browser: %s", d.File, decision.Reason())
			continue
		}
		inside++
		t.Run(d.File, func(t *testing.T) {
			t.Parallel()
			r := compared(t, ours, theirs, d)
			rows[i] = r.Row(d.File)
			if r.PagesA != r.PagesB || !r.SameSizes || !r.SameText() || r.Share() < inPlace {
				t.Errorf("it differs from the browser's:\n%s\n%s\n%s", fidelity.Header(), r.Row(d.File), r.Details())
			}
		})
	}
	if share := float64(inside) / float64(len(all)); share < taken {
		t.Errorf("the engine takes %d of %d documents", inside, len(all))
	}
}
