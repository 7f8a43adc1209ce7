package jobstest

import (
	"maps"
	"slices"

	"github.com/platen-render/platen/internal/jobs"
)

// model is what the rules of the design say, told as plainly as possible and not as any store does it, so that the two
// can disagree. It knows no clock: a lease, a wait or a retention is over as it begins, or outlasts the test. The rules
// are in model.go, the records that they are about here.
type model struct {
	jobs       map[jobs.ID]*modelJob // whose records are kept
	documents  map[jobs.ID]*modelDocument
	deliveries map[jobs.ID]*modelDelivery
	named      map[string]jobs.ID     // documents, by tenant and document key
	bound      map[string]binding     // by tenant and idempotency key
	issued     map[string]int64       // documents so far, by tenant
	gone       map[string]bool        // callback URLs, by tenant and target
	order      map[jobs.Line][]string // tenants with ready jobs, in the order of their turns
	limits     map[string]int         // how many jobs of a tenant may be handed out and running; 0 is any number
}

func newModel() *model {
	return &model{
		jobs:       map[jobs.ID]*modelJob{},
		documents:  map[jobs.ID]*modelDocument{},
		deliveries: map[jobs.ID]*modelDelivery{},
		named:      map[string]jobs.ID{},
		bound:      map[string]binding{},
		issued:     map[string]int64{},
		gone:       map[string]bool{},
		order:      map[jobs.Line][]string{},
		limits:     map[string]int{},
	}
}

type modelJob struct {
	jobs.Job
	record
	turn
	failures map[string]int
	won      jobs.Fence
	sequence int64 // in its event
}

type modelDocument struct {
	jobs.Document
	record // of its bytes
}

type modelDelivery struct {
	jobs.Delivery
	turn
	ended jobs.Fence // the last attempt that ended
	heard bool       // once taken by its receiver
}

// record is how long something is kept.
type record struct {
	brief bool // its retention is over as it begins
	kept  bool // the janitor saw that a report needs it, and looks again after the test
}

// turn is whose turn it is with a job or a delivery: a worker's, or the queue's when owner is "".
type turn struct {
	generation, attempt int
	owner               string
	over                bool // the worker's lease is
	ready, handed       bool // of a job: it waits for the turn of its tenant, or is out of it
	due                 bool // for dispatch
	sent                bool // it was dispatched and is not claimed
}

func (t *turn) fence() jobs.Fence { return jobs.Fence{Attempt: t.attempt, Owner: t.owner} }

// again gives the turn back to the queue.
func (t *turn) again(due bool) { *t = turn{generation: t.generation + 1, attempt: t.attempt, due: due} }

type binding struct {
	request jobs.Fingerprint
	job     jobs.ID
}

func (m *model) bind(a jobs.Acceptance, job jobs.ID) {
	if a.IdempotencyKey != "" {
		m.bound[a.Job.Tenant+" "+a.IdempotencyKey] = binding{a.Request, job}
	}
}

func (m *model) newDocument(j jobs.Job) *modelDocument {
	d := &modelDocument{Document: jobs.Document{ID: j.Document, Key: j.DocumentKey, Tenant: j.Tenant, Status: jobs.Pending}}
	m.documents[d.ID] = d
	if j.DocumentKey != "" {
		m.named[j.Tenant+" "+j.DocumentKey] = d.ID
	}
	return d
}

func (m *model) newDelivery(j *modelJob) {
	d := &modelDelivery{turn: turn{generation: 1, due: true}, Delivery: jobs.Delivery{
		ID: j.Delivery, Event: j.Event, EventType: "job." + string(j.Status), Job: j.ID, Document: j.Document,
		Tenant: j.Tenant, Host: j.Callback.Host, Target: j.Target, Status: jobs.DeliveryPending,
	}}
	m.deliveries[j.Delivery] = d
	m.dieIfGone(d)
}

// report is the delivery of a job's event, or nil.
func (m *model) report(job jobs.ID) *modelDelivery {
	if j := m.jobs[job]; j != nil {
		return m.deliveries[j.Delivery]
	}
	return nil
}

// clean removes records of jobs with all that lives as long as they do, and then ends the bytes of documents.
func (m *model) clean(deadOver bool) (gone, purged []jobs.ID) {
	for id, j := range m.jobs {
		if j.Status.Final() && m.over(&j.record, id, deadOver) {
			delete(m.jobs, id)
			delete(m.deliveries, j.Delivery)
			maps.DeleteFunc(m.bound, func(_ string, b binding) bool { return b.job == id })
			gone = append(gone, id)
		}
	}
	for id, d := range m.documents {
		if d.Status == jobs.Issued && m.over(&d.record, d.Job, deadOver) {
			m.purge(d)
			purged = append(purged, id)
		}
	}
	slices.Sort(gone)
	slices.Sort(purged)
	return gone, purged
}

// purge ends the bytes of a document and the inputs of its jobs, which it returns.
func (m *model) purge(d *modelDocument) (of []jobs.ID) {
	d.Status = jobs.Purged
	for id, j := range m.jobs {
		if j.Document == d.ID {
			j.Spec, of = nil, append(of, id)
		}
	}
	slices.Sort(of)
	return of
}
