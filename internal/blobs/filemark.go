package blobs

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// marker is a file in the folder of the blobs that says so. A volume that is not mounted leaves an empty folder in its place, and what
// is looked for there is not missing, and what is put there is lost: without the marker a folder is nobody's.
const marker = ".platen-blobs"

const markerText = "The folder of the blobs of Platen. Without this file nothing is read from it or written to it. Keep it in backups.\n"

// errElsewhere is the fault of a folder without the marker.
var errElsewhere = ErrUnavailable.With("The folder of the blobs is not there, or it is another one.")

// Prepare makes the folder and marks it, unless it is marked. A process calls it once, at its start: nothing else makes the folder, so
// that one that is taken away from under a running process is noticed, and its place is not filled with another one. It reports whether the
// folder is a new one: not marked, and nothing in it. Several may call it at once; each of them may be told that the folder is new.
func (s FileStore) Prepare(ctx context.Context) (fresh bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	fresh, err = s.prepare()
	return fresh, classify("prepare", err)
}

func (s FileStore) prepare() (fresh bool, err error) {
	root, err := s.openOrCreate()
	if err != nil {
		return false, err
	}
	defer root.Close()
	if _, err := root.Lstat(marker); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	there, err := list(root, ".")
	if err != nil {
		return false, err
	}
	return len(there) == 0, mark(root)
}

// mark makes the marker, durably. That it is there already is fine.
func mark(root *os.Root) error {
	f, err := root.OpenFile(marker, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(markerText)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return syncDir(root, ".")
}

// folder opens Dir, if it is marked.
func (s FileStore) folder() (*os.Root, error) {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, elsewhere(err)
	}
	if _, err := root.Lstat(marker); err != nil {
		_ = root.Close() // opened for looking
		return nil, elsewhere(err)
	}
	return root, nil
}

func elsewhere(err error) error {
	if absent(err) {
		return errElsewhere.Because(err)
	}
	return err
}
