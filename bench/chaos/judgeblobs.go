package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/worker"
)

// judgeBlobs lets the janitor pass once, and counts what is left that belongs to nothing.
func (in *installation) judgeBlobs(ctx context.Context) error {
	store := walkable{in.blobs}
	janitor := &worker.Janitor{Store: in.store, Blobs: store, Logger: slog.New(slog.DiscardHandler), Grace: time.Nanosecond}
	if _, err := janitor.WalkBlobs(ctx); err != nil {
		return err
	}
	return in.blobs.Walk(ctx, "", func(i blobs.Info) error {
		if _, _, ok := jobs.ParseItemBlob(i.Name); ok {
			return nil // the janitor has just left it
		}
		place, ok := jobs.ParsePlace(i.Name)
		if !ok {
			in.report.broken(&in.report.OrphanBlobs, "%s is of no kind", i.Name)
			return nil
		}
		if place.Document == "" {
			return nil // an input, which lives as long as its job
		}
		d, err := in.store.Document(ctx, place.Document)
		if errors.Is(err, jobs.ErrDocumentNotFound) && in.unconfirmed(place.Job) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("document of %s: %w", i.Name, err)
		}
		if d.Result == nil || d.Result.Blob != i.Name {
			in.report.broken(&in.report.OrphanBlobs, "%s is nobody's", i.Name)
		}
		return nil
	})
}

// unconfirmed reports whether a job may be gone with its document: nobody was told of it, and a replica that lacked it was
// promoted. The janitor leaves its bytes alone, since they might be those of a restored backup.
func (in *installation) unconfirmed(id jobs.ID) bool {
	return in.redis.env["PLATEN_REDIS_WAIT_REPLICAS"] != "" && !in.told.jobs[string(id)]
}

// walkable is a file store as the janitor wants it.
type walkable struct{ blobs.FileStore }

func (w walkable) Put(ctx context.Context, name string, r io.Reader) error {
	_, err := w.FileStore.Put(ctx, name, r)
	return err
}

func (w walkable) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	f, _, err := w.FileStore.Open(ctx, name)
	return f, err
}

func (w walkable) Walk(ctx context.Context, prefix string, visit func(string, time.Time) error) error {
	return w.FileStore.Walk(ctx, prefix, func(i blobs.Info) error { return visit(i.Name, i.ModTime) })
}

func (w walkable) Sweep(ctx context.Context) error {
	_, err := w.FileStore.Sweep(ctx)
	return err
}
