package redisstore_test

import (
	"crypto/rand"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// The costs of a job's steps, on a Redis that syncs its file on every write. Compare them with BenchmarkOneWrite, which is
// what the disk and the round trip cost on the machine at hand.

func benchStore(b *testing.B) (*redisstore.Store, func() jobs.Acceptance) {
	b.Helper()
	store, next, _ := benchStoreOn(b)
	return store, next
}

func benchStoreOn(b *testing.B) (*redisstore.Store, func() jobs.Acceptance, redis.UniversalClient) {
	b.Helper()
	rdb := redistest.Start(b).Client()
	store := redisstore.New(rdb, redisstore.Options{PublicURL: "https://docs.example"})
	next := func() jobs.Acceptance {
		return jobs.Acceptance{Nonce: rand.Text(), Grace: time.Hour, Request: "fp", Job: jobs.Job{
			ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Tenant: "default", Class: "render",
			Spec: make([]byte, 2<<10), Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0),
			Callback: &jobs.CallbackState{Host: "receiver"}, Sealed: make([]byte, 200),
		}}
	}
	return store, next, rdb
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
	all := map[jobs.Limit]*int64{}
	for _, bound := range jobs.LimitBounds {
		all[bound.Limit] = &bound.Max
	}
	b.Run("unlimited", func(b *testing.B) { benchAccept(b, nil) })
	b.Run("limited", func(b *testing.B) { benchAccept(b, all) })
}

// benchAccept is for a tenant that has limits and reaches none. It tells the time of the processor that Redis takes for each job, which
// a busy machine does not change.
func benchAccept(b *testing.B, limits map[jobs.Limit]*int64) {
	b.Helper()
	store, next, server := benchStoreOn(b)
	if _, err := store.EnsureTenant(b.Context(), "default", []byte("s")); err != nil {
		b.Fatal(err)
	}
	if err := store.SetLimits(b.Context(), "default", limits); err != nil {
		b.Fatal(err)
	}
	before := cpu(b, server)
	for b.Loop() {
		if got, err := store.Accept(b.Context(), next()); err != nil || got.Verdict != jobs.Created {
			b.Fatal(got, err)
		}
	}
	b.ReportMetric((cpu(b, server)-before)*1e6/float64(b.N), "redis-µs/op")
}

// cpu is the time of the processor that a server has taken, in seconds.
func cpu(b *testing.B, rdb redis.UniversalClient) float64 {
	b.Helper()
	text, err := rdb.Info(b.Context(), "cpu").Result()
	if err != nil {
		b.Fatal(err)
	}
	var total float64
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name == "used_cpu_user" || name == "used_cpu_sys" {
			seconds, err := strconv.ParseFloat(value, 64)
			if err != nil {
				b.Fatal(err)
			}
			total += seconds
		}
	}
	return total
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
