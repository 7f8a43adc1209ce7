package native_test

import (
	"os"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/native/fonts"
)

// Documents that bring fonts of the same name along, and others that name it and bring none, are rendered side by side: each has its own.
func TestDocumentsSideBySideHaveTheirOwnFontsOfOneName(t *testing.T) {
	t.Parallel()
	e := guarded(t, native.Options{Pool: 4})
	const rule = `<style>@font-face{font-family:Corporate;src:url(font)}body{font-family:Corporate,"Noto Sans"}</style>`
	const text = "<p>Total 1,234.50 EUR, office ffi, <b>bold</b> and <i>italic</i>, ΑΒΓ, Жук, → ✓"
	var requests []render.Request
	for _, path := range []string{"NotoSerif-Regular", "NotoSansMono-Regular", ""} {
		req := page(text)
		if path != "" {
			req = page(rule + text)
			req.Resources = map[string]render.Resource{"font": {Body: fontFile(t, path)}}
		}
		requests = append(requests, req)
	}
	want := map[string]bool{}
	sums := make([]string, len(requests))
	for i, req := range requests {
		sums[i] = sum(t, e, req, "alone")
		want[sums[i]] = true
	}
	if len(want) != len(requests) {
		t.Fatalf("the fonts make no difference: %v", sums)
	}
	var group sync.WaitGroup
	for turn := range 24 {
		group.Go(func() {
			i := turn % len(requests)
			if got := sum(t, e, requests[i], "beside others"); got != sums[i] {
				t.Errorf("font %d: %s, alone %s", i, got, sums[i])
			}
		})
	}
	group.Wait()
}

// fontFile reads a font of the binary.
func fontFile(tb testing.TB, name string) []byte {
	tb.Helper()
	dir := tb.TempDir()
	if err := fonts.Extract(dir); err != nil {
		tb.Fatal(err)
	}
	data, err := os.ReadFile(dir + "/" + name + ".ttf")
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
