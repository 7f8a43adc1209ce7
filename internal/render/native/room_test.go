package native_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
)

// A large page that is being written, to somebody who does not read, keeps others of its kind waiting for as long as their
// contexts last, and small ones not at all.
func TestLargePagesTakeTurnsAndSmallOnesGoOn(t *testing.T) {
	t.Parallel()
	e := guarded(t, native.Options{Pool: 3, Memory: 100 << 20})
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4000, 4000))); err != nil {
		t.Fatal(err)
	}
	pictured := page("<img src=a.png>")
	pictured.Resources = map[string]render.Resource{"a.png": {Body: picture.Bytes()}}
	for name, req := range map[string]render.Request{"markup": page(strings.Repeat("<p>x", 25_000)), "a picture": pictured} {
		read, write := io.Pipe()
		begun, once := make(chan struct{}), sync.Once{}
		first := req
		first.Progress = func(int) { once.Do(func() { close(begun) }) }
		done := make(chan error, 1)
		go func() {
			_, err := e.Render(t.Context(), write, first)
			done <- err
		}()
		<-begun

		short, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		second := req
		second.Progress = func(int) { t.Errorf("%s: two at a time", name) }
		if _, err := e.Render(short, io.Discard, second); !errors.Is(err, render.ErrTimeout) {
			t.Errorf("%s: the second one: %v", name, err)
		}
		cancel()
		if _, err := e.Render(t.Context(), io.Discard, page("<p>small")); err != nil {
			t.Errorf("%s: a small page beside it: %v", name, err)
		}
		if _, err := io.Copy(io.Discard, io.LimitReader(read, 1)); err != nil {
			t.Error(err)
		}
		_ = read.CloseWithError(errUnread)
		if err := <-done; !errors.Is(err, errUnread) {
			t.Errorf("%s: the first one: %v", name, err)
		}
		if _, err := e.Render(t.Context(), io.Discard, req); err != nil {
			t.Errorf("%s: the next one: %v", name, err)
		}
	}
}

var errUnread = errors.New("nobody reads on")

func TestAPageIsRefusedThatTakesMoreMemoryThanThereIs(t *testing.T) {
	t.Parallel()
	little, enough := guarded(t, native.Options{Memory: 32 << 20}), guarded(t, native.Options{Memory: 1 << 30})
	for code, markup := range map[string]string{"page_too_many_nodes": strings.Repeat("<br>", 50_000), "page_too_large": strings.Repeat("x ", 300_000)} {
		if _, err := little.Render(t.Context(), io.Discard, page(markup)); fault.From(err).Code != code {
			t.Errorf("want %s, got %v", code, err)
		}
		if _, err := enough.Render(t.Context(), io.Discard, page(markup)); err != nil {
			t.Errorf("%s, with enough: %v", code, err)
		}
	}
}
