package app

import (
	"context"
	"io"
	"time"

	"github.com/platen-render/platen/internal/blobs"
)

// blobStore shows a file store as the domain and the janitor want it.
type blobStore struct{ blobs.FileStore }

func (b blobStore) Put(ctx context.Context, name string, r io.Reader) error {
	_, err := b.FileStore.Put(ctx, name, r)
	return err
}

func (b blobStore) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	r, _, err := b.FileStore.Open(ctx, name)
	return r, err
}

func (b blobStore) Walk(ctx context.Context, prefix string, visit func(name string, written time.Time) error) error {
	return b.FileStore.Walk(ctx, prefix, func(i blobs.Info) error { return visit(i.Name, i.ModTime) })
}

func (b blobStore) Sweep(ctx context.Context) error {
	_, err := b.FileStore.Sweep(ctx)
	return err
}
