package worker_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/internal/blobs/blobstest"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/queue"
	"github.com/platen-render/platen/internal/redistest"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/rendertest"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/internal/worker"
)

// What the benchmark of fairness is about: one tenant's backlog, and single jobs of another one, of which one is made at a time.
const (
	backlog  = 100_000
	singles  = 200
	slots    = 2
	rendered = 20 * time.Millisecond
)

// BenchmarkAJobBesideALongBacklog measures how long the job of one tenant waits for its start while another one has a backlog of
// 100,000, and fails when that is more, at the 95th percentile, than twice the wait without it, or 250 ms, and two renders. One
// worker with two slots, on a Redis that syncs its file on every write. It is meant for -benchtime 1x: see the target fairness of the Makefile.
func BenchmarkAJobBesideALongBacklog(b *testing.B) {
	for _, class := range []jobs.Class{jobs.ClassBatch, jobs.ClassNormal} {
		b.Run("class="+class.Name(), func(b *testing.B) {
			for b.Loop() {
				f := newFairness(b)
				idle := f.waits("single")
				f.fill("payroll", class)
				began, before := time.Now(), f.ended("payroll")
				busy := f.waits("single")
				rate := float64(f.ended("payroll")-before) / time.Since(began).Seconds()
				bar := max(2*idle, 250*time.Millisecond) + 2*rendered
				b.ReportMetric(float64(idle.Milliseconds()), "idle-p95-ms")
				b.ReportMetric(float64(busy.Milliseconds()), "busy-p95-ms")
				b.ReportMetric(float64(bar.Milliseconds()), "bar-ms")
				b.ReportMetric(rate, "backlog-jobs/s")
				if busy > bar {
					b.Errorf("a job waits %v at p95, and the bar is %v", busy, bar)
				}
				f.stop()
			}
		})
	}
}

// BenchmarkAnIdleWorker measures what a worker without work costs Redis.
func BenchmarkAnIdleWorker(b *testing.B) {
	for b.Loop() {
		f := newFairness(b)
		const look = 10 * time.Second
		calls, cpu := f.spent()
		timer := time.NewTimer(look)
		<-timer.C
		callsAfter, cpuAfter := f.spent()
		b.ReportMetric((callsAfter-calls)/look.Seconds(), "redis-commands/s")
		b.ReportMetric(100*(cpuAfter-cpu)/look.Seconds(), "redis-cpu-%")
		f.stop()
	}
}

// fairness is an installation with one worker.
type fairness struct {
	*testing.B
	rdb     redis.UniversalClient
	store   *redisstore.Store
	service *jobs.Service
	stop    func()
}

func newFairness(b *testing.B) *fairness {
	b.Helper()
	rdb := redistest.Start(b).Client()
	logger := slog.New(slog.DiscardHandler)
	key, err := seal.ParseKey(seal.GenerateKey())
	if err != nil {
		b.Fatal(err)
	}
	f := &fairness{B: b, rdb: rdb, store: redisstore.New(rdb, redisstore.Options{})}
	kept, client := files{blobstest.Folder(b)}, queue.NewClient(rdb)
	f.service = &jobs.Service{Store: f.store, Queue: client, Blobs: kept, Key: key, Logger: logger}
	engine, bell := &rendertest.Engine{}, worker.NewBell()
	health := &worker.Health{Probe: engine.Probe, Logger: logger}
	runner := &worker.Runner{
		Store: f.store, Cache: f.store, Maker: &worker.Maker{Blobs: kept, Compose: compose, Engine: engine}, Health: health,
		Rules: jobs.DefaultRules(), Lease: 10 * time.Second, Logger: logger, Bell: bell,
	}
	serve := func(lines map[jobs.Line]int, n int, h queue.Handler) func(context.Context) error {
		return (&queue.Server{Redis: rdb, Lines: lines, Slots: n, Handler: h, Logger: logger, Patience: time.Second}).Run
	}
	none := func(context.Context, jobs.Task) error { return nil }
	reconciler := &worker.Reconciler{Store: f.store, Queue: client, Rules: jobs.DefaultRules(), Lease: 10 * time.Second, Logger: logger, Bell: bell}
	ctx, cancel := context.WithCancel(context.Background())
	group, ctx := errgroup.WithContext(ctx)
	for _, run := range []func(context.Context) error{
		health.Run, serve(jobs.Weights(), slots, runner.Run), serve(map[jobs.Line]int{jobs.CallbackLine: 1}, 4, none),
		serve(map[jobs.Line]int{jobs.PreviewLine: 1}, 2, none), reconciler.Run,
	} {
		group.Go(func() error { return run(ctx) })
	}
	f.stop = sync.OnceFunc(func() {
		cancel()
		if err := group.Wait(); err != nil {
			b.Error(err)
		}
		f.service.Close()
	})
	b.Cleanup(f.stop)
	return f
}

// waits makes single jobs of a tenant one after the other, and returns how long they waited for their start, by the clock of the store: the 95th percentile.
func (f *fairness) waits(tenant string) time.Duration {
	f.Helper()
	waits := make([]time.Duration, singles)
	for i := range waits {
		got, err := f.service.Submit(f.Context(), jobs.Submission{Tenant: tenant, Spec: fairSpec(i), Fingerprint: jobs.Fingerprint(rand.Text())})
		if err != nil {
			f.Fatal(err)
		}
		jobstest.Eventually(f, "the job has ended", func() bool {
			j, err := f.store.Job(f.Context(), got.Job.ID)
			waits[i] = j.Started.Sub(j.Created)
			return err == nil && j.Status.Final()
		})
	}
	slices.Sort(waits)
	return waits[len(waits)*95/100]
}

func fairSpec(i int) jobs.Spec {
	return jobs.Spec{
		Kind: jobs.InputHTML, Text: fmt.Sprintf("<p>%d</p><!-- rendertest:sleep=%v -->", i, rendered),
		Output: render.DefaultOutput(), Timeout: time.Minute,
	}
}

// fill gives a tenant the backlog, the way that batches come to theirs: past the queue.
func (f *fairness) fill(tenant string, class jobs.Class) {
	f.Helper()
	group, ctx := errgroup.WithContext(f.Context())
	group.SetLimit(32)
	for i := range backlog {
		group.Go(func() error {
			a := newJob(tenant, 0)
			a.Job.Class, a.Most, a.Grace = class, 2*slots, 2*time.Second
			a.Job.Spec, _ = json.Marshal(fairSpec(i))
			_, err := f.store.Accept(ctx, a)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		f.Fatal(err)
	}
}

// ended counts the jobs of a tenant that have succeeded.
func (f *fairness) ended(tenant string) int64 {
	f.Helper()
	n, err := f.rdb.ZCard(f.Context(), "pl:{p0}:idx:"+tenant+":succeeded").Result()
	if err != nil {
		f.Fatal(err)
	}
	return n
}

// spent is how many commands Redis has been called with, those of scripts included, and how many seconds it has computed.
func (f *fairness) spent() (commands, seconds float64) {
	f.Helper()
	text, err := f.rdb.Info(f.Context(), "stats", "cpu").Result()
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		n, _ := strconv.ParseFloat(value, 64)
		switch name {
		case "total_commands_processed":
			commands = n
		case "used_cpu_user", "used_cpu_sys":
			seconds += n
		}
	}
	return commands, seconds
}
