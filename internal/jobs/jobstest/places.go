package jobstest

import (
	"crypto/rand"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// brief is a pause or a patience that a test waits for.
const brief = 30 * time.Millisecond

// reported ends a job whose event goes to a host, after a millisecond has passed by the store's clock: the order is then
// certain.
func (b bench) reported(host string) jobs.Job {
	b.Helper()
	b.pass()
	j := b.submit(withHost(host))
	b.issue(j.ID)
	return j
}

func withHost(host string) func(*jobs.Acceptance) {
	return func(a *jobs.Acceptance) {
		a.Job.Callback, a.Job.Target = &jobs.CallbackState{Host: host}, jobs.Target("https://"+host+"/")
	}
}

// pass waits until a millisecond has passed by the store's own clock, which is that of its API keys.
func (b bench) pass() {
	b.Helper()
	hash := rand.Text()
	if err := b.PutKey(b.Context(), hash, jobs.APIKey{ID: jobs.NewID(jobs.KindKey, 0), Lifetime: time.Millisecond}); err != nil {
		b.Fatalf("put key: %v", err)
	}
	Eventually(b.T, "a millisecond", func() bool {
		k, err := b.KeyByHash(b.Context(), hash)
		return err == nil && k.Expired
	})
}

// attempt claims a delivery as it is now.
func (b bench) attempt(id jobs.ID, lease time.Duration) jobs.DeliveryClaim {
	b.Helper()
	c, err := b.ClaimDelivery(b.Context(), id, b.delivery(id).Generation, rand.Text(), lease)
	if err != nil {
		b.Fatalf("claim delivery: %v", err)
	}
	return c
}

// tell ends an attempt and returns what it made way for.
func (b bench) tell(c jobs.DeliveryClaim, outcome string, health jobs.Health) []jobs.ID {
	b.Helper()
	if c.Answer != jobs.ClaimOK {
		b.Fatalf("claim gave %s", c.Answer)
	}
	return b.told(c.Delivery.ID, c.Delivery.Fence(), jobs.DeliveryEnd{Outcome: outcome, Health: health, Schedule: make([]time.Duration, 20)})
}

func (b bench) told(id jobs.ID, f jobs.Fence, end jobs.DeliveryEnd) (released []jobs.ID) {
	b.Helper()
	after, err := b.FinishDelivery(b.Context(), id, f, end)
	if err != nil {
		b.Fatalf("finish delivery: %v", err)
	}
	for _, t := range after.Released {
		if d := b.delivery(t.ID); t.Generation != d.Generation || t.Line != jobs.CallbackLine {
			b.Errorf("released %+v, the delivery has generation %d", t, d.Generation)
		}
		released = append(released, t.ID)
	}
	return released
}

func (b bench) dueIDs() (ids []jobs.ID) {
	b.Helper()
	for _, t := range b.due(jobs.CallbackLine).Tasks {
		ids = append(ids, t.ID)
	}
	return ids
}

func (b bench) reporting() (total jobs.Reporting) {
	b.Helper()
	total.Ended = map[jobs.Ending]int{}
	for p := range b.Partitions() {
		r, err := b.Reporting(b.Context(), p)
		if err != nil {
			b.Fatalf("reporting: %v", err)
		}
		total.Dead, total.Parked, total.HostsDown = total.Dead+r.Dead, total.Parked+r.Parked, total.HostsDown+r.HostsDown
		total.OldestDead = max(total.OldestDead, r.OldestDead)
		for how, n := range r.Ended {
			total.Ended[how] += n
		}
	}
	return total
}

// wantEnded compares how deliveries have ended.
func (b bench) wantEnded(want map[jobs.Ending]int) {
	b.Helper()
	if got := b.reporting().Ended; !maps.Equal(got, want) {
		b.Errorf("ended %v, want %v", got, want)
	}
}

// wantIDs compares deliveries, in their order.
func wantIDs(t *testing.T, what string, got []jobs.ID, want ...jobs.Job) {
	t.Helper()
	var ids []jobs.ID
	for _, j := range want {
		ids = append(ids, j.Delivery)
	}
	if !slices.Equal(got, ids) {
		t.Errorf("%s: got %v, want %v", what, got, ids)
	}
}

func testPlaces(t *testing.T, open opener) {
	t.Helper()
	t.Run("a host has so many attempts at once, and what waits for it is out of the way of others", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostLimit: 2})
		first, second, third, fourth := b.reported("a"), b.reported("a"), b.reported("a"), b.reported("a")
		other := b.reported("b")
		wantIDs(t, "due", b.dueIDs(), first, second, other)
		if r := b.reporting(); r.Parked != 2 || r.HostsDown != 0 {
			t.Errorf("reporting %+v", r)
		}
		working := b.attempt(first.Delivery, lease)
		if c := b.attempt(third.Delivery, lease); c.Answer != jobs.ClaimParked {
			t.Errorf("a claim beyond the limit: %s", c.Answer)
		}
		wantIDs(t, "released", b.tell(working, jobs.OutcomeDelivered, jobs.HealthUp), third)
		wantIDs(t, "due", b.dueIDs(), second, other, third)
		if c, _ := b.ClaimDelivery(t.Context(), third.Delivery, 1, "late", lease); c.Answer != jobs.ClaimStale {
			t.Errorf("a task from before it was parked: %s", c.Answer)
		}
		if late := b.reported("a"); b.attempt(late.Delivery, lease).Answer != jobs.ClaimParked {
			t.Error("a late one got a place before an earlier one")
		}
		wantIDs(t, "released", b.tell(b.attempt(second.Delivery, lease), jobs.OutcomeDead, jobs.HealthUp), fourth)
	})
	t.Run("whoever waits for the next attempt has no place, and gets in line again", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostLimit: 1})
		first, second := b.reported("a"), b.reported("a")
		c := b.attempt(first.Delivery, lease)
		end := jobs.DeliveryEnd{Outcome: jobs.OutcomeRetry, Schedule: []time.Duration{brief}}
		wantIDs(t, "released", b.told(first.Delivery, c.Delivery.Fence(), end), second)
		Eventually(t, "it waits in line", func() bool { b.due(jobs.CallbackLine); return b.reporting().Parked == 1 })
		wantIDs(t, "due", b.dueIDs(), second)
		wantIDs(t, "released", b.tell(b.attempt(second.Delivery, lease), jobs.OutcomeDelivered, jobs.HealthUp), first)
	})
	t.Run("the place of a dead worker is given back with its attempt", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostLimit: 1})
		first, second := b.reported("a"), b.reported("a")
		b.attempt(first.Delivery, time.Millisecond)
		var due jobs.Due
		Eventually(t, "the attempt is overdue", func() bool { due = b.due(jobs.CallbackLine); return len(due.Overdue) == 1 })
		end := jobs.DeliveryEnd{Outcome: jobs.OutcomeUnknown, Schedule: []time.Duration{time.Hour}, OnlyOverdue: true}
		wantIDs(t, "released", b.told(first.Delivery, due.Overdue[0].Fence, end), second)
	})
	t.Run("a delivery that is replayed waits like any other", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostLimit: 1})
		done := b.reported("a")
		b.tell(b.attempt(done.Delivery, lease), jobs.OutcomeDelivered, jobs.HealthUp)
		busy := b.reported("a")
		if err := b.Replay(t.Context(), done.Delivery, by); err != nil {
			t.Fatal(err)
		}
		wantIDs(t, "due", b.dueIDs(), busy)
		wantIDs(t, "released", b.tell(b.attempt(busy.Delivery, lease), jobs.OutcomeDelivered, jobs.HealthUp), done)
	})
	t.Run("parked deliveries are not what the queue has to hold", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostLimit: 1})
		first, second := b.reported("a"), b.reported("a")
		b.dispatched(b.due(jobs.CallbackLine).Tasks[0])
		b.dispatched(jobs.Task{Line: jobs.CallbackLine, ID: second.Delivery, Generation: 1})
		b.outstanding(jobs.CallbackLine, 1)
		b.pullAll(jobs.CallbackLine)
		wantIDs(t, "due", b.dueIDs(), first)
	})
}

