package redisstore

import (
	"context"
	"errors"

	"github.com/platen-render/platen/internal/jobs"
)

var errNoBatches = jobs.ErrStoreUnavailable.Because(errors.New("batches are not served"))

// BeginBatch implements [jobs.Batches].
func (s *Store) BeginBatch(context.Context, jobs.BatchOrder) (jobs.BatchBegun, error) {
	return jobs.BatchBegun{}, errNoBatches
}

// ExpectKeys implements [jobs.Batches].
func (s *Store) ExpectKeys(context.Context, jobs.ID, []string) error { return errNoBatches }

// StageItems implements [jobs.Batches].
func (s *Store) StageItems(context.Context, jobs.ID, []jobs.StagedItem) ([]jobs.Staged, error) {
	return nil, errNoBatches
}

// SealBatch implements [jobs.Batches].
func (s *Store) SealBatch(context.Context, jobs.ID, int, string) (jobs.Sealing, error) {
	return "", errNoBatches
}

// DropBatch implements [jobs.Batches].
func (s *Store) DropBatch(context.Context, jobs.ID) (bool, error) { return false, errNoBatches }

// Promote implements [jobs.Batches].
func (s *Store) Promote(context.Context, int) (bool, error) { return false, nil }

// Batch implements [jobs.Batches].
func (s *Store) Batch(context.Context, jobs.ID) (jobs.Batch, error) {
	return jobs.Batch{}, jobs.ErrBatchNotFound
}

// Batches implements [jobs.Batches].
func (s *Store) Batches(context.Context, jobs.BatchFilter) (jobs.Page[jobs.Batch], error) {
	return jobs.Page[jobs.Batch]{}, errNoBatches
}

// BatchItems implements [jobs.Batches].
func (s *Store) BatchItems(context.Context, jobs.ItemFilter) ([]jobs.BatchItem, int, error) {
	return nil, -1, errNoBatches
}

// MissingKeys implements [jobs.Batches].
func (s *Store) MissingKeys(context.Context, jobs.ID, string, int) ([]string, error) {
	return nil, errNoBatches
}

// CancelBatch implements [jobs.Batches].
func (s *Store) CancelBatch(context.Context, jobs.ID) error { return errNoBatches }

// MendItems implements [jobs.Batches].
func (s *Store) MendItems(context.Context, jobs.ID, string, []jobs.StagedItem) ([]jobs.Staged, error) {
	return nil, errNoBatches
}

// RetryBatch implements [jobs.Batches].
func (s *Store) RetryBatch(context.Context, jobs.BatchRetry) (jobs.Retrying, error) {
	return "", errNoBatches
}

// Again implements [jobs.Batches].
func (s *Store) Again(context.Context, int, int) ([]jobs.AgainItem, error) { return nil, nil }

// Restage implements [jobs.Batches].
func (s *Store) Restage(context.Context, jobs.ID, int, []jobs.StagedItem) error { return errNoBatches }
