package redisstore

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/jobs"
)

// Batch implements [jobs.Batches].
func (s *Store) Batch(ctx context.Context, id jobs.ID) (jobs.Batch, error) {
	if id.Partition() >= s.opts.Partitions {
		return jobs.Batch{}, jobs.ErrBatchNotFound
	}
	v, err := s.run(ctx, s.scripts.batches.get, id.Partition(), string(id))
	if err == nil && s.opts.WaitReplicas > 0 && item(v, 0) != nil && batchFrom(id, v).Status.Final() {
		v, err = s.confirmed(ctx, s.scripts.batches.get, id.Partition(), string(id))
	}
	if err != nil {
		return jobs.Batch{}, about(err, "batch_id", string(id))
	}
	if item(v, 0) == nil {
		return jobs.Batch{}, jobs.ErrBatchNotFound
	}
	return batchFrom(id, v), nil
}

// batchFrom reads the answer of the script get_batch.
func batchFrom(id jobs.ID, v any) jobs.Batch {
	f, numbers := hash(item(v, 0)), fields{}
	for i, name := range []string{"expected", "missing", "ends", "status", "attempts", "next", "now"} {
		numbers[name] = text(item(v, i+2))
	}
	b := jobs.Batch{
		ID: id, Tenant: f["tenant"], Status: jobs.BatchStatus(f["status"]), Epoch: f.int("epoch"), Items: f.int("items"),
		Counts: map[jobs.ItemStatus]int{}, Expected: numbers.int("expected"), Missing: numbers.int("missing"), Unexpected: f.int("unexpected"),
		Errors: batchErrors(hash(item(v, 1))), Events: strings.Fields(f["events"]), Sealed: bytesOf(f["sealed"]),
		Event: jobs.ID(f["evt"]), Delivery: jobs.ID(f["dlv"]), Digest: f["digest"],
		Created: f.time("created"), Finished: f.time("finished"), Now: numbers.time("now"),
	}
	for _, status := range jobs.ItemStatuses {
		b.Counts[status] = f.int("n:" + string(status))
	}
	if f["metadata"] != "null" {
		b.Metadata = json.RawMessage(f["metadata"])
	}
	if ends := texts(item(v, 4)); len(ends) > 0 {
		b.Recent, b.Since = len(ends), fields{"at": ends[len(ends)-1]}.time("at")
	}
	if len(b.Sealed) > 0 && slices.Contains(b.Events, jobs.EventBatchCompleted) {
		b.Callback = &jobs.CallbackState{Host: f["host"], Status: cmp.Or(jobs.DeliveryStatus(numbers["status"]), jobs.DeliveryPending)}
		b.Callback.Attempts = numbers.int("attempts")
		if b.Callback.Status == jobs.DeliveryPending {
			b.Callback.NextAttempt = numbers.time("next")
		}
	}
	return b
}

// batchErrors reads why items have failed: "n:<code>" says how often, "d:<code>" index and detail of the first one.
func batchErrors(f fields) []jobs.BatchError {
	all := []jobs.BatchError{}
	for name := range f {
		code, ok := strings.CutPrefix(name, "n:")
		if !ok {
			continue
		}
		first, detail, _ := strings.Cut(f["d:"+code], " ")
		index, _ := strconv.Atoi(first)
		all = append(all, jobs.BatchError{Code: code, Count: f.int(name), Index: index, Detail: detail})
	}
	slices.SortFunc(all, func(a, b jobs.BatchError) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Index, b.Index), strings.Compare(a.Code, b.Code))
	})
	return all
}
