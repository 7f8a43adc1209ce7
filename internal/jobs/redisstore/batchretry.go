package redisstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/jobs"
)

// CancelBatch implements [jobs.Batches].
func (s *Store) CancelBatch(ctx context.Context, id jobs.ID) error {
	status, err := s.word(ctx, s.scripts.batches.cancel, id.Partition(), string(id))
	if err == nil && status == "" {
		err = jobs.ErrBatchNotFound
	}
	return about(err, "batch_id", string(id))
}

// MendItems implements [jobs.Batches].
func (s *Store) MendItems(ctx context.Context, id jobs.ID, key, request string, items []jobs.StagedItem) ([]jobs.Staged, error) {
	if err := s.room(ctx, id.Partition()); err != nil {
		return nil, err
	}
	var all []jobs.Staged
	for chunk := range s.chunks(items) {
		v, err := s.list(ctx, s.scripts.batches.mend, id.Partition(), append([]any{string(id), hashed(key), request, s.opts.UploadTime.Milliseconds()}, chunk...)...)
		if err != nil {
			return nil, err
		}
		if v[0] != "sealed" {
			return nil, jobs.ErrBatchNotFound
		}
		all = append(all, stagedFrom(v[1:])...)
	}
	s.memory[id.Partition()].added.Add(addedBytes(items, all))
	return all, nil
}

// RetryBatch implements [jobs.Batches].
func (s *Store) RetryBatch(ctx context.Context, r jobs.BatchRetry) (jobs.Retrying, error) {
	owed := batchBytes
	if len(r.Sealed) > 0 {
		owed += deliveryBytes
	}
	v, err := s.run(ctx, s.scripts.batches.retry, r.Batch.Partition(),
		string(r.Batch), hashed(r.Key), string(r.Event), string(r.Delivery), string(r.Sealed), owed, r.Mended, r.Request)
	if refused := refusal(texts(v)); refused != nil {
		err = refused
	} else if reached := limitReached(texts(v)); reached != nil {
		err = reached.Fault()
	} else if err == nil && text(v) == "" {
		err = jobs.ErrBatchNotFound
	}
	if err != nil {
		return "", about(err, "batch_id", string(r.Batch))
	}
	return jobs.Retrying(text(v)), nil
}

// Again implements [jobs.Batches].
func (s *Store) Again(ctx context.Context, partition, limit int) ([]jobs.AgainItem, error) {
	v, err := s.list(ctx, s.scripts.batches.again, partition, limit, againLeases*s.opts.OrphanAfter.Milliseconds())
	var all []jobs.AgainItem
	for five := range slices.Chunk(v, 5) {
		f := fields{"epoch": five[1], "index": five[2]}
		all = append(all, jobs.AgainItem{
			Batch: jobs.ID(five[0]), Epoch: f.int("epoch"), Index: f.int("index"),
			Job: jobs.ID(strings.TrimPrefix(five[3], "-")), Document: jobs.ID(strings.TrimPrefix(five[4], "-")),
		})
	}
	return all, err
}

// againLeases is for how many times as long as a task may be an orphan the items that Again lists are left to one process.
const againLeases = 4

// Restage implements [jobs.Batches].
func (s *Store) Restage(ctx context.Context, id jobs.ID, epoch int, items []jobs.StagedItem) error {
	var failed []any
	var whole []jobs.StagedItem
	for _, i := range items {
		if f := i.Job.Failure; f != nil && f.Code != "" {
			failed = append(failed, i.Index, encode(f))
			continue
		}
		whole = append(whole, i)
	}
	if len(failed) > 0 {
		if err := s.restage(ctx, id, epoch, len(failed)/2, failed); err != nil {
			return err
		}
	}
	for chunk := range s.chunks(whole) {
		if err := s.restage(ctx, id, epoch, 0, chunk); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) restage(ctx context.Context, id jobs.ID, epoch, failed int, args []any) error {
	_, err := s.word(ctx, s.scripts.batches.restage, id.Partition(), append([]any{string(id), strconv.Itoa(epoch), failed}, args...)...)
	return err
}
