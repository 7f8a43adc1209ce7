package jobstest

import (
	"github.com/platen-render/platen/internal/jobs"
)

// remakeAll makes again what waits for it. What was listed to a process that died comes later, which a test does not wait for: it asks
// another store, for which no time is left.
func (p *runs) remakeAll() {
	again := p.Open(Settings{OrphanAfter: past})
	for range 100 {
		items, err := again.Again(p.Context(), 0, 100)
		if err != nil {
			p.Fatalf("again: %v", err)
		}
		if len(items) == 0 {
			return
		}
		for _, i := range items {
			p.restage(p.T, i)
		}
	}
}

// endOne takes a job to its end.
func (p *runs) endOne() bool {
	for _, status := range []jobs.Status{jobs.Running, jobs.Queued} {
		found, err := p.Jobs(p.Context(), jobs.JobFilter{Tenant: tenant, Status: status, Limit: 50})
		if err != nil {
			p.Fatalf("jobs: %v", err)
		}
		for _, j := range found.Items {
			if status == jobs.Queued {
				c, err := p.Claim(p.Context(), j.ID, j.Generation, "settle", lease)
				if err != nil || c.Answer != jobs.ClaimOK {
					p.Fatalf("claim: %s, %v", c.Answer, err)
				}
				j = c.Job
			}
			if _, err := p.Complete(p.Context(), j.ID, j.Fence(), result, nil); err != nil {
				p.Fatalf("complete: %v", err)
			}
		}
		if len(found.Items) > 0 {
			return true
		}
	}
	return false
}

// deliver delivers what a batch has reported: once for each of its epochs.
func (p *runs) deliver(id jobs.ID) {
	for delivery := range p.epochs[id] {
		d, err := p.Delivery(p.Context(), delivery)
		if err != nil {
			p.Fatalf("delivery: %v", err)
		}
		c, err := p.ClaimDelivery(p.Context(), delivery, d.Generation, "settle", lease)
		if err != nil || c.Answer != jobs.ClaimOK {
			p.Fatalf("claim delivery: %s, %v", c.Answer, err)
		}
		if _, err := p.FinishDelivery(p.Context(), delivery, c.Delivery.Fence(), jobs.DeliveryEnd{Outcome: jobs.OutcomeDelivered}); err != nil {
			p.Fatalf("finish delivery: %v", err)
		}
	}
}

// leftovers looks for what batches that have ended still take. New inputs that were left behind go in time.
func (p *runs) leftovers() {
	for _, kind := range []string{"item", "reserved", "watch"} {
		if n, err := p.Count(p.Context(), kind); err != nil || n > 0 {
			p.Fatalf("%d records of %s are left: %v", n, kind, err)
		}
	}
	if n, err := p.Length(p.Context(), "repeats"); err != nil || n > 0 {
		p.Fatalf("%d batches wait to be made again: %v", n, err)
	}
	if owed, err := p.Owed(p.Context()); err != nil || owed != 0 {
		p.Fatalf("%d bytes are still set aside: %v", owed, err)
	}
}
