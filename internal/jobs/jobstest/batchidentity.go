package jobstest

import (
	"context"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/jobs"
)

func (b bench) verdicts(batch jobs.ID, want jobs.StageVerdict, items ...jobs.StagedItem) []jobs.Staged {
	b.Helper()
	got := b.stage(batch, items...)
	for _, s := range got {
		if s.Verdict != want {
			b.Errorf("staged %+v, want %s", s, want)
		}
	}
	return got
}

func (b bench) drop(batch jobs.ID) {
	b.Helper()
	for more := true; more; {
		var err error
		if more, err = b.DropBatch(b.Context(), batch); err != nil {
			b.Fatalf("drop: %v", err)
		}
	}
}

func testBatchIdentity(t *testing.T, open opener) {
	t.Helper()
	t.Run("an upload that was cut begins anew and ends as one batch", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		names := keys(10)
		first := b.begin(b.order("run"))
		for i, name := range names[:5] {
			b.verdicts(first.Batch, jobs.StageOK, b.staged(first.Batch, i, name))
		}
		for range 3 {
			again := b.begin(b.order("run"))
			if again.Verdict != jobs.Resumed || again.Batch != first.Batch {
				t.Fatalf("begun again: %+v", again)
			}
		}
		b.verdicts(first.Batch, jobs.StageChanged, b.staged(first.Batch, 3, names[3], withPayload("fp-2")))
		b.fill(first.Batch, names...)
		got := b.begin(b.order("run"))
		if got.Verdict != jobs.Replayed || got.Batch != first.Batch || got.Items != 10 || got.Digest != "digest" {
			t.Errorf("after the seal: %+v", got)
		}
		b.promote()
		b.counts(first.Batch, map[jobs.ItemStatus]int{jobs.ItemQueued: 10})
		_, err := b.StageItems(t.Context(), first.Batch, []jobs.StagedItem{b.staged(first.Batch, 0, names[0])})
		wantCode(t, err, jobs.ErrBatchSealed)
		wantCode(t, b.ExpectKeys(t.Context(), first.Batch, []string{"x"}), jobs.ErrBatchSealed)
	})

	t.Run("two uploads at once are one batch", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		names := keys(60)
		var group sync.WaitGroup
		sealed, seen := make([]jobs.Sealing, 4), make([]jobs.ID, 4)
		for who := range sealed {
			group.Go(func() { seen[who], sealed[who] = b.race(t, names) })
		}
		group.Wait()
		for who, s := range sealed {
			if s != jobs.SealDone || seen[who] != seen[0] {
				t.Errorf("upload %d: %s of %s", who, s, seen[who])
			}
		}
		b.promote()
		b.counts(seen[0], map[jobs.ItemStatus]int{jobs.ItemQueued: 60})
		if p, err := b.Jobs(t.Context(), jobs.JobFilter{Tenant: b.tenant, Limit: 200}); err != nil || len(p.Items) != 60 {
			t.Errorf("%d jobs, %v", len(p.Items), err)
		}
	})

	t.Run("jobs and batches share the namespace of idempotency keys", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit(withIdempotencyKey("job"))
		if got := b.begin(b.order("job")); got.Verdict != jobs.KeyReused || got.Job != j.ID {
			t.Errorf("the key of a job: %+v", got)
		}
		id := b.begin(b.order("batch")).Batch
		if got := b.accept(b.request(withIdempotencyKey("batch"))); got.Verdict != jobs.KeyReused || got.Batch != id {
			t.Errorf("the key of a batch: %+v", got)
		}
		other := b.order("batch")
		other.Request = "another header"
		if got := b.begin(other); got.Verdict != jobs.KeyReused || got.Batch != id {
			t.Errorf("another header: %+v", got)
		}
		unnamed := b.order("")
		if first, again := b.begin(unnamed), b.begin(unnamed); first.Verdict != jobs.Created || again.Verdict != first.Verdict || again.Batch != first.Batch {
			t.Errorf("a lost reply: %+v, then %+v", first, again)
		}
		unnamed.Event = "evt_other"
		if got := b.begin(unnamed); got.Verdict != jobs.IDTaken {
			t.Errorf("somebody else with the same id: %+v", got)
		}
	})

	t.Run("items that cannot be accepted are named and not staged", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		issued, flying := b.submit(withDocumentKey("issued")), b.submit(withDocumentKey("flying"))
		b.issue(issued.ID)
		id := b.begin(b.order("")).Batch
		for _, j := range []jobs.Job{issued, flying} {
			got := b.verdicts(id, jobs.StageConflict, b.staged(id, 0, j.DocumentKey, withPayload("fp-2")))
			if got[0].Document != j.Document {
				t.Errorf("conflict with %s, want %s", got[0].Document, j.Document)
			}
		}
		got := b.stage(id, b.staged(id, 3, "twice"), b.staged(id, 7, "twice"))
		if got[0].Verdict != jobs.StageOK || got[1].Verdict != jobs.StageDuplicate || got[1].Other != 3 {
			t.Errorf("duplicate keys: %+v", got)
		}
		gone := b.staged(id, 8, "gone")
		gone.Uses = []jobs.Use{{Shelf: jobs.TemplateShelf, Name: "never", Version: 1}}
		if got := b.verdicts(id, jobs.StageInputGone, gone); got[0].Gone != gone.Uses[0].String() {
			t.Errorf("a use that is gone: %+v", got)
		}
		if got := b.seal(id, 1); got != jobs.SealDone {
			t.Errorf("one was staged, seal gave %s", got)
		}
	})

	t.Run("a document that was purged and never issued is not reused", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		names := keys(2)
		never := b.submit(withDocumentKey(names[0]))
		b.end(never.ID)
		if _, err := b.Purge(t.Context(), never.Document); err != nil {
			t.Fatal(err)
		}
		issued := b.submit(withDocumentKey(names[1]))
		b.issue(issued.ID)
		if _, err := b.Purge(t.Context(), issued.Document); err != nil {
			t.Fatal(err)
		}
		id := b.upload(names...)
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemFailed: 1, jobs.ItemReused: 1})
		row := b.rows(id)[0]
		if f := row.Failure; row.Status != jobs.ItemFailed || f == nil || f.Code != jobs.ErrInputPurged.Code {
			t.Errorf("item %+v", row)
		}
		b.again(id, "k")
		if items, err := b.Again(t.Context(), id.Partition(), 1); err != nil || len(items) != 1 || items[0].Job != "" {
			t.Errorf("again %+v, %v", items, err)
		}
	})

	t.Run("a key that a batch is uploading is reserved against everybody", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		failed := b.submit(withDocumentKey("failed"))
		b.end(failed.ID)
		id := b.begin(b.order("")).Batch
		b.verdicts(id, jobs.StageOK, b.staged(id, 0, "new"), b.staged(id, 1, "failed"))
		for _, change := range []func(*jobs.Acceptance){
			withDocumentKey("new"), withDocumentKey("failed"),
			func(a *jobs.Acceptance) { withDocumentKey("failed")(a); a.RetryOf = failed.ID },
			func(a *jobs.Acceptance) { withDocumentKey("new")(a); withPayload("fp-2")(a); a.Probe = true },
		} {
			if got := b.accept(b.request(change)); got.Verdict != jobs.KeyReserved || got.Batch != id {
				t.Errorf("got %+v", got)
			}
		}
		other := b.begin(b.order("")).Batch
		if got := b.verdicts(other, jobs.StageReserved, b.staged(other, 0, "new")); got[0].Batch != id {
			t.Errorf("another batch: %+v", got)
		}
		b.seal(id, 2)
		// From the seal on rule 2 applies, before anything was promoted.
		got := b.accept(b.request(withDocumentKey("new")))
		if got.Verdict != jobs.Replayed || b.job(got.Job).Batch != id {
			t.Errorf("after the seal: %+v", got)
		}
		if got := b.accept(b.request(withDocumentKey("failed"), withPayload("fp-2"))); got.Verdict != jobs.KeyConflict || got.Document != failed.Document {
			t.Errorf("another payload after the seal: %+v", got)
		}
		b.verdicts(other, jobs.StageOK, b.staged(other, 0, "new"))
		b.verdicts(other, jobs.StageConflict, b.staged(other, 1, "failed", withPayload("fp-3")))
		b.promote()
		b.counts(id, map[jobs.ItemStatus]int{jobs.ItemQueued: 2})
	})

	t.Run("a batch that is dropped frees its keys and what it uses", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		id := b.begin(b.order("run")).Batch
		names := keys(7)
		for i, name := range names {
			b.verdicts(id, jobs.StageOK, b.staged(id, i, name))
		}
		b.drop(id)
		b.drop(id)
		if got := b.seal(id, 7); got != jobs.SealGone {
			t.Errorf("seal gave %s", got)
		}
		_, err := b.StageItems(t.Context(), id, []jobs.StagedItem{b.staged(id, 0, names[0])})
		wantCode(t, err, jobs.ErrBatchGone)
		for _, name := range names {
			if got := b.accept(b.request(withDocumentKey(name), withPayload("fp-2"))); got.Verdict != jobs.Created {
				t.Errorf("got %+v", got)
			}
		}
		if got := b.begin(b.order("run")); got.Verdict != jobs.Created || got.Batch == id {
			t.Errorf("the idempotency key: %+v", got)
		}
		sealed := b.upload("sealed")
		b.drop(sealed)
		b.counts(sealed, map[jobs.ItemStatus]int{jobs.ItemWaiting: 1})
	})

	t.Run("expected keys are compared with those that were sent", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		id := b.begin(b.order("run")).Batch
		for range 2 {
			if err := b.ExpectKeys(t.Context(), id, []string{"c", "a", "b", "sent", "d"}); err != nil {
				t.Fatal(err)
			}
			b.verdicts(id, jobs.StageOK, b.staged(id, 0, "sent"), b.staged(id, 1, "surprise"), b.staged(id, 2, ""))
		}
		b.seal(id, 3)
		if got := b.batch(id); got.Expected != 5 || got.Missing != 4 || got.Unexpected != 1 {
			t.Errorf("got %+v", got)
		}
		var missing []string
		for after := ""; ; {
			page, err := b.MissingKeys(t.Context(), id, after, 3)
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			missing, after = append(missing, page...), page[len(page)-1]
		}
		if len(missing) != 4 || missing[0] != "a" || missing[3] != "d" {
			t.Errorf("missing %q", missing)
		}
		if rows := b.rows(id); rows[0].Unexpected || !rows[1].Unexpected || rows[2].Unexpected {
			t.Errorf("rows %+v", rows)
		}
	})
}

