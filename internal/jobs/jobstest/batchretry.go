package jobstest

import (
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// again asks for a retry of what has failed.
func (b bench) again(id jobs.ID, key string) jobs.Retrying {
	b.Helper()
	p := id.Partition()
	got, err := b.RetryBatch(b.Context(), jobs.BatchRetry{
		Batch: id, Key: key, Request: key, Event: jobs.NewID(jobs.KindEvent, p), Delivery: jobs.NewID(jobs.KindDelivery, p), Sealed: []byte("sealed again"),
	})
	if err != nil {
		b.Fatalf("retry: %v", err)
	}
	return got
}

// remake restages what a retry has moved back, as long as there is any.
func (b bench) remake(change ...func(*jobs.StagedItem)) (remade int) {
	b.Helper()
	for {
		n := 0
		for p := range b.Partitions() {
			items, err := b.Again(b.Context(), p, 2)
			if err != nil {
				b.Fatalf("again: %v", err)
			}
			for _, item := range items {
				b.restage(item, change...)
			}
			n += len(items)
		}
		if n == 0 {
			return remade
		}
		remade += n
	}
}

func (b bench) restage(item jobs.AgainItem, change ...func(*jobs.StagedItem)) {
	b.Helper()
	old := b.job(item.Job)
	staged := b.staged(item.Batch, item.Index, old.DocumentKey, withPayload(old.Fingerprint))
	for _, c := range change {
		c(&staged)
	}
	for range 2 { // a lost reply
		if err := b.Restage(b.Context(), item.Batch, item.Epoch, []jobs.StagedItem{staged}); err != nil {
			b.Fatalf("restage: %v", err)
		}
	}
}

// failing is a batch of so many items of which the first ones have failed.
func (b bench) failing(items, failed int) (id jobs.ID, names []string) {
	b.Helper()
	names = keys(items)
	id = b.upload(names...)
	b.promote()
	for i, row := range b.rows(id) {
		if i < failed {
			b.end(row.Job)
		} else {
			b.issue(row.Job)
		}
	}
	return id, names
}

func testBatchRetry(t *testing.T, open opener) {
	t.Helper()
	t.Run("only what failed is made again, of the same documents", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		id, _ := b.failing(7, 3)
		before, first := b.rows(id), b.batch(id)
		b.completion(first)
		if b.again(id, "k") != jobs.RetryBegun || b.again(id, "k") != jobs.RetryReplayed || b.again(id, "other") != jobs.RetryRunning {
			t.Error("the retry did not begin once")
		}
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemWaiting: 3, jobs.ItemSucceeded: 4})
		if got := b.batch(id); got.Status != jobs.BatchRunning || got.Epoch != 2 || len(got.Errors) != 0 || got.Event == first.Event {
			t.Errorf("got %+v", got)
		}
		b.unreported(b.batch(id))
		if n := b.remake(); n != 3 {
			t.Errorf("%d items were made again", n)
		}
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemQueued: 3, jobs.ItemSucceeded: 4})
		for i, row := range b.rows(id) {
			if row.Document != before[i].Document || (row.Job == before[i].Job) != (i >= 3) {
				t.Errorf("item %+v, before %+v", row, before[i])
			}
			if i < 3 {
				b.issue(row.Job)
			}
		}
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemSucceeded: 7})
		if got := b.completion(b.batch(id)); got["sequence"] != 2.0 {
			t.Errorf("event %v", got)
		}
		if got := b.again(id, "third"); got != jobs.RetryNothing {
			t.Errorf("a retry of nothing: %s", got)
		}
		if got := b.again(id, "k"); got != jobs.RetryReplayed {
			t.Errorf("the same retry, late: %s", got)
		}
	})

	t.Run("mended inputs are taken by their own retry", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		id, names := b.failing(4, 3)
		mended := func(i int) jobs.StagedItem { return b.staged(id, i, names[i], withPayload("mended")) }
		mend := func(key string, want jobs.StageVerdict, items ...jobs.StagedItem) {
			t.Helper()
			got, err := b.MendItems(t.Context(), id, key, key, items)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range got {
				if s.Verdict != want {
					t.Errorf("mended %+v, want %s", s, want)
				}
			}
		}
		mend("abandoned", jobs.StageOK, mended(0), mended(2))
		mend("k", jobs.StageOK, mended(0), mended(1))
		mend("k", jobs.StageNotFailed, mended(3))
		mend("k", jobs.StageConflict, b.staged(id, 1, "another key"))
		if b.again(id, "k") != jobs.RetryBegun {
			t.Fatal("the retry did not begin")
		}
		mend("k", jobs.StageOK, mended(0))
		mend("late", jobs.StageNotFailed, mended(2))
		if n := b.remake(); n != 0 {
			t.Errorf("%d were made again before the mended ones were taken", n)
		}
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemQueued: 2, jobs.ItemWaiting: 1, jobs.ItemSucceeded: 1})
		if n := b.remake(); n != 1 {
			t.Errorf("%d were made again", n)
		}
		b.promote()
		rows := b.rows(id)
		for i, want := range []jobs.Fingerprint{"mended", "mended", payload} {
			if j := b.job(rows[i].Job); j.Fingerprint != want || b.document(j.Document).Fingerprint != want {
				t.Errorf("item %d has the payload %s", i, j.Fingerprint)
			}
			b.issue(rows[i].Job)
		}
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemSucceeded: 4})
	})

	t.Run("a retry whose new inputs another one has replaced does not begin", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		id, names := b.failing(2, 2)
		mend := func(key string, indexes ...int) {
			t.Helper()
			for _, i := range indexes {
				item := b.staged(id, i, names[i], withPayload(jobs.Fingerprint("of "+key)))
				if got, err := b.MendItems(t.Context(), id, key, key, []jobs.StagedItem{item}); err != nil || got[0].Verdict != jobs.StageOK {
					t.Fatal(got, err)
				}
			}
		}
		retry := func(key string, mended int, want jobs.Retrying) {
			t.Helper()
			r := jobs.BatchRetry{Batch: id, Key: key, Request: key, Event: jobs.NewID(jobs.KindEvent, id.Partition()), Delivery: jobs.NewID(jobs.KindDelivery, id.Partition()), Mended: mended}
			if got, err := b.RetryBatch(t.Context(), r); err != nil || got != want {
				t.Errorf("retry %s: %s, %v, want %s", key, got, err, want)
			}
		}
		mend("one", 0, 1, 0)
		mend("two", 1)
		retry("one", 2, jobs.RetryDisplaced)
		retry("three", 1, jobs.RetryDisplaced)
		b.promote()
		mend("one", 0, 1)
		retry("two", 1, jobs.RetryDisplaced)
		retry("one", 2, jobs.RetryBegun)
		retry("two", 1, jobs.RetryRunning)
		b.promote()
		retry("one", 2, jobs.RetryReplayed)
		for _, row := range b.rows(id) {
			if j := b.job(row.Job); j.Fingerprint != "of one" {
				t.Errorf("item %d has the payload %s", row.Index, j.Fingerprint)
			}
			b.end(row.Job)
		}
		retry("four", 1, jobs.RetryDisplaced) // nothing of the first one is left
	})

	t.Run("new inputs that come as the batch ends wait for their retry", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		names := keys(1)
		id := b.upload(names...)
		if _, err := b.Promote(t.Context(), id.Partition()); err != nil { // one step: the next one will find nothing to do
			t.Fatal(err)
		}
		b.end(b.rows(id)[0].Job)
		mended := []jobs.StagedItem{b.staged(id, 0, names[0], withPayload("mended"))}
		if got, err := b.MendItems(t.Context(), id, "k", "k", mended); err != nil || got[0].Verdict != jobs.StageOK {
			t.Fatal(got, err)
		}
		b.promote()
		b.again(id, "k")
		b.promote()
		if j := b.job(b.rows(id)[0].Job); j.Fingerprint != "mended" {
			t.Errorf("the job has the payload %s", j.Fingerprint)
		}
	})

	t.Run("a process that dies while it makes items again holds them up for a while only", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{OrphanAfter: time.Millisecond})
		id, _ := b.failing(3, 3)
		b.again(id, "k")
		if items, err := b.Again(t.Context(), id.Partition(), 2); err != nil || len(items) != 2 {
			t.Fatalf("%+v, %v", items, err)
		}
		remade := 0
		Eventually(t, "another one makes them", func() bool {
			remade += b.remake()
			return remade == 3
		})
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemQueued: 3})
	})

	t.Run("an item whose input is gone fails, and one that was made meanwhile is not made again", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		id, names := b.failing(3, 3)
		rows := b.rows(id)
		b.again(id, "k")
		// The second one is submitted by itself meanwhile, the third one with another payload.
		alone := b.submit(withDocumentKey(names[1]))
		b.submit(withDocumentKey(names[2]), withPayload("fp-2"))
		failure := jobs.FailureOf(jobs.ErrInputPurged)
		b.remake(func(i *jobs.StagedItem) {
			if i.Index == 0 {
				i.Job = jobs.Job{Failure: &failure}
			}
		})
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemFailed: 2, jobs.ItemQueued: 1})
		after := b.rows(id)
		if f := after[0].Failure; f == nil || f.Code != "input_purged" || after[0].Document != rows[0].Document {
			t.Errorf("item %+v", after[0])
		}
		if after[1].Job != alone.ID {
			t.Errorf("item %+v", after[1])
		}
		if f := after[2].Failure; f == nil || f.Code != "document_key_conflict" {
			t.Errorf("item %+v", after[2])
		}
		b.issue(alone.ID)
		if got := b.batch(id); got.Status != jobs.BatchCompleted || len(got.Errors) != 2 {
			t.Errorf("got %+v", got)
		}
	})

	t.Run("restaging of another epoch changes nothing", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		id, _ := b.failing(1, 1)
		row := b.rows(id)[0]
		b.again(id, "k")
		b.restage(jobs.AgainItem{Batch: id, Epoch: 1, Index: 0, Job: row.Job})
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemWaiting: 1})
	})
}
