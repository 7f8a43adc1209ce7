package blobs_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/blobs/blobstest"
	"github.com/platen-render/platen/internal/fault"
)

const marker = ".platen-blobs"

// calls are all that can be asked of a store.
func calls(ctx context.Context, s blobs.FileStore) map[string]error {
	_, put := s.Put(ctx, "a/x", strings.NewReader("x"))
	_, _, open := s.Open(ctx, "a/x")
	_, sweep := s.Sweep(ctx)
	return map[string]error{
		"put": put, "open": open, "sweep": sweep, "probe": s.Probe(ctx), "delete": s.Delete(ctx, "a/x"), "delete prefix": s.DeletePrefix(ctx, "a"),
		"walk": s.Walk(ctx, "", func(blobs.Info) error { return nil }),
	}
}

// What is not there is in another place then: nobody may take it for lost, or leave anything behind.
func TestAFolderThatIsTakenAwayIsNotAnEmptyStore(t *testing.T) {
	t.Parallel()
	for name, replace := range map[string]func(dir string) error{
		"nothing in its place": func(string) error { return nil },
		"an empty folder":      func(dir string) error { return os.Mkdir(dir, 0o700) },
		"a file":               func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := blobstest.Prepared(t, blobs.FileStore{Dir: filepath.Join(t.TempDir(), "blobs")})
			put(t, s, "a/x")
			away := s.Dir + ".away"
			if err := errors.Join(os.Rename(s.Dir, away), replace(s.Dir)); err != nil {
				t.Fatal(err)
			}
			before, statErr := os.Lstat(s.Dir)
			for call, err := range calls(t.Context(), s) {
				if !errors.Is(err, blobs.ErrUnavailable) || !fault.Retryable(err) {
					t.Errorf("%s: %v", call, err)
				}
			}
			if after, err := os.Lstat(s.Dir); errors.Is(statErr, fs.ErrNotExist) != errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(before, after) {
				t.Errorf("a folder was made: %v", err)
			}
			if left, _ := os.ReadDir(s.Dir); len(left) > 0 {
				t.Errorf("%v is in the wrong folder", left)
			}

			if err := errors.Join(os.RemoveAll(s.Dir), os.Rename(away, s.Dir), s.Probe(t.Context())); err != nil {
				t.Fatal(err)
			}
			r, _, err := s.Open(t.Context(), "a/x")
			if err != nil {
				t.Fatalf("it is back, and its blobs are not: %v", err)
			}
			_ = r.Close()
		})
	}
}

func TestAStartTellsANewFolderFromOneThatWasUsed(t *testing.T) {
	t.Parallel()
	s := blobs.FileStore{Dir: filepath.Join(t.TempDir(), "made", "at", "start")}
	prepare := func(want bool) {
		t.Helper()
		if fresh, err := s.Prepare(t.Context()); err != nil || fresh != want {
			t.Errorf("new: %v, %v", fresh, err)
		}
	}
	prepare(true)
	prepare(false)
	put(t, s, "a/x")
	if err := os.Remove(filepath.Join(s.Dir, marker)); err != nil {
		t.Fatal(err)
	}
	wantFault(t, s.Probe(t.Context()), blobs.ErrUnavailable)
	prepare(false) // of a build, or of a backup, without the marker
	if err := s.Probe(t.Context()); err != nil {
		t.Error(err)
	}
	wantFiles(t, s.Dir, "a/x")
}

func TestManyMayStartAtOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			s := blobs.FileStore{Dir: dir}
			if _, err := s.Prepare(t.Context()); err != nil {
				t.Error(err)
			}
			put(t, s, "a/x")
		})
	}
	group.Wait()
	wantFiles(t, dir, "a/x")
}

func TestAStartThatCannotMakeTheFolderSaysSo(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := blobs.FileStore{Dir: file}.Prepare(t.Context())
	wantFault(t, err, blobs.ErrUnavailable)
}
