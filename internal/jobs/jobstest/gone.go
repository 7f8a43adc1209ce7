package jobstest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

func (b bench) gone() []jobs.GoneURL {
	b.Helper()
	got, err := b.GoneURLs(b.Context(), b.tenant)
	if err != nil {
		b.Fatalf("gone URLs: %v", err)
	}
	return got
}

func testGone(t *testing.T, open opener) {
	t.Helper()
	t.Run("after a 410 every event to the URL is dead at once, until it is lifted", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostLimit: 2})
		first, second, parked := b.reported("a"), b.reported("a"), b.reported("a")
		if gone := b.gone(); len(gone) != 0 {
			t.Fatalf("gone before: %+v", gone)
		}
		if released := b.tell(b.attempt(first.Delivery, lease), jobs.OutcomeGone, jobs.HealthUp); len(released) != 0 {
			t.Errorf("released %v", released)
		}
		target := jobs.Target("https://a/")
		if gone := b.gone(); len(gone) != 1 || gone[0].ID != target || gone[0].Host != "a" || gone[0].Delivery != first.Delivery || gone[0].Since.IsZero() {
			t.Errorf("gone %+v", gone)
		}
		if c := b.attempt(second.Delivery, lease); c.Answer != jobs.ClaimDone {
			t.Errorf("a claim: %s", c.Answer)
		}
		late, other := b.reported("a"), b.reported("b")
		for _, j := range []jobs.Job{second, parked, late} {
			d := b.delivery(j.Delivery)
			if d.Status != jobs.DeliveryDead || len(d.Log) != 1 || d.Log[0].Error != "url_gone" || d.Attempt != 1 {
				t.Errorf("delivery %+v", d)
			}
			wantCode(t, b.Replay(t.Context(), j.Delivery, by), jobs.ErrURLGone)
		}
		wantIDs(t, "due", b.dueIDs(), other)
		if r := b.reporting(); r.Dead != 4 || r.Parked != 0 {
			t.Errorf("reporting %+v", r)
		}
		b.wantEnded(map[jobs.Ending]int{jobs.EndedGone: 1, jobs.EndedURLGone: 3})
		if err := b.LiftGoneURL(t.Context(), b.tenant, target); err != nil {
			t.Fatal(err)
		}
		wantCode(t, b.LiftGoneURL(t.Context(), b.tenant, target), jobs.ErrGoneURLNotFound)
		if err := b.Replay(t.Context(), late.Delivery, by); err != nil {
			t.Fatal(err)
		}
		again := b.reported("a")
		wantIDs(t, "due", b.dueIDs(), other, late, again)
	})
	t.Run("another tenant's URL is another one", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		mine := b.reported("a")
		b.tell(b.attempt(mine.Delivery, lease), jobs.OutcomeGone, jobs.HealthUp)
		theirs := b.submit(withHost("a"), withTenant("other"))
		b.issue(theirs.ID)
		if d := b.delivery(theirs.Delivery); d.Status != jobs.DeliveryPending {
			t.Errorf("delivery %+v", d)
		}
	})
}

// ping makes a test of a URL of host a.
func (b bench) ping() jobs.Ping {
	b.Helper()
	partition := jobs.PartitionOf(b.tenant, b.partitions)
	p := jobs.Ping{
		Event: jobs.NewID(jobs.KindEvent, partition), Delivery: jobs.NewID(jobs.KindDelivery, partition), Tenant: b.tenant,
		Host: "a", Target: jobs.Target("https://a/"), Sealed: []byte("sealed"),
	}
	for range 2 {
		if err := b.Test(b.Context(), p); err != nil {
			b.Fatalf("test: %v", err)
		}
	}
	return p
}

func testPings(t *testing.T, open opener) {
	t.Helper()
	t.Run("a test is one attempt and leaves no trace in lists", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		p := b.ping()
		c := b.attempt(p.Delivery, lease)
		var body event
		if err := json.Unmarshal(c.Body, &body); err != nil || body.Type != "ping" || string(c.Sealed) != "sealed" {
			t.Errorf("body %s, %v", c.Body, err)
		}
		b.tell(c, jobs.OutcomeRetry, jobs.HealthDown)
		d := b.delivery(p.Delivery)
		if d.Status != jobs.DeliveryDead || !d.Ping || len(d.Log) != 1 || d.EventType != "ping" || d.Job != "" || d.Target != p.Target {
			t.Errorf("delivery %+v", d)
		}
		if r := b.reporting(); r.Dead != 0 || len(r.Ended) != 0 {
			t.Errorf("reporting %+v", r)
		}
		for _, s := range []jobs.DeliveryStatus{jobs.DeliveryPending, jobs.DeliveryDead} {
			if page := b.deliveries(jobs.DeliveryFilter{Status: s}); len(page) != 0 {
				t.Errorf("%s: %v", s, page)
			}
		}
		wantCode(t, b.Replay(t.Context(), p.Delivery, by), jobs.ErrDeliveryGone)
		if ids := b.dueIDs(); len(ids) != 0 {
			t.Errorf("due %v", ids)
		}
	})
	t.Run("a test reaches a host that is down, takes no place of events, and its answer opens the host", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostLimit: 1, HostPause: time.Hour})
		waiting := b.breakHost()
		wantIDs(t, "due", b.dueIDs())
		p, more := b.ping(), b.ping()
		c := b.attempt(p.Delivery, lease)
		if c := b.attempt(more.Delivery, lease); c.Answer != jobs.ClaimParked {
			t.Errorf("a second test of a tenant with one place: %s", c.Answer)
		}
		released := b.tell(c, jobs.OutcomeDelivered, jobs.HealthUp)
		wantIDs(t, "released", released, waiting, jobs.Job{Delivery: more.Delivery})
		if d := b.delivery(p.Delivery); d.Status != jobs.DeliveryDelivered {
			t.Errorf("delivery %+v", d)
		}
	})
	t.Run("tests in vain do not take a host down, and do not mark a URL gone", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostPause: time.Hour})
		for range 6 {
			b.tell(b.attempt(b.ping().Delivery, lease), jobs.OutcomeGone, jobs.HealthDown)
		}
		j := b.reported("a")
		wantIDs(t, "due", b.dueIDs(), j)
		if gone := b.gone(); len(gone) != 0 {
			t.Errorf("gone %+v", gone)
		}
	})
}
