package jobstest

import (
	"crypto/rand"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/platen-render/platen/internal/jobs"
)

// TestPlaces plays random sequences of what happens to deliveries, crashes included, on few hosts with few places. After each
// step no host has more attempts than places, and every pending delivery waits in one line and not in two. In the end all
// receivers answer, and every delivery ends: no place was lost on the way, nothing is parked for good, and no room is set
// aside any more.
func TestPlaces(t *testing.T, g Ground) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		if err := g.Clear(t.Context()); err != nil {
			t.Fatalf("clear: %v", err)
		}
		limit := rapid.IntRange(1, 3).Draw(t, "limit")
		p := &hosts{T: t, Ground: g, limit: limit, deliveries: map[jobs.ID]string{}, tasks: map[jobs.Task]bool{}}
		// A place must not be lent by any of the stores, and these differ in what they do with those that wait for long.
		p.Store = g.Open(Settings{HostLimit: limit, HostPause: time.Millisecond})
		p.impatient = g.Open(Settings{HostLimit: limit, HostPause: time.Millisecond, HostPatience: past})
		t.Repeat(map[string]func(*rapid.T){
			"": func(*rapid.T) { p.check() }, "end": p.end, "end ": p.end, "end  ": p.end, "ping": p.ping, "look": p.look, "look ": p.look,
			"claim": p.claim, "claim ": p.claim, "claim  ": p.claim, "finish": p.finish, "finish ": p.finish, "reap": p.reap,
			"replay": p.replay, "lift": p.lift, "give up": p.giveUp,
		})
		p.settle()
	})
}

// hosts plays receivers.
type hosts struct {
	*rapid.T
	Ground
	jobs.Store
	impatient jobs.Store

	limit      int
	deliveries map[jobs.ID]string // with their hosts
	tasks      map[jobs.Task]bool // that the queue holds
	claims     []claimed
}

type claimed struct {
	id    jobs.ID
	fence jobs.Fence
}

// end ends a job, which has something to report.
func (p *hosts) end(t *rapid.T) {
	host := oneOf(t, "host", "a", "a", "b")
	j := jobs.Job{
		ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Event: jobs.NewID(jobs.KindEvent, 0),
		Delivery: jobs.NewID(jobs.KindDelivery, 0), Tenant: tenant, Callback: &jobs.CallbackState{Host: host}, Sealed: []byte("sealed"),
		Target: host + oneOf(t, "path", "/1", "/2"),
	}
	if _, err := p.Accept(t.Context(), jobs.Acceptance{Nonce: rand.Text(), Job: j}); err != nil {
		t.Fatalf("accept: %v", err)
	}
	if _, err := p.Cancel(t.Context(), j.ID); err != nil {
		t.Fatalf("cancel: %v", err)
	}
	p.deliveries[j.Delivery] = host
}

func (p *hosts) ping(t *rapid.T) {
	id := jobs.NewID(jobs.KindDelivery, 0)
	err := p.Test(t.Context(), jobs.Ping{Event: jobs.NewID(jobs.KindEvent, 0), Delivery: id, Tenant: tenant, Host: "a", Target: "a/1", Sealed: []byte("s")})
	if err != nil {
		t.Fatalf("test: %v", err)
	}
	p.deliveries[id] = "@" + tenant
}

// look is a turn of the reconciler, which rings for what is due.
func (p *hosts) look(t *rapid.T) {
	due, err := p.Due(t.Context(), 0, jobs.CallbackLine, 1000)
	if err != nil {
		t.Fatalf("due: %v", err)
	}
	for _, task := range due.Tasks {
		p.tasks[task] = true
		if err := p.Dispatched(t.Context(), task); err != nil {
			t.Fatalf("dispatched: %v", err)
		}
	}
}

// claim hands a task out, a forgotten or an old one too. Some claims are of workers that die at once.
func (p *hosts) claim(t *rapid.T) {
	if len(p.tasks) == 0 {
		t.Skip("the queue is empty")
	}
	task := rapid.SampledFrom(slices.SortedFunc(maps.Keys(p.tasks), byTask)).Draw(t, "task")
	lease, _ := leaseFor(t)
	p.take(task, lease)
}

func byTask(a, b jobs.Task) int {
	return slices.Compare([]byte(a.ID), []byte(b.ID))*2 + a.Generation - b.Generation
}

func (p *hosts) take(task jobs.Task, lease time.Duration) bool {
	c, err := p.ClaimDelivery(p.Context(), task.ID, task.Generation, rand.Text(), lease)
	if err != nil {
		p.Fatalf("claim: %v", err)
	}
	if c.Answer == jobs.ClaimOK {
		p.claims = append(p.claims, claimed{task.ID, c.Delivery.Fence()})
	}
	if c.Answer != jobs.ClaimBusy {
		delete(p.tasks, task)
	}
	return c.Answer == jobs.ClaimOK
}

