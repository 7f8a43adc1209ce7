package jobstest

import (
	"crypto/rand"
	"testing"

	"github.com/platen-render/platen/internal/jobs"
)

func testBatchCancel(t *testing.T, open opener) {
	t.Helper()
	t.Run("what has not begun ends, and what runs is asked to", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		names := keys(6)
		id := b.upload(names...)
		b.promote()
		rows := b.rows(id)
		b.issue(rows[0].Job)
		running := b.start(rows[1].Job, lease)
		other := b.upload(names[2])
		b.promote()
		for range 2 {
			if err := b.CancelBatch(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		// One is claimed before the queued ones have been ended.
		late := b.start(rows[3].Job, lease)
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemSucceeded: 1, jobs.ItemRunning: 2, jobs.ItemCanceled: 3})
		if got := b.batch(id); got.Status != jobs.BatchCanceling || got.Recent != 1 {
			t.Errorf("got %+v", got)
		}
		if j := b.job(rows[2].Job); j.Status != jobs.Queued {
			t.Errorf("another batch waits for a job that is %s", j.Status)
		}
		for i, f := range map[int]jobs.Fence{1: running, 3: late} {
			if pulse, err := b.Beat(t.Context(), rows[i].Job, f, lease, 1); err != nil || pulse != jobs.PulseCancel {
				t.Errorf("beat %s, %v", pulse, err)
			}
			b.complete(rows[i].Job, f)
		}
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemSucceeded: 1, jobs.ItemCanceled: 5})
		if got := b.completion(b.batch(id)); got["status"] != "canceled" {
			t.Errorf("event %v", got)
		}
		b.issue(rows[2].Job)
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemSucceeded: 1, jobs.ItemCanceled: 5})
		b.counts(other, map[jobs.ItemStatus]int{jobs.ItemSucceeded: 1})
		if err := b.CancelBatch(t.Context(), id); err != nil || b.batch(id).Status != jobs.BatchCanceled {
			t.Errorf("canceled again: %v", err)
		}
	})

	t.Run("what waits is canceled as jobs are, and what a retry moved back has reported already", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		id := b.upload(keys(4)...)
		if err := b.CancelBatch(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemCanceled: 4})
		for _, row := range b.rows(id) {
			if j := b.job(row.Job); j.Status != jobs.Canceled || b.document(row.Document).Sequence != 1 {
				t.Errorf("job %+v", j)
			}
		}
		failing, _ := b.failing(3, 2)
		old := b.rows(failing)
		b.again(failing, rand.Text())
		if err := b.CancelBatch(t.Context(), failing); err != nil {
			t.Fatal(err)
		}
		b.promote()
		b.counts(failing, map[jobs.ItemStatus]int{jobs.ItemSucceeded: 1, jobs.ItemCanceled: 2})
		if row := b.rows(failing)[0]; row.Job != old[0].Job || b.document(row.Document).Sequence != 1 {
			t.Errorf("item %+v", row)
		}
		if n := b.remake(); n != 0 {
			t.Errorf("%d were made again", n)
		}
		if got := b.batch(failing); got.Status != jobs.BatchCanceled || got.Epoch != 2 {
			t.Errorf("got %+v", got)
		}
	})

	t.Run("a job ends with the last batch that waits for it", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		names := keys(2)
		alone := b.submit(withDocumentKey(names[1]))
		first := b.upload(names[0])
		b.promote()
		second := b.upload(names...)
		b.promote()
		job := b.rows(first)[0].Job
		for i, want := range []jobs.Status{jobs.Queued, jobs.Canceled} {
			if err := b.CancelBatch(t.Context(), []jobs.ID{first, second}[i]); err != nil {
				t.Fatal(err)
			}
			b.promote()
			if got := b.job(job).Status; got != want {
				t.Errorf("the job is %s after %d were canceled, want %s", got, i+1, want)
			}
		}
		if got := b.job(alone.ID).Status; got != jobs.Queued {
			t.Errorf("a job of no batch is %s", got)
		}
		b.counts(second, map[jobs.ItemStatus]int{jobs.ItemCanceled: 2})
	})

	t.Run("a job that has answered a request outlives its batch", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		names := keys(2)
		id := b.upload(names...)
		b.promote()
		rows := b.rows(id)
		for i, request := range []jobs.Acceptance{
			b.request(withDocumentKey(names[0]), withIdempotencyKey("one")), b.request(withDocumentKey(names[1])),
		} {
			if got := b.accept(request); got.Verdict != jobs.Replayed || got.Job != rows[i].Job {
				t.Fatalf("got %+v", got)
			}
		}
		if err := b.CancelBatch(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemCanceled: 2})
		for i, row := range rows {
			if got := b.job(row.Job).Status; got != jobs.Queued {
				t.Errorf("the job %d is %s", i, got)
			}
		}
	})

	t.Run("there is no canceling of an upload", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		wantCode(t, b.CancelBatch(t.Context(), b.begin(b.order("")).Batch), jobs.ErrBatchNotFound)
	})
}
