package jobstest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/jobs"
)

func testIdentity(t *testing.T, open opener) {
	t.Helper()
	t.Run("a new job is recorded whole", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		a := b.request(withDocumentKey("invoice:1"), func(a *jobs.Acceptance) { a.Job.Retention = time.Hour })
		got := b.accept(a)
		if got.Verdict != jobs.Created || got.Job != a.Job.ID || got.Document != a.Job.Document {
			t.Fatalf("got %+v", got)
		}
		j := b.job(got.Job)
		if j.Created.IsZero() || time.Since(j.Created).Abs() > time.Hour {
			t.Errorf("created at %v", j.Created)
		}
		want := a.Job
		want.Created, want.Status, want.Generation = j.Created, jobs.Queued, 1
		want.Callback.Status = jobs.DeliveryPending
		if d := cmp.Diff(want, j); d != "" {
			t.Error(d)
		}
		d := b.document(got.Document)
		if d.Status != jobs.Pending || d.Key != "invoice:1" || d.Job != j.ID || d.Tenant != b.tenant || d.Fingerprint != payload {
			t.Errorf("document %+v", d)
		}
	})

	t.Run("many callers with one key get one job", func(t *testing.T) {
		t.Parallel()
		for _, with := range []func(*jobs.Acceptance){withIdempotencyKey("k"), withDocumentKey("k")} {
			b := newBench(t, open, Settings{})
			var mu sync.Mutex
			var group sync.WaitGroup
			seen, created := map[jobs.ID]bool{}, 0
			for range 25 {
				group.Go(func() {
					got, err := b.Accept(t.Context(), b.request(with))
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						t.Error(err)
					}
					if seen[got.Job] = true; got.Verdict == jobs.Created {
						created++
					}
				})
			}
			group.Wait()
			if len(seen) != 1 || created != 1 {
				t.Errorf("%d jobs, created %d times", len(seen), created)
			}
		}
	})

	t.Run("the same call again after a lost reply is the same job", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		a := b.request(withIdempotencyKey("k"))
		first, again := b.accept(a), b.accept(a)
		if first != again || again.Verdict != jobs.Created {
			t.Errorf("got %+v, then %+v", first, again)
		}
		a.Nonce = "another"
		if got := b.accept(a); got.Verdict != jobs.IDTaken {
			t.Errorf("somebody else with the same id got %s", got.Verdict)
		}
	})

	t.Run("the idempotency key decides before the document key", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		first := b.submit(withIdempotencyKey("k"))
		b.submit(withDocumentKey("d"))
		got := b.accept(b.request(withIdempotencyKey("k"), withDocumentKey("d")))
		if got.Verdict != jobs.Replayed || got.Job != first.ID {
			t.Errorf("got %+v, want the job %s", got, first.ID)
		}
		if got := b.accept(b.request(withIdempotencyKey("k"), withPayload("fp-2"))); got.Verdict != jobs.KeyReused || got.Job != first.ID {
			t.Errorf("another payload got %+v", got)
		}
	})

	t.Run("an idempotency key answers in every status", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		ends := map[jobs.Status]func(id jobs.ID){
			jobs.Queued: func(jobs.ID) {}, jobs.Running: func(id jobs.ID) { b.start(id, lease) },
			jobs.Succeeded: b.issue, jobs.Failed: b.end,
			jobs.Canceled: func(id jobs.ID) { _, _ = b.Cancel(t.Context(), id) },
		}
		for _, status := range jobs.Statuses {
			j := b.submit(withIdempotencyKey(string(status)))
			ends[status](j.ID)
			got := b.accept(b.request(withIdempotencyKey(string(status))))
			if got.Verdict != jobs.Replayed || got.Job != j.ID || b.job(j.ID).Status != status {
				t.Errorf("%s: got %+v", status, got)
			}
		}
	})

	t.Run("a document key answers while its document is in flight or issued", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit(withDocumentKey("d"))
		for _, step := range []func(){func() {}, func() { b.issue(j.ID) }} {
			step()
			if got := b.accept(b.request(withDocumentKey("d"))); got.Verdict != jobs.Replayed || got.Job != j.ID {
				t.Errorf("same payload got %+v", got)
			}
			got := b.accept(b.request(withDocumentKey("d"), withPayload("fp-2")))
			if got.Verdict != jobs.KeyConflict || got.Document != j.Document {
				t.Errorf("another payload got %+v", got)
			}
		}
	})

	t.Run("a failed or canceled document takes any payload as a new job", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		first := b.submit(withDocumentKey("d"))
		b.end(first.ID)
		second := b.submit(withDocumentKey("d"), withPayload("fp-2"))
		if second.Document != first.Document || second.ID == first.ID {
			t.Fatalf("second job %s of %s, first document %s", second.ID, second.Document, first.Document)
		}
		if status, err := b.Cancel(t.Context(), second.ID); err != nil || status != jobs.Canceled {
			t.Fatal(status, err)
		}
		third := b.submit(withDocumentKey("d"), withPayload("fp-3"))
		b.issue(third.ID)
		d := b.document(first.Document)
		if d.Job != third.ID || d.Fingerprint != "fp-3" || d.Sequence != 3 || d.Status != jobs.Issued {
			t.Errorf("document %+v", d)
		}
	})

	t.Run("a presented idempotency key is bound to what the document key finds", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit(withDocumentKey("d"))
		got := b.accept(b.request(withDocumentKey("d"), withIdempotencyKey("k"), asProbe))
		if got.Verdict != jobs.Replayed {
			t.Fatalf("got %+v", got)
		}
		if got := b.accept(b.request(withIdempotencyKey("k"), withPayload("fp-2"))); got.Verdict != jobs.KeyReused || got.Job != j.ID {
			t.Errorf("the key is not bound: %+v", got)
		}
	})

	t.Run("a probe records nothing", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		a := b.request(withDocumentKey("d"), withIdempotencyKey("k"), asProbe)
		if got := b.accept(a); got.Verdict != jobs.Absent {
			t.Fatalf("got %+v", got)
		}
		_, err := b.Job(t.Context(), a.Job.ID)
		wantCode(t, err, jobs.ErrJobNotFound)
		_, err = b.DocumentByKey(t.Context(), b.tenant, "d")
		wantCode(t, err, jobs.ErrDocumentNotFound)
	})

	t.Run("tenants do not share keys", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		b.submit(withDocumentKey("d"), withIdempotencyKey("k"))
		other := withTenant("other")
		if got := b.accept(b.request(other, withDocumentKey("d"), withIdempotencyKey("k"), withPayload("fp-2"))); got.Verdict != jobs.Created {
			t.Errorf("got %+v", got)
		}
	})

	t.Run("only the failed or canceled current job of a pending document can be retried", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		retry := func(id jobs.ID) jobs.Acceptation {
			return b.accept(b.request(func(a *jobs.Acceptance) { a.RetryOf = id }))
		}
		first := b.submit()
		if got := retry(first.ID); got.Verdict != jobs.NotRetryable {
			t.Errorf("a queued job: %+v", got)
		}
		b.end(first.ID)
		a := b.request(func(a *jobs.Acceptance) { a.RetryOf = first.ID })
		second := b.accept(a)
		if second.Verdict != jobs.Created || second.Document != first.Document {
			t.Fatalf("a failed job: %+v", second)
		}
		if again := b.accept(a); again != second {
			t.Errorf("a lost reply: %+v", again)
		}
		if got := retry(first.ID); got.Verdict != jobs.NotRetryable {
			t.Errorf("a job that is not current: %+v", got)
		}
		b.issue(second.Job)
		if got := retry(second.Job); got.Verdict != jobs.NotRetryable {
			t.Errorf("an issued document: %+v", got)
		}
		if got := retry("job_unknown"); got.Verdict != jobs.NotRetryable {
			t.Errorf("an unknown job: %+v", got)
		}
	})

	t.Run("one document has at most one job that is not terminal", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		first := b.submit(withDocumentKey("d"))
		b.end(first.ID)
		var group sync.WaitGroup
		for i := range 10 {
			group.Go(func() {
				with := withPayload(jobs.Fingerprint(fmt.Sprint("fp-", i)))
				_, _ = b.Accept(t.Context(), b.request(withDocumentKey("d"), with))
				_, _ = b.Accept(t.Context(), b.request(with, func(a *jobs.Acceptance) { a.RetryOf = first.ID }))
			})
		}
		group.Wait()
		page, err := b.Jobs(t.Context(), jobs.JobFilter{Tenant: b.tenant, Document: first.Document, Limit: 50})
		if err != nil || len(page.Items) != 2 {
			t.Errorf("%d jobs, %v; want the failed one and one more", len(page.Items), err)
		}
	})
}
