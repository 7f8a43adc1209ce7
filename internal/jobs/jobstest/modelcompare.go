package jobstest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// compare compares all that the store knows with the model, and then looks at the promises without the model.
func (p *player) compare() {
	for _, id := range p.known {
		p.compareJob(id)
	}
	for _, id := range p.documents {
		got, err := p.Document(p.Context(), id)
		got.Created, got.Issued, got.Expires, got.PurgedAt = time.Time{}, time.Time{}, time.Time{}, time.Time{}
		answer(p, "document", got, err, p.model.documents[id].Document)
	}
	for _, id := range p.deliveries {
		p.compareDelivery(id)
	}
	p.compareLists()
	p.compareOutbox()
	p.compareRecords()
	p.promises()
}

func (p *player) compareJob(id jobs.ID) {
	got, err := p.Job(p.Context(), id)
	j := p.model.jobs[id]
	if j == nil {
		p.refused("job", err, jobs.ErrJobNotFound)
		return
	}
	want := j.Job
	want.Generation, want.Attempt, want.Owner = j.generation, j.attempt, j.owner
	if c := j.Callback; c != nil {
		want.Callback = &jobs.CallbackState{Host: c.Host, Status: jobs.DeliveryPending}
		if d := p.model.deliveries[j.Delivery]; d != nil {
			want.Callback.Status, want.Callback.Attempts = d.Status, d.attempt
		}
	}
	if err == nil && (got.Created.IsZero() || got.Started.IsZero() != (j.attempt == 0) || got.Finished.IsZero() == j.Status.Final() ||
		got.Expires.IsZero() != (j.Result == nil || j.Retention == 0)) {
		p.Fatalf("instants of %+v", got)
	}
	got.Created, got.Started, got.Finished, got.Expires = time.Time{}, time.Time{}, time.Time{}, time.Time{}
	if got.Callback != nil {
		got.Callback.NextAttempt = time.Time{}
	}
	answer(p, "job", got, err, want)
}

func (p *player) compareDelivery(id jobs.ID) {
	got, err := p.Delivery(p.Context(), id)
	d := p.model.deliveries[id]
	if d == nil {
		p.refused("delivery", err, jobs.ErrDeliveryNotFound)
		return
	}
	want := d.Delivery
	want.Generation, want.Attempt, want.Owner = d.generation, d.attempt, d.owner
	if err == nil && (got.Died.IsZero() == (d.Status == jobs.DeliveryDead) || got.Next.IsZero() == (d.Status == jobs.DeliveryPending && d.owner == "")) {
		p.Fatalf("instants of %+v", got)
	}
	got.Accepted, got.Created, got.Next, got.Died = time.Time{}, time.Time{}, time.Time{}, time.Time{}
	for i := range got.Log {
		got.Log[i].Started = time.Time{}
	}
	for i := range got.Replays {
		got.Replays[i].At = time.Time{}
	}
	answer(p, "delivery", got, err, want)
}

// jobsThat lists jobs, newest first.
func (p *player) jobsThat(is func(*modelJob) bool) []jobs.ID {
	var ids []jobs.ID
	for id, j := range p.model.jobs {
		if is(j) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b jobs.ID) int { return strings.Compare(string(b), string(a)) })
	return ids
}

// compareRecords counts what no list shows: one event for each end, one idempotency key for each that is bound.
func (p *player) compareRecords() {
	ended := len(p.jobsThat(func(j *modelJob) bool { return j.Status.Final() }))
	for _, kind := range []struct {
		name string
		want int
	}{
		{"job", len(p.model.jobs)},
		{"document", len(p.model.documents)},
		{"doc", len(p.model.named)},
		{"idem", len(p.model.bound)},
		{"dlv", len(p.model.deliveries)},
		{"evt", ended},
	} {
		got, err := p.Count(p.Context(), kind.name)
		answer(p, "records of "+kind.name, got, err, kind.want)
	}
	dead := 0
	for _, d := range p.model.deliveries {
		if d.Status == jobs.DeliveryDead {
			dead++
		}
	}
	p.length("ret", ended)
	p.length("died", dead)
	p.length("out", p.model.count(func(j *modelJob) bool { return j.Status == jobs.Queued && !j.ready }))
	p.length("run", len(p.jobsThat(func(j *modelJob) bool { return j.Status == jobs.Running })))
}

// length compares the number of entries of an index.
func (p *player) length(index string, want int) {
	got, err := p.Length(p.Context(), index)
	answer(p, "entries of "+index, got, err, want)
}