// race uploads as one of many who have the same idempotency key.
func (b bench) race(t *testing.T, names []string) (jobs.ID, jobs.Sealing) {
	t.Helper()
	begun, err := b.BeginBatch(t.Context(), b.order("run"))
	if err != nil {
		t.Error(err)
		return "", ""
	}
	for i := 0; i < len(names); i += 7 {
		var items []jobs.StagedItem
		for n := i; n < min(i+7, len(names)); n++ {
			items = append(items, b.staged(begun.Batch, n, names[n]))
		}
		if !b.raceOne(t.Context(), t, begun.Batch, items) {
			break
		}
	}
	s, err := b.SealBatch(t.Context(), begun.Batch, len(names), "digest")
	if err != nil {
		t.Error(err)
	}
	return begun.Batch, s
}

// raceOne stages items, unless another upload has sealed the batch.
func (b bench) raceOne(ctx context.Context, t *testing.T, id jobs.ID, items []jobs.StagedItem) bool {
	t.Helper()
	got, err := b.StageItems(ctx, id, items)
	if err != nil {
		wantCode(t, err, jobs.ErrBatchSealed)
		return false
	}
	for _, s := range got {
		if s.Verdict != jobs.StageOK {
			t.Errorf("staged %+v", s)
		}
	}
	return true
}
