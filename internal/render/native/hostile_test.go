package native_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
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