// compareLists reads every list, in pages.
func (p *player) compareLists() {
	for _, tenant := range []string{tenant, "other"} {
		for _, s := range append([]jobs.Status{""}, jobs.Statuses...) {
			want := p.jobsThat(func(j *modelJob) bool { return j.Tenant == tenant && (s == "" || j.Status == s) })
			answer(p, "jobs that are "+string(s), p.listed(jobs.JobFilter{Tenant: tenant, Status: s}), nil, want)
			p.length(strings.TrimSuffix("idx:"+tenant+":"+string(s), ":"), len(want))
		}
		for _, s := range []jobs.DeliveryStatus{jobs.DeliveryPending, jobs.DeliveryDelivered, jobs.DeliveryDead} {
			p.compareDeliveries(tenant, s)
		}
		want := p.jobsThat(func(j *modelJob) bool {
			d := p.model.deliveries[j.Delivery]
			return j.Tenant == tenant && d != nil && !d.heard
		})
		answer(p, "jobs whose end was not heard of", p.listed(jobs.JobFilter{Tenant: tenant, Unacknowledged: true}), nil, want)
		p.length("unack:"+tenant, len(want))
	}
	for _, id := range p.documents {
		want := p.jobsThat(func(j *modelJob) bool { return j.Document == id })
		answer(p, "jobs of a document", p.listed(jobs.JobFilter{Tenant: p.model.documents[id].Tenant, Document: id}), nil, want)
	}
}

func (p *player) listed(f jobs.JobFilter) (ids []jobs.ID) {
	for f.Limit = 3; ; {
		page, err := p.Jobs(p.Context(), f)
		p.refused("jobs", err, nil)
		for _, j := range page.Items {
			ids = append(ids, j.ID)
		}
		if f.Cursor = page.Next; f.Cursor == "" {
			return ids
		}
	}
}

func (p *player) compareDeliveries(tenant string, status jobs.DeliveryStatus) {
	var got, want []jobs.ID
	page, err := p.DeliveryPage(p.Context(), jobs.DeliveryFilter{Tenant: tenant, Status: status}, "", 1000)
	for _, d := range page.Items {
		got = append(got, d.ID)
	}
	for id, d := range p.model.deliveries {
		if d.Tenant == tenant && d.Status == status {
			want = append(want, id)
		}
	}
	slices.Sort(want)
	slices.Reverse(want)
	answer(p, "deliveries that are "+string(status), got, err, want)
	p.length("dlvs:"+tenant+":"+string(status), len(want))
}

// compareOutbox looks at what is to be done: nothing that waits is forgotten, nothing is there twice.
func (p *player) compareOutbox() {
	p.overdueJobs()
	p.overdueDeliveries()
	p.compareDueJobs()
	p.compareTurns()
	due, err := p.Due(p.Context(), 0, jobs.CallbackLine, 1000)
	var got, want []jobs.ID
	for _, t := range due.Tasks {
		got = append(got, t.ID)
	}
	for id, t := range p.turns(jobs.CallbackLine) {
		if t.due {
			want = append(want, id)
		}
	}
	answer(p, "due deliveries", sorted(got), err, sorted(want))
	for _, line := range jobs.Lines {
		sent := 0
		for t := range maps.Values(p.turns(line)) {
			if t.sent {
				sent++
			}
		}
		n, err := p.Outstanding(p.Context(), 0, line)
		answer(p, "outstanding to "+string(line), n, err, sent)
	}
}

func (p *player) overdueJobs() []jobs.Overdue {
	got, err := p.Overdue(p.Context(), 0, 1000)
	var want []jobs.Overdue
	for id, j := range p.model.jobs {
		if j.owner != "" && j.over {
			want = append(want, jobs.Overdue{ID: id, Fence: j.fence()})
		}
	}
	answer(p, "overdue jobs", byID(got), err, byID(want))
	return got
}

func (p *player) overdueDeliveries() []jobs.Overdue {
	due, err := p.Due(p.Context(), 0, jobs.CallbackLine, 1000)
	var want []jobs.Overdue
	for id, d := range p.model.deliveries {
		if d.owner != "" && d.over {
			want = append(want, jobs.Overdue{ID: id, Fence: d.fence()})
		}
	}
	answer(p, "overdue deliveries", byID(due.Overdue), err, byID(want))
	return due.Overdue
}

func byID(all []jobs.Overdue) []jobs.Overdue {
	slices.SortFunc(all, func(a, b jobs.Overdue) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return all
}

// promises reads the store alone: numbers have no gap and none twice, every end is counted in the document's sequence
// once, and a document has at most one job that is not terminal.
func (p *player) promises() {
	ends, open := map[jobs.ID]int64{}, map[jobs.ID]int{}
	for _, id := range p.known {
		if p.watch(id); p.ended[id] != "" {
			ends[p.documentOf[id]]++
		} else {
			open[p.documentOf[id]]++
		}
	}
	numbers := map[string][]int64{}
	for _, id := range p.documents {
		d, err := p.Document(p.Context(), id)
		if err != nil || d.Sequence != ends[id] || open[id] > 1 {
			p.Fatalf("%s has sequence %d after %d ends, and %d open jobs, %v", id, d.Sequence, ends[id], open[id], err)
		}
		if (d.Number > 0) != (d.Result != nil) {
			p.Fatalf("%s has number %d and result %v", id, d.Number, d.Result)
		}
		if d.Number > 0 {
			numbers[d.Tenant] = append(numbers[d.Tenant], d.Number)
		}
	}
	for _, tenant := range slices.Sorted(maps.Keys(numbers)) {
		slices.Sort(numbers[tenant])
		for i, n := range numbers[tenant] {
			if n != int64(i)+1 {
				p.Fatalf("issue numbers of %s: %v", tenant, numbers[tenant])
			}
		}
	}
}
