package native_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
)

// alarm is a log that counts what the engine says when it has caught a panic of its own.
type alarm struct {
	slog.Handler
	panics atomic.Int32
}

// Handle implements [slog.Handler].
func (a *alarm) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelError {
		a.panics.Add(1)
	}
	return a.Handler.Handle(ctx, r)
}

// guarded makes an engine with the embedded fonts, and fails the test when it has panicked.
func guarded(tb testing.TB, opts native.Options) *native.Engine {
	tb.Helper()
	log := &alarm{Handler: slog.NewTextHandler(tb.Output(), nil)}
	tb.Cleanup(func() {
		if n := log.panics.Load(); n > 0 {
			tb.Errorf("the engine panicked %d times", n)
		}
	})
	opts.Logger = slog.New(log)
	e, err := native.New(tb.Context(), opts)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// ends renders a page that may be anything: it becomes a document, or it is refused by name, in time.
func ends(tb testing.TB, e render.Engine, req render.Request, limit time.Duration) ([]byte, error) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), limit)
	defer cancel()
	var pdf bytes.Buffer
	_, err := e.Render(ctx, &pdf, req)
	switch {
	case errors.Is(err, render.ErrDefect):
		tb.Errorf("a defect: %v", err)
	case errors.Is(err, render.ErrTimeout):
		tb.Errorf("not done in %v", limit)
	case err != nil && fault.From(err).Code == "internal":
		tb.Errorf("an error without a name: %v", err)
	case err == nil && !whole(pdf.Bytes()):
		tb.Errorf("%d bytes that are no PDF", pdf.Len())
	}
	return pdf.Bytes(), err
}

// whole reports whether a document has its beginning and its end.
func whole(pdf []byte) bool {
	return bytes.HasPrefix(pdf, []byte("%PDF-1.")) && bytes.HasSuffix(bytes.TrimSpace(pdf), []byte("%%EOF"))
}

// Bounds of one hostile page. Time is that of a machine that does much else; memory is what the process has had, with the fonts. The race
// detector takes several times as much of both.
const (
	patience  = 90 * time.Second * detector
	lateAtMax = 5 * time.Second * detector
	memoryMax = 700 << 20 * detector
)

// allResources are few ones, and pictures that would take gigabytes.
func allResources(tb testing.TB) map[string]render.Resource {
	tb.Helper()
	resources := fewResources(tb)
	bomb, err := os.ReadFile("pdf/testdata/bomb.png")
	if err != nil {
		tb.Fatal(err)
	}
	resources["bomb"] = render.Resource{ContentType: "image/png", Body: bomb}
	resources["bombs"] = render.Resource{
		ContentType: "image/svg+xml",
		Body: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><image width="9" height="9" href="data:image/png;base64,` +
			base64.StdEncoding.EncodeToString(bomb) + `"/></svg>`),
	}
	return resources
}

// TestHostilePagesEnd renders each in a process of its own: it is a document or refused by name, it takes no more than so much memory, and
// it stops soon after it is canceled, wherever it is by then.
func TestHostilePagesEnd(t *testing.T) {
	t.Parallel()
	pages, resources := hostile(20), allResources(t)
	maps.Copy(pages, found(t))
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := render.Request{HTML: pages[name], Resources: resources, Output: render.DefaultOutput(), MaxBytes: 256 << 20}
			got := apart(t, nil, order{Request: req, Limit: patience, Ends: []float64{.2, .6}})[0]
			switch {
			case got.Code == "render_timeout" || got.Code == "internal":
				t.Errorf("after %v: %s", got.Took, got.Detail)
			case got.Code == "" && !got.Whole:
				t.Error("it is no PDF")
			}
			if got.Memory > memoryMax {
				t.Errorf("%d MB", got.Memory>>20)
			}
			if got.Late > lateAtMax {
				t.Errorf("canceled after %.1f of its time, it went on for %v", got.LateEnd, got.Late)
			}
		})
	}
}
