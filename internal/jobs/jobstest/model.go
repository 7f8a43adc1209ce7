package jobstest

import "github.com/platen-render/platen/internal/jobs"

// accept decides who answers: rule 1 is the idempotency key, rule 2 the document key.
func (m *model) accept(a jobs.Acceptance, due, brief bool) (jobs.Verdict, jobs.ID, jobs.ID) {
	j := a.Job
	if b, ok := m.bound[j.Tenant+" "+a.IdempotencyKey]; ok {
		if b.request != a.Request {
			return jobs.KeyReused, b.job, m.jobs[b.job].Document
		}
		return jobs.Replayed, b.job, m.jobs[b.job].Document
	}
	d := m.documents[m.named[j.Tenant+" "+j.DocumentKey]]
	if a.RetryOf != "" {
		old := m.jobs[a.RetryOf]
		if old == nil || m.documents[old.Document].Job != old.ID || !m.failed(old.Document) {
			return jobs.NotRetryable, a.RetryOf, ""
		}
		d = m.documents[old.Document]
	} else if d != nil && !m.failed(d.ID) { // in flight, issued or purged
		if d.Fingerprint != j.Fingerprint {
			return jobs.KeyConflict, d.Job, d.ID
		}
		if m.jobs[d.Job] == nil {
			return jobs.Retained, d.Job, d.ID
		}
		m.bind(a, d.Job)
		return jobs.Replayed, d.Job, d.ID
	}
	if a.Probe {
		return jobs.Absent, "", ""
	}
	if d == nil {
		d = m.newDocument(j)
	}
	j.Document, j.Status, d.Job, d.Fingerprint = d.ID, jobs.Queued, j.ID, j.Fingerprint
	m.jobs[j.ID] = &modelJob{Job: j, record: record{brief: brief}, failures: map[string]int{}, turn: turn{generation: 1}}
	m.begin(m.jobs[j.ID], a.Most, due)
	m.bind(a, j.ID)
	return jobs.Created, j.ID, d.ID
}

// failed reports whether nothing has made a document and no job is about to.
func (m *model) failed(document jobs.ID) bool {
	d := m.documents[document]
	return d.Status == jobs.Pending && (m.jobs[d.Job] == nil || m.jobs[d.Job].Status.Final())
}

// claim is one rule for jobs and for deliveries. From a worker whose lease is over only the reaper takes.
func (t *turn) claim(ended bool, generation int, owner string, over bool) jobs.ClaimAnswer {
	switch {
	case ended:
		return jobs.ClaimDone
	case generation != t.generation:
		return jobs.ClaimStale
	case t.owner == "":
		*t = turn{generation: generation, attempt: t.attempt + 1, owner: owner, over: over}
	case t.owner != owner || t.over:
		return jobs.ClaimBusy
	}
	return jobs.ClaimOK
}

func (j *modelJob) beat(f jobs.Fence, over bool, progress int) jobs.Pulse {
	if j.fence() != f || j.owner == "" {
		return jobs.PulseLost
	}
	j.over, j.Progress = over, max(j.Progress, progress)
	if j.CancelRequested {
		return jobs.PulseCancel
	}
	return jobs.PulseOK
}

func (m *model) cancel(j *modelJob) jobs.Status {
	if j.Status == jobs.Queued {
		m.end(j, jobs.Canceled)
	}
	j.CancelRequested = j.CancelRequested || j.Status == jobs.Running
	return j.Status
}

func (m *model) complete(j *modelJob, f jobs.Fence, r jobs.Result) jobs.Completion {
	d := m.documents[j.Document]
	switch {
	case j.won == f:
		return jobs.AlreadyWon
	case j.fence() != f || j.owner == "" || d.Status != jobs.Pending:
		return jobs.LostTheFence
	case j.CancelRequested:
		m.end(j, jobs.Canceled)
		return jobs.EndCanceled
	}
	m.issued[j.Tenant]++
	d.Status, d.Result, d.Number, d.brief = jobs.Issued, &r, m.issued[j.Tenant], j.Retention > 0
	j.won, j.Result, j.Progress, j.Failure = f, &r, 100, nil
	m.end(j, jobs.Succeeded)
	return jobs.Won
}

