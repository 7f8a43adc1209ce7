package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// toldBatch is what a clerk was told of one.
type toldBatch struct {
	id    string
	items int
}

// batch remembers an answer about a batch, and whether it contradicts what was sent.
func (t *told) batch(b batch, got api.Batch) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.batches = append(t.batches, toldBatch{got.ID, len(b.keys)})
	if b.bad >= 0 {
		t.broken = append(t.broken, fmt.Sprintf("batch %s was accepted although item %d is bad", got.ID, b.bad))
	}
	if got.Items != len(b.keys) {
		t.broken = append(t.broken, fmt.Sprintf("batch %s has %d items, and %d were sent", got.ID, got.Items, len(b.keys)))
	}
}

// refused remembers a refusal. Only a bad item is a reason, and it is named.
func (t *told) refused(b batch, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refusals++
	if b.bad < 0 || !strings.Contains(err.Error(), fmt.Sprintf("/items/%d/", b.bad)) {
		t.broken = append(t.broken, fmt.Sprintf("batch %s, whose bad item is %d, was refused: %v", b.key, b.bad, err))
	}
}

// judgeBatches compares each batch with its items, and each item with its job. Jobs that were made for a batch are judged as all others
// are.
func (in *installation) judgeBatches(ctx context.Context) error {
	r := in.report
	r.Batches, r.BatchesRefused = len(in.told.batches), in.told.refusals
	for _, t := range in.told.batches {
		b, err := in.store.Batch(ctx, jobs.ID(t.id))
		if errors.Is(err, jobs.ErrBatchNotFound) {
			r.broken(&r.Lost, "batch %s is not known", t.id)
			continue
		}
		if err != nil {
			return err
		}
		if !b.Status.Final() {
			r.broken(&r.Stuck, "batch %s is %s: %v", b.ID, b.Status, b.Counts)
			continue
		}
		in.judgeReported(b)
		if err := in.judgeItems(ctx, b, t.items); err != nil {
			return err
		}
	}
	return in.judgeReservations(ctx)
}

// judgeReported checks that the receiver has batch.completed of the last epoch, and of each epoch one.
func (in *installation) judgeReported(b jobs.Batch) {
	in.receiver.mu.Lock()
	defer in.receiver.mu.Unlock()
	epochs := map[int64]bool{}
	for _, s := range in.receiver.events {
		if s.Type != "batch.completed" || s.Data.BatchID != string(b.ID) {
			continue
		}
		if epochs[s.Data.Sequence] {
			in.report.broken(&in.report.EventsConflicting, "epoch %d of batch %s was reported by two events", s.Data.Sequence, b.ID)
		}
		epochs[s.Data.Sequence] = true
	}
	s, ok := in.receiver.events[string(b.Event)]
	switch {
	case !ok:
		in.report.broken(&in.report.EventsMissing, "event %s of batch %s did not arrive", b.Event, b.ID)
	case s.differ || s.Type != "batch.completed" || s.Data.BatchID != string(b.ID) || s.Data.Sequence != int64(b.Epoch):
		in.report.broken(&in.report.EventsConflicting, "event %s says %s %d of batch %s, whose epoch is %d", s.ID, s.Type, s.Data.Sequence, b.ID, b.Epoch)
	default:
		in.report.WebhooksSeenTwice += s.times - 1
	}
}

// judgeItems counts the items, one by one.
func (in *installation) judgeItems(ctx context.Context, b jobs.Batch, sent int) error {
	r := in.report
	counts, documents, total := map[jobs.ItemStatus]int{}, map[jobs.ID]int{}, 0
	for from := 0; from >= 0; {
		items, next, err := in.store.BatchItems(ctx, jobs.ItemFilter{Batch: b.ID, From: from, Limit: 200})
		if err != nil {
			return err
		}
		for _, i := range items {
			total++
			counts[i.Status]++
			if before, ok := documents[i.Document]; ok {
				r.broken(&r.WrongBatches, "items %d and %d of batch %s are document %s", before, i.Index, b.ID, i.Document)
			}
			documents[i.Document] = i.Index
			if err := in.judgeItem(ctx, b, i); err != nil {
				return err
			}
		}
		from = next
	}
	for _, status := range jobs.ItemStatuses {
		if counts[status] != b.Counts[status] {
			r.broken(&r.WrongBatches, "batch %s counts %v, and its items %v", b.ID, b.Counts, counts)
			break
		}
	}
	if total != sent || b.Items != sent || b.Pending() != 0 {
		r.broken(&r.WrongBatches, "batch %s has %d items of %d, %d pending; %d were sent", b.ID, total, b.Items, b.Pending(), sent)
	}
	return nil
}

// judgeItem compares an item with the job that it names, and has that job judged.
func (in *installation) judgeItem(ctx context.Context, b jobs.Batch, i jobs.BatchItem) error {
	if i.Job == "" {
		if i.Status != jobs.ItemCanceled {
			in.report.broken(&in.report.WrongBatches, "item %d of batch %s is %s without a job", i.Index, b.ID, i.Status)
		}
		return nil
	}
	j, err := in.store.Job(ctx, i.Job)
	if err != nil {
		return err
	}
	in.told.jobs[string(i.Job)] = true
	if i.Status == jobs.ItemCanceled && (j.Batch != b.ID || isShared(j.DocumentKey)) {
		return nil // somebody else has, or waits for, the job, which goes on
	}
	if want := map[jobs.ItemStatus]jobs.Status{jobs.ItemReused: jobs.Succeeded}[i.Status]; string(j.Status) != string(i.Status) && j.Status != want {
		in.report.broken(&in.report.WrongBatches, "item %d of batch %s is %s, and its job %s is %s", i.Index, b.ID, i.Status, j.ID, j.Status)
	}
	return nil
}

// judgeReservations checks that no document key is kept back any more, and that no job is waited for that has ended.
func (in *installation) judgeReservations(ctx context.Context) error {
	for _, pattern := range []string{"pl:*:reserved:*", "pl:*:watch:*", "pl:*:item:*"} {
		left, err := in.keysLike(ctx, pattern)
		if err != nil {
			return err
		}
		for _, name := range left {
			in.report.broken(&in.report.Stuck, "%s is left over", name)
		}
	}
	return nil
}

// keysLike are the names of keys of all partitions that look so.
func (in *installation) keysLike(ctx context.Context, pattern string) (names []string, err error) {
	var mu sync.Mutex // of a cluster all masters are asked at once
	err = eachMaster(ctx, in.admin, func(ctx context.Context, node *redis.Client) error {
		found := node.Scan(ctx, 0, pattern, 1000).Iterator()
		for found.Next(ctx) {
			mu.Lock()
			names = append(names, found.Val())
			mu.Unlock()
		}
		return found.Err()
	})
	return names, err
}
