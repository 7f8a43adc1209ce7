package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/platen-render/platen/api"
)

// DownloadFile is [Client.Download] into a file, in one step: the file at the path, which may exist, is either the whole
// verified document afterwards or as it was before. A transfer that breaks off is repeated. What is not a regular file
// is an [ErrArgument].
func (c *Client) DownloadFile(ctx context.Context, id, path string) (api.Document, error) {
	var document api.Document
	err := ReplaceFile(path, func(f *os.File) error {
		var err error
		document, err = c.download(ctx, id, emptied(f), true)
		return err
	})
	return document, err
}

// emptied gives a file, without what an earlier transfer has left in it.
func emptied(f *os.File) func() (io.Writer, error) {
	return func() (io.Writer, error) {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		return unnamed{f}, f.Truncate(0)
	}
}

// ReplaceFile writes a file in one step: write gets a new one beside path, which takes the place of path once it has
// returned nil and everything is on the disk. After an error path is as it was, and what is not a regular file is an
// [ErrArgument]. DownloadFile uses it.
func ReplaceFile(path string, write func(*os.File) error) (err error) {
	// Through a link, or the link itself would be replaced.
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return argument("%s is not a regular file", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	temporary := filepath.Join(filepath.Dir(path), ".platen-"+rand.Text()+".part")
	//nolint:gosec // the path is the caller's to choose, and the umask says who may read it, as for any file
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("save %s: %w", path, nameless(err))
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(temporary))
		}
	}()
	if err := errors.Join(write(f), nameless(f.Sync()), nameless(f.Close())); err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return fmt.Errorf("save %s: %w", path, nameless(err))
	}
	return nil
}

// unnamed writes to a file and does not tell its name.
type unnamed struct{ file *os.File }

func (u unnamed) Write(p []byte) (int, error) {
	n, err := u.file.Write(p)
	return n, nameless(err)
}

// nameless is err without the name of the file, which nobody has chosen.
func nameless(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return failed.Err
	}
	if failed, ok := errors.AsType[*os.LinkError](err); ok {
		return failed.Err
	}
	return err
}
