package blobs

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// tempDir is where files grow before they get their name. It lies in the same file system, or link(2) would
// not work, and begins with a dot, so that no blob can be in it.
const tempDir = ".tmp"

// FileStore keeps each blob as a file of its own below Dir, which must be one file system that has hard
// links; Probe tells. [FileStore.Prepare] comes first: without what it leaves there every method answers ErrUnavailable. The folder and
// what is in it is made for the owner alone (0700, 0600). Symbolic links cannot lead out of it. A name cannot be both a blob and the beginning of another blob's name: the second
// is ErrExists.
//
// A Put goes: write a temporary file, fsync it, link(2) it to its name, which fails when the name is taken,
// fsync the folders. Whoever finds the name finds all the bytes, and a crash at any point leaves at most a
// temporary file, which [FileStore.Sweep] removes.
type FileStore struct {
	// Dir is made by Prepare.
	Dir string

	// create makes a temporary file; nil is createTemp. A test puts a full disk here.
	create func(root *os.Root, name string) (*os.File, error)
}

// Put implements [Store].
func (s FileStore) Put(ctx context.Context, name string, r io.Reader) (Info, error) {
	if err := CheckName(name); err != nil {
		return Info{}, err
	}
	info, err := s.put(ctx, name, r)
	if err != nil {
		return Info{}, classify("put", err)
	}
	return info, nil
}

func (s FileStore) put(ctx context.Context, name string, r io.Reader) (Info, error) {
	root, err := s.folder()
	if err != nil {
		return Info{}, err
	}
	defer root.Close()

	temp := path.Join(tempDir, rand.Text())
	defer root.Remove(temp) //nolint:errcheck // what stays is swept
	info, err := s.write(ctx, root, temp, r)
	if err != nil {
		return Info{}, err
	}
	info.Name = name
	if err := publish(ctx, root, temp, info); err != nil {
		_ = prune(root, path.Dir(name)) // folders made in vain
		return Info{}, err
	}
	return info, nil
}

// write copies r into the temporary file and makes it durable.
func (s FileStore) write(ctx context.Context, root *os.Root, temp string, r io.Reader) (Info, error) {
	create := s.create
	if create == nil {
		create = createTemp
	}
	f, err := create(root, temp)
	if err != nil {
		return Info{}, err
	}
	hash := sha256.New()
	size, err := io.Copy(io.MultiWriter(f, hash), &source{ctx: ctx, r: r})
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return Info{Size: size, SHA256: hex.EncodeToString(hash.Sum(nil))}, err
}

func createTemp(root *os.Root, name string) (*os.File, error) {
	if err := root.Mkdir(tempDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
}

// source ends with its context and marks errors as the reader's own.
type source struct {
	ctx context.Context //nolint:containedctx // it lives for one copy
	r   io.Reader
}

func (s *source) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		err = sourceError{err}
	}
	return n, err
}

// publish gives the temporary file its name. Its folder may be pruned by a Delete between mkdir and link,
// and a blob in the way may be deleted before it is compared: both times it begins anew.
func publish(ctx context.Context, root *os.Root, temp string, info Info) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := link(root, temp, info.Name)
		if errors.Is(err, fs.ErrExist) {
			err = compare(root, info)
		}
		if errors.Is(err, syscall.ENOTDIR) {
			return ErrExists.With("A part of the name is a blob itself.").Because(err)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if _, err := root.Lstat(temp); err != nil {
			return err // swept under our hands: a Put of more than a day
		}
	}
}

func link(root *os.Root, temp, name string) error {
	if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	if err := root.Link(temp, name); err != nil {
		return err
	}
	return syncPath(root, name)
}

// compare decides about a name that is taken. The one who took it may not have come to its fsync yet, so
// that a success needs our own.
func compare(root *os.Root, want Info) error {
	f, err := root.Open(want.Name)
	if err != nil {
		return err
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return err
	}
	if !stat.Mode().IsRegular() || stat.Size() != want.Size {
		return ErrExists
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return fmt.Errorf("read the blob that is there: %w", err)
	}
	if hex.EncodeToString(hash.Sum(nil)) != want.SHA256 {
		return ErrExists
	}
	return syncPath(root, want.Name)
}
