package jobstest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/jobs"
)

// completion claims the delivery of an epoch of a batch, and returns what is posted.
func (b bench) completion(batch jobs.Batch) map[string]any {
	b.Helper()
	d := b.delivery(batch.Delivery)
	if d.Batch != batch.ID || d.Job != "" || d.Event != batch.Event || d.EventType != jobs.EventBatchCompleted || d.Tenant != b.tenant {
		b.Errorf("delivery %+v", d)
	}
	c, err := b.ClaimDelivery(b.Context(), batch.Delivery, d.Generation, "me", lease)
	if err != nil || c.Answer != jobs.ClaimOK {
		b.Fatalf("claim delivery: %s, %v", c.Answer, err)
	}
	after, err := b.FinishDelivery(b.Context(), batch.Delivery, c.Delivery.Fence(), jobs.DeliveryEnd{Outcome: jobs.OutcomeDelivered})
	if err != nil || after.Status != jobs.DeliveryDelivered {
		b.Fatalf("finish delivery: %s, %v", after.Status, err)
	}
	var event struct {
		Type string
		Data map[string]any
	}
	if err := json.Unmarshal(c.Body, &event); err != nil || event.Type != jobs.EventBatchCompleted {
		b.Fatalf("body %s, %v", c.Body, err)
	}
	return event.Data
}

// unreported checks that an epoch has not been reported.
func (b bench) unreported(batch jobs.Batch) {
	b.Helper()
	_, err := b.Delivery(b.Context(), batch.Delivery)
	wantCode(b.T, err, jobs.ErrDeliveryNotFound)
}

