package redisstore

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

const (
	// batchBytes is what the end of a batch adds beside a copy of its metadata.
	batchBytes = 4 << 10
	// stageBytes bounds what one script gets, beside the first item of it.
	stageBytes = 4 << 20
	// dropStep and promoteStep are how many items one script drops or makes jobs of: about 10 ms, for which everybody else waits.
	dropStep, promoteStep = jobs.MaxStaged, 100
)

// BeginBatch implements [jobs.Batches].
func (s *Store) BeginBatch(ctx context.Context, o jobs.BatchOrder) (jobs.BatchBegun, error) {
	owed := batchBytes + int64(len(o.Metadata))
	if len(o.Sealed) > 0 {
		owed += deliveryBytes
	}
	args := []any{
		string(o.ID), o.Tenant, hashed(o.IdempotencyKey), string(o.Request), string(o.Event), s.opts.UploadTime.Milliseconds(), owed,
		"dlv", string(o.Delivery), "events", strings.Join(o.Events, " "), "metadata", orNull(o.Metadata),
		"base", escaped(s.opts.PublicURL), "keep", s.opts.JobRetention.Milliseconds(),
	}
	if len(o.Sealed) > 0 {
		args = append(args, "sealed", string(o.Sealed), "host", o.Host, "url", o.Target)
	}
	v, err := s.list(ctx, s.scripts.batches.begin, s.partition(o.Tenant), args...)
	if err != nil {
		return jobs.BatchBegun{}, err
	}
	if err := refusal(v); err != nil {
		return jobs.BatchBegun{}, err
	}
	if reached := limitReached(v); reached != nil {
		return jobs.BatchBegun{}, reached.Fault()
	}
	items, _ := strconv.Atoi(v[2])
	begun := jobs.BatchBegun{Verdict: jobs.Verdict(v[0]), Batch: jobs.ID(v[1]), Items: items, Digest: v[3], Job: jobs.ID(v[4])}
	if begun.Verdict == jobs.Resumed {
		begun.Delivery, begun.Sealed, begun.Events = jobs.ID(v[5]), bytesOf(v[6]), strings.Fields(v[7])
	}
	return begun, nil
}

// orNull is a JSON text as events have it.
func orNull(raw []byte) string {
	if len(raw) == 0 {
		return "null"
	}
	return string(raw)
}

// ExpectKeys implements [jobs.Batches].
func (s *Store) ExpectKeys(ctx context.Context, id jobs.ID, keys []string) error {
	args := []any{string(id)}
	for _, k := range keys {
		args = append(args, k)
	}
	state, err := s.word(ctx, s.scripts.batches.expect, id.Partition(), args...)
	if err != nil {
		return err
	}
	return uploading(state)
}

// uploading is the fault of a batch that is not being uploaded.
func uploading(state string) error {
	switch state {
	case "open":
		return nil
	case "sealed":
		return jobs.ErrBatchSealed
	}
	return jobs.ErrBatchGone
}

// StageItems implements [jobs.Batches].
func (s *Store) StageItems(ctx context.Context, id jobs.ID, items []jobs.StagedItem) ([]jobs.Staged, error) {
	if err := s.room(ctx, id.Partition()); err != nil {
		return nil, err
	}
	var all []jobs.Staged
	for chunk := range s.chunks(items) {
		v, err := s.list(ctx, s.scripts.batches.stage, id.Partition(), append([]any{string(id)}, chunk...)...)
		if err != nil {
			return nil, err
		}
		if err := uploading(v[0]); err != nil {
			return nil, err
		}
		all = append(all, stagedFrom(v[1:])...)
	}
	s.memory[id.Partition()].added.Add(addedBytes(items, all))
	return all, nil
}

// SealBatch implements [jobs.Batches].
func (s *Store) SealBatch(ctx context.Context, id jobs.ID, items int, digest string) (jobs.Sealing, error) {
	v, err := s.word(ctx, s.scripts.batches.seal, id.Partition(), string(id), items, digest)
	return jobs.Sealing(v), about(err, "batch_id", string(id))
}

// DropBatch implements [jobs.Batches].
func (s *Store) DropBatch(ctx context.Context, id jobs.ID) (bool, error) {
	v, err := s.word(ctx, s.scripts.batches.drop, id.Partition(), string(id), dropStep)
	return v == "1", err
}

// Promote implements [jobs.Batches].
func (s *Store) Promote(ctx context.Context, partition int) (bool, error) {
	v, err := s.word(ctx, s.scripts.batches.step, partition, promoteStep)
	return v == "1", err
}

// BusySince implements [jobs.Batches].
func (s *Store) BusySince(ctx context.Context, partition int) (time.Time, error) {
	v, err := s.word(ctx, s.scripts.batches.since, partition)
	if err != nil || v == "0" {
		return time.Time{}, err
	}
	return fields{"at": v}.time("at"), nil
}

// Batches implements [jobs.Batches].
func (s *Store) Batches(ctx context.Context, f jobs.BatchFilter) (jobs.Page[jobs.Batch], error) {
	name := []string{f.Tenant}
	if f.Status != "" {
		name = append(name, string(f.Status))
	}
	return page(ctx, s, key(s.partition(f.Tenant), "batches:", name...), "-", "+", f.Cursor, f.Limit, s.Batch, func(b jobs.Batch) bool {
		return f.Status == "" || b.Status == f.Status
	})
}

// MissingKeys implements [jobs.Batches].
func (s *Store) MissingKeys(ctx context.Context, id jobs.ID, after string, limit int) ([]string, error) {
	return s.list(ctx, s.scripts.batches.missing, id.Partition(), string(id), after, limit)
}

// promisesItem says that the answer of a read tells an end, as promisesJob does.
func promisesItem(i jobs.BatchItem) bool {
	return slices.Contains([]jobs.ItemStatus{jobs.ItemSucceeded, jobs.ItemReused, jobs.ItemFailed, jobs.ItemCanceled}, i.Status)
}
