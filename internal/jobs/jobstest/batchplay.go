package jobstest

import (
	"crypto/rand"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/platen-render/platen/internal/jobs"
)

// TestBatches plays random sequences of uploads, jobs, cancels and retries on batches that share document keys; each step may be taken
// twice, as after a lost reply, and the process may die between any two. After each step the counts of every batch are those of its rows,
// and it has ended, and said so, just when nothing of it is pending. In the end every batch ends, and nothing is left of what it needed on
// the way.
func TestBatches(t *testing.T, g Ground) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		if err := g.Clear(t.Context()); err != nil {
			t.Fatalf("clear: %v", err)
		}
		p := &runs{T: t, Ground: g, Store: g.Open(Settings{UploadTime: past, HostLimit: 1000}), epochs: map[jobs.ID]map[jobs.ID]bool{}}
		t.Repeat(map[string]func(*rapid.T){
			"": func(*rapid.T) { p.check() }, "upload": p.upload, "upload ": p.upload, "cut": p.cut, "drop": p.drop,
			"submit": p.submit, "promote": p.promote, "promote ": p.promote, "run": p.run, "run ": p.run, "run  ": p.run, "run   ": p.run,
			"stop": p.stop, "cancel": p.cancel, "retry": p.retry, "retry ": p.retry, "remake": p.remake, "remake ": p.remake,
		})
		p.settle()
	})
}

// runs plays the callers of batches, and the workers.
type runs struct {
	*rapid.T
	Ground
	jobs.Store

	open   []jobs.ID
	sealed []jobs.ID
	epochs map[jobs.ID]map[jobs.ID]bool // deliveries of each batch
}

// twice takes a step, and perhaps once more.
func (p *runs) twice(t *rapid.T, step func() error) {
	for range rapid.IntRange(1, 2).Draw(t, "times") {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
}

func (p *runs) acceptance(key string, payload jobs.Fingerprint) jobs.Acceptance {
	return jobs.Acceptance{Nonce: rand.Text(), Request: payload, Job: jobs.Job{
		ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Event: jobs.NewID(jobs.KindEvent, 0),
		Delivery: jobs.NewID(jobs.KindDelivery, 0), Tenant: tenant, DocumentKey: key, Fingerprint: payload, Class: jobs.ClassNormal, Spec: []byte(`{}`),
	}}
}

func (p *runs) item(batch jobs.ID, index int, key string, payload jobs.Fingerprint) jobs.StagedItem {
	j := p.acceptance(key, payload).Job
	j.Batch, j.Class, j.Reports = batch, jobs.ClassBatch, []string{}
	return jobs.StagedItem{Index: index, Job: j}
}

func (p *runs) begin(t *rapid.T) jobs.ID {
	o := jobs.BatchOrder{
		ID: jobs.NewID(jobs.KindBatch, 0), Tenant: tenant, Request: "header", Event: jobs.NewID(jobs.KindEvent, 0),
		Delivery: jobs.NewID(jobs.KindDelivery, 0), Sealed: []byte("sealed"), Host: "host", Target: "target", Events: []string{jobs.EventBatchCompleted},
	}
	p.twice(t, func() error { _, err := p.BeginBatch(t.Context(), o); return err })
	return o.ID
}

// stage stages items of random keys, and tells whether all of them can be accepted.
func (p *runs) stage(t *rapid.T, id jobs.ID) (items int, whole bool) {
	keys := rapid.SliceOfNDistinct(rapid.StringMatching("[a-f]"), 1, 5, rapid.ID[string]).Draw(t, "keys")
	var all []jobs.StagedItem
	for i, key := range keys {
		if key == "f" {
			key = "" // a document without a key
		}
		all = append(all, p.item(id, i, key, jobs.Fingerprint(oneOf(t, "payload", "p", "p", "p", "q"))))
	}
	whole = true
	p.twice(t, func() error {
		got, err := p.StageItems(t.Context(), id, all)
		for _, s := range got {
			whole = whole && s.Verdict == jobs.StageOK
		}
		return err
	})
	return len(keys), whole
}

// upload takes a batch as the API does: whole, or not at all.
func (p *runs) upload(t *rapid.T) {
	id := p.begin(t)
	n, whole := p.stage(t, id)
	if !whole {
		p.forget(t, id)
		return
	}
	p.twice(t, func() error {
		if got, err := p.SealBatch(t.Context(), id, n, "digest"); err != nil || got != jobs.SealDone {
			return fmt.Errorf("seal: %s, %w", got, err)
		}
		return nil
	})
	p.sealed = append(p.sealed, id)
}

// cut leaves an upload as it is.
func (p *runs) cut(t *rapid.T) {
	id := p.begin(t)
	p.stage(t, id)
	p.open = append(p.open, id)
}

func (p *runs) drop(t *rapid.T) {
	if len(p.open) == 0 {
		return
	}
	p.forget(t, p.open[0])
	p.open = p.open[1:]
}

func (p *runs) forget(t *rapid.T, id jobs.ID) {
	for more := true; more; {
		p.twice(t, func() (err error) { more, err = p.DropBatch(t.Context(), id); return err })
	}
}

// submit makes a job that is of no batch, perhaps of a key that one has.
func (p *runs) submit(t *rapid.T) {
	a := p.acceptance(rapid.StringMatching("[a-e]").Draw(t, "key"), jobs.Fingerprint(oneOf(t, "payload", "p", "q")))
	p.twice(t, func() error { _, err := p.Accept(t.Context(), a); return err })
}

func (p *runs) promote(t *rapid.T) {
	p.twice(t, func() error { _, err := p.Promote(t.Context(), 0); return err })
}

func (p *runs) some(t *rapid.T, status jobs.Status) (jobs.Job, bool) {
	found, err := p.Jobs(t.Context(), jobs.JobFilter{Tenant: tenant, Status: status, Limit: 50})
	if err != nil {
		t.Fatalf("jobs: %v", err)
	}
	if len(found.Items) == 0 {
		return jobs.Job{}, false
	}
	return rapid.SampledFrom(found.Items).Draw(t, "job"), true
}

// run takes a queued job to a random end, or leaves it running.
func (p *runs) run(t *rapid.T) {
	j, ok := p.some(t, jobs.Queued)
	if !ok {
		return
	}
	c, err := p.Claim(t.Context(), j.ID, j.Generation, rand.Text(), lease)
	if err != nil || c.Answer != jobs.ClaimOK {
		t.Fatalf("claim: %s, %v", c.Answer, err)
	}
	p.finish(t, c.Job, oneOf(t, "end", "won", "won", "failed", "again", "running"))
}

// stop ends a job that was left running.
func (p *runs) stop(t *rapid.T) {
	if j, ok := p.some(t, jobs.Running); ok {
		p.finish(t, j, oneOf(t, "end", "won", "failed", "again"))
	}
}

func (p *runs) finish(t *rapid.T, j jobs.Job, how string) {
	f := jobs.Fence{Attempt: j.Attempt, Owner: j.Owner}
	rules := map[string]jobs.Rule{"failed": jobs.DefaultRules().Permanent, "again": {Counter: "lost", Limit: 1000}}
	p.twice(t, func() (err error) {
		switch how {
		case "won":
			_, err = p.Complete(t.Context(), j.ID, f, result, nil)
		case "failed", "again":
			_, err = p.Store.Fail(t.Context(), j.ID, f, jobs.Failure{Code: "page_failed", Detail: "Broken."}, rules[how])
		}
		return err
	})
}

func (p *runs) batch(t *rapid.T) (jobs.ID, bool) {
	if len(p.sealed) == 0 {
		return "", false
	}
	return rapid.SampledFrom(p.sealed).Draw(t, "batch"), true
}

func (p *runs) cancel(t *rapid.T) {
	if id, ok := p.batch(t); ok {
		p.twice(t, func() error { return p.CancelBatch(t.Context(), id) })
	}
}

// retry tries again what has failed, perhaps with a new input for one item.
func (p *runs) retry(t *rapid.T) {
	id, ok := p.batch(t)
	if !ok {
		return
	}
	key := rand.Text()
	failed, _, err := p.BatchItems(t.Context(), jobs.ItemFilter{Batch: id, Status: jobs.ItemFailed, Limit: 9})
	if err != nil {
		t.Fatalf("items: %v", err)
	}
	if len(failed) > 0 && rapid.Bool().Draw(t, "mended") {
		i := rapid.SampledFrom(failed).Draw(t, "item")
		p.twice(t, func() error {
			_, err := p.MendItems(t.Context(), id, key, key, []jobs.StagedItem{p.item(id, i.Index, i.DocumentKey, "p")})
			return err
		})
	}
	r := jobs.BatchRetry{Batch: id, Key: key, Request: key, Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0), Sealed: []byte("again")}
	if rapid.Bool().Draw(t, "meant") { // or the new input is left behind
		p.twice(t, func() error { _, err := p.RetryBatch(t.Context(), r); return err })
	}
}

