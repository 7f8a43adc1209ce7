package blobstest

import (
	"errors"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/blobs"
)

func badNames() []string {
	return []string{
		"", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/../b", "a/./b", "a..b", ".tmp", ".tmp/x", "a/.hidden",
		"a b", "a\x00b", "a\nb", `a\b`, "ä", "a:b", "a%2fb", "~", "a*",
		strings.Repeat("a", 256), strings.Repeat("abcdefg/", 64) + "a",
	}
}

func badNamesAreRefusedEverywhere(t *testing.T, s blobs.Store) {
	t.Helper()
	put(t, s, "a/b", "stays")
	for _, name := range badNames() {
		_, putErr := s.Put(t.Context(), name, strings.NewReader("x"))
		_, _, openErr := s.Open(t.Context(), name)
		errs := map[string]error{
			"put": putErr, "open": openErr, "delete": s.Delete(t.Context(), name), "delete prefix": s.DeletePrefix(t.Context(), name),
		}
		if name != "" {
			errs["walk"] = s.Walk(t.Context(), name, func(blobs.Info) error { return nil })
		}
		for op, err := range errs {
			if !errors.Is(err, blobs.ErrName) {
				t.Errorf("%s of %q: %v", op, name, err)
			}
		}
	}
	wantNames(t, s, "", "a/b")
}

func goodNamesAreKept(t *testing.T, s blobs.Store) {
	t.Helper()
	for _, name := range []string{
		"a", "-", "_", "0.1", "a.", "A/b-c_d.e/1", strings.Repeat("a", 255), strings.Repeat("abcdefg/", 63) + "abcdefgh",
	} {
		put(t, s, name, name)
		if got, _ := get(t, s, name); got != name {
			t.Errorf("%s holds %q", name, got)
		}
	}
}