func (m *model) fail(j *modelJob, f jobs.Fence, why jobs.Failure, rule jobs.Rule) jobs.Failing {
	switch {
	case j.fence() != f || j.owner == "":
		return jobs.FailLost
	case rule.OnlyOverdue && !j.over:
		return jobs.StillAlive
	case j.CancelRequested:
		m.end(j, jobs.Canceled)
		return jobs.WasCanceled
	}
	j.Failure = &why
	j.failures[rule.Counter]++
	j.EngineLost = j.failures["engine_lost"]
	j.Lost = j.failures["lost"]
	n := j.failures[rule.Counter]
	if rule.Counter != "" && rule.Limit >= 0 && n > rule.Limit {
		m.end(j, jobs.Failed)
		return jobs.HasFailed
	}
	j.Status, j.Progress = jobs.Queued, 0
	j.again(false)
	if len(rule.Delays) == 0 || rule.Delays[min(n, len(rule.Delays))-1] == 0 {
		m.await(j)
	}
	return jobs.WillRetry
}

// end is the only way into a terminal status: one event, and a delivery of it where there is a callback.
func (m *model) end(j *modelJob, s jobs.Status) {
	d := m.documents[j.Document]
	d.Sequence++
	j.Status, j.sequence, j.turn = s, d.Sequence, turn{generation: j.generation, attempt: j.attempt}
	if j.Callback != nil {
		m.newDelivery(j)
	}
}

// dieIfGone ends a delivery that nobody works on and whose URL has answered 410.
func (m *model) dieIfGone(d *modelDelivery) {
	if d.owner != "" || d.Status != jobs.DeliveryPending || !m.gone[d.Tenant+" "+d.Target] {
		return
	}
	a := jobs.AttemptURLGone
	a.Number = d.attempt + 1
	d.Log = append(d.Log, a)
	d.Status, d.turn = jobs.DeliveryDead, turn{generation: d.generation, attempt: a.Number}
}

// finish ends an attempt to deliver. After the last wait of the schedule comes death.
func (m *model) finish(d *modelDelivery, f jobs.Fence, end jobs.DeliveryEnd) jobs.DeliveryStatus {
	tries := d.attempt - d.Base
	switch {
	case d.ended == f:
		return d.Status
	case d.fence() != f || d.owner == "":
		return "lost"
	case end.OnlyOverdue && !d.over:
		return "alive"
	case end.Outcome == jobs.OutcomeDelivered:
		d.Status, d.heard = jobs.DeliveryDelivered, true
	case end.Outcome == jobs.OutcomeGone:
		d.Status, m.gone[d.Tenant+" "+d.Target] = jobs.DeliveryDead, true
	case end.Outcome == jobs.OutcomeDead || tries > len(end.Schedule):
		d.Status = jobs.DeliveryDead
	default:
		d.again(max(end.Wait, end.Schedule[tries-1]) == 0)
	}
	d.ended, d.owner, d.over = f, "", false
	return d.Status
}

// replay makes a delivery that has ended due, with the same event; the schedule begins anew.
func (d *modelDelivery) replay(by jobs.ID) {
	if d.Status != jobs.DeliveryPending {
		d.Status, d.Base = jobs.DeliveryPending, d.attempt
		d.Replays = append(d.Replays, jobs.DeliveryReplay{By: by})
		d.again(true)
	}
}

// over reports whether what a job made has passed its retention, and its report does not need it any more.
func (m *model) over(r *record, job jobs.ID, deadOver bool) bool {
	if d := m.report(job); d != nil && r.brief {
		r.kept = r.kept || d.Status == jobs.DeliveryPending || d.Status == jobs.DeliveryDead && !deadOver
	}
	return r.brief && !r.kept
}
