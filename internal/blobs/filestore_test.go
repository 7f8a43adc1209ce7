package blobs_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/blobs/blobstest"
	"github.com/platen-render/platen/internal/fault"
)

func TestAFileStoreKeepsTheContract(t *testing.T) {
	blobstest.TestStore(t, func(t *testing.T) blobs.Store {
		t.Helper()
		return blobstest.Prepared(t, blobs.FileStore{Dir: filepath.Join(t.TempDir(), "made", "at", "start")})
	})
}

func TestFilesAreForTheOwnerAlone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "blobs")
	put(t, blobstest.Prepared(t, blobs.FileStore{Dir: dir}), "a/b")
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestNothingStaysBesideTheBlobs(t *testing.T) {
	t.Parallel()
	s := blobstest.Folder(t)
	put(t, s, "a/b/c")
	put(t, s, "a/d")
	_, err := s.Put(t.Context(), "a/d", strings.NewReader("other"))
	wantFault(t, err, blobs.ErrExists)
	if err := s.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, s.Dir, "a/b/c", "a/d")
	if err := s.Delete(t.Context(), "a/b/c"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "a", "b")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the empty folder: %v", err)
	}
	if err := s.DeletePrefix(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "a")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the empty folder: %v", err)
	}
}

func TestANameIsABlobOrAFolder(t *testing.T) {
	t.Parallel()
	s := blobstest.Folder(t)
	put(t, s, "a/b/c")
	put(t, s, "x")
	for _, name := range []string{"a", "a/b", "x/y", "x/y/z"} {
		_, err := s.Put(t.Context(), name, strings.NewReader("1"))
		wantFault(t, err, blobs.ErrExists)
		_, _, err = s.Open(t.Context(), name)
		wantFault(t, err, blobs.ErrNotFound)
		if err := errors.Join(s.Delete(t.Context(), name), s.DeletePrefix(t.Context(), "x")); err != nil {
			t.Errorf("delete %s: %v", name, err)
		}
	}
	wantFiles(t, s.Dir, "a/b/c", "x")
}

func TestASymbolicLinkLeadsNowhere(t *testing.T) {
	t.Parallel()
	s, outside := blobstest.Folder(t), t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("s"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"dir": outside, "file": secret} {
		if err := os.Symlink(target, filepath.Join(s.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"dir/secret", "file"} {
		if _, _, err := s.Open(t.Context(), name); err == nil {
			t.Errorf("%s was opened", name)
		}
	}
	if _, err := s.Put(t.Context(), "dir/new", strings.NewReader("x")); err == nil {
		t.Error("a blob was put outside")
	}
	_ = s.Delete(t.Context(), "dir/secret") // whatever it says
	_ = s.DeletePrefix(t.Context(), "dir")
	err := s.Walk(t.Context(), "", func(i blobs.Info) error { t.Errorf("walk gave %s", i.Name); return nil })
	if err != nil {
		t.Error(err)
	}
	wantFiles(t, outside, "secret")
}

// A real ENOSPC without a privilege: the kernel's full device takes the bytes.
func TestAFullDiskIsAFaultThatPasses(t *testing.T) {
	t.Parallel()
	s := blobstest.Folder(t)
	full := blobs.OnFullDisk(s.Dir)
	_, err := full.Put(t.Context(), "x", strings.NewReader("x"))
	wantFault(t, err, blobs.ErrFull)
	if !fault.Retryable(err) {
		t.Errorf("%v is not retryable", err)
	}
	wantFault(t, full.Probe(t.Context()), blobs.ErrFull)
	wantFiles(t, s.Dir)

	put(t, s, "x")
	if err := s.Probe(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAPutThatFailsLateLeavesNoFolders(t *testing.T) {
	t.Parallel()
	s := blobs.SweptTooEarly(blobstest.Folder(t).Dir)
	_, err := s.Put(t.Context(), "a/b/c", strings.NewReader("x"))
	wantFault(t, err, blobs.ErrUnavailable)
	if _, err := os.Stat(filepath.Join(s.Dir, "a")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder: %v", err)
	}
}

func TestOtherTroubleIsAFaultThatPasses(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := blobs.FileStore{Dir: file}
	_, err := s.Put(t.Context(), "x", strings.NewReader("x"))
	wantFault(t, err, blobs.ErrUnavailable)
	wantFault(t, s.Probe(t.Context()), blobs.ErrUnavailable)
}

func TestSweepTakesOnlyOldTemporaryFiles(t *testing.T) {
	t.Parallel()
	s := blobstest.Folder(t)
	put(t, s, "old")
	tmp := filepath.Join(s.Dir, ".tmp")
	ages := map[string]time.Duration{
		filepath.Join(tmp, "OLD"): 25 * time.Hour, filepath.Join(tmp, "NEW"): 23 * time.Hour, filepath.Join(s.Dir, "old"): 99 * time.Hour,
	}
	for name, age := range ages {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(name, then, then); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Sweep(t.Context()); n != 1 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	wantFiles(t, s.Dir, ".tmp/NEW", "old")
}

func BenchmarkPut(b *testing.B) {
	s, content := blobstest.Folder(b), strings.Repeat("x", 50_000)
	for i := 0; b.Loop(); i++ {
		name := "tenant/document/job/" + time.Duration(i).String() + "/out.pdf"
		if _, err := s.Put(b.Context(), name, strings.NewReader(content)); err != nil {
			b.Fatal(err)
		}
	}
}

func put(t *testing.T, s blobs.Store, name string) {
	t.Helper()
	if _, err := s.Put(t.Context(), name, strings.NewReader(name)); err != nil {
		t.Fatal(err)
	}
}

func wantFault(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

// wantFiles compares the files below dir, temporary ones included, but for the marker.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	var got []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() != marker {
			got = append(got, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("files %v, want %v", got, want)
	}
}
