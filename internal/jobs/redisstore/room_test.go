package redisstore_test

import (
	"crypto/rand"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/queue"
	"github.com/platen-render/platen/internal/redistest"
)

func TestNewWorkIsRefusedBeforeRedisIsFull(t *testing.T) {
	t.Parallel()
	rdb := redistest.Start(t).Client()
	store := redisstore.New(rdb, redisstore.Options{})
	if err := store.Room(t.Context(), "default"); err != nil {
		t.Fatalf("an empty server: %v", err)
	}
	if err := rdb.Set(t.Context(), "ballast", strings.Repeat("x", 16<<20), 0).Err(); err != nil {
		t.Fatal(err)
	}
	if err := rdb.ConfigSet(t.Context(), "maxmemory", "20mb").Err(); err != nil {
		t.Fatal(err)
	}
	jobstest.Eventually(t, "new work is refused", func() bool {
		got := fault.From(store.Room(t.Context(), "default"))
		return got != nil && got.Code == jobs.ErrStoreFull.Code && got.RetryAfter > 0
	})
}

// What a replay makes due again needs room until it ends, too.
func TestReplaysStandStillWhileRedisIsFull(t *testing.T) {
	t.Parallel()
	rdb := redistest.Start(t).Client()
	store := redisstore.New(rdb, redisstore.Options{})
	order := jobs.ReplayOrder{
		ID: jobs.NewID(jobs.KindReplay, 0), Rate: 1, Filter: jobs.DeliveryFilter{Tenant: "default", Status: jobs.DeliveryDead},
	}
	if err := store.StartReplay(t.Context(), order); err != nil {
		t.Fatal(err)
	}
	if err := rdb.Set(t.Context(), "ballast", strings.Repeat("x", 16<<20), 0).Err(); err != nil {
		t.Fatal(err)
	}
	if err := rdb.ConfigSet(t.Context(), "maxmemory", "20mb").Err(); err != nil {
		t.Fatal(err)
	}
	finished := func() bool {
		if err := store.ContinueReplays(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		run, err := store.ReplayRun(t.Context(), order.ID)
		return err == nil && !run.Finished.IsZero()
	}
	if finished() {
		t.Error("it went on")
	}
	if err := rdb.Del(t.Context(), "ballast").Err(); err != nil {
		t.Fatal(err)
	}
	jobstest.Eventually(t, "it goes on", finished)
}

// A backlog that was accepted whole ends whole, though each job needs more at its end than in the queue: nothing drains a Redis
// that is full.
func TestAnAcceptedBacklogHasRoomToEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ metadata, spec, response int }{
		"small":                {0, 300, 0},
		"with metadata":        {4 << 10, 300, 0},
		"with input":           {0, 30 << 10, 0},
		"with failing answers": {0, 300, 1 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rdb := redistest.Start(t, redistest.Config("maxmemory 24mb", "appendonly no")).Client()
			b := backlog{store: redisstore.New(rdb, redisstore.Options{PublicURL: "https://docs.example"}), queue: queue.NewClient(rdb)}
			for b.store.Room(t.Context(), jobs.DefaultTenant) == nil {
				b.accept(t, c.metadata, c.spec)
			}
			full := memory(t, rdb)
			for _, id := range b.accepted {
				b.end(t, id, strings.Repeat("r", c.response))
			}
			t.Logf("%d jobs, %d KiB when refused, %d KiB at the end", len(b.accepted), full>>10, memory(t, rdb)>>10)
			if len(b.accepted) < 100 {
				t.Errorf("only %d jobs found room", len(b.accepted))
			}
			if left := rdb.Get(t.Context(), "pl:{p0}:owed").Val(); left != "0" {
				t.Errorf("%s bytes are still set aside", left)
			}
		})
	}
}

// backlog is work that waits.
type backlog struct {
	store    *redisstore.Store
	queue    *queue.Client
	accepted []jobs.ID
}

func (b *backlog) accept(t *testing.T, metadata, spec int) {
	t.Helper()
	a := jobs.Acceptance{Nonce: rand.Text(), IdempotencyKey: rand.Text(), Request: "fp", Job: jobs.Job{
		ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Tenant: jobs.DefaultTenant, Class: "render",
		Fingerprint: jobs.Fingerprint(strings.Repeat("f", 64)), DocumentKey: "invoice:" + rand.Text(), Spec: []byte(strings.Repeat("x", spec)),
		Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0),
		Callback: &jobs.CallbackState{Host: "receiver.example"}, Sealed: []byte(strings.Repeat("s", 250)),
	}}
	if metadata > 0 {
		a.Job.Metadata = json.RawMessage(`"` + strings.Repeat("m", metadata-2) + `"`)
	}
	if _, err := b.store.Accept(t.Context(), a); err != nil {
		t.Fatalf("accept: %v", err)
	}
	task := jobs.Task{Line: jobs.RenderLine, ID: a.Job.ID, Generation: 1}
	if _, err := b.queue.Enqueue(t.Context(), task); err != nil {
		t.Fatalf("enqueue: %v", err)
	}
	if err := b.store.Dispatched(t.Context(), task); err != nil {
		t.Fatalf("dispatched: %v", err)
	}
	b.accepted = append(b.accepted, a.Job.ID)
}

// end carries a job to its end, and its delivery through six attempts.
func (b *backlog) end(t *testing.T, id jobs.ID, response string) {
	t.Helper()
	c, err := b.store.Claim(t.Context(), id, 1, "me", time.Minute)
	if err != nil {
		t.Fatalf("claim: %v", err)
	}
	result := jobs.Result{
		Blob: jobs.OutputBlob(c.Job, "pdf"), SHA256: strings.Repeat("a", 64), Bytes: 12345, Pages: 2, ContentType: "application/pdf",
		Filename: string(c.Job.Document) + ".pdf", Engine: "chromium", Version: "150.0.7000.0",
	}
	if _, err := b.store.Complete(t.Context(), id, c.Job.Fence(), result, nil); err != nil {
		t.Fatalf("complete: %v", err)
	}
	schedule := make([]time.Duration, 5)
	for attempt := range 6 {
		d, err := b.store.ClaimDelivery(t.Context(), c.Job.Delivery, attempt+1, "me", time.Minute)
		if err != nil {
			t.Fatalf("claim delivery: %v", err)
		}
		outcome := jobs.OutcomeRetry
		if response == "" {
			outcome = jobs.OutcomeDelivered
		}
		status, err := b.store.FinishDelivery(t.Context(), c.Job.Delivery, d.Delivery.Fence(), jobs.DeliveryEnd{
			Outcome: outcome, Schedule: schedule,
			Attempt: jobs.DeliveryAttempt{Outcome: jobs.OutcomeFailed, Status: 500, Error: "server_error", Detail: "The receiver answered 500.", Response: response},
		})
		if err != nil {
			t.Fatalf("finish delivery: %v", err)
		}
		if status.Status != jobs.DeliveryPending {
			return
		}
	}
	t.Fatalf("delivery of %s did not end", id)
}

func memory(t *testing.T, rdb *redis.Client) int64 {
	t.Helper()
	v, err := rdb.InfoMap(t.Context(), "memory").Result()
	if err != nil {
		t.Fatal(err)
	}
	n, _ := json.Number(v["Memory"]["used_memory"]).Int64()
	return n
}
