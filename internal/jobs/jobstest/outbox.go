package jobstest

import (
	"fmt"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

func testOutbox(t *testing.T, open opener) {
	t.Helper()
	t.Run("a job is due after its grace until it is claimed", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		b.submit()
		if n := len(b.due(jobs.RenderLine).Tasks); n != 0 {
			t.Error("due inside its grace")
		}
		j := b.submit(dueNow)
		want := jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}
		if d := b.due(jobs.RenderLine); len(d.Tasks) != 1 || d.Tasks[0] != want {
			t.Fatalf("due %+v", d)
		}
		b.start(j.ID, lease)
		if n := len(b.due(jobs.RenderLine).Tasks); n != 0 {
			t.Error("due after its claim")
		}
	})
	t.Run("each partition answers for its own records alone", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		if n := b.Partitions(); n != open.partitions {
			t.Fatalf("%d partitions, want %d", n, open.partitions)
		}
		waiting, running := b.submit(dueNow), b.submit(dueNow)
		b.start(running.ID, time.Millisecond)
		Eventually(t, "the attempt is overdue", func() bool { return len(b.overdue()) == 1 })
		for p := range b.Partitions() {
			due, err := b.Due(t.Context(), p, jobs.RenderLine, 10)
			if own := p == waiting.ID.Partition(); err != nil || (len(due.Tasks) == 1) != own {
				t.Errorf("partition %d: due %+v, %v", p, due, err)
			}
			overdue, err := b.Overdue(t.Context(), p, 10)
			if own := p == running.ID.Partition(); err != nil || (len(overdue) == 1) != own {
				t.Errorf("partition %d: overdue %+v, %v", p, overdue, err)
			}
		}
	})
	t.Run("a dispatched job is looked at again later, and counted until it is claimed", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit(dueNow)
		task := jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}
		b.dispatched(task)
		if n := len(b.due(jobs.RenderLine).Tasks); n != 0 {
			t.Error("due at once")
		}
		b.outstanding(jobs.RenderLine, 1)
		older := task
		older.Generation = 9
		b.dispatched(older)
		b.start(j.ID, lease)
		b.outstanding(jobs.RenderLine, 0)
		b.dispatched(task) // the word of a slow relay
		b.outstanding(jobs.RenderLine, 0)
	})
	t.Run("however many say that a task was dispatched, it counts once", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit(dueNow)
		task := jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}
		for range 20 {
			b.dispatched(task)
		}
		// The first look comes after 5 s; counted twenty times it would come after 10 minutes.
		Eventually(t, "the task is due again", func() bool { return len(b.due(jobs.RenderLine).Tasks) == 1 })
	})
	t.Run("an orphan gets a new generation when it is seen twice, well apart", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{OrphanAfter: 100 * time.Millisecond})
		j := b.submit(dueNow)
		task := jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}
		for range 2 {
			if gen, err := b.Orphaned(t.Context(), task); err != nil || gen != 0 {
				t.Fatalf("generation %d at once, %v", gen, err)
			}
		}
		Eventually(t, "the orphan is dispatched anew", func() bool {
			gen, err := b.Orphaned(t.Context(), task)
			return err == nil && gen == 2
		})
		if gen, _ := b.Orphaned(t.Context(), task); gen != 0 {
			t.Errorf("an older task got generation %d", gen)
		}
		if d := b.due(jobs.RenderLine); len(d.Tasks) != 1 || d.Tasks[0].Generation != 2 {
			t.Errorf("due %+v", d)
		}
		if c, _ := b.Claim(t.Context(), j.ID, 1, "late", lease); c.Answer != jobs.ClaimStale {
			t.Errorf("the orphan's own claim: %s", c.Answer)
		}
	})
	t.Run("a claimed job is no orphan", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{OrphanAfter: time.Millisecond})
		j := b.submit(dueNow)
		task := jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}
		_, _ = b.Orphaned(t.Context(), task)
		f := b.start(j.ID, lease)
		for range 3 {
			if gen, err := b.Orphaned(t.Context(), task); err != nil || gen != 0 {
				t.Fatalf("generation %d, %v", gen, err)
			}
		}
		if got := b.complete(j.ID, f); got != jobs.Won {
			t.Errorf("complete: %s", got)
		}
	})
	t.Run("what the queue has forgotten can be pulled forward", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{OrphanAfter: time.Millisecond})
		waiting := b.submit() // never dispatched: its grace is not to be cut
		first, second := b.submit(dueNow), b.submit(dueNow)
		tasks := []jobs.Task{
			{Line: jobs.RenderLine, ID: first.ID, Generation: 1},
			{Line: jobs.RenderLine, ID: second.ID, Generation: 1},
			{Line: jobs.RenderLine, ID: waiting.ID, Generation: 1},
		}
		b.dispatched(tasks[0])
		b.dispatched(tasks[1])
		claimed := b.submit(dueNow)
		b.start(claimed.ID, lease)
		n, err := b.PullForward(t.Context(), []jobs.Task{
			tasks[0], tasks[2], {Line: jobs.RenderLine, ID: claimed.ID, Generation: 1}, {Line: jobs.RenderLine, ID: "nonsense"},
		})
		if err != nil || n != 2 {
			t.Fatalf("%d unclaimed, %v; want two", n, err)
		}
		if d := b.due(jobs.RenderLine); len(d.Tasks) != 1 || d.Tasks[0].ID != first.ID {
			t.Errorf("due %+v", d)
		}
		b.pullAll(jobs.RenderLine)
		if d := b.due(jobs.RenderLine); len(d.Tasks) != 2 {
			t.Errorf("due %+v", d)
		}
	})
}

