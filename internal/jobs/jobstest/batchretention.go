package jobstest

import (
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

func testBatchRetention(t *testing.T, open opener) {
	t.Helper()
	t.Run("the record of a batch ends after those of its jobs and its delivery", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{JobRetention: time.Millisecond, DeadRetention: time.Hour})
		id := b.begin(b.order("run")).Batch
		b.fill(id, keys(3)...)
		b.promote()
		for _, row := range b.rows(id) {
			b.issue(row.Job)
		}
		batch := b.batch(id)
		b.completion(batch)
		Eventually(t, "the record is gone", func() bool {
			b.cleanAll()
			_, err := b.Batch(t.Context(), id)
			return err != nil
		})
		_, _, err := b.BatchItems(t.Context(), jobs.ItemFilter{Batch: id, Limit: 9})
		wantCode(t, err, jobs.ErrBatchNotFound)
		_, err = b.Delivery(t.Context(), batch.Delivery)
		wantCode(t, err, jobs.ErrDeliveryNotFound)
		if p, err := b.Batches(t.Context(), jobs.BatchFilter{Tenant: b.tenant, Limit: 9}); err != nil || len(p.Items) != 0 {
			t.Errorf("listed %v, %v", p.Items, err)
		}
		if got := b.begin(b.order("run")); got.Verdict != jobs.Created {
			t.Errorf("its idempotency key: %+v", got)
		}
	})

	t.Run("a batch whose delivery is pending stays, and so does one whose job does", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{JobRetention: time.Millisecond, DeadRetention: time.Hour})
		id := b.upload(keys(1)...)
		b.promote()
		b.issue(b.rows(id)[0].Job)
		reports := b.begin(b.order("", "job.succeeded")).Batch
		item := b.staged(reports, 0, "", func(a *jobs.Acceptance) {
			a.Job.Callback, a.Job.Sealed = &jobs.CallbackState{Host: "receiver.example"}, []byte("sealed")
		})
		item.Job.Reports = []string{"job.succeeded"}
		b.verdicts(reports, jobs.StageOK, item)
		b.seal(reports, 1)
		b.promote()
		job := b.rows(reports)[0].Job
		b.issue(job)
		b.completion(b.batch(reports))
		gone := b.submit(withoutCallback)
		b.issue(gone.ID)
		Eventually(t, "retention is over", func() bool {
			b.cleanAll()
			_, err := b.Job(t.Context(), gone.ID)
			return err != nil
		})
		b.cleanAll()
		b.batch(id)
		b.batch(reports)
		b.job(job)
	})

	t.Run("an upload that nobody seals is dropped in time, without a word", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{UploadTime: time.Millisecond})
		id := b.begin(b.order("run")).Batch
		names := keys(3)
		for i, name := range names {
			b.verdicts(id, jobs.StageOK, b.staged(id, i, name))
		}
		Eventually(t, "it is dropped", func() bool {
			b.promote()
			return b.seal(id, 4) == jobs.SealGone
		})
		for _, name := range names {
			if got := b.accept(b.request(withDocumentKey(name))); got.Verdict != jobs.Created {
				t.Errorf("got %+v", got)
			}
		}
		if due := b.due(jobs.CallbackLine); len(due.Tasks) != 0 {
			t.Errorf("it is reported: %+v", due)
		}
	})
}

// cleanAll removes what is past its retention.
func (b bench) cleanAll() {
	b.Helper()
	for p := range b.Partitions() {
		if _, err := b.Clean(b.Context(), p, 100); err != nil {
			b.Fatalf("clean: %v", err)
		}
	}
}
