package jobstest

import (
	"slices"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// deliveries reads a list of the tenant, in pages.
func (b bench) deliveries(f jobs.DeliveryFilter) (ids []jobs.ID) {
	b.Helper()
	f.Tenant = b.tenant
	for cursor := jobs.ID(""); ; {
		page, err := b.DeliveryPage(b.Context(), f, cursor, 3)
		if err != nil {
			b.Fatalf("deliveries: %v", err)
		}
		for _, d := range page.Items {
			ids = append(ids, d.ID)
		}
		if cursor = page.Next; cursor == "" {
			return ids
		}
	}
}

// dead makes dead letters of events to a host.
func (b bench) dead(host string, n int) (all []jobs.Job) {
	b.Helper()
	for range n {
		j := b.submit(withHost(host))
		b.issue(j.ID)
		b.tell(b.attempt(j.Delivery, lease), jobs.OutcomeDead, jobs.HealthUp)
		all = append(all, j)
	}
	return all
}

func testReplays(t *testing.T, open opener) {
	t.Helper()
	t.Run("deliveries are listed by status, host, type and time", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		dead := b.dead("a", 5)
		other := b.dead("b", 1)[0]
		failed := b.submit(withHost("a"))
		b.end(failed.ID)
		done := b.reported("c")
		b.tell(b.attempt(done.Delivery, lease), jobs.OutcomeDelivered, jobs.HealthUp)
		newest := slices.Clone(dead)
		slices.SortFunc(newest, func(x, y jobs.Job) int { return -slices.Compare([]byte(x.Delivery), []byte(y.Delivery)) })
		wantIDs(t, "dead to a", b.deliveries(jobs.DeliveryFilter{Status: jobs.DeliveryDead, Host: "a"}), newest...)
		wantIDs(t, "dead to b", b.deliveries(jobs.DeliveryFilter{Status: jobs.DeliveryDead, Host: "b"}), other)
		wantIDs(t, "pending", b.deliveries(jobs.DeliveryFilter{Status: jobs.DeliveryPending}), failed)
		wantIDs(t, "delivered", b.deliveries(jobs.DeliveryFilter{Status: jobs.DeliveryDelivered}), done)
		wantIDs(t, "of a type", b.deliveries(jobs.DeliveryFilter{Status: jobs.DeliveryPending, Type: "job.succeeded"}))
		wantIDs(t, "of the type", b.deliveries(jobs.DeliveryFilter{Status: jobs.DeliveryPending, Type: "job.failed"}), failed)
		at := b.delivery(done.Delivery).Accepted
		if !at.Equal(done.Created) {
			t.Errorf("accepted %v, the job was created %v", at, done.Created)
		}
		for name, c := range map[string]struct {
			after, before time.Time
			want          []jobs.Job
		}{
			"after":        {at.Add(-time.Millisecond), time.Time{}, []jobs.Job{done}},
			"after, none":  {at, time.Time{}, nil},
			"before":       {time.Time{}, at.Add(time.Millisecond), []jobs.Job{done}},
			"before, none": {time.Time{}, at, nil},
		} {
			f := jobs.DeliveryFilter{Status: jobs.DeliveryDelivered, CreatedAfter: c.after, CreatedBefore: c.before}
			wantIDs(t, name, b.deliveries(f), c.want...)
			f.Tenant = b.tenant
			if n, err := b.CountDeliveries(t.Context(), f); err != nil || n != len(c.want) {
				t.Errorf("%s: counted %d, %v", name, n, err)
			}
		}
		if n, err := b.CountDeliveries(t.Context(), jobs.DeliveryFilter{Tenant: b.tenant, Status: jobs.DeliveryDead}); err != nil || n != 6 {
			t.Errorf("counted %d dead, %v", n, err)
		}
	})
	t.Run("a job whose end was not heard of is listed until it was", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		listed := func(want ...jobs.ID) {
			t.Helper()
			page, err := b.Jobs(t.Context(), jobs.JobFilter{Tenant: b.tenant, Unacknowledged: true, Limit: 10})
			var got []jobs.ID
			for _, j := range page.Items {
				got = append(got, j.ID)
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("got %v, want %v, %v", got, want, err)
			}
		}
		j := b.submit()
		b.end(b.submit(withoutCallback).ID)
		listed()
		b.issue(j.ID)
		listed(j.ID)
		b.try(j.Delivery, jobs.OutcomeDead)
		listed(j.ID)
		for range 2 { // a later replay is no news
			if err := b.Replay(t.Context(), j.Delivery, by); err != nil {
				t.Fatal(err)
			}
			b.try(j.Delivery, jobs.OutcomeDelivered)
			listed()
		}
		if d := b.delivery(j.Delivery); len(d.Replays) != 2 || d.Replays[1].By != by || d.Replays[1].At.IsZero() {
			t.Errorf("replays %+v", d.Replays)
		}
	})
	t.Run("many are replayed by a filter, each once, whoever goes on with it and whatever happens meanwhile", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostLimit: 1000})
		all, others := b.dead("a", 12), b.dead("b", 3)
		gone := b.submit(func(a *jobs.Acceptance) { withHost("a")(a); a.Job.Target = "gone" })
		b.issue(gone.ID)
		b.tell(b.attempt(gone.Delivery, lease), jobs.OutcomeGone, jobs.HealthUp)
		partition := jobs.PartitionOf(b.tenant, b.partitions)
		order := jobs.ReplayOrder{
			ID: jobs.NewID(jobs.KindReplay, partition), Rate: 20, By: by,
			Filter: jobs.DeliveryFilter{Tenant: b.tenant, Status: jobs.DeliveryDead, Host: "a"},
		}
		_, err := b.ReplayRun(t.Context(), order.ID)
		wantCode(t, err, jobs.ErrReplayNotFound)
		began := time.Now()
		var run jobs.ReplayRun
		Eventually(t, "the replay finishes", func() bool {
			if err := b.StartReplay(t.Context(), order); err != nil { // the same again changes nothing
				t.Fatal(err)
			}
			if err := b.ContinueReplays(t.Context(), partition); err != nil {
				t.Fatal(err)
			}
			for _, id := range b.dueIDs() { // they die again while it goes on
				b.tell(b.attempt(id, lease), jobs.OutcomeDead, jobs.HealthUp)
			}
			run, err = b.ReplayRun(t.Context(), order.ID)
			return err == nil && !run.Finished.IsZero()
		})
		took := time.Since(began)
		if run.Replayed != 12 || run.Skipped != 1 || run.Created.IsZero() || run.ReplayOrder != order {
			t.Errorf("run %+v", run)
		}
		if took < 300*time.Millisecond {
			t.Errorf("12 at 20 a second took %v", took)
		}
		for i, j := range append(all, others...) {
			if d := b.delivery(j.Delivery); len(d.Replays) != 1 && i < len(all) || len(d.Replays) != 0 && i >= len(all) || d.Status != jobs.DeliveryDead {
				t.Errorf("delivery %d: %+v", i, d)
			}
		}
		second := order
		second.ID = jobs.NewID(jobs.KindReplay, partition)
		second.Filter = jobs.DeliveryFilter{Tenant: b.tenant, Status: jobs.DeliveryDelivered}
		if err := b.StartReplay(t.Context(), second); err != nil {
			t.Fatal(err)
		}
		if err := b.ContinueReplays(t.Context(), partition); err != nil {
			t.Fatal(err)
		}
		page, err := b.ReplayRuns(t.Context(), b.tenant, "", 10)
		if err != nil || len(page.Items) != 2 {
			t.Fatalf("runs %+v, %v", page, err)
		}
		for _, r := range page.Items {
			if r.Finished.IsZero() {
				t.Errorf("run %+v", r)
			}
		}
	})
	t.Run("what dies after a replay began is not part of it", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		b.dead("a", 2)
		partition := jobs.PartitionOf(b.tenant, b.partitions)
		order := jobs.ReplayOrder{ID: jobs.NewID(jobs.KindReplay, partition), Rate: 1000, Filter: jobs.DeliveryFilter{Tenant: b.tenant, Status: jobs.DeliveryDead}}
		if err := b.StartReplay(t.Context(), order); err != nil {
			t.Fatal(err)
		}
		b.pass() // ids of the next millisecond are later
		late := b.dead("a", 1)[0]
		if err := b.ContinueReplays(t.Context(), partition); err != nil {
			t.Fatal(err)
		}
		if run, err := b.ReplayRun(t.Context(), order.ID); err != nil || run.Replayed != 2 || run.Finished.IsZero() {
			t.Errorf("run %+v, %v", run, err)
		}
		if d := b.delivery(late.Delivery); d.Status != jobs.DeliveryDead {
			t.Errorf("delivery %+v", d)
		}
	})
	t.Run("so many replays of a tenant go on at once, and one more when one has finished", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		b.dead("a", 1)
		partition := jobs.PartitionOf(b.tenant, b.partitions)
		order := func() jobs.ReplayOrder {
			return jobs.ReplayOrder{ID: jobs.NewID(jobs.KindReplay, partition), Rate: 1, Filter: jobs.DeliveryFilter{Tenant: b.tenant, Status: jobs.DeliveryDead}}
		}
		first := order()
		for _, o := range append([]jobs.ReplayOrder{first, first}, slices.Repeat([]jobs.ReplayOrder{{}}, jobs.MaxReplays-1)...) {
			if o.ID == "" {
				o = order()
			}
			if err := b.StartReplay(t.Context(), o); err != nil { // the same again is not one more
				t.Fatal(err)
			}
		}
		wantCode(t, b.StartReplay(t.Context(), order()), jobs.ErrReplayLimit)
		if err := b.StartReplay(t.Context(), first); err != nil {
			t.Errorf("the same again: %v", err)
		}
		if err := b.ContinueReplays(t.Context(), partition); err != nil {
			t.Fatal(err)
		}
		if err := b.StartReplay(t.Context(), order()); err != nil {
			t.Errorf("after some have finished: %v", err)
		}
	})
	t.Run("dead letters are counted inside their retention", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{DeadRetention: 500 * time.Millisecond})
		died := b.dead("a", 2)
		if r := b.reporting(); r.Dead != 2 || r.OldestDead < 0 || r.OldestDead > Patience {
			t.Errorf("reporting %+v", r)
		}
		Eventually(t, "the oldest has an age", func() bool { r := b.reporting(); return r.OldestDead > brief || r.Dead == 0 })
		if err := b.Replay(t.Context(), died[0].Delivery, by); err == nil {
			if r := b.reporting(); r.Dead > 1 {
				t.Errorf("reporting %+v", r)
			}
		}
		Eventually(t, "they are past it", func() bool { r := b.reporting(); return r.Dead == 0 && r.OldestDead == 0 })
	})
}
