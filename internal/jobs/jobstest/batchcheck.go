package jobstest

import (
	"maps"
	"slices"

	"github.com/platen-render/platen/internal/jobs"
)

// check compares what is said of each batch in different places.
func (p *runs) check() {
	for _, id := range p.sealed {
		b, err := p.Batch(p.Context(), id)
		if err != nil {
			p.Fatalf("batch: %v", err)
		}
		p.checkCounts(b)
		if p.epochs[id] == nil {
			p.epochs[id] = map[jobs.ID]bool{}
		}
		p.epochs[id][b.Delivery] = true
		_, err = p.Delivery(p.Context(), b.Delivery)
		if ended := b.Pending() == 0; b.Status.Final() != ended || (err == nil) != ended || b.Finished.IsZero() == ended {
			p.Fatalf("%s is %s with %d pending, finished at %v, and its delivery: %v", id, b.Status, b.Pending(), b.Finished, err)
		}
	}
}

func (p *runs) checkCounts(b jobs.Batch) {
	rows, _, err := p.BatchItems(p.Context(), jobs.ItemFilter{Batch: b.ID, Limit: 9})
	if err != nil {
		p.Fatalf("items: %v", err)
	}
	counts, failed := map[jobs.ItemStatus]int{}, 0
	for _, status := range jobs.ItemStatuses {
		listed, _, err := p.BatchItems(p.Context(), jobs.ItemFilter{Batch: b.ID, Status: status, Limit: 9})
		if err != nil || len(listed) != b.Counts[status] {
			p.Fatalf("%s lists %d items as %s, and counts %v: %v", b.ID, len(listed), status, b.Counts, err)
		}
		counts[status] = 0
	}
	for _, r := range rows {
		counts[r.Status]++
		p.checkRow(r)
	}
	for _, e := range b.Errors {
		failed += e.Count
	}
	if !maps.Equal(counts, b.Counts) || len(rows) != b.Items || failed != counts[jobs.ItemFailed] {
		p.Fatalf("%s counts %v of %d and %d failures; its rows are %v", b.ID, b.Counts, b.Items, failed, rows)
	}
}

// checkRow compares an item with its job.
func (p *runs) checkRow(r jobs.BatchItem) {
	if r.Job == "" || !slices.Contains([]jobs.ItemStatus{jobs.ItemQueued, jobs.ItemRunning, jobs.ItemSucceeded}, r.Status) {
		return
	}
	if j, err := p.Job(p.Context(), r.Job); err != nil || string(j.Status) != string(r.Status) || j.Document != r.Document {
		p.Fatalf("item %+v has the job %+v: %v", r, j, err)
	}
}
