package blobs

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// The rules of durability on a file system: fsync of a file covers its bytes, not its name. The name is in the
// folder, and the folder's own name in the folder above. So a Put syncs the whole way up to Dir, every
// time: a folder that was found there may have been made a moment ago by another Put that has not come to
// its own sync. For the folders that did not change this is cheap: half a millisecond for four of them.
//
// No test can show that the order is right. A killed process loses nothing that it gave to the kernel, synced
// or not; only a loss of power does. The order is kept by reading the code.

// syncPath makes the name of a blob durable. A folder that is gone means that the blob was deleted since.
func syncPath(root *os.Root, name string) error {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if err := syncDir(root, dir); err != nil || dir == "." {
			return err
		}
	}
}

func syncDir(root *os.Root, dir string) error {
	f, err := root.Open(dir)
	if absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

func (s FileStore) openOrCreate() (*os.Root, error) {
	root, err := os.OpenRoot(s.Dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return root, err
	}
	if err := createDir(filepath.Clean(s.Dir)); err != nil {
		return nil, err
	}
	return os.OpenRoot(s.Dir)
}

// createDir is a durable mkdir -p.
func createDir(dir string) error {
	parent := filepath.Dir(dir)
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrNotExist) {
		if err := createDir(parent); err != nil {
			return err
		}
		err = os.Mkdir(dir, 0o700)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err := os.Open(parent) //nolint:gosec // the operator's own folder
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// Probe implements [Store]. It links too, so that a file system without hard links is found before the first
// document, and looks for the marker first, so that a folder that is not ours is found before anything is put there.
func (s FileStore) Probe(ctx context.Context) error {
	return classify("probe", s.probe(ctx))
}

func (s FileStore) probe(ctx context.Context) error {
	root, err := s.folder()
	if err != nil {
		return err
	}
	defer root.Close()
	temp := path.Join(tempDir, rand.Text())
	defer root.Remove(temp) //nolint:errcheck // what stays is swept
	if _, err := s.write(ctx, root, temp, strings.NewReader("probe\n")); err != nil {
		return err
	}
	linked := temp + ".linked"
	defer root.Remove(linked) //nolint:errcheck // what stays is swept
	if err := root.Link(temp, linked); err != nil {
		return err
	}
	return syncDir(root, tempDir)
}
