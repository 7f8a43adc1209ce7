package app

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/blobs/bucket"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/jobs"
)

// blobStore shows a store of blobs as the domain and the janitor want it, with what only some kinds of stores have.
type blobStore struct {
	blobs.Store
	prepare    func(ctx context.Context) (fresh bool, err error)
	sweep      func(ctx context.Context) (int, error)
	createOnly func() bool
	// links is nil for a store that makes none.
	links jobs.BlobLinker
	close func() error
}

// openBlobs opens the folder or the bucket that PLATEN_BLOB_DIR names, and asks nothing of it. What it returns can be closed in any case.
func openBlobs(ctx context.Context, cfg config.Config) (blobStore, error) {
	if !bucket.IsURL(cfg.BlobDir) {
		files := blobs.FileStore{Dir: cfg.BlobDir}
		return blobStore{
			Store: files, prepare: files.Prepare, sweep: files.Sweep,
			createOnly: func() bool { return true }, close: func() error { return nil },
		}, nil
	}
	b, err := bucket.Open(ctx, bucketOptions(cfg.BlobDir, cfg.BlobEndpoint))
	if err != nil {
		return blobStore{close: func() error { return nil }}, err
	}
	return blobStore{Store: b, prepare: b.Prepare, sweep: b.Sweep, createOnly: b.CreateOnly, links: bucketLinks{b}, close: b.Close}, nil
}

func bucketOptions(url, endpoint string) bucket.Options {
	return bucket.Options{URL: url, PublicEndpoint: endpoint}
}

// checkBlobs judges what PLATEN_BLOB_DIR says, together with the address at which others find the bucket.
func checkBlobs(endpoint string) func(dir string) error {
	return func(dir string) error {
		switch {
		case bucket.IsURL(dir):
			return bucket.Check(bucketOptions(dir, endpoint))
		case endpoint != "":
			return errors.New("is for buckets, and PLATEN_BLOB_DIR names a folder")
		}
		return nil
	}
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

// bucketLinks makes links as the domain wants them.
type bucketLinks struct{ *bucket.Store }

// Link implements [jobs.BlobLinker].
func (b bucketLinks) Link(ctx context.Context, name string, l jobs.BlobLink) (string, error) {
	address, err := b.Store.Link(ctx, name, bucket.Link(l))
	if errors.Is(err, bucket.ErrNoLink) {
		return "", nil
	}
	return address, err
}