func (b bench) dispatched(task jobs.Task) {
	b.Helper()
	if err := b.Dispatched(b.Context(), task); err != nil {
		b.Fatalf("dispatched: %v", err)
	}
}

func (b bench) outstanding(line jobs.Line, want int) {
	b.Helper()
	total := 0
	for p := range b.Partitions() {
		n, err := b.Outstanding(b.Context(), p, line)
		if err != nil {
			b.Fatalf("outstanding: %v", err)
		}
		total += n
	}
	if total != want {
		b.Errorf("%d outstanding; want %d", total, want)
	}
}

func (b bench) pullAll(line jobs.Line) {
	b.Helper()
	for p := range b.Partitions() {
		if err := b.PullAll(b.Context(), p, line); err != nil {
			b.Fatalf("pull all: %v", err)
		}
	}
}

// schedule waits so little that a retry is due at once.
var schedule = []time.Duration{0, 0}

func (b bench) try(id jobs.ID, outcome string) jobs.DeliveryStatus {
	b.Helper()
	c, err := b.ClaimDelivery(b.Context(), id, b.delivery(id).Generation, "me", lease)
	if err != nil || c.Answer != jobs.ClaimOK {
		b.Fatalf("claim gave %s, %v", c.Answer, err)
	}
	end := jobs.DeliveryEnd{Outcome: outcome, Attempt: jobs.DeliveryAttempt{Outcome: outcome, Status: 500}, Schedule: schedule}
	got, err := b.FinishDelivery(b.Context(), id, c.Delivery.Fence(), end)
	if err != nil {
		b.Fatalf("finish: %v", err)
	}
	return got.Status
}

// by is the key that replays.
const by = jobs.ID("key_1")

