package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/platen-render/platen/internal/seal"
)

// remakeStep is how many inputs are copied before they are staged.
const remakeStep = 100

// Remaker makes the jobs of failed items anew, from the inputs that their last jobs had, after a batch is tried again. Every process may
// run one. Safe for concurrent use.
type Remaker struct{ service *Service }

// NewRemaker makes one that seals callbacks with a key.
func NewRemaker(store Store, blobs Blobs, key *seal.Key, logger *slog.Logger) *Remaker {
	return &Remaker{&Service{Store: store, Blobs: blobs, Key: key, Logger: logger, Partitions: store.Partitions()}}
}

// Remake does it to some items of a partition: to as many as half of the time that ctx leaves is enough for, and to one at least, so that
// a slow storage makes it slow and not endless. More says that another call may have work. What could not be read for a passing reason is
// left for a later call.
func (r *Remaker) Remake(ctx context.Context, partition int) (more bool, err error) {
	items, err := r.service.Store.Again(ctx, partition, remakeStep)
	if err != nil {
		return false, fmt.Errorf("items to make again: %w", err)
	}
	var errs []error
	for len(items) > 0 {
		n := 1
		for n < len(items) && items[n].Batch == items[0].Batch {
			n++
		}
		if err := r.restage(ctx, items[:n]); err != nil {
			errs = append(errs, err) // of one batch, perhaps
		}
		items, more = items[n:], true
	}
	return more, errors.Join(errs...)
}

// restage makes jobs of items of one batch. One that cannot be made at the moment keeps nobody from the others.
func (r *Remaker) restage(ctx context.Context, items []AgainItem) error {
	id := items[0].Batch
	b, err := r.service.Store.Batch(ctx, id)
	if err != nil {
		return fmt.Errorf("batch to make again: %w", err)
	}
	callback, err := r.service.callbackOfBatch(b)
	if err != nil {
		return err
	}
	reports := &stager{}
	reports.reportTo(callback, b.Events)
	enough := halfway(ctx)
	var staged []StagedItem
	var errs []error
	for _, item := range items {
		if len(staged)+len(errs) > 0 && enough() {
			break
		}
		made, err := r.remake(ctx, item, reports)
		if err != nil {
			errs = append(errs, fmt.Errorf("make item %d of %s again: %w", item.Index, id, err))
			continue
		}
		staged = append(staged, made)
	}
	if len(staged) > 0 {
		errs = append(errs, r.service.Store.Restage(ctx, id, items[0].Epoch, staged))
	}
	return errors.Join(errs...)
}

// halfway reports, from now on, whether half of the time is over that a context has.
func halfway(ctx context.Context) func() bool {
	deadline, bounded := ctx.Deadline()
	half := time.Now().Add(time.Until(deadline) / 2)
	return func() bool { return bounded && time.Now().After(half) }
}

// remake makes the job of one item, with its own copy of the input. One whose input is no longer there fails.
func (r *Remaker) remake(ctx context.Context, item AgainItem, reports *stager) (StagedItem, error) {
	if item.Job == "" {
		return lost(item, ErrInputPurged), nil // it failed before it had a job, which would have kept the input
	}
	old, err := r.service.Store.Job(ctx, item.Job)
	if isNotFound(err) {
		return lost(item, ErrInputPurged), nil
	}
	if err != nil {
		return StagedItem{}, err
	}
	a := r.service.acceptance(request{Submission: Submission{
		Tenant: old.Tenant, DocumentKey: old.DocumentKey, Fingerprint: old.Fingerprint, Metadata: old.Metadata,
		Retention: old.Retention, InputRetention: old.InputRetention, Callback: reports.report,
	}})
	a.Job.Class, a.Job.Batch, a.Job.Reports = ClassBatch, item.Batch, reports.events
	err = r.service.copyInput(ctx, old, &a)
	if errors.Is(err, ErrInputPurged) || lacking(err) {
		return lost(item, err), nil // one that is not there must not hold up the others
	}
	return StagedItem{Index: item.Index, Job: a.Job, Uses: a.Uses}, err
}

// lost is an item whose input is not there.
func lost(item AgainItem, why error) StagedItem {
	f := FailureOf(why)
	return StagedItem{Index: item.Index, Job: Job{Failure: &f}}
}
