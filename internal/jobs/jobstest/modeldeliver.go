package jobstest

import (
	"encoding/json"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/platen-render/platen/internal/jobs"
)

func (p *player) deliver(t *rapid.T) {
	id := p.deliveryThat(t, func(d *modelDelivery) bool { return d.Status == jobs.DeliveryPending })
	d, want, c := p.model.deliveries[id], jobs.ClaimGone, claim{1, "worker", far}
	if d != nil {
		c = p.claimOf(t, &d.turn)
		if c.generation == d.generation {
			p.model.dieIfGone(d)
		}
		want = d.claim(d.Status != jobs.DeliveryPending, c.generation, c.owner, c.lease == past)
	}
	got, err := p.ClaimDelivery(t.Context(), id, c.generation, c.owner, c.lease)
	answer(p, "claim delivery", got.Answer, err, want)
	if want != jobs.ClaimOK {
		return
	}
	if !slices.Contains(p.fences[id], d.fence()) {
		p.fences[id] = append(p.fences[id], d.fence())
		d.Log = append(d.Log, jobs.DeliveryAttempt{Number: d.attempt})
	}
	var body event
	err = json.Unmarshal(got.Body, &body)
	answer(p, "event", body, err, p.eventOf(d))
}

// event is what the rules say about the body of one.
type event struct {
	Type string
	Data struct {
		JobID      jobs.ID     `json:"job_id"`
		DocumentID jobs.ID     `json:"document_id"`
		Status     jobs.Status `json:"status"`
		Sequence   int64       `json:"sequence"`
	}
}

func (p *player) eventOf(d *modelDelivery) event {
	j := p.model.jobs[d.Job]
	e := event{Type: "job." + string(j.Status)}
	e.Data.JobID, e.Data.DocumentID, e.Data.Status, e.Data.Sequence = j.ID, j.Document, j.Status, j.sequence
	return e
}

func (p *player) finish(t *rapid.T) {
	id := p.deliveryThat(t, func(d *modelDelivery) bool { return d.attempt > 0 })
	p.finishWith(t, id, p.fence(t, id), jobs.DeliveryEnd{
		Outcome:     oneOf(t, "outcome", jobs.OutcomeDelivered, jobs.OutcomeRetry, jobs.OutcomeRetry, jobs.OutcomeDead, jobs.OutcomeGone),
		Schedule:    oneOf(t, "schedule", []time.Duration{0}, []time.Duration{0, far}),
		Wait:        oneOf(t, "wait", 0, 0, far),
		OnlyOverdue: oneOf(t, "only overdue", false, false, true),
	})
}

func (p *player) finishWith(t *rapid.T, id jobs.ID, f jobs.Fence, end jobs.DeliveryEnd) {
	end.Attempt = jobs.DeliveryAttempt{Number: f.Attempt, Outcome: end.Outcome, Detail: string(p.name("detail"))}
	want := jobs.DeliveryStatus("lost")
	if d := p.model.deliveries[id]; d != nil {
		held := d.owner
		if want = p.model.finish(d, f, end); held != "" && d.owner == "" {
			d.Log[f.Attempt-1] = end.Attempt
		}
	}
	got, err := p.FinishDelivery(t.Context(), id, f, end)
	answer(p, "finish delivery", got.Status, err, want)
}

func (p *player) replay(t *rapid.T) {
	id := p.deliveryThat(t, func(d *modelDelivery) bool { return d.Status != jobs.DeliveryPending })
	store, deadOver := p.Store, oneOf(t, "dead letters are over", false, false, true)
	if deadOver {
		store = p.brief
	}
	d, want := p.model.deliveries[id], jobs.ErrDeliveryNotFound
	switch {
	case d != nil && d.Status == jobs.DeliveryDead && deadOver:
		want = jobs.ErrDeliveryGone
	case d != nil && d.Status != jobs.DeliveryPending && p.model.gone[d.Tenant+" "+d.Target]:
		want = jobs.ErrURLGone
	case d != nil:
		by := p.name(jobs.KindKey)
		d.replay(by)
		p.refused("replay", store.Replay(t.Context(), id, by), nil)
		return
	}
	p.refused("replay", store.Replay(t.Context(), id, by), want)
}

// lift lets events go to a URL again.
func (p *player) lift(t *rapid.T) {
	target := oneOf(t, "target", targets...)
	want := jobs.ErrGoneURLNotFound
	if p.model.gone[tenant+" "+target] {
		want = nil
	}
	delete(p.model.gone, tenant+" "+target)
	p.refused("lift", p.LiftGoneURL(t.Context(), tenant, target), want)
}
