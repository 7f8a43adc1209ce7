package fonts_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/platen-render/platen/internal/render/native/fonts"
)

//nolint:paralleltest // the umask is the whole process'
func TestExtractedFontsAreForAllToReadWhateverTheUmask(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fonts")
	before := unix.Umask(0o077)
	err := fonts.Extract(dir)
	unix.Umask(before)
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o044 != 0o044 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		files++
		return nil
	})
	if err != nil || files < 10 {
		t.Errorf("%d files, %v", files, err)
	}
}

func TestExtractedFontsThatAreThereStayAndMissingOnesComeBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := fonts.Extract(dir); err != nil {
		t.Fatal(err)
	}
	gone, stays := filepath.Join(dir, "NotoSans-Bold.ttf"), filepath.Join(dir, "NotoSans-Regular.ttf")
	before, err := os.Stat(stays)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if err := fonts.Extract(dir); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(stays); err != nil || !os.SameFile(before, after) {
		t.Errorf("it was written again: %v", err)
	}
	if _, err := os.Stat(gone); err != nil {
		t.Error(err)
	}
}
