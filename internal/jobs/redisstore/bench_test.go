package redisstore_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// The costs of a job's steps, on a Redis that syncs its file on every write. Compare them with BenchmarkOneWrite, which is
// what the disk and the round trip cost on the machine at hand.

func benchStore(b *testing.B) (*redisstore.Store, func() jobs.Acceptance) {
	b.Helper()
	store := redisstore.New(redistest.Start(b).Client(), redisstore.Options{PublicURL: "https://docs.example"})
	return store, func() jobs.Acceptance {
		return jobs.Acceptance{Nonce: rand.Text(), Grace: time.Hour, Request: "fp", Job: jobs.Job{
			ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Tenant: "default", Class: "render",
			Spec: make([]byte, 2<<10), Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0),
			Callback: &jobs.CallbackState{Host: "receiver"}, Sealed: make([]byte, 200),
		}}
	}
}

func BenchmarkOneWrite(b *testing.B) {
	rdb := redistest.Start(b).Client()
	for b.Loop() {
		if err := rdb.Set(b.Context(), "key", "value", 0).Err(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAccept(b *testing.B) {
	store, next := benchStore(b)
	for b.Loop() {
		if _, err := store.Accept(b.Context(), next()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAcceptLimited is the same for a tenant that has all limits, and has reached none.
func BenchmarkAcceptLimited(b *testing.B) {
	store, next := benchStore(b)
	if _, err := store.EnsureTenant(b.Context(), "default", []byte("s")); err != nil {
		b.Fatal(err)
	}
	all := map[jobs.Limit]*int64{}
	for _, bound := range jobs.LimitBounds {
		all[bound.Limit] = &bound.Max
	}
	if err := store.SetLimits(b.Context(), "default", all); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if got, err := store.Accept(b.Context(), next()); err != nil || got.Verdict != jobs.Created {
			b.Fatal(got, err)
		}
	}
}

func BenchmarkReplay(b *testing.B) {
	store, next := benchStore(b)
	a := next()
	a.IdempotencyKey = "k"
	if _, err := store.Accept(b.Context(), a); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		a := next()
		a.IdempotencyKey, a.Probe = "k", true
		if got, err := store.Accept(b.Context(), a); err != nil || got.Verdict != jobs.Replayed {
			b.Fatal(got, err)
		}
	}
}

// BenchmarkLife is accept, claim, one beat, complete, and the delivery of the event: six scripts, without the queue.
func BenchmarkLife(b *testing.B) {
	store, next := benchStore(b)
	for b.Loop() {
		a := next()
		if _, err := store.Accept(b.Context(), a); err != nil {
			b.Fatal(err)
		}
		c, err := store.Claim(b.Context(), a.Job.ID, 1, "owner", time.Minute)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := store.Beat(b.Context(), a.Job.ID, c.Job.Fence(), time.Minute, 50); err != nil {
			b.Fatal(err)
		}
		if got, err := store.Complete(b.Context(), a.Job.ID, c.Job.Fence(), jobs.Result{Blob: "b", SHA256: "s"}, nil); err != nil || got != jobs.Won {
			b.Fatal(got, err)
		}
		d, err := store.ClaimDelivery(b.Context(), a.Job.Delivery, 1, "owner", time.Minute)
		if err != nil {
			b.Fatal(err)
		}
		end := jobs.DeliveryEnd{Outcome: jobs.OutcomeDelivered}
		if _, err := store.FinishDelivery(b.Context(), a.Job.Delivery, d.Delivery.Fence(), end); err != nil {
			b.Fatal(err)
		}
	}
}
