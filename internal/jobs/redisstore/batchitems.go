package redisstore

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/jobs"
)

// itemArgs are an item as scripts read it.
func (s *Store) itemArgs(i jobs.StagedItem) []any {
	j := i.Job
	f := newJobFields(jobs.Acceptance{Job: j, Uses: i.Uses}, s.opts)
	return append([]any{
		i.Index, string(j.ID), string(j.Document), hashed(j.DocumentKey), j.DocumentKey, string(j.Fingerprint), owedBytes(j),
		spaced(i.Uses), len(f),
	}, f...)
}

// chunks are the arguments of so many items as one script may take at once.
func (s *Store) chunks(items []jobs.StagedItem) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		var args []any
		n, size := 0, 0
		for _, item := range items {
			bytes := len(item.Job.Spec) + len(item.Job.Metadata) + len(item.Job.Sealed)
			if n == jobs.MaxStaged || n > 0 && size+bytes > stageBytes {
				if !yield(args) {
					return
				}
				args, n, size = nil, 0, 0
			}
			args, n, size = append(args, s.itemArgs(item)...), n+1, size+bytes
		}
		if n > 0 {
			yield(args)
		}
	}
}

// stagedFrom reads five texts for each item.
func stagedFrom(v []string) []jobs.Staged {
	var all []jobs.Staged
	for five := range slices.Chunk(v, 5) {
		other, _ := strconv.Atoi(five[2])
		all = append(all, jobs.Staged{
			Verdict: jobs.StageVerdict(five[0]), Document: jobs.ID(five[1]), Other: other, Batch: jobs.ID(five[3]), Gone: five[4],
		})
	}
	return all
}

// addedBytes is what staged items take now, and what they will.
func addedBytes(items []jobs.StagedItem, staged []jobs.Staged) int64 {
	var total int64
	for i, item := range items {
		if staged[i].Verdict == jobs.StageOK {
			total += queuedBytes(item.Job) + owedBytes(item.Job) + useBytes*int64(len(item.Uses))
		}
	}
	return total
}

// BatchItems implements [jobs.Batches].
func (s *Store) BatchItems(ctx context.Context, f jobs.ItemFilter) (items []jobs.BatchItem, next int, err error) {
	args := []any{string(f.Batch), string(f.Status), f.From, f.Limit + 1}
	v, err := s.run(ctx, s.scripts.batches.items, f.Batch.Partition(), args...)
	if err == nil && s.opts.WaitReplicas > 0 && slices.ContainsFunc(itemsFrom(texts(v)), promisesItem) {
		v, err = s.confirmed(ctx, s.scripts.batches.items, f.Batch.Partition(), args...)
	}
	if err != nil {
		return nil, -1, about(err, "batch_id", string(f.Batch))
	}
	if text(item(v, 0)) != "sealed" {
		return nil, -1, jobs.ErrBatchNotFound
	}
	items = itemsFrom(texts(v))
	if len(items) <= f.Limit {
		return items, -1, nil
	}
	return items[:f.Limit], items[f.Limit].Index, nil
}

// itemsFrom reads four texts for each item, after two about the batch.
func itemsFrom(v []string) []jobs.BatchItem {
	items := []jobs.BatchItem{}
	for four := range slices.Chunk(v[min(2, len(v)):], 4) {
		index, _ := strconv.Atoi(four[0])
		i := itemFrom(index, four[1])
		if four[2] == "1" {
			i.Status = jobs.ItemWaiting
		}
		var failure jobs.Failure
		if (fields{"f": four[3]}).decode("f", &failure) {
			i.Failure = &failure
		}
		items = append(items, i)
	}
	return items
}

// itemFrom reads a row; see prelude_batches.lua.
func itemFrom(index int, row string) jobs.BatchItem {
	f := strings.SplitN(row, " ", 5)
	if len(f) < 5 {
		return jobs.BatchItem{Index: index}
	}
	id := func(text string) jobs.ID { return jobs.ID(strings.TrimPrefix(text, "-")) }
	return jobs.BatchItem{
		Index: index, Status: jobs.ItemStatus(f[0]), Document: id(f[1]), Job: id(f[2]), Unexpected: f[3] == "1", DocumentKey: f[4],
	}
}
