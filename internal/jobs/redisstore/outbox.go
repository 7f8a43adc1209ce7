package redisstore

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// How many tasks one script pulls forward, and notes as dispatched.
const (
	pullChunk     = 500
	dispatchChunk = 100
)

// Partitions implements [jobs.Outbox].
func (s *Store) Partitions() int { return s.opts.Partitions }

// Due implements [jobs.Outbox].
func (s *Store) Due(ctx context.Context, partition int, line jobs.Line, limit int) (jobs.Due, error) {
	var due jobs.Due
	v, err := s.list(ctx, s.scripts.due, partition, string(line), limit)
	for i := 0; i+4 < len(v); i += 5 {
		f := fields{"gen": v[i+2], "att": v[i+3]}
		if owner := v[i+4]; owner != "" {
			due.Overdue = append(due.Overdue, jobs.Overdue{ID: jobs.ID(v[i+1]), Fence: jobs.Fence{Attempt: f.int("att"), Owner: owner}})
			continue
		}
		due.Tasks = append(due.Tasks, jobs.Task{Line: jobs.Line(v[i]), ID: jobs.ID(v[i+1]), Generation: f.int("gen")})
	}
	return due, err
}

// HandOut implements [jobs.Outbox].
func (s *Store) HandOut(ctx context.Context, partition int, quotas []jobs.Quota, grace time.Duration) (handed jobs.Handed, err error) {
	args := []any{grace.Milliseconds()}
	for _, q := range quotas {
		args = append(args, string(q.Line), q.Most, q.Limit)
	}
	v, err := s.list(ctx, s.scripts.handOut, partition, args...)
	if err != nil {
		return handed, err
	}
	handed.More, handed.Limited = v[0] == "1", v[1] == "1"
	for i := 2; i+2 < len(v); i += 3 {
		handed.Tasks = append(handed.Tasks, jobs.Task{Line: jobs.Line(v[i]), ID: jobs.ID(v[i+1]), Generation: fields{"gen": v[i+2]}.int("gen")})
	}
	return handed, nil
}

// Dispatched implements [jobs.Outbox].
func (s *Store) Dispatched(ctx context.Context, tasks ...jobs.Task) error {
	byPartition := map[int][]any{}
	for _, t := range tasks {
		p := t.ID.Partition()
		byPartition[p] = append(byPartition[p], string(t.Line), string(t.ID), t.Generation)
	}
	var errs []error
	for p, all := range byPartition {
		for args := range slices.Chunk(all, 3*dispatchChunk) {
			_, err := s.word(ctx, s.scripts.dispatched, p, args...)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Orphaned implements [jobs.Outbox].
func (s *Store) Orphaned(ctx context.Context, t jobs.Task) (int, error) {
	v, err := s.word(ctx, s.scripts.orphaned, t.ID.Partition(), string(t.Line), string(t.ID), t.Generation,
		s.opts.OrphanAfter.Milliseconds())
	gen, _ := strconv.Atoi(v)
	return gen, err
}

// PullForward implements [jobs.Outbox].
func (s *Store) PullForward(ctx context.Context, tasks []jobs.Task) (int, error) {
	byPartition := map[int][]any{}
	for _, t := range tasks {
		p := t.ID.Partition()
		if p >= s.opts.Partitions {
			continue // not an id of ours
		}
		if len(byPartition[p]) == 0 {
			byPartition[p] = []any{string(t.Line), s.opts.OrphanAfter.Milliseconds()}
		}
		byPartition[p] = append(byPartition[p], string(t.ID), t.Generation)
	}
	unclaimed := 0
	for p, args := range byPartition {
		v, err := s.word(ctx, s.scripts.pull, p, args...)
		if err != nil {
			return unclaimed, err
		}
		n, _ := strconv.Atoi(v)
		unclaimed += n
	}
	return unclaimed, nil
}

// Outstanding implements [jobs.Outbox].
func (s *Store) Outstanding(ctx context.Context, partition int, line jobs.Line) (int, error) {
	n, err := s.rdb.SCard(ctx, key(partition, "sent:", string(line))).Result()
	return int(n), unavailable(err)
}

// PullAll implements [jobs.Outbox].
func (s *Store) PullAll(ctx context.Context, partition int, line jobs.Line) error {
	var cursor uint64
	for {
		found, next, err := s.rdb.SScan(ctx, key(partition, "sent:", string(line)), cursor, "", pullChunk).Result()
		if err := unavailable(err); err != nil {
			return err
		}
		for len(found) > 0 {
			chunk := found[:min(len(found), pullChunk)]
			found = found[len(chunk):]
			args := []any{string(line), 0}
			for _, id := range chunk {
				args = append(args, id, "")
			}
			if _, err := s.word(ctx, s.scripts.pull, partition, args...); err != nil {
				return err
			}
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

// Clean implements [jobs.Outbox].
func (s *Store) Clean(ctx context.Context, partition, limit int) (jobs.Cleaned, error) {
	var cleaned jobs.Cleaned
	dead := s.opts.DeadRetention.Milliseconds()
	gone, err := s.list(ctx, s.scripts.clean, partition, limit, dead)
	if err != nil {
		return cleaned, err
	}
	for i := 0; i+1 < len(gone); i += 2 {
		cleaned.Jobs = append(cleaned.Jobs, jobs.CleanedJob{Tenant: gone[i], Job: jobs.ID(gone[i+1])})
	}
	forgotten, err := s.list(ctx, s.scripts.forgetInputs, partition, limit)
	if err != nil {
		return cleaned, err
	}
	for i := 0; i+1 < len(forgotten); i += 2 {
		cleaned.Inputs = append(cleaned.Inputs, jobs.CleanedJob{Tenant: forgotten[i], Job: jobs.ID(forgotten[i+1])})
	}
	if _, err := s.word(ctx, s.scripts.batches.clean, partition, limit, dead); err != nil {
		return cleaned, err
	}
	purged, err := s.run(ctx, s.scripts.expire, partition, limit, dead)
	for i := 0; item(purged, i) != nil; i++ {
		v := texts(item(purged, i))
		cleaned.Documents = append(cleaned.Documents,
			jobs.PurgedDocument{Tenant: v[0], Document: jobs.ID(v[1]), Jobs: ids(v[2:])})
	}
	return cleaned, err
}