// remake makes items again, or dies before it has.
func (p *runs) remake(t *rapid.T) {
	items, err := p.Again(t.Context(), 0, rapid.IntRange(1, 3).Draw(t, "limit"))
	if err != nil {
		t.Fatalf("again: %v", err)
	}
	for _, i := range items {
		p.restage(t, i)
	}
}

func (p *runs) restage(t *rapid.T, i jobs.AgainItem) {
	failure := jobs.FailureOf(jobs.ErrInputPurged)
	staged := jobs.StagedItem{Index: i.Index, Job: jobs.Job{Failure: &failure}}
	if i.Job != "" {
		old, err := p.Job(t.Context(), i.Job)
		if err != nil {
			t.Fatalf("job: %v", err)
		}
		staged = p.item(i.Batch, i.Index, old.DocumentKey, old.Fingerprint)
	}
	p.twice(t, func() error { return p.Restage(t.Context(), i.Batch, i.Epoch, []jobs.StagedItem{staged}) })
}

// settle lets everything end.
func (p *runs) settle() {
	for range 1000 {
		more, err := p.Promote(p.Context(), 0)
		if err != nil {
			p.Fatalf("promote: %v", err)
		}
		p.remakeAll()
		if !p.endOne() && !more && p.over() {
			break
		}
	}
	p.check()
	for len(p.open) > 0 {
		p.drop(p.T)
	}
	if !p.over() {
		p.Fatal("a batch does not end")
	}
	for id := range p.epochs {
		p.deliver(id)
	}
	p.leftovers()
}

// over reports whether all batches have ended.
func (p *runs) over() bool {
	return !slices.ContainsFunc(p.sealed, func(id jobs.ID) bool {
		b, err := p.Batch(p.Context(), id)
		return err != nil || !b.Status.Final()
	})
}
