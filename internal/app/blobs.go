package app

import (
	"context"
	"io"
	"time"

	"github.com/platen-render/platen/internal/blobs"
)

// blobStore shows a store of blobs as the domain and the janitor want it.
type blobStore struct {
	blobs.Store
	sweep func(ctx context.Context) (int, error)
}

func (b blobStore) Put(ctx context.Context, name string, r io.Reader) error {
	_, err := b.Store.Put(ctx, name, r)
	return err
}

func (b blobStore) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	r, _, err := b.Store.Open(ctx, name)
	return r, err
}

func (b blobStore) Walk(ctx context.Context, prefix string, visit func(name string, written time.Time) error) error {
	return b.Store.Walk(ctx, prefix, func(i blobs.Info) error { return visit(i.Name, i.ModTime) })
}

func (b blobStore) Sweep(ctx context.Context) error {
	_, err := b.sweep(ctx)
	return err
}
