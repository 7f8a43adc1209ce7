package jobstest

import (
	"maps"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/platen-render/platen/internal/jobs"
)

func (p *player) claim(t *rapid.T) {
	id := p.jobIn(t, jobs.Queued, jobs.Running)
	j, want, c := p.model.jobs[id], jobs.ClaimGone, claim{1, "worker", far}
	if j != nil {
		c = p.claimOf(t, &j.turn)
		want = j.claim(j.Status.Final(), c.generation, c.owner, c.lease == past)
	}
	got, err := p.Claim(t.Context(), id, c.generation, c.owner, c.lease)
	answer(p, "claim", got.Answer, err, want)
	if want == jobs.ClaimOK {
		if j.Status == jobs.Queued {
			j.Status, j.Progress = jobs.Running, 0
			p.fences[id] = append(p.fences[id], j.fence())
		}
		answer(p, "claimed", string(got.Job.Spec), nil, string(j.Spec))
		answer(p, "fence", got.Job.Fence(), nil, j.fence())
	}
	p.watch(id)
}

type claim struct {
	generation int
	owner      string
	lease      time.Duration
}

// claimOf draws a claim: somebody's new one, or the one that holds it already, made again because its reply was lost.
func (p *player) claimOf(t *rapid.T, turn *turn) claim {
	generation := turn.generation + oneOf(t, "generation", 0, 0, 0, 0, 0, -1, 1)
	if turn.owner != "" && oneOf(t, "same owner", true, false) {
		return claim{generation, turn.owner, far}
	}
	lease, _ := leaseFor(t)
	return claim{generation, string(p.name("owner")), lease}
}

func (p *player) beat(t *rapid.T) {
	id := p.jobIn(t, jobs.Running)
	f := p.fence(t, id)
	lease, over := leaseFor(t)
	progress, want := rapid.IntRange(0, 99).Draw(t, "progress"), jobs.PulseLost
	if j := p.model.jobs[id]; j != nil {
		want = j.beat(f, over, progress)
	}
	got, err := p.Beat(t.Context(), id, f, lease, progress)
	answer(p, "beat", got, err, want)
	p.watch(id)
}

func (p *player) complete(t *rapid.T) {
	id := p.jobIn(t, jobs.Running, jobs.Succeeded)
	f, r, want := p.fence(t, id), result, jobs.LostTheFence
	r.Blob = string(p.name("blob"))
	if j := p.model.jobs[id]; j != nil {
		want = p.model.complete(j, f, r)
	}
	got, err := p.Complete(t.Context(), id, f, r, nil)
	answer(p, "complete", got, err, want)
	if got == jobs.Won {
		p.pass()
	}
	p.watch(id)
}

// pass waits until a millisecond has passed by the store's own clock, which is that of its API keys.
func (p *player) pass() {
	name := p.name(jobs.KindKey)
	if err := p.PutKey(p.Context(), string(name), jobs.APIKey{ID: name, Lifetime: time.Millisecond}); err != nil {
		p.Fatalf("put key: %v", err)
	}
	for deadline := time.Now().Add(Patience); ; {
		k, err := p.KeyByHash(p.Context(), string(name))
		switch {
		case err != nil || time.Now().After(deadline):
			p.Fatalf("the store's clock stands still, %v", err)
		case k.Expired:
			return
		}
	}
}

// rules are one for each class of failure, with limits and waits that a short sequence can use up.
var rules = []jobs.Rule{
	jobs.DefaultRules().Permanent,
	{Counter: "retries", Limit: 2, Delays: []time.Duration{0, far}},
	{Counter: "engine_lost", Limit: 1, Delays: []time.Duration{far, 0}},
	{Counter: "lost", Limit: 1, OnlyOverdue: true},
	{Counter: "infrastructure", Limit: -1, Delays: []time.Duration{0, 0, far}},
	jobs.DefaultRules().HandBack,
	{},
}

func (p *player) fail(t *rapid.T) {
	id := p.jobIn(t, jobs.Running)
	p.failWith(t, id, p.fence(t, id), rapid.SampledFrom(rules).Draw(t, "rule"))
}

func (p *player) failWith(t *rapid.T, id jobs.ID, f jobs.Fence, rule jobs.Rule) {
	why, want := jobs.Failure{Code: string(p.name("fault")), Retryable: true}, jobs.FailLost
	if j := p.model.jobs[id]; j != nil {
		want = p.model.fail(j, f, why, rule)
	}
	got, err := p.Store.Fail(t.Context(), id, f, why, rule)
	answer(p, "fail", got, err, want)
	p.watch(id)
}

