// Package blobstest is the contract of blobs.Store as tests. Each implementation runs it.
package blobstest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/blobs"
)

// TestStore runs the contract, in parallel with other tests, so that the caller does not say t.Parallel itself.
// The function open gives each test an empty store.
func TestStore(t *testing.T, open func(*testing.T) blobs.Store) {
	t.Helper()
	t.Parallel()
	cases := []struct {
		name string
		test func(*testing.T, blobs.Store)
	}{
		{"WhatWasPutIsRead", whatWasPutIsRead},
		{"TheReaderSeeks", theReaderSeeks},
		{"TheSameBytesMayBePutAgain", theSameBytesMayBePutAgain},
		{"OtherBytesAreRefused", otherBytesAreRefused},
		{"AFailedReaderLeavesNothing", aFailedReaderLeavesNothing},
		{"AnEndedContextLeavesNothing", anEndedContextLeavesNothing},
		{"BadNamesAreRefusedEverywhere", badNamesAreRefusedEverywhere},
		{"GoodNamesAreKept", goodNamesAreKept},
		{"ADeletedBlobIsGone", aDeletedBlobIsGone},
		{"DeletePrefixTakesWholeSegments", deletePrefixTakesWholeSegments},
		{"WalkGoesInOrder", walkGoesInOrder},
		{"WalkStopsAtAnError", walkStopsAtAnError},
		{"WalkMayDelete", walkMayDelete},
		{"AProbeLeavesNothing", aProbeLeavesNothing},
		{"ManyPutTheSameBytes", manyPutTheSameBytes},
		{"OneOfManyDifferentBytesWins", oneOfManyDifferentBytesWins},
		{"DeletesDoNotDisturbPuts", deletesDoNotDisturbPuts},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t, open(t))
		})
	}
}

func whatWasPutIsRead(t *testing.T, s blobs.Store) {
	t.Helper()
	for name, content := range map[string]string{
		"empty": "", "a/b/c/d/e.pdf": "%PDF", "large": strings.Repeat("0123456789abcdef", 1<<17),
	} {
		before := time.Now()
		info, err := s.Put(t.Context(), name, iotest.HalfReader(strings.NewReader(content)))
		if err != nil {
			t.Fatalf("put %s: %v", name, err)
		}
		if want := (blobs.Info{Name: name, Size: int64(len(content)), SHA256: digest(content)}); info != want {
			t.Errorf("put gave %+v, want %+v", info, want)
		}
		got, info := get(t, s, name)
		if got != content || info.Name != name || info.Size != int64(len(content)) {
			t.Errorf("%s: read %d bytes, %+v", name, len(got), info)
		}
		if d := info.ModTime.Sub(before); d < -time.Minute || d > time.Minute { // another machine's clock
			t.Errorf("%s: written at %v, put at %v", name, info.ModTime, before)
		}
	}
}

func theReaderSeeks(t *testing.T, s blobs.Store) {
	t.Helper()
	put(t, s, "x", "0123456789")
	r, _, err := s.Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer closeReader(t, r)
	for offset, want := range map[int64]string{7: "789", 0: "0123456789", 10: ""} {
		if at, err := r.Seek(offset, io.SeekStart); err != nil || at != offset {
			t.Fatalf("seek to %d: %d, %v", offset, at, err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != want {
			t.Errorf("from %d: %q, %v", offset, got, err)
		}
	}
	if end, err := r.Seek(0, io.SeekEnd); err != nil || end != 10 {
		t.Errorf("the end is %d, %v", end, err)
	}
}

func theSameBytesMayBePutAgain(t *testing.T, s blobs.Store) {
	t.Helper()
	put(t, s, "x", "same")
	info, err := s.Put(t.Context(), "x", strings.NewReader("same"))
	if err != nil || info.SHA256 != digest("same") {
		t.Fatalf("again: %+v, %v", info, err)
	}
}

func otherBytesAreRefused(t *testing.T, s blobs.Store) {
	t.Helper()
	put(t, s, "x", "first")
	for _, other := range []string{"secon", "", "first and more"} {
		if _, err := s.Put(t.Context(), "x", strings.NewReader(other)); !errors.Is(err, blobs.ErrExists) {
			t.Errorf("put of %q: %v", other, err)
		}
	}
	if got, _ := get(t, s, "x"); got != "first" {
		t.Errorf("now there is %q", got)
	}
}

func aFailedReaderLeavesNothing(t *testing.T, s blobs.Store) {
	t.Helper()
	broken := errors.New("broken")
	r := io.MultiReader(strings.NewReader(strings.Repeat("x", 1<<20)), iotest.ErrReader(broken))
	if _, err := s.Put(t.Context(), "x", r); !errors.Is(err, broken) || errors.Is(err, blobs.ErrUnavailable) {
		t.Errorf("put: %v", err)
	}
	missing(t, s, "x")
	wantNames(t, s, "")
}

func anEndedContextLeavesNothing(t *testing.T, s blobs.Store) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	half := readerFunc(func(p []byte) (int, error) { cancel(); return copy(p, "half"), nil })
	if _, err := s.Put(ctx, "x", half); !errors.Is(err, context.Canceled) {
		t.Errorf("put: %v", err)
	}
	missing(t, s, "x")
	put(t, s, "y", "y")
	_, _, openErr := s.Open(ctx, "y")
	for op, err := range map[string]error{
		"open": openErr, "delete": s.Delete(ctx, "y"), "delete prefix": s.DeletePrefix(ctx, "y"), "probe": s.Probe(ctx),
		"walk": s.Walk(ctx, "", func(blobs.Info) error { return nil }),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", op, err)
		}
	}
	wantNames(t, s, "", "y")
}