func testBatchEnds(t *testing.T, open opener) {
	t.Helper()
	t.Run("the end of an epoch is reported once", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		id := b.upload(keys(3)...)
		b.promote()
		rows := b.rows(id)
		b.issue(rows[0].Job)
		b.end(rows[1].Job)
		b.unreported(b.batch(id))
		f := b.start(rows[2].Job, lease)
		b.complete(rows[2].Job, f)
		b.complete(rows[2].Job, f) // a lost reply
		if _, err := b.Cancel(t.Context(), rows[1].Job); err != nil {
			t.Fatal(err)
		}
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemSucceeded: 2, jobs.ItemFailed: 1})
		got := b.completion(b.batch(id))
		counts := map[string]any{
			"waiting": 0.0, "queued": 0.0, "running": 0.0, "succeeded": 2.0, "reused": 0.0, "failed": 1.0, "canceled": 0.0,
		}
		want := map[string]any{
			"batch_id": string(id), "batch_url": "https://docs.example/batches/" + string(id), "document_key": nil, "status": "completed",
			"sequence": 1.0, "items": 3.0, "counts": counts, "metadata": map[string]any{"run": 1.1},
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("event (-want +got):\n%s", d)
		}
		if got := b.batch(id).Callback; got == nil || got.Status != jobs.DeliveryDelivered || got.Attempts != 1 {
			t.Errorf("callback %+v", got)
		}
		p, err := b.DeliveryPage(t.Context(), jobs.DeliveryFilter{Tenant: b.tenant, Status: jobs.DeliveryDelivered, Type: jobs.EventBatchCompleted}, "", 9)
		if err != nil || len(p.Items) != 1 || p.Items[0].Batch != id {
			t.Errorf("listed %+v, %v", p.Items, err)
		}
		if err := b.Replay(t.Context(), b.batch(id).Delivery, "key_1"); err != nil {
			t.Errorf("replay: %v", err)
		}
	})

	t.Run("a retry of a job and a lost worker count once", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		id := b.upload(keys(2)...)
		b.promote()
		job := b.rows(id)[0].Job
		for range 3 {
			b.fail(job, b.start(job, lease), jobs.Rule{Counter: "lost", Limit: 10})
			b.counts(id, map[jobs.ItemStatus]int{jobs.ItemQueued: 2})
		}
		stale := b.start(job, lease)
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemQueued: 1, jobs.ItemRunning: 1})
		b.complete(job, stale)
		if got := b.fail(job, stale, jobs.DefaultRules().Lost); got != jobs.FailLost {
			t.Errorf("the reaper got %s", got)
		}
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemQueued: 1, jobs.ItemSucceeded: 1})
	})

	t.Run("what was issued before is reused, and a batch of nothing else ends by itself", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		names := keys(5)
		var before []jobs.Job
		for _, name := range names {
			before = append(before, b.submit(withDocumentKey(name), withoutCallback))
			b.issue(before[len(before)-1].ID)
		}
		if _, err := b.Purge(t.Context(), before[4].Document); err != nil {
			t.Fatal(err)
		}
		id := b.upload(names...)
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemReused: 5})
		for i, row := range b.rows(id) {
			if row.Job != before[i].ID || row.Document != before[i].Document {
				t.Errorf("item %+v, job %s", row, before[i].ID)
			}
		}
		if got := b.completion(b.batch(id)); got["status"] != "completed" {
			t.Errorf("event %v", got)
		}
	})

	t.Run("a job in flight elsewhere is watched", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		names := keys(4)
		alone := b.submit(withDocumentKey(names[3]))
		first, second := b.upload(names[:3]...), b.upload(names...)
		b.promote()
		rows := b.rows(first)
		for i, row := range b.rows(second)[:3] {
			if row.Job != rows[i].Job || row.Document != rows[i].Document {
				t.Errorf("item %+v watches another job than %+v", row, rows[i])
			}
		}
		b.start(alone.ID, lease)
		b.counts(second, map[jobs.ItemStatus]int{jobs.ItemQueued: 3, jobs.ItemRunning: 1})
		b.complete(alone.ID, b.job(alone.ID).Fence())
		b.issue(rows[0].Job)
		b.end(rows[1].Job)
		if _, err := b.Cancel(t.Context(), rows[2].Job); err != nil {
			t.Fatal(err)
		}
		want := map[jobs.ItemStatus]int{jobs.ItemSucceeded: 1, jobs.ItemFailed: 1, jobs.ItemCanceled: 1}
		b.counts(first, want)
		want[jobs.ItemSucceeded]++
		b.counts(second, want)
		for _, id := range []jobs.ID{first, second} {
			if got := b.completion(b.batch(id)); got["batch_id"] != string(id) {
				t.Errorf("event %v", got)
			}
		}
	})

	t.Run("so many batches may watch a job", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit(withDocumentKey("crowd"))
		var late jobs.ID
		for range 16 {
			b.upload("crowd")
			if late == "" {
				late = b.begin(b.order("")).Batch
			}
			b.promote()
		}
		b.verdicts(late, jobs.StageCrowded, b.staged(late, 0, "crowd"))
		b.issue(j.ID)
		b.verdicts(late, jobs.StageOK, b.staged(late, 0, "crowd"))
	})

	t.Run("jobs report what the batch asks for", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		id := b.begin(b.order("", "job.failed")).Batch
		var items []jobs.StagedItem
		for i, name := range keys(2) {
			item := b.staged(id, i, name, func(a *jobs.Acceptance) {
				a.Job.Callback, a.Job.Sealed = &jobs.CallbackState{Host: "receiver.example"}, []byte("sealed")
			})
			item.Job.Reports = []string{"job.failed"}
			items = append(items, item)
		}
		b.verdicts(id, jobs.StageOK, items...)
		b.seal(id, 2)
		b.promote()
		rows := b.rows(id)
		b.issue(rows[0].Job)
		b.end(rows[1].Job)
		_, err := b.Delivery(t.Context(), b.job(rows[0].Job).Delivery)
		wantCode(t, err, jobs.ErrDeliveryNotFound)
		if j := b.job(rows[0].Job); j.Callback != nil {
			t.Errorf("nothing is reported of %+v", j)
		}
		if d := b.delivery(b.job(rows[1].Job).Delivery); d.EventType != "job.failed" || d.Job != rows[1].Job {
			t.Errorf("delivery %+v", d)
		}
		unack, err := b.Jobs(t.Context(), jobs.JobFilter{Tenant: b.tenant, Unacknowledged: true, Limit: 9})
		if err != nil || len(unack.Items) != 1 || unack.Items[0].ID != rows[1].Job {
			t.Errorf("unacknowledged %+v, %v", unack.Items, err)
		}
		d := b.delivery(b.job(rows[1].Job).Delivery)
		c, err := b.ClaimDelivery(t.Context(), d.ID, d.Generation, "me", lease)
		if want := fmt.Sprintf(`"batch_id":%q`, id); err != nil || !json.Valid(c.Body) || !strings.Contains(string(c.Body), want) {
			t.Errorf("body %s, %v", c.Body, err)
		}
	})
}
