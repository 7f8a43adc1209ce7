package jobstest

import (
	"encoding/json"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/platen-render/platen/internal/jobs"
)

// targets name callback URLs.
var targets = []string{"url-1", "url-1", "url-2", "url-3"}

func (p *player) submit(t *rapid.T) {
	fp := oneOf(t, "payload", payload, payload, payload, "fp-2")
	a := p.acceptance(oneOf(t, "tenant", tenant, tenant, "other"))
	a.IdempotencyKey = oneOf(t, "idempotency key", "", "", "i1", "i2")
	a.Job.DocumentKey = oneOf(t, "document key", "", "d1", "d2", "d3")
	a.Job.Fingerprint, a.Request = fp, fp
	a.Job.Retention = oneOf(t, "retention", 0, time.Millisecond)
	a.Probe = oneOf(t, "probe", false, false, false, true)
	a.Job.Class = oneOf(t, "class", jobs.ClassNormal, jobs.ClassNormal, jobs.ClassHigh, jobs.ClassLow, jobs.ClassBatch)
	if oneOf(t, "callback", true, false) {
		a.Job.Callback, a.Job.Sealed = &jobs.CallbackState{Host: "receiver.example"}, []byte("sealed")
		a.Job.Target = oneOf(t, "target", targets...)
	}
	p.accept(t, a)
}

func (p *player) acceptance(tenant string) jobs.Acceptance {
	return jobs.Acceptance{Nonce: string(p.name("nonce")), Job: jobs.Job{
		ID: p.name(jobs.KindJob), Document: p.name(jobs.KindDocument), Event: p.name(jobs.KindEvent), Delivery: p.name(jobs.KindDelivery),
		Tenant: tenant, Class: jobs.ClassNormal, Spec: []byte("{}"), Metadata: json.RawMessage(`{"n":1.10}`),
	}}
}

func (p *player) retry(t *rapid.T) {
	id := p.jobIn(t, jobs.Failed, jobs.Canceled)
	a := p.acceptance(tenant)
	if old := p.model.jobs[id]; old != nil {
		a.Job.Tenant, a.Job.DocumentKey, a.Job.Fingerprint = old.Tenant, old.DocumentKey, old.Fingerprint
		a.Job.Retention, a.Job.Callback, a.Job.Sealed, a.Job.Target = old.Retention, old.Callback, old.Sealed, old.Target
	}
	a.RetryOf, a.Request = id, jobs.FingerprintRetry(id)
	a.IdempotencyKey = oneOf(t, "idempotency key", "", "", "i1", "i2")
	p.accept(t, a)
}

func (p *player) accept(t *rapid.T, a jobs.Acceptance) {
	store, brief := p.Store, oneOf(t, "brief", false, true, true)
	if brief {
		store = p.brief
	}
	a.Grace, a.Most = oneOf(t, "grace", 0, far), oneOf(t, "most", 0, 1, 3)
	got, err := store.Accept(t.Context(), a)
	verdict, job, document := p.model.accept(a, a.Grace == 0, brief)
	if verdict == jobs.NotRetryable || verdict == jobs.Absent {
		got.Document = document // a hint, where it is known
	}
	want := jobs.Acceptation{Verdict: verdict, Job: job, Document: document}
	if verdict == jobs.Created {
		want.Held = p.model.jobs[job].ready
	}
	answer(p, "accept", withoutTime(got), err, want)
	if verdict != jobs.Created {
		return
	}
	p.calls = append(p.calls, call{a, got})
	p.known, p.deliveries = append(p.known, job), append(p.deliveries, a.Job.Delivery)
	if p.documentOf[job] = document; document == a.Job.Document {
		p.documents = append(p.documents, document)
	}
	p.watch(job)
}

func withoutTime(a jobs.Acceptation) jobs.Acceptation {
	a.Created = time.Time{}
	return a
}

// callAgain repeats a call whose reply was lost, or draws the ids of somebody else's.
func (p *player) callAgain(t *rapid.T) {
	kept := slices.DeleteFunc(slices.Clone(p.calls), func(c call) bool { return p.model.jobs[c.made.Job.ID] == nil })
	if len(kept) == 0 {
		t.Skip("no call yet")
	}
	c := rapid.SampledFrom(kept).Draw(t, "call")
	want := c.answer
	want.Held = p.model.jobs[c.made.Job.ID].ready
	if !oneOf(t, "own", true, false) {
		c.made.Nonce, want = "another", jobs.Acceptation{Verdict: jobs.IDTaken, Job: c.made.Job.ID}
	}
	got, err := p.Accept(t.Context(), c.made)
	answer(p, "accept again", got, err, want)
}
