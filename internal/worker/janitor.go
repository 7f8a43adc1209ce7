package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/platen-render/platen/internal/gc"
	"github.com/platen-render/platen/internal/jobs"
)

// BlobWalker is a blob store that can list what it holds.
type BlobWalker interface {
	jobs.Blobs
	// Walk visits every blob under a prefix.
	Walk(ctx context.Context, prefix string, visit func(name string, written time.Time) error) error
	// Sweep removes what interrupted writes have left.
	Sweep(ctx context.Context) error
}

// Janitor removes what is past its retention, and blobs that nobody points to. Every process may run one.
type Janitor struct {
	Store interface {
		jobs.Outbox
		jobs.Intake
		jobs.Catalog
		BusySince(ctx context.Context, partition int) (time.Time, error)
	}
	Blobs  BlobWalker
	Logger *slog.Logger
	// Every is how often records are cleaned. Zero is a minute.
	Every time.Duration
	// WalkEvery is how often all blobs are looked at. Zero is an hour.
	WalkEvery time.Duration
	// Grace is how old a blob must be whose job is not known. Zero is 24 h.
	Grace time.Duration
}

const (
	defaultCleanEvery = time.Minute
	defaultWalkEvery  = time.Hour
	cleanBatch        = 100
)

// Run cleans until ctx ends. A walk over many blobs takes its time, so records do not wait for it.
func (j *Janitor) Run(ctx context.Context) error {
	var group sync.WaitGroup
	group.Go(func() { j.every(ctx, cmp.Or(j.Every, defaultCleanEvery), j.Clean) })
	group.Go(func() {
		j.every(ctx, cmp.Or(j.WalkEvery, defaultWalkEvery), func(ctx context.Context) error {
			_, err := j.WalkBlobs(ctx)
			return err
		})
	})
	group.Wait()
	return nil
}

func (j *Janitor) every(ctx context.Context, d time.Duration, do func(context.Context) error) {
	tick := time.NewTicker(d)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			j.note(ctx, do(ctx))
		case <-ctx.Done():
			return
		}
	}
}

// note says what was left for the next time.
func (j *Janitor) note(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		j.Logger.WarnContext(ctx, "janitor did not finish", slog.String("error", err.Error()))
	}
}

// Clean removes job records past their retention with their input, inputs whose own time has come, and the bytes of documents. A
// partition that does not answer is left for the next time, and none waits for it.
func (j *Janitor) Clean(ctx context.Context) error {
	errs := make([]error, j.Store.Partitions())
	var group sync.WaitGroup
	for p := range errs {
		group.Go(func() { errs[p] = j.cleanPartition(ctx, p) })
	}
	group.Wait()
	return errors.Join(errs...)
}

func (j *Janitor) cleanPartition(ctx context.Context, partition int) error {
	for {
		cleaned, storeErr := j.Store.Clean(ctx, partition, cleanBatch)
		if err := j.free(ctx, cleaned); err != nil {
			return err
		}
		if storeErr != nil {
			return fmt.Errorf("clean records: %w", storeErr)
		}
		if len(cleaned.Jobs) < cleanBatch && len(cleaned.Inputs) < cleanBatch && len(cleaned.Documents) < cleanBatch {
			return nil
		}
	}
}

// free deletes the blobs that nobody points to any more.
func (j *Janitor) free(ctx context.Context, cleaned jobs.Cleaned) error {
	for _, c := range slices.Concat(cleaned.Jobs, cleaned.Inputs) {
		if err := j.Blobs.DeletePrefix(ctx, jobs.InputPrefix(c.Tenant, c.Job)); err != nil {
			return fmt.Errorf("delete input: %w", err)
		}
	}
	for _, d := range cleaned.Documents {
		if err := jobs.DeleteDocument(ctx, j.Blobs, d); err != nil {
			return fmt.Errorf("delete document: %w", err)
		}
	}
	return nil
}

// WalkBlobs looks at every blob and removes those that can belong to nothing any more; it returns how many. A blob of a
// document that the store does not know is never removed: the store may have been restored from an older backup. A partition
// that does not answer is asked once in a walk.
func (j *Janitor) WalkBlobs(ctx context.Context) (removed int, err error) {
	if err := j.Blobs.Sweep(ctx); err != nil {
		return 0, fmt.Errorf("sweep: %w", err)
	}
	orphans, err := j.orphans(ctx)
	for _, name := range orphans {
		if err := j.Blobs.Delete(ctx, name); err != nil {
			return removed, fmt.Errorf("delete orphan: %w", err)
		}
		removed++
		j.Logger.InfoContext(ctx, "orphaned blob removed", slog.String("blob", name))
	}
	return removed, err
}

// orphans are the blobs that can belong to nothing any more; on an error, those among the blobs it could judge.
func (j *Janitor) orphans(ctx context.Context) (orphans []string, err error) {
	walk := func(visit func(string, time.Time) error) error { return j.Blobs.Walk(ctx, "", visit) }
	err = gc.Judge{Store: j.Store, Grace: j.Grace}.Look(ctx, walk, func(name string, v gc.Verdict) error {
		if v == gc.Orphan {
			orphans = append(orphans, name)
		}
		return nil
	})
	return orphans, err
}
