package redisstore

import (
	"context"

	"github.com/platen-render/platen/internal/jobs"
)

// CancelBatch implements [jobs.Batches].
func (s *Store) CancelBatch(context.Context, jobs.ID) error { return jobs.ErrStoreUnavailable }

// MendItems implements [jobs.Batches].
func (s *Store) MendItems(context.Context, jobs.ID, string, []jobs.StagedItem) ([]jobs.Staged, error) {
	return nil, jobs.ErrStoreUnavailable
}

// RetryBatch implements [jobs.Batches].
func (s *Store) RetryBatch(context.Context, jobs.BatchRetry) (jobs.Retrying, error) {
	return "", jobs.ErrStoreUnavailable
}

// Again implements [jobs.Batches].
func (s *Store) Again(context.Context, int, int) ([]jobs.AgainItem, error) { return nil, nil }

// Restage implements [jobs.Batches].
func (s *Store) Restage(context.Context, jobs.ID, int, []jobs.StagedItem) error {
	return jobs.ErrStoreUnavailable
}