// breakHost lets one delivery fail until host a is taken for down; it is due again at once.
func (b bench) breakHost() jobs.Job {
	b.Helper()
	j := b.reported("a")
	for range 5 {
		b.tell(b.attempt(j.Delivery, lease), jobs.OutcomeRetry, jobs.HealthDown)
	}
	return j
}

func testDeadHosts(t *testing.T, open opener) {
	t.Helper()
	t.Run("a host that does not answer five times in a row is left alone, then tried by one, then open to all", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostLimit: 2, HostPause: 2 * time.Second}) // more than a busy machine needs until the next look
		first := b.breakHost()
		second, third := b.reported("a"), b.reported("a")
		other := b.reported("b")
		if c := b.attempt(first.Delivery, lease); c.Answer != jobs.ClaimParked {
			t.Errorf("a claim at once: %s", c.Answer)
		}
		wantIDs(t, "due", b.dueIDs(), other)
		if r := b.reporting(); r.Parked != 3 || r.HostsDown != 1 {
			t.Errorf("reporting %+v", r)
		}
		b.tell(b.attempt(other.Delivery, lease), jobs.OutcomeDelivered, jobs.HealthUp)
		Eventually(t, "the pause is over", func() bool { return len(b.dueIDs()) > 0 })
		wantIDs(t, "due", b.dueIDs(), second) // the first one claimed in vain and is behind
		wantIDs(t, "released", b.tell(b.attempt(second.Delivery, lease), jobs.OutcomeDelivered, jobs.HealthUp), third, first)
		if r := b.reporting(); r.Parked != 0 || r.HostsDown != 0 {
			t.Errorf("reporting %+v", r)
		}
	})
	t.Run("the one that tries a host is the one that has waited for longest", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostPause: brief})
		b.breakHost()
		waiting, opens := b.reported("a"), time.Now().Add(2*brief)
		Eventually(t, "the pause is over", func() bool { return time.Now().After(opens) })
		b.reported("a") // a place is free, and it does not take it
		wantIDs(t, "due", b.dueIDs(), waiting)
	})
	t.Run("each try in vain makes the pause longer, and answers with nothing learned change nothing", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostPause: 100 * time.Millisecond})
		b.breakHost()
		var pauses []time.Duration
		for range 3 {
			began := time.Now()
			Eventually(t, "one is tried", func() bool { return len(b.dueIDs()) == 1 })
			pauses = append(pauses, time.Since(began))
			id := b.dueIDs()[0]
			b.tell(b.attempt(id, lease), jobs.OutcomeRetry, jobs.HealthDown)
		}
		if pauses[2] < 300*time.Millisecond || pauses[2] < pauses[0] {
			t.Errorf("pauses %v", pauses)
		}
	})
	t.Run("an answer in between begins the count anew", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostPause: time.Hour})
		j := b.reported("a")
		for n := range 12 {
			health := jobs.HealthDown
			if n%4 == 3 {
				health = jobs.HealthUp
			}
			b.tell(b.attempt(j.Delivery, lease), jobs.OutcomeRetry, health)
		}
		b.tell(b.attempt(j.Delivery, lease), jobs.OutcomeRetry, jobs.HealthUnknown)
		wantIDs(t, "due", b.dueIDs(), j)
	})
	t.Run("what has waited for as long as the whole schedule is a dead letter, and says why", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostLimit: 1, HostPause: brief, HostPatience: 4 * brief})
		b.breakHost()
		waiting := []jobs.Job{b.reported("a"), b.reported("a")}
		var d jobs.Delivery
		Eventually(t, "one is given up", func() bool {
			for _, id := range b.dueIDs() { // the one that tries the host
				b.tell(b.attempt(id, lease), jobs.OutcomeRetry, jobs.HealthDown)
			}
			return slices.ContainsFunc(waiting, func(j jobs.Job) bool {
				d = b.delivery(j.Delivery)
				return d.Status == jobs.DeliveryDead
			})
		})
		last := d.Log[len(d.Log)-1]
		if last.Error != "host_down" || last.Outcome != jobs.OutcomeFailed || last.Started.IsZero() || last.Number != d.Attempt || d.Died.IsZero() {
			t.Errorf("delivery %+v", d)
		}
		if n := b.reporting().Ended[jobs.EndedHostDown]; n < 1 {
			t.Errorf("%d are counted", n)
		}
		if err := b.Replay(t.Context(), d.ID, by); err != nil {
			t.Error(err)
		}
	})
	t.Run("a moment without answers gives up nobody who has waited for a slow host", func(t *testing.T) {
		t.Parallel()
		const patience = 2 * time.Second
		b := newBench(t, open, Settings{HostLimit: 5, HostPause: time.Millisecond, HostPatience: patience})
		var busy []jobs.DeliveryClaim
		for range 5 {
			busy = append(busy, b.attempt(b.reported("a").Delivery, time.Hour))
		}
		var waiting []jobs.Job
		for range 10 {
			waiting = append(waiting, b.reported("a"))
		}
		began := time.Now()
		Eventually(t, "they have waited for long", func() bool { return time.Since(began) > patience })
		began = time.Now()
		for _, c := range busy {
			b.tell(c, jobs.OutcomeRetry, jobs.HealthDown)
		}
		for range 5 {
			b.pass()
			b.due(jobs.CallbackLine)
		}
		for _, j := range waiting {
			if d := b.delivery(j.Delivery); d.Status != jobs.DeliveryPending {
				t.Errorf("delivery is %s %v after the first failure: %+v", d.Status, time.Since(began), d.Log)
			}
		}
	})
	t.Run("nobody is given up because a host is slow", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{HostLimit: 1, HostPause: time.Millisecond, HostPatience: time.Millisecond})
		busy, waiting := b.reported("a"), b.reported("a")
		c := b.attempt(busy.Delivery, lease)
		for range 5 {
			b.pass()
			b.due(jobs.CallbackLine)
		}
		wantIDs(t, "released", b.tell(c, jobs.OutcomeDelivered, jobs.HealthUp), waiting)
	})
}