// finish ends an attempt; whether it is still anybody's is for the store to know.
func (p *hosts) finish(t *rapid.T) {
	if len(p.claims) == 0 {
		t.Skip("nothing is claimed")
	}
	c := rapid.SampledFrom(p.claims).Draw(t, "attempt")
	p.close(c, jobs.DeliveryEnd{
		Outcome:  oneOf(t, "outcome", jobs.OutcomeDelivered, jobs.OutcomeRetry, jobs.OutcomeRetry, jobs.OutcomeRetry, jobs.OutcomeDead, jobs.OutcomeGone),
		Health:   oneOf(t, "health", jobs.HealthDown, jobs.HealthDown, jobs.HealthDown, jobs.HealthUp, jobs.HealthUnknown),
		Schedule: make([]time.Duration, 20),
	})
}

func (p *hosts) close(c claimed, end jobs.DeliveryEnd) {
	after, err := p.FinishDelivery(p.Context(), c.id, c.fence, end)
	if err != nil {
		p.Fatalf("finish: %v", err)
	}
	for _, task := range after.Released { // whoever is told of them may die: they are due in any case
		p.tasks[task] = true
	}
	if after.Status != "alive" {
		p.claims = slices.DeleteFunc(p.claims, func(o claimed) bool { return o == c })
	}
}

// reap is what the reconciler does with attempts of dead workers.
func (p *hosts) reap(t *rapid.T) {
	due, err := p.Due(t.Context(), 0, jobs.CallbackLine, 1000)
	if err != nil {
		t.Fatalf("due: %v", err)
	}
	for _, o := range due.Overdue {
		p.close(claimed{o.ID, o.Fence}, jobs.DeliveryEnd{Outcome: jobs.OutcomeUnknown, Schedule: make([]time.Duration, 20), OnlyOverdue: true})
	}
}

func (p *hosts) replay(t *rapid.T) {
	if len(p.deliveries) > 0 {
		id := rapid.SampledFrom(slices.Sorted(maps.Keys(p.deliveries))).Draw(t, "delivery")
		_ = p.Replay(t.Context(), id, by) // refused or not, the places must be right
	}
}

func (p *hosts) lift(t *rapid.T) {
	_ = p.LiftGoneURL(t.Context(), tenant, oneOf(t, "URL", "a/1", "a/2", "b/1", "b/2"))
}

// giveUp is a look of a process whose patience with dead hosts is over.
func (p *hosts) giveUp(t *rapid.T) {
	if _, err := p.impatient.Due(t.Context(), 0, jobs.CallbackLine, 1000); err != nil {
		t.Fatalf("due: %v", err)
	}
}

// check looks at the lines and the places.
func (p *hosts) check() {
	pending, working := 0, map[string]int{}
	for id, host := range p.deliveries {
		d, err := p.Delivery(p.Context(), id)
		if err != nil {
			p.Fatalf("delivery: %v", err)
		}
		if d.Status == jobs.DeliveryPending {
			pending++
		}
		if d.Owner != "" {
			working[host]++
		}
	}
	waiting := p.length("dlvq")
	for host, lane := range map[string]string{"a": tenant + "@a", "b": tenant + "@b", "@" + tenant: "@" + tenant} {
		placed, parked := p.length("lane:"+lane), p.length("park:"+lane)
		if placed > p.limit || working[host] > placed {
			p.Fatalf("%d attempts of %s with %d places taken of %d", working[host], host, placed, p.limit)
		}
		waiting += parked
	}
	if waiting != pending {
		p.Fatalf("%d of %d pending deliveries wait", waiting, pending)
	}
}

func (p *hosts) length(index string) int {
	n, err := p.Length(p.Context(), index)
	if err != nil {
		p.Fatalf("length of %s: %v", index, err)
	}
	return n
}

// settle lets all receivers answer until nothing is pending any more. What the queue held is forgotten, as are all claims.
func (p *hosts) settle() {
	for _, c := range slices.Clone(p.claims) { // workers that were slow, not dead
		p.close(c, jobs.DeliveryEnd{Outcome: jobs.OutcomeRetry, Schedule: make([]time.Duration, 20)})
	}
	clear(p.tasks)
	for deadline := time.Now().Add(Patience); p.pending() > 0; {
		if time.Now().After(deadline) {
			p.Fatalf("%d deliveries do not end", p.pending())
		}
		p.reap(p.T)
		p.refusedBy(p.PullAll(p.Context(), 0, jobs.CallbackLine))
		p.look(p.T)
		for task := range p.tasks {
			if p.take(task, far) {
				p.close(p.claims[len(p.claims)-1], jobs.DeliveryEnd{Outcome: jobs.OutcomeDelivered, Health: jobs.HealthUp})
			}
			p.check()
		}
		clear(p.tasks)
	}
	for _, index := range []string{"dlvq", "lane:a", "lane:b", "lane:@" + tenant, "park:a", "park:b"} {
		if n := p.length(index); n != 0 {
			p.Fatalf("%d entries are left of %s", n, index)
		}
	}
	if n, err := p.Owed(p.Context()); err != nil || n != 0 {
		p.Fatalf("%d bytes are still set aside, %v", n, err)
	}
}

func (p *hosts) refusedBy(err error) {
	if err != nil {
		p.Fatalf("store: %v", err)
	}
}

func (p *hosts) pending() int {
	n := p.length("dlvq")
	for _, host := range []string{"a", "b", "@" + tenant} {
		n += p.length("park:" + host)
	}
	return n
}
