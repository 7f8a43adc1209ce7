package worker_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/blobs/blobstest"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/queue"
	"github.com/platen-render/platen/internal/redistest"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/rendertest"
	"github.com/platen-render/platen/internal/worker"
)

// lease is short, so that a lost worker is noticed soon, and long against the pauses of a busy machine.
const lease = time.Second

// rig is a store, a queue and a blob folder, with as many workers as a test starts.
type rig struct {
	*testing.T
	server *redistest.Server
	rdb    redis.UniversalClient
	store  *redisstore.Store
	queue  *queue.Client
	blobs  files
	engine *rendertest.Engine
	logger *slog.Logger
}

func newRig(t *testing.T) *rig {
	t.Helper()
	server := redistest.Start(t)
	r := newRigOn(t, server.Client(), 1)
	r.server = server
	return r
}

// newRigOn is a rig on a Redis that somebody else started.
func newRigOn(t *testing.T, rdb redis.UniversalClient, partitions int) *rig {
	t.Helper()
	return &rig{
		T: t, rdb: rdb, queue: queue.NewClient(rdb), engine: &rendertest.Engine{},
		store: redisstore.New(rdb, redisstore.Options{
			PublicURL: "https://docs.example", OrphanAfter: 200 * time.Millisecond, Partitions: partitions,
		}),
		blobs: files{blobstest.Folder(t)}, logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
}

// files shows a file store as the worker wants it.
type files struct{ blobs.FileStore }

func (f files) Put(ctx context.Context, name string, r io.Reader) error {
	_, err := f.FileStore.Put(ctx, name, r)
	return err
}

func (f files) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	r, _, err := f.FileStore.Open(ctx, name)
	return r, err
}

func (f files) Walk(ctx context.Context, prefix string, visit func(string, time.Time) error) error {
	return f.FileStore.Walk(ctx, prefix, func(i blobs.Info) error { return visit(i.Name, i.ModTime) })
}

func (f files) Sweep(ctx context.Context) error {
	_, err := f.FileStore.Sweep(ctx)
	return err
}

func compose(_ context.Context, _ jobs.Job, s jobs.Spec) (worker.Composed, error) {
	if s.Text == "panic" {
		panic("composing")
	}
	return worker.Composed{Request: render.Request{HTML: s.Text, Output: s.Output}}, nil
}

// rules retry without long waits.
func rules() jobs.Rules {
	r := jobs.DefaultRules()
	r.Render.Delays, r.EngineLost.Delays, r.Infrastructure.Delays = nil, nil, []time.Duration{50 * time.Millisecond}
	return r
}

// start runs a part until the test ends or stop is called; stop waits for it.
func (r *rig) start(run func(context.Context) error) (stop func()) {
	r.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() {
		if err := run(ctx); err != nil {
			r.Errorf("run: %v", err)
		}
	})
	stop = sync.OnceFunc(func() { cancel(); group.Wait() })
	r.Cleanup(stop)
	return stop
}

func (r *rig) health() *worker.Health {
	h := &worker.Health{Probe: r.engine.Probe, Every: 20 * time.Millisecond, Logger: r.logger}
	r.start(h.Run)
	return h
}

func (r *rig) runner(h *worker.Health) *worker.Runner {
	return &worker.Runner{
		Store: r.store, Cache: r.store, Maker: &worker.Maker{Blobs: r.blobs, Compose: compose, Engine: r.engine}, Health: h, Rules: rules(), Lease: lease, Logger: r.logger,
	}
}

// work starts a worker with two slots.
func (r *rig) work(patience time.Duration) (stop func()) {
	r.Helper()
	h := r.health()
	server := &queue.Server{
		Redis: r.rdb, Lines: jobs.Weights(), Slots: 2, Handler: r.runner(h).Run, Logger: r.logger, Gate: h.Gate, Patience: patience,
	}
	return r.start(server.Run)
}

func (r *rig) reconcile() (stop func()) {
	r.Helper()
	rec := &worker.Reconciler{
		Store: r.store, Queue: r.queue, Rules: rules(), Lease: lease, Tick: 30 * time.Millisecond, Logger: r.logger,
	}
	return r.start(rec.Run)
}

// submit accepts a job for a page, and rings for it when ring says so.
func (r *rig) submit(page string, ring bool) jobs.Job {
	r.Helper()
	return r.submitSpec(r.spec(page), ring)
}

func (r *rig) spec(page string) []byte {
	r.Helper()
	spec, err := json.Marshal(jobs.Spec{Kind: jobs.InputHTML, Text: page, Output: render.DefaultOutput(), Timeout: jobstest.Patience})
	if err != nil {
		r.Fatal(err)
	}
	return spec
}

func (r *rig) submitSpec(spec []byte, ring bool) jobs.Job {
	r.Helper()
	a := newJob("default", 0)
	a.Job.Spec = spec
	if ring {
		a.Grace = time.Hour
	}
	return r.accept(a, ring)
}

// newJob is a job with new ids.
func newJob(tenant string, partition int) jobs.Acceptance {
	return jobs.Acceptance{Nonce: rand.Text(), Job: jobs.Job{
		ID: jobs.NewID(jobs.KindJob, partition), Document: jobs.NewID(jobs.KindDocument, partition), Tenant: tenant, Class: "render",
		Event: jobs.NewID(jobs.KindEvent, partition), Delivery: jobs.NewID(jobs.KindDelivery, partition),
	}}
}

func (r *rig) accept(a jobs.Acceptance, ring bool) jobs.Job {
	r.Helper()
	if got, err := r.store.Accept(r.Context(), a); err != nil || got.Verdict != jobs.Created {
		r.Fatalf("accept: %+v, %v", got, err)
	}
	if ring {
		r.ring(jobs.Task{Line: jobs.RenderLine, ID: a.Job.ID, Generation: 1})
	}
	return r.job(a.Job.ID)
}

func (r *rig) ring(t jobs.Task) {
	r.Helper()
	if _, err := r.queue.Enqueue(r.Context(), t); err != nil {
		r.Fatal(err)
	}
	if err := r.store.Dispatched(r.Context(), t); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) job(id jobs.ID) jobs.Job {
	r.Helper()
	j, err := r.store.Job(r.Context(), id)
	if err != nil {
		r.Fatal(err)
	}
	return j
}

// await polls until the job is in a status.
func (r *rig) await(id jobs.ID, want jobs.Status) jobs.Job {
	r.Helper()
	var j jobs.Job
	jobstest.Eventually(r, "job becomes "+string(want), func() bool {
		j = r.job(id)
		if j.Status.Final() && j.Status != want {
			r.Fatalf("job is %s, want %s: %+v", j.Status, want, j.Failure)
		}
		return j.Status == want
	})
	return j
}

// zero is a member that has been due since 1970.
func zero(member string) redis.Z { return redis.Z{Score: 0, Member: member} }
