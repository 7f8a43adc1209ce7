package blobs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
)

// Open implements [Store]. The reader is an *os.File.
func (s FileStore) Open(ctx context.Context, name string) (io.ReadSeekCloser, Info, error) {
	if err := errors.Join(CheckName(name), ctx.Err()); err != nil {
		return nil, Info{}, err
	}
	root, err := s.folder()
	if err != nil {
		return nil, Info{}, classify("open", err)
	}
	defer root.Close()
	f, info, err := open(root, name)
	if absent(err) {
		return nil, Info{}, ErrNotFound.Because(err)
	}
	if err != nil {
		return nil, Info{}, classify("open", err)
	}
	return f, info, nil
}

func open(root *os.Root, name string) (*os.File, Info, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, Info{}, err
	}
	stat, err := f.Stat()
	if err == nil && !stat.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		_ = f.Close() // opened for reading
		return nil, Info{}, err
	}
	return f, Info{Name: name, Size: stat.Size(), ModTime: stat.ModTime()}, nil
}

// absent reports whether an error means that there is no blob of that name; ENOTDIR says that a part of the
// name is one.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// Walk implements [Store]. It keeps the entries of one folder for each level in memory.
func (s FileStore) Walk(ctx context.Context, prefix string, visit func(Info) error) error {
	dir := "."
	if prefix != "" {
		if err := CheckName(prefix); err != nil {
			return err
		}
		dir = prefix
	}
	root, err := s.folder()
	if err != nil {
		return classify("walk", err)
	}
	defer root.Close()
	return classify("walk", walk(ctx, root, dir, func(info Info) error {
		if err := visit(info); err != nil {
			return sourceError{err}
		}
		return nil
	}))
}

func walk(ctx context.Context, root *os.Root, dir string, visit func(Info) error) error {
	entries, err := list(root, dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := path.Join(dir, e.Name())
		if e.IsDir() {
			err = walk(ctx, root, name, visit)
		} else {
			err = show(root, name, visit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func show(root *os.Root, name string, visit func(Info) error) error {
	stat, err := root.Lstat(name)
	if absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return visit(Info{Name: name, Size: stat.Size(), ModTime: stat.ModTime()})
}

// list returns the blobs and folders in dir in the order of the names they lead to: a folder sorts as if
// its slash were there, because "a-b" comes before "a/b" and "a0" after it. A dir that is gone has none.
func list(root *os.Root, dir string) ([]fs.DirEntry, error) {
	f, err := root.Open(dir)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil && !absent(err) {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return !validSegment(e.Name()) || !e.IsDir() && !e.Type().IsRegular()
	})
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(sortKey(a), sortKey(b)) })
	return entries, nil
}

func sortKey(e fs.DirEntry) string {
	if e.IsDir() {
		return e.Name() + "/"
	}
	return e.Name()
}
