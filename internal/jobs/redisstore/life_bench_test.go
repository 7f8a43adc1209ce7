package redisstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// BenchmarkBatchLife is what a job of a batch costs from its turn to the end of its delivery, in time that Redis is busy, step by step. Those
// of the queue are not in it.
func BenchmarkBatchLife(b *testing.B) {
	rdb := redistest.Start(b).Client()
	l := &lives{B: b, rdb: rdb, store: redisstore.New(rdb, redisstore.Options{PublicURL: "https://docs.example", HostLimit: 1 << 20}), spent: map[string]float64{}}
	if _, err := l.store.EnsureTenant(b.Context(), "default", []byte("s")); err != nil {
		b.Fatal(err)
	}
	const items = 1000
	runs := 0
	for b.Loop() {
		runs++
		l.promoted(fmt.Sprint(runs), items)
		l.live()
	}
	var total float64
	for step, spent := range l.spent {
		total += spent
		b.ReportMetric(spent/float64(runs*items)*1e6, "µs/"+step)
	}
	b.ReportMetric(total/float64(runs*items)*1e6, "µs/job")
}

// lives are jobs that go through their steps together.
type lives struct {
	*testing.B
	rdb   *redis.Client
	store *redisstore.Store
	tasks []jobs.Task
	spent map[string]float64 // seconds, by step
}

// promoted makes a batch whose items are ready jobs.
func (l *lives) promoted(run string, items int) {
	l.Helper()
	l.tasks = nil
	callback := &jobs.CallbackState{Host: "receiver"}
	id := stagedBatch(l.B, l.store, run, items, func(j *jobs.Job) {
		j.Callback, j.Sealed, j.Reports = callback, make([]byte, 200), nil
	})
	if got, err := l.store.SealBatch(l.Context(), id, items, "digest"); err != nil || got != jobs.SealDone {
		l.Fatal(got, err)
	}
	for more := true; more; {
		var err error
		if more, err = l.store.Promote(l.Context(), 0); err != nil {
			l.Fatal(err)
		}
	}
}

// live lets each job hand out the next one, as workers do.
func (l *lives) live() {
	l.Helper()
	ctx, quotas := l.Context(), []jobs.Quota{}
	for _, line := range jobs.RenderLines {
		quotas = append(quotas, jobs.Quota{Line: line, Most: 1 << 20, Limit: 1})
	}
	l.step("hand_out", func() error {
		for more := true; more; {
			got, err := l.store.HandOut(ctx, 0, quotas, time.Hour)
			if err != nil {
				return err
			}
			l.tasks, more = append(l.tasks, got.Tasks...), got.More
		}
		return nil
	})
	l.each("dispatched", func(i int) error { return l.store.Dispatched(ctx, l.tasks[i]) })
	claimed, documents := make([]jobs.Job, len(l.tasks)), make([]jobs.Document, len(l.tasks))
	l.each("claim", func(i int) error {
		c, err := l.store.Claim(ctx, l.tasks[i].ID, l.tasks[i].Generation, "owner", time.Hour)
		claimed[i] = c.Job
		return err
	})
	l.each("complete", func(i int) error {
		r := jobs.Result{Blob: "b", SHA256: fmt.Sprint(claimed[i].ID), Bytes: 30000}
		got, err := l.store.Complete(ctx, claimed[i].ID, claimed[i].Fence(), r, nil)
		if got != jobs.Won {
			l.Fatal(got, err)
		}
		return err
	})
	l.each("document", func(i int) (err error) {
		documents[i], err = l.store.Document(ctx, claimed[i].Document)
		return err
	})
	l.each("put_receipt", func(i int) error {
		_, err := l.store.PutReceipt(ctx, documents[i], []byte("receipt"))
		return err
	})
	deliveries := make([]jobs.Delivery, len(l.tasks))
	l.each("claim_delivery", func(i int) error {
		c, err := l.store.ClaimDelivery(ctx, claimed[i].Delivery, 1, "owner", time.Hour)
		deliveries[i] = c.Delivery
		return err
	})
	l.each("tenant", func(int) error {
		_, err := l.store.Tenant(ctx, "default")
		return err
	})
	l.each("finish_delivery", func(i int) error {
		after, err := l.store.FinishDelivery(ctx, claimed[i].Delivery, deliveries[i].Fence(), jobs.DeliveryEnd{
			Outcome: jobs.OutcomeDelivered, Health: jobs.HealthUp,
		})
		if after.Status != jobs.DeliveryDelivered {
			l.Fatal(after)
		}
		return err
	})
}

func (l *lives) each(step string, do func(i int) error) {
	l.Helper()
	l.step(step, func() error {
		for i := range l.tasks {
			if err := do(i); err != nil {
				return err
			}
		}
		return nil
	})
}

func (l *lives) step(name string, do func() error) {
	l.Helper()
	before := busy(l.B, l.rdb)
	if err := do(); err != nil {
		l.Fatal(name, err)
	}
	l.spent[name] += busy(l.B, l.rdb) - before
}