func testDeliveries(t *testing.T, open opener) {
	t.Helper()
	t.Run("no callback URL, no delivery", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit(withoutCallback)
		b.issue(j.ID)
		_, err := b.Delivery(t.Context(), j.Delivery)
		wantCode(t, err, jobs.ErrDeliveryNotFound)
		if n := len(b.due(jobs.CallbackLine).Tasks); n != 0 {
			t.Errorf("%d due", n)
		}
	})
	t.Run("an ended job is due for delivery, and a delivered one is not", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		b.issue(j.ID)
		if d := b.due(jobs.CallbackLine); len(d.Tasks) != 1 || d.Tasks[0].ID != j.Delivery || len(d.Overdue) != 0 {
			t.Fatalf("due %+v", d)
		}
		if got := b.try(j.Delivery, jobs.OutcomeDelivered); got != jobs.DeliveryDelivered {
			t.Errorf("got %s", got)
		}
		if d := b.due(jobs.CallbackLine); len(d.Tasks) != 0 {
			t.Errorf("due %+v", d)
		}
		if cb := b.job(j.ID).Callback; cb.Status != jobs.DeliveryDelivered || cb.Attempts != 1 || !cb.NextAttempt.IsZero() {
			t.Errorf("callback %+v", cb)
		}
	})
	t.Run("a delivery is tried as often as the schedule says, then dead, then replayed with the same event", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		b.end(j.ID)
		for round := range 2 {
			for n := 1; n <= len(schedule)+1; n++ {
				want := jobs.DeliveryPending
				if n > len(schedule) {
					want = jobs.DeliveryDead
				}
				if got := b.try(j.Delivery, jobs.OutcomeRetry); got != want {
					t.Fatalf("round %d, attempt %d: %s, want %s", round, n, got, want)
				}
			}
			p, err := b.DeliveryPage(t.Context(), jobs.DeliveryFilter{Tenant: b.tenant, Status: jobs.DeliveryDead}, "", 10)
			if err != nil || len(p.Items) != 1 || p.Items[0].ID != j.Delivery || p.Items[0].Died.IsZero() {
				t.Fatalf("dead letters %+v, %v", p, err)
			}
			if err := b.Replay(t.Context(), j.Delivery, by); err != nil {
				t.Fatal(err)
			}
		}
		d := b.delivery(j.Delivery)
		if d.Event != j.Event || d.Status != jobs.DeliveryPending || len(d.Log) != 6 || d.Log[0].Status != 500 || d.Log[5].Started.IsZero() {
			t.Errorf("delivery %+v", d)
		}
		if p, _ := b.DeliveryPage(t.Context(), jobs.DeliveryFilter{Tenant: b.tenant, Status: jobs.DeliveryDead}, "", 10); len(p.Items) != 0 {
			t.Errorf("still a dead letter: %+v", p.Items)
		}
		b.wantEnded(map[jobs.Ending]int{jobs.EndedScheduleOver: 2})
	})
	t.Run("a dead outcome needs no further attempt", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		b.issue(j.ID)
		if got := b.try(j.Delivery, jobs.OutcomeDead); got != jobs.DeliveryDead {
			t.Errorf("got %s", got)
		}
	})
	t.Run("a claim brings the secrets that its tenant has then", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		claimed := func() []byte {
			t.Helper()
			j := b.submit()
			b.issue(j.ID)
			c, err := b.ClaimDelivery(t.Context(), j.Delivery, 1, "me", lease)
			if err != nil || c.Answer != jobs.ClaimOK {
				t.Fatal(c.Answer, err)
			}
			return c.Secrets
		}
		if got := claimed(); got != nil {
			t.Errorf("%q of no tenant", got)
		}
		if _, err := b.EnsureTenant(t.Context(), b.tenant, []byte("old")); err != nil {
			t.Fatal(err)
		}
		if got := claimed(); string(got) != "old" {
			t.Errorf("got %q", got)
		}
		if ok, err := b.SwapTenant(t.Context(), b.tenant, jobs.TenantSecrets, []byte("old"), []byte("new")); err != nil || !ok {
			t.Fatal(ok, err)
		}
		if got := claimed(); string(got) != "new" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("what the receiver asks for counts when it is longer", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		b.issue(j.ID)
		c, _ := b.ClaimDelivery(t.Context(), j.Delivery, 1, "me", lease)
		end := jobs.DeliveryEnd{Outcome: jobs.OutcomeRetry, Schedule: []time.Duration{time.Second}, Wait: time.Hour}
		if _, err := b.FinishDelivery(t.Context(), j.Delivery, c.Delivery.Fence(), end); err != nil {
			t.Fatal(err)
		}
		if d := b.delivery(j.Delivery); d.Next.Sub(b.job(j.ID).Finished) < time.Hour {
			t.Errorf("next at %v", d.Next)
		}
	})
	t.Run("one claim wins, and its result counts once", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		b.issue(j.ID)
		first, _ := b.ClaimDelivery(t.Context(), j.Delivery, 1, "me", lease)
		again, _ := b.ClaimDelivery(t.Context(), j.Delivery, 1, "me", lease)
		other, _ := b.ClaimDelivery(t.Context(), j.Delivery, 1, "you", lease)
		if first.Answer != jobs.ClaimOK || again.Answer != jobs.ClaimOK || again.Delivery.Attempt != 1 || other.Answer != jobs.ClaimBusy {
			t.Fatalf("%s, %s, %s", first.Answer, again.Answer, other.Answer)
		}
		if began := b.delivery(j.Delivery).Log[0].Started; !first.Now.Equal(began) || again.Now.Before(first.Now) || again.Now.Sub(first.Now) > Patience {
			t.Errorf("claimed at %v and again at %v, the log says %v", first.Now, again.Now, began)
		}
		end := jobs.DeliveryEnd{Outcome: jobs.OutcomeRetry, Schedule: schedule}
		for range 2 {
			if got, err := b.FinishDelivery(t.Context(), j.Delivery, first.Delivery.Fence(), end); err != nil || got.Status != jobs.DeliveryPending {
				t.Fatalf("got %v, %v", got, err)
			}
		}
		if d := b.delivery(j.Delivery); d.Generation != 2 || d.Attempt != 1 {
			t.Errorf("delivery %+v", d)
		}
		if c, _ := b.ClaimDelivery(t.Context(), j.Delivery, 1, "me", lease); c.Answer != jobs.ClaimStale {
			t.Errorf("an older task got %s", c.Answer)
		}
	})
	t.Run("an attempt whose lease ran out is unknown and counts", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		b.issue(j.ID)
		c, _ := b.ClaimDelivery(t.Context(), j.Delivery, 1, "dead worker", time.Millisecond)
		var due jobs.Due
		Eventually(t, "the attempt is overdue", func() bool { due = b.due(jobs.CallbackLine); return len(due.Overdue) == 1 })
		if due.Overdue[0].Fence != c.Delivery.Fence() || len(due.Tasks) != 0 {
			t.Fatalf("due %+v", due)
		}
		end := jobs.DeliveryEnd{
			Outcome: jobs.OutcomeUnknown, Attempt: jobs.DeliveryAttempt{Outcome: jobs.OutcomeUnknown}, Schedule: schedule, OnlyOverdue: true,
		}
		if got, err := b.FinishDelivery(t.Context(), j.Delivery, due.Overdue[0].Fence, end); err != nil || got.Status != jobs.DeliveryPending {
			t.Fatalf("got %v, %v", got, err)
		}
		if d := b.delivery(j.Delivery); d.Attempt != 1 || d.Log[0].Outcome != jobs.OutcomeUnknown {
			t.Errorf("delivery %+v", d)
		}
	})
	t.Run("a claim that is repeated has its whole lease again", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		b.issue(j.ID)
		for _, lease := range []time.Duration{time.Second, lease} {
			if c, err := b.ClaimDelivery(t.Context(), j.Delivery, 1, "me", lease); err != nil || c.Answer != jobs.ClaimOK {
				t.Fatalf("got %s, %v", c.Answer, err)
			}
		}
		other := b.submit()
		b.issue(other.ID)
		_, _ = b.ClaimDelivery(t.Context(), other.Delivery, 1, "me", time.Second+100*time.Millisecond)
		var due jobs.Due
		Eventually(t, "the other is overdue", func() bool { due = b.due(jobs.CallbackLine); return len(due.Overdue) > 0 })
		if len(due.Overdue) != 1 || due.Overdue[0].ID != other.Delivery {
			t.Errorf("overdue %+v", due.Overdue)
		}
	})
	t.Run("a delivered one may be replayed, a pending one stays as it is", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		b.issue(j.ID)
		if err := b.Replay(t.Context(), j.Delivery, by); err != nil || b.delivery(j.Delivery).Generation != 1 {
			t.Errorf("a pending one changed, %v", err)
		}
		b.try(j.Delivery, jobs.OutcomeDelivered)
		if err := b.Replay(t.Context(), j.Delivery, by); err != nil || b.delivery(j.Delivery).Status != jobs.DeliveryPending {
			t.Errorf("a delivered one did not become due, %v", err)
		}
		wantCode(t, b.Replay(t.Context(), jobs.NewID(jobs.KindDelivery, 0), by), jobs.ErrDeliveryNotFound)
	})
	t.Run("a dispatched delivery can be orphaned and pulled forward like a job", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{OrphanAfter: time.Millisecond})
		j := b.submit()
		b.issue(j.ID)
		task := jobs.Task{Line: jobs.CallbackLine, ID: j.Delivery, Generation: 1}
		b.dispatched(task)
		b.outstanding(jobs.CallbackLine, 1)
		b.pullAll(jobs.CallbackLine)
		if d := b.due(jobs.CallbackLine); len(d.Tasks) != 1 {
			t.Errorf("due %+v", d)
		}
		Eventually(t, "a new generation", func() bool { gen, _ := b.Orphaned(t.Context(), task); return gen == 2 })
	})
}

