package blobs

import (
	"context"
	"errors"
	"os"
	"path"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// sweepAge is how old a temporary file must be before nobody can still be writing it.
const sweepAge = 24 * time.Hour

// Delete implements [Store]. Folders that became empty go too.
func (s FileStore) Delete(ctx context.Context, name string) error {
	if err := errors.Join(CheckName(name), ctx.Err()); err != nil {
		return err
	}
	root, err := s.folder()
	if err != nil {
		return classify("delete", err)
	}
	defer root.Close()
	return classify("delete", remove(root, name))
}

func remove(root *os.Root, name string) error {
	dir := path.Dir(name)
	err := unlink(root, name)
	if absent(err) {
		return nil
	}
	if err == nil {
		err = syncDir(root, dir)
	}
	if err != nil {
		return err
	}
	return prune(root, dir)
}

// DeletePrefix implements [Store].
func (s FileStore) DeletePrefix(ctx context.Context, prefix string) error {
	if err := errors.Join(CheckName(prefix), ctx.Err()); err != nil {
		return err
	}
	root, err := s.folder()
	if err != nil {
		return classify("delete prefix", err)
	}
	defer root.Close()
	if err := clearDir(ctx, root, prefix); err != nil {
		return classify("delete prefix", err)
	}
	return classify("delete prefix", prune(root, prefix))
}

// clearDir deletes what is in dir, folders from the bottom up, and makes that durable.
func clearDir(ctx context.Context, root *os.Root, dir string) error {
	entries, err := list(root, dir)
	if err != nil || len(entries) == 0 {
		return err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := path.Join(dir, e.Name())
		if !e.IsDir() {
			if err := unlink(root, name); err != nil && !absent(err) {
				return err
			}
			continue
		}
		if err := clearDir(ctx, root, name); err != nil {
			return err
		}
		if err := rmdir(root, name); err != nil && !inUse(err) && !absent(err) {
			return err
		}
	}
	return syncDir(root, dir)
}

// prune removes dir and the folders above it as far as they are empty. A Put that counted on one of them
// makes it again. After a crash an empty folder may be back: nobody sees it.
func prune(root *os.Root, dir string) error {
	for ; dir != "."; dir = path.Dir(dir) {
		err := rmdir(root, dir)
		if inUse(err) {
			return nil
		}
		if err != nil && !absent(err) {
			return err
		}
	}
	return nil
}

// inUse reports whether rmdir met a folder that stays: it has entries (POSIX allows two names for that), or
// it is a mount point.
func inUse(err error) bool {
	return errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.EEXIST) || errors.Is(err, syscall.EBUSY)
}

// unlink and rmdir exist because Root.Remove takes files and empty folders alike: a folder to prune may have
// become a blob by now, and a name to delete may be a folder, which is no blob.
func unlink(root *os.Root, name string) error {
	err := unlinkAt(root, name, 0)
	if errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.EPERM) && isDir(root, name) { // EPERM: POSIX
		return os.ErrNotExist
	}
	return err
}

func rmdir(root *os.Root, name string) error { return unlinkAt(root, name, unix.AT_REMOVEDIR) }

func unlinkAt(root *os.Root, name string, flags int) error {
	parent, err := root.Open(path.Dir(name))
	if err != nil {
		return err
	}
	defer parent.Close()
	if err := unix.Unlinkat(int(parent.Fd()), path.Base(name), flags); err != nil {
		return &os.PathError{Op: "unlinkat", Path: name, Err: err}
	}
	return nil
}

func isDir(root *os.Root, name string) bool {
	stat, err := root.Lstat(name)
	return err == nil && stat.IsDir()
}

// Sweep removes the temporary files that writers left behind more than 24 hours ago and says how many.
// One process needs to call it now and then.
func (s FileStore) Sweep(ctx context.Context) (int, error) {
	root, err := s.folder()
	if err != nil {
		return 0, classify("sweep", err)
	}
	defer root.Close()
	removed := 0
	err = walk(ctx, root, tempDir, func(info Info) error {
		if time.Since(info.ModTime) < sweepAge {
			return nil
		}
		if err := unlink(root, info.Name); err != nil {
			return err
		}
		removed++
		return nil
	})
	return removed, classify("sweep", err)
}