// reap is what the reconciler does with every attempt whose lease is over, of both kinds.
func (p *player) reap(t *rapid.T) {
	overdue, late := p.overdueJobs(), p.overdueDeliveries()
	if len(overdue)+len(late) == 0 {
		t.Skip("nothing is overdue")
	}
	for _, o := range overdue {
		p.failWith(t, o.ID, o.Fence, jobs.Rule{Counter: "lost", Limit: 1, OnlyOverdue: true})
	}
	for _, o := range late {
		p.finishWith(t, o.ID, o.Fence, jobs.DeliveryEnd{Outcome: jobs.OutcomeUnknown, Schedule: []time.Duration{0, 0}, OnlyOverdue: true})
	}
}

func (p *player) cancel(t *rapid.T) {
	id := p.jobIn(t, jobs.Queued, jobs.Running)
	got, err := p.Cancel(t.Context(), id)
	if j := p.model.jobs[id]; j != nil {
		answer(p, "cancel", got, err, p.model.cancel(j))
	} else {
		p.refused("cancel", err, jobs.ErrJobNotFound)
	}
	p.watch(id)
}

func (p *player) purge(t *rapid.T) {
	id := pick(t, "document", p.documents, func(id jobs.ID) bool { return p.model.documents[id].Status != jobs.Purged })
	d := p.model.documents[id]
	got, err := p.Purge(t.Context(), id)
	if d.Status == jobs.Pending && !p.model.failed(id) {
		p.refused("purge", err, jobs.ErrDocumentPending)
		return
	}
	answer(p, "purge", sorted(got), err, p.model.purge(d))
}

func (p *player) clean(t *rapid.T) {
	store, deadOver := p.Store, oneOf(t, "dead letters are over", false, true)
	if deadOver {
		store = p.brief
	}
	got, err := store.Clean(t.Context(), 0, 1000)
	var gone, purged []jobs.ID
	for _, j := range got.Jobs {
		gone = append(gone, j.Job)
	}
	for _, d := range got.Documents {
		purged = append(purged, d.Document)
	}
	wantGone, wantPurged := p.model.clean(deadOver)
	answer(p, "clean jobs", sorted(gone), err, wantGone)
	answer(p, "clean documents", sorted(purged), err, wantPurged)
}

func sorted(ids []jobs.ID) []jobs.ID {
	slices.Sort(ids)
	if len(ids) == 0 {
		return nil
	}
	return ids
}

// turns are the turns of a line that the queue may hold.
func (p *player) turns(line jobs.Line) map[jobs.ID]*turn {
	open := map[jobs.ID]*turn{}
	for id, j := range p.model.jobs {
		if line == j.Class.Line() && j.Status == jobs.Queued {
			open[id] = &j.turn
		}
	}
	for id, d := range p.model.deliveries {
		if line == jobs.CallbackLine && d.Status == jobs.DeliveryPending && d.owner == "" {
			open[id] = &d.turn
		}
	}
	return open
}

func (p *player) dispatched(t *rapid.T) {
	line := rapid.SampledFrom(jobs.Lines).Draw(t, "line")
	all, open := p.known, p.turns(line)
	if line == jobs.CallbackLine {
		all = p.deliveries
	}
	id := pick(t, "task", all, func(id jobs.ID) bool { return open[id] != nil && (open[id].handed || line == jobs.CallbackLine) })
	task := jobs.Task{Line: line, ID: id, Generation: 1}
	if j := p.model.jobs[id]; j != nil && open[id] == nil && j.Status == jobs.Queued {
		t.Skip("nobody says so of a job of another line")
	}
	if turn := open[id]; turn != nil {
		task.Generation = turn.generation - oneOf(t, "older", 0, 0, 1)
		switch {
		case line != jobs.CallbackLine && !turn.ready && !turn.handed:
			t.Skip("nobody says so of a job that waits for its next attempt")
		case task.Generation == turn.generation && !turn.ready:
			turn.due, turn.sent = false, true
		}
	}
	p.refused("dispatched", p.Dispatched(t.Context(), task), nil)
}

// pullAll is what happens when the queue was wiped.
func (p *player) pullAll(t *rapid.T) {
	line := rapid.SampledFrom(jobs.Lines).Draw(t, "line")
	for turn := range maps.Values(p.turns(line)) {
		turn.due = turn.due || turn.sent
	}
	p.refused("pull all", p.PullAll(t.Context(), 0, line), nil)
}