func aDeletedBlobIsGone(t *testing.T, s blobs.Store) {
	t.Helper()
	put(t, s, "a/b/x", "1")
	put(t, s, "a/y", "2")
	for range 2 {
		if err := s.Delete(t.Context(), "a/b/x"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Delete(t.Context(), "a"); err != nil { // a beginning of names, no blob
		t.Fatal(err)
	}
	missing(t, s, "a/b/x")
	missing(t, s, "a")
	wantNames(t, s, "", "a/y")
	put(t, s, "a/b/x", "another one")
}

func deletePrefixTakesWholeSegments(t *testing.T, s blobs.Store) {
	t.Helper()
	for _, name := range []string{"a/b/1", "a/b/c/d/2", "a/b/c/3", "a/bc", "a/b-c/4", "ab"} {
		put(t, s, name, name)
	}
	for range 2 {
		if err := s.DeletePrefix(t.Context(), "a/b"); err != nil {
			t.Fatal(err)
		}
		wantNames(t, s, "", "a/b-c/4", "a/bc", "ab")
	}
	if err := s.DeletePrefix(t.Context(), "ab"); err != nil {
		t.Fatal(err)
	}
	wantNames(t, s, "", "a/b-c/4", "a/bc", "ab")
}

func walkGoesInOrder(t *testing.T, s blobs.Store) {
	t.Helper()
	for _, name := range []string{"b", "a/z", "a-b", "a0", "a/b/c", "B", "a.x/1", "a/b.c"} {
		put(t, s, name, name)
	}
	wantNames(t, s, "", "B", "a-b", "a.x/1", "a/b.c", "a/b/c", "a/z", "a0", "b")
	wantNames(t, s, "a", "a/b.c", "a/b/c", "a/z")
	wantNames(t, s, "none/such")
	err := s.Walk(t.Context(), "a.x", func(i blobs.Info) error {
		if i.Name != "a.x/1" || i.Size != 5 || time.Since(i.ModTime) > time.Minute {
			t.Errorf("walk gave %+v", i)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func walkStopsAtAnError(t *testing.T, s blobs.Store) {
	t.Helper()
	put(t, s, "a", "")
	put(t, s, "b", "")
	enough, calls := errors.New("enough"), 0
	err := s.Walk(t.Context(), "", func(blobs.Info) error { calls++; return enough })
	if !errors.Is(err, enough) || errors.Is(err, blobs.ErrUnavailable) || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func walkMayDelete(t *testing.T, s blobs.Store) {
	t.Helper()
	want := []string{"a/1", "a/2", "b/c/3", "d"}
	for _, name := range want {
		put(t, s, name, name)
	}
	var got []string
	err := s.Walk(t.Context(), "", func(i blobs.Info) error {
		got = append(got, i.Name)
		return s.Delete(t.Context(), i.Name)
	})
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("walked %v, %v", got, err)
	}
	wantNames(t, s, "")
}

func aProbeLeavesNothing(t *testing.T, s blobs.Store) {
	t.Helper()
	if err := s.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantNames(t, s, "")
}

func put(t *testing.T, s blobs.Store, name, content string) {
	t.Helper()
	if _, err := s.Put(t.Context(), name, strings.NewReader(content)); err != nil {
		t.Fatalf("put %s: %v", name, err)
	}
}

func get(t *testing.T, s blobs.Store, name string) (string, blobs.Info) {
	t.Helper()
	r, info, err := s.Open(t.Context(), name)
	if err != nil {
		t.Fatalf("open %s: %v", name, err)
	}
	defer closeReader(t, r)
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil {
		t.Fatalf("read %s: %v", name, err)
	}
	return b.String(), info
}

func missing(t *testing.T, s blobs.Store, name string) {
	t.Helper()
	if _, _, err := s.Open(t.Context(), name); !errors.Is(err, blobs.ErrNotFound) {
		t.Errorf("open %s: %v", name, err)
	}
}

func wantNames(t *testing.T, s blobs.Store, prefix string, want ...string) {
	t.Helper()
	var got []string
	if err := s.Walk(t.Context(), prefix, func(i blobs.Info) error { got = append(got, i.Name); return nil }); err != nil {
		t.Errorf("walk %q: %v", prefix, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names below %q (-want +got):\n%s", prefix, diff)
	}
}

func closeReader(t *testing.T, r io.Closer) {
	t.Helper()
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