func testRetention(t *testing.T, open opener) {
	t.Helper()
	clean := func(b bench) jobs.Cleaned {
		b.Helper()
		var all jobs.Cleaned
		for p := range b.Partitions() {
			c, err := b.Clean(b.Context(), p, 100)
			if err != nil {
				b.Fatalf("clean: %v", err)
			}
			all.Jobs, all.Documents = append(all.Jobs, c.Jobs...), append(all.Documents, c.Documents...)
		}
		return all
	}
	t.Run("a job record goes with its keys, and its document stays", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{JobRetention: time.Millisecond})
		j := b.submit(withIdempotencyKey("k"), withDocumentKey("d"), withoutCallback)
		if n := len(clean(b).Jobs); n != 0 {
			t.Fatal("a job that has not ended went")
		}
		b.issue(j.ID)
		Eventually(t, "the record goes", func() bool {
			c := clean(b)
			return len(c.Jobs) == 1 && c.Jobs[0] == jobs.CleanedJob{Tenant: b.tenant, Job: j.ID}
		})
		_, err := b.Job(t.Context(), j.ID)
		wantCode(t, err, jobs.ErrJobNotFound)
		if p, _ := b.Jobs(t.Context(), jobs.JobFilter{Tenant: b.tenant, Limit: 10}); len(p.Items) != 0 {
			t.Errorf("still listed: %+v", p)
		}
		got := b.accept(b.request(withDocumentKey("d"), withIdempotencyKey("new")))
		if got.Verdict != jobs.Retained || got.Job != j.ID || got.Document != j.Document {
			t.Errorf("same payload: %+v", got)
		}
		if got := b.accept(b.request(withDocumentKey("d"), withPayload("fp-2"))); got.Verdict != jobs.KeyConflict {
			t.Errorf("another payload: %+v", got)
		}
		for _, key := range []string{"k", "new"} { // the old key went with its job, the new one was not bound
			if got := b.accept(b.request(withIdempotencyKey(key), withPayload("fp-3"))); got.Verdict != jobs.Created {
				t.Errorf("key %s: %+v", key, got)
			}
		}
		if as := b.document(j.Document).AsJob(); as.ID != j.ID || as.Status != jobs.Succeeded || *as.Result != result {
			t.Errorf("as a job: %+v", as)
		}
	})
	t.Run("a failed document whose job record is gone gets a new job", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{JobRetention: time.Millisecond})
		j := b.submit(withDocumentKey("d"), withoutCallback)
		b.end(j.ID)
		Eventually(t, "the record goes", func() bool { return len(clean(b).Jobs) == 1 })
		if next := b.submit(withDocumentKey("d"), withPayload("fp-2")); next.Document != j.Document {
			t.Errorf("another document: %s", next.Document)
		}
	})
	t.Run("a job stays while its report is pending", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{JobRetention: time.Millisecond})
		j := b.submit()
		b.issue(j.ID)
		early := b.submit(withoutCallback)
		b.end(early.ID)
		Eventually(t, "the other record goes", func() bool { return len(clean(b).Jobs) == 1 })
		if j := b.job(j.ID); j.Status != jobs.Succeeded {
			t.Errorf("job %+v", j)
		}
	})
	t.Run("a dead letter keeps its job for its own time, and a replay after it is answered gone", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{JobRetention: time.Millisecond, DeadRetention: 700 * time.Millisecond})
		j := b.submit()
		b.issue(j.ID)
		b.try(j.Delivery, jobs.OutcomeDead)
		died := time.Now()
		Eventually(t, "the record goes", func() bool { return len(clean(b).Jobs) == 1 })
		if time.Since(died) < 500*time.Millisecond {
			t.Error("the record went before the dead letter")
		}
		wantCode(t, b.Replay(t.Context(), j.Delivery, by), jobs.ErrDeliveryGone)
		if p, _ := b.DeliveryPage(t.Context(), jobs.DeliveryFilter{Tenant: b.tenant, Status: jobs.DeliveryDead}, "", 10); len(p.Items) != 0 {
			t.Errorf("still listed: %+v", p)
		}
	})
	t.Run("a dead letter past its time cannot be replayed though its job is still there", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{DeadRetention: time.Millisecond})
		j := b.submit()
		b.issue(j.ID)
		b.try(j.Delivery, jobs.OutcomeDead)
		Eventually(t, "it is gone", func() bool {
			err := b.Replay(t.Context(), j.Delivery, by)
			if err == nil {
				b.try(j.Delivery, jobs.OutcomeDead)
			}
			return fault.From(err) != nil && fault.From(err).Code == jobs.ErrDeliveryGone.Code
		})
	})
	t.Run("a job goes however many keys are bound to it", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{JobRetention: time.Millisecond})
		j := b.submit(withDocumentKey("d"), withoutCallback)
		for n := range 1200 {
			b.accept(b.request(withDocumentKey("d"), withIdempotencyKey(fmt.Sprint("k", n)), asProbe))
		}
		b.issue(j.ID)
		Eventually(t, "the record goes", func() bool { return len(clean(b).Jobs) == 1 })
		for _, key := range []string{"k0", "k600", "k1199"} {
			if got := b.accept(b.request(withIdempotencyKey(key), withPayload("fp-2"))); got.Verdict != jobs.Created {
				t.Errorf("%s still answers: %+v", key, got)
			}
		}
	})
	t.Run("the bytes of a document end when they should, and not before their report", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		short := func(a *jobs.Acceptance) { a.Job.Retention = time.Millisecond }
		reported, free := b.submit(short), b.submit(short, withoutCallback)
		b.issue(reported.ID)
		b.issue(free.ID)
		Eventually(t, "the free one is purged", func() bool {
			c := clean(b)
			return len(c.Documents) == 1 && c.Documents[0].Document == free.Document && c.Documents[0].Jobs[0] == free.ID
		})
		if b.document(free.Document).Status != jobs.Purged || b.document(reported.Document).Status != jobs.Issued {
			t.Error("purged the wrong one")
		}
	})
}
