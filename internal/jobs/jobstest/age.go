package jobstest

import (
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// maxAge is short enough to wait for, and longer than a few calls take.
const maxAge = 400 * time.Millisecond

func testQueueAge(t *testing.T, open opener) {
	t.Helper()
	for name, test := range map[string]func(*testing.T, opener){
		"when no turn comes, new work of the class is refused": testLateTurns,
		"old jobs of one tenant are nothing to another":        testOwnAge,
		"a batch is refused only when no turn comes":           testLateBatches,
		"without a bound nothing is":                           testNoBound,
		"the age is that of what waits for longest":            testAges,
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); test(t, open) })
	}
}

func (b bench) wantOverloaded(change ...func(*jobs.Acceptance)) {
	b.Helper()
	_, err := b.Accept(b.Context(), b.request(change...))
	wantCode(b.T, err, jobs.ErrOverloaded)
}

// grow waits until the class is so old.
func (b bench) grow(class jobs.Class, old func(jobs.QueueAge) bool) {
	b.Helper()
	Eventually(b.T, "the queue grows older", func() bool {
		age, err := b.QueueAge(b.Context(), class)
		if err != nil {
			b.Fatal(err)
		}
		return old(age)
	})
}

func oldTurn(a jobs.QueueAge) bool { return a.Turn > maxAge }

func testLateTurns(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{MaxQueueAge: maxAge})
	b.submit(withIdempotencyKey("k"))
	b.queued(3)
	b.limits(map[jobs.Limit]int64{jobs.LimitRequests: 1, jobs.LimitBurst: 1}) // what is refused is not charged
	b.grow(jobs.ClassNormal, oldTurn)
	b.wantOverloaded(atMost(2))
	b.wantOverloaded(atMost(2), withTenant(b.neighbor(1)))
	if got := b.accept(b.request(withIdempotencyKey("k"))); got.Verdict != jobs.Replayed {
		t.Errorf("a replay got %+v", got)
	}
	if got := b.accept(b.request(asProbe)); got.Verdict != jobs.Absent {
		t.Errorf("a probe got %+v", got)
	}
	b.submit(ofClass(jobs.ClassHigh))
	b.limits(map[jobs.Limit]int64{jobs.LimitRequests: -1})
	for _, class := range []jobs.Class{jobs.ClassHigh, jobs.ClassLow} {
		b.submit(ofClass(class))
	}
}

func testOwnAge(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{MaxQueueAge: maxAge})
	b.queued(5)
	other := withTenant(b.neighbor(1))
	b.grow(jobs.ClassNormal, func(a jobs.QueueAge) bool { return a.Turn > 2*maxAge }) // so that the last of them is old, too
	b.wantOverloaded(atMost(2), other)
	p := jobs.PartitionOf(b.tenant, b.partitions)
	b.handOut(p, 1, time.Minute) // a turn: the tenant now waits for the next one
	b.submit(atMost(2), other)
	b.wantOverloaded(atMost(2))
	for range 4 {
		b.handOut(p, 1, time.Minute)
	}
	b.submit(atMost(2)) // none of its own is ready any more
}

func testLateBatches(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{MaxQueueAge: maxAge})
	b.upload("a", "b", "c")
	b.promote()
	b.grow(jobs.ClassBatch, oldTurn)
	_, err := b.BeginBatch(t.Context(), b.order(""))
	wantCode(t, err, jobs.ErrOverloaded)
	b.submit()
	b.handOut(jobs.PartitionOf(b.tenant, b.partitions), 1, time.Minute)
	b.begin(b.order("")) // two of them are as old as before, and the tenant has its turns
}

func testNoBound(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.queued(3)
	b.grow(jobs.ClassNormal, oldTurn)
	b.submit()
}

func testAges(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	for _, class := range []jobs.Class{jobs.ClassHigh, jobs.ClassNormal, jobs.ClassLow, jobs.ClassBatch} {
		if age, err := b.QueueAge(t.Context(), class); err != nil || age != (jobs.QueueAge{}) {
			t.Errorf("%s: an empty queue is %+v old, %v", class, age, err)
		}
	}
	held := b.queued(5, ofClass(jobs.ClassHigh))
	b.grow(jobs.ClassHigh, func(a jobs.QueueAge) bool { return a.Turn > maxAge && a.Oldest >= a.Turn })
	p := jobs.PartitionOf(b.tenant, b.partitions)
	b.handOut(p, 1, time.Minute)
	before := time.Now()
	age, err := b.QueueAge(t.Context(), jobs.ClassHigh)
	if err != nil || age.Oldest < maxAge || age.Turn > time.Since(before)+maxAge/2 {
		t.Errorf("after a turn it is %+v, %v", age, err)
	}
	if age, err := b.QueueAge(t.Context(), jobs.ClassNormal); err != nil || age != (jobs.QueueAge{}) {
		t.Errorf("another class is %+v old, %v", age, err)
	}
	for _, j := range append(held, b.all()...) {
		if _, err := b.Cancel(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	if age, err := b.QueueAge(t.Context(), jobs.ClassHigh); err != nil || age != (jobs.QueueAge{}) {
		t.Errorf("an empty queue is %+v old, %v", age, err)
	}
}

// all are the jobs of the tenant.
func (b bench) all() (ids []jobs.ID) {
	b.Helper()
	found, err := b.Jobs(b.Context(), jobs.JobFilter{Tenant: b.tenant, Limit: 100})
	if err != nil {
		b.Fatal(err)
	}
	for _, j := range found.Items {
		ids = append(ids, j.ID)
	}
	return ids
}
