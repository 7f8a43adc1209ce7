package jobstest

import (
	"crypto/rand"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/jobs"
)

// order is a batch to be begun, with new ids.
func (b bench) order(idempotencyKey string, events ...string) jobs.BatchOrder {
	p := jobs.PartitionOf(b.tenant, b.partitions)
	return jobs.BatchOrder{
		ID: jobs.NewID(jobs.KindBatch, p), Tenant: b.tenant, IdempotencyKey: idempotencyKey, Request: "header",
		Event: jobs.NewID(jobs.KindEvent, p), Delivery: jobs.NewID(jobs.KindDelivery, p),
		Sealed: []byte("sealed\x00batch"), Host: "receiver.example", Target: "target",
		Events: append([]string{jobs.EventBatchCompleted}, events...), Metadata: []byte(`{"run":1.10}`),
	}
}

func (b bench) begin(o jobs.BatchOrder) jobs.BatchBegun {
	b.Helper()
	got, err := b.BeginBatch(b.Context(), o)
	if err != nil {
		b.Fatalf("begin: %v", err)
	}
	return got
}

// staged is an item with a job of its own; without a key when key is "".
func (b bench) staged(batch jobs.ID, index int, key string, change ...func(*jobs.Acceptance)) jobs.StagedItem {
	a := b.request(append([]func(*jobs.Acceptance){withDocumentKey(key), withoutCallback}, change...)...)
	a.Job.Batch, a.Job.Class, a.Job.Reports = batch, jobs.ClassBatch, []string{}
	return jobs.StagedItem{Index: index, Job: a.Job, Uses: a.Uses}
}

func (b bench) stage(batch jobs.ID, items ...jobs.StagedItem) []jobs.Staged {
	b.Helper()
	got, err := b.StageItems(b.Context(), batch, items)
	if err != nil {
		b.Fatalf("stage: %v", err)
	}
	return got
}

func (b bench) seal(batch jobs.ID, items int) jobs.Sealing {
	b.Helper()
	got, err := b.SealBatch(b.Context(), batch, items, "digest")
	if err != nil {
		b.Fatalf("seal: %v", err)
	}
	return got
}

// promote goes on until there is nothing to do.
func (b bench) promote() {
	b.Helper()
	for more := true; more; {
		more = false
		for p := range b.Partitions() {
			m, err := b.Promote(b.Context(), p)
			if err != nil {
				b.Fatalf("promote: %v", err)
			}
			more = more || m
		}
	}
}

// upload begins, stages and seals a batch of an item for each key.
func (b bench) upload(keys ...string) jobs.ID {
	b.Helper()
	id := b.begin(b.order("")).Batch
	b.fill(id, keys...)
	return id
}

func (b bench) fill(id jobs.ID, keys ...string) {
	b.Helper()
	var items []jobs.StagedItem
	for i, key := range keys {
		items = append(items, b.staged(id, i, key))
	}
	for i, s := range b.stage(id, items...) {
		if s.Verdict != jobs.StageOK {
			b.Fatalf("item %d is %+v", i, s)
		}
	}
	if got := b.seal(id, len(keys)); got != jobs.SealDone {
		b.Fatalf("seal gave %s", got)
	}
}

func (b bench) batch(id jobs.ID) jobs.Batch {
	b.Helper()
	got, err := b.Batch(b.Context(), id)
	if err != nil {
		b.Fatalf("batch: %v", err)
	}
	return got
}

// rows are all items of a batch.
func (b bench) rows(id jobs.ID, status ...jobs.ItemStatus) []jobs.BatchItem {
	b.Helper()
	var all []jobs.BatchItem
	f := jobs.ItemFilter{Batch: id, Limit: 3}
	if len(status) > 0 {
		f.Status = status[0]
	}
	for f.From >= 0 {
		page, next, err := b.BatchItems(b.Context(), f)
		if err != nil {
			b.Fatalf("items: %v", err)
		}
		all, f.From = append(all, page...), next
	}
	return all
}

