package native_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/native/corpus"
)

// drawable are the requests for the documents that the engine takes, by their names, in the order of the list.
func drawable(tb testing.TB) (names []string, requests []render.Request) {
	tb.Helper()
	all, err := corpus.Documents()
	if err != nil {
		tb.Fatal(err)
	}
	for _, d := range all {
		if d.Outside != "" {
			continue
		}
		req, err := d.Request(tb.Context())
		if err != nil {
			tb.Fatal(err)
		}
		names, requests = append(names, d.File), append(requests, req)
	}
	return names, requests
}

// TestEqualPagesAreEqualBytesInEveryProcess renders all documents in processes with other seeds of their maps and another number of
// processors, in one order and in the other: what was rendered before must not matter.
func TestEqualPagesAreEqualBytesInEveryProcess(t *testing.T) {
	t.Parallel()
	names, requests := drawable(t)
	fonts, orders := corpus.FontDir(t), make([]order, len(requests))
	for i, req := range requests {
		orders[i] = order{Request: req, FontDir: fonts, Limit: limit}
	}
	one := apart(t, []string{"GOMAXPROCS=1"}, orders...)
	slices.Reverse(orders)
	two := apart(t, []string{"GOMAXPROCS=2"}, orders...)
	slices.Reverse(two)
	for i, name := range names {
		if one[i].Sum == "" || one[i].Sum != two[i].Sum {
			t.Errorf("%s: %q (%s), and %q (%s)", name, one[i].Sum, one[i].Detail, two[i].Sum, two[i].Detail)
		}
	}
}

// TestRendersBesideEachOtherDoNotMatter renders all documents alone, and then by eight at a time in one engine.
func TestRendersBesideEachOtherDoNotMatter(t *testing.T) {
	t.Parallel()
	names, requests := drawable(t)
	e := guarded(t, native.Options{Pool: 8, FontDir: corpus.FontDir(t)})
	want := make([]string, len(requests))
	for i, req := range requests {
		want[i] = sum(t, e, req, names[i])
	}
	var group sync.WaitGroup
	jobs := make(chan int)
	for range 8 {
		group.Go(func() {
			for i := range jobs {
				if got := sum(t, e, requests[i], names[i]); got != want[i] {
					t.Errorf("%s: %s, alone %s", names[i], got, want[i])
				}
			}
		})
	}
	for i := range requests {
		jobs <- i
	}
	close(jobs)
	group.Wait()
}

// sum renders a page and makes one short text of the bytes.
func sum(tb testing.TB, e *native.Engine, req render.Request, name string) string {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), limit)
	defer cancel()
	var pdf bytes.Buffer
	if _, err := e.Render(ctx, &pdf, req); err != nil {
		tb.Errorf("%s: %v", name, err)
	}
	digest := sha256.Sum256(pdf.Bytes())
	return hex.EncodeToString(digest[:])
}
