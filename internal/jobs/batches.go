package jobs

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// ErrBatchFinished says that a batch is too late to be canceled.
var ErrBatchFinished = fault.New(fault.Conflict, "batch_finished", "Each item of the batch has ended.")

// Batch returns a batch of a tenant. Another tenant's, and one that is being uploaded, is [ErrBatchNotFound].
func (s *Service) Batch(ctx context.Context, tenant string, id ID) (Batch, error) {
	b, err := s.Store.Batch(ctx, id)
	if err == nil && b.Tenant != tenant {
		return Batch{}, ErrBatchNotFound
	}
	return b, err
}

// AwaitBatch is Await for batches.
func (s *Service) AwaitBatch(ctx context.Context, tenant string, id ID, done func(Batch) bool) (Batch, error) {
	changes, stop := s.Watcher.Watch(id)
	defer stop()
	tick := time.NewTicker(recheck)
	defer tick.Stop()
	for {
		b, err := s.Batch(context.WithoutCancel(ctx), tenant, id)
		if err != nil || done(b) || ctx.Err() != nil {
			return b, err
		}
		select {
		case <-changes:
		case <-tick.C:
		case <-ctx.Done():
		case <-s.Stopping:
			return b, nil
		}
	}
}

// CancelBatch ends what has not ended: what runs is asked to, and the rest follows. [ErrBatchFinished] when nothing is left of it.
func (s *Service) CancelBatch(ctx context.Context, tenant string, id ID) (Batch, error) {
	b, err := s.Batch(ctx, tenant, id)
	if err != nil || b.Status == BatchCanceled {
		return b, err
	}
	if err := s.Store.CancelBatch(ctx, id); err != nil {
		return b, err
	}
	// Read anew: its last item may have ended in the meantime.
	b, err = s.Store.Batch(ctx, id)
	if err == nil && b.Status == BatchCompleted {
		return b, ErrBatchFinished.About("batch_id", string(id))
	}
	return b, err
}

// ItemWithJob is an item, and its job as far as there is a record of it.
type ItemWithJob struct {
	BatchItem
	Work *Job
}

// readers is how many jobs are read at once.
const readers = 8

// BatchItems returns a page of the items of a tenant's batch in their order, with their jobs. Next is the index to go on from, or -1.
func (s *Service) BatchItems(ctx context.Context, tenant string, f ItemFilter) (items []ItemWithJob, next int, err error) {
	if _, err := s.Batch(ctx, tenant, f.Batch); err != nil {
		return nil, -1, err
	}
	found, next, err := s.Store.BatchItems(ctx, f)
	if err != nil {
		return nil, -1, err
	}
	items = make([]ItemWithJob, len(found))
	errs := make([]error, readers)
	var group sync.WaitGroup
	for reader := range readers {
		group.Go(func() {
			for i := reader; i < len(items) && errs[reader] == nil; i += readers {
				items[i], errs[reader] = s.withJob(ctx, found[i])
			}
		})
	}
	group.Wait()
	return items, next, errors.Join(errs...)
}

// withJob reads the job of an item, if there is a record of it.
func (s *Service) withJob(ctx context.Context, item BatchItem) (ItemWithJob, error) {
	if item.Job == "" {
		return ItemWithJob{BatchItem: item}, nil
	}
	j, err := s.Store.Job(ctx, item.Job)
	if isNotFound(err) {
		return ItemWithJob{BatchItem: item}, nil
	}
	return ItemWithJob{item, &j}, err
}