// counts checks how many items stand where; what is not named is 0. The rows must say the same.
func (b bench) counts(id jobs.ID, want map[jobs.ItemStatus]int) {
	b.Helper()
	got, listed := map[jobs.ItemStatus]int{}, map[jobs.ItemStatus]int{}
	for status, n := range b.batch(id).Counts {
		if n != 0 {
			got[status] = n
		}
	}
	for _, i := range b.rows(id) {
		listed[i.Status]++
	}
	if d := cmp.Diff(want, got); d != "" {
		b.Errorf("counts (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want, listed); d != "" {
		b.Errorf("rows (-want +got):\n%s", d)
	}
	for status, n := range want {
		if list := b.rows(id, status); len(list) != n {
			b.Errorf("%d items are listed as %s, want %d", len(list), status, n)
		}
	}
}

func keys(n int) []string {
	all, run := make([]string, n), rand.Text()
	for i := range all {
		all[i] = fmt.Sprintf("%s:%d", run, i)
	}
	return all
}

func testBatches(t *testing.T, open opener) {
	t.Helper()
	t.Run("an upload is seen by nobody until it is sealed", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		id := b.begin(b.order("")).Batch
		items := []jobs.StagedItem{b.staged(id, 0, "a b"), b.staged(id, 1, ""), b.staged(id, 2, "c")}
		for range 2 { // a lost reply
			for i, s := range b.stage(id, items...) {
				if s.Verdict != jobs.StageOK {
					t.Fatalf("item %d: %+v", i, s)
				}
			}
		}
		b.promote()
		_, err := b.Batch(t.Context(), id)
		wantCode(t, err, jobs.ErrBatchNotFound)
		_, _, err = b.BatchItems(t.Context(), jobs.ItemFilter{Batch: id, Limit: 9})
		wantCode(t, err, jobs.ErrBatchNotFound)
		if p, err := b.Batches(t.Context(), jobs.BatchFilter{Tenant: b.tenant, Limit: 9}); err != nil || len(p.Items) != 0 {
			t.Errorf("listed %v, %v", p.Items, err)
		}
		if got := b.seal(id, 4); got != jobs.SealIncomplete {
			t.Errorf("a wrong number: %s", got)
		}
		for range 2 {
			if got := b.seal(id, 3); got != jobs.SealDone {
				t.Fatalf("seal gave %s", got)
			}
		}
		if got := b.seal(id, 2); got != jobs.SealIncomplete {
			t.Errorf("another number after the seal: %s", got)
		}
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemWaiting: 3})
		if got := b.batch(id); got.Status != jobs.BatchRunning || got.Epoch != 1 || got.Items != 3 || got.Digest != "digest" ||
			string(got.Metadata) != `{"run":1.10}` || got.Callback == nil || got.Created.IsZero() {
			t.Errorf("got %+v", got)
		}
		p, err := b.Batches(t.Context(), jobs.BatchFilter{Tenant: b.tenant, Status: jobs.BatchRunning, Limit: 9})
		if err != nil || len(p.Items) != 1 || p.Items[0].ID != id {
			t.Errorf("listed %v, %v", p.Items, err)
		}
	})

	t.Run("items become jobs and a batch ends with the last of them", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		names := keys(7)
		id := b.upload(names...)
		b.promote()
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemQueued: 7})
		for i, row := range b.rows(id) {
			j := b.job(row.Job)
			if row.Index != i || row.DocumentKey != names[i] || j.Batch != id || j.Class != jobs.ClassBatch || j.Document != row.Document ||
				j.DocumentKey != names[i] || j.Status != jobs.Queued || j.Generation != 1 {
				t.Errorf("item %+v, job %+v", row, j)
			}
			if d := b.document(row.Document); d.Key != names[i] || d.Job != row.Job {
				t.Errorf("document %+v", d)
			}
		}
		rows := b.rows(id)
		b.issue(rows[0].Job)
		b.end(rows[1].Job)
		b.start(rows[2].Job, lease)
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemQueued: 4, jobs.ItemRunning: 1, jobs.ItemSucceeded: 1, jobs.ItemFailed: 1})
		for _, r := range rows[3:] {
			b.issue(r.Job)
		}
		if got := b.batch(id); got.Status != jobs.BatchRunning || got.Pending() != 1 || got.Recent != 6 {
			t.Errorf("got %+v", got)
		}
		b.complete(rows[2].Job, b.job(rows[2].Job).Fence())
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemSucceeded: 6, jobs.ItemFailed: 1})
		got := b.batch(id)
		want := []jobs.BatchError{{Code: "page_failed", Count: 1, Index: 1, Detail: "Broken."}}
		if d := cmp.Diff(want, got.Errors); d != "" || got.Status != jobs.BatchCompleted || got.Finished.IsZero() {
			t.Errorf("got %+v %s", got, d)
		}
	})
}
