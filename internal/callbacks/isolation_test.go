package callbacks_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/queue"
	"github.com/platen-render/platen/internal/worker"
	"github.com/platen-render/platen/webhook"
)

const (
	// backlog is how many events wait for the host that never answers.
	backlog = 10_000
	// probes events go to the other one, at this pace.
	probes = 60
	pace   = 50 * time.Millisecond
)

// run starts a part until the test ends.
func (p *post) run(part func(context.Context) error) {
	p.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() {
		if err := part(ctx); err != nil {
			p.Errorf("run: %v", err)
		}
	})
	p.Cleanup(func() { cancel(); group.Wait() })
}

// silent is a receiver that takes requests and never answers; most is how many it had at once.
func silent(t *testing.T) (url string, most *atomic.Int64) {
	t.Helper()
	most = &atomic.Int64{}
	var current atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if n := current.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer current.Add(-1)
		_, _ = io.Copy(io.Discard, r.Body) // before that nobody notices that the client has gone
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	return s.URL, most
}

// clocked is a receiver that notes when each event came.
type clocked struct {
	*httptest.Server
	mu   sync.Mutex
	came map[string]time.Time
}

func newClocked(t *testing.T) *clocked {
	t.Helper()
	c := &clocked{came: map[string]time.Time{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.came[r.Header.Get(webhook.HeaderID)] = time.Now()
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *clocked) when(event jobs.ID) (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.came[string(event)]
	return at, ok
}

// percentile95 sends events to a receiver at a steady pace and returns how long 19 of 20 took at most, from the end of
// the job to the receiver.
func (p *post) percentile95(c *clocked) time.Duration {
	p.Helper()
	ended := map[jobs.ID]time.Time{}
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for range probes {
		<-tick.C
		began := time.Now()
		ended[p.endedOn("answers", jobs.Callback{URL: c.URL}).Event] = began
	}
	var took []time.Duration
	for event, began := range ended {
		jobstest.Eventually(p, "the event arrives", func() bool { _, ok := c.when(event); return ok })
		at, _ := c.when(event)
		took = append(took, at.Sub(began))
	}
	slices.Sort(took)
	return took[len(took)*95/100]
}

// A host that answers nothing holds its few places and no slot beyond them, so that the others wait hardly longer than if it
// were not there. The bound is loose, for a busy machine; the log has the figures.
func TestAHostThatNeverAnswersDelaysNoOther(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	p.d.Sender.Deadline = 500 * time.Millisecond
	p.d.Logger = slog.New(slog.DiscardHandler)
	ring := queue.NewClient(p.rdb)
	reconciler := &worker.Reconciler{Store: p.store, Queue: ring, Rules: jobs.DefaultRules(), Schedule: p.d.Schedule, Lease: 10 * time.Second, Logger: p.d.Logger}
	server := &queue.Server{Redis: p.rdb, Lines: map[jobs.Line]int{jobs.CallbackLine: 1}, Slots: 16, Handler: p.d.Deliver, Logger: p.d.Logger}
	p.run(reconciler.Run)
	p.run(server.Run)

	answers := newClocked(t)
	idle := p.percentile95(answers)

	url, most := silent(t)
	var group errgroup.Group
	group.SetLimit(8)
	for range backlog {
		group.Go(func() error { p.endedOn("silent", jobs.Callback{URL: url}); return nil })
	}
	_ = group.Wait()
	busy := p.percentile95(answers)

	waiting, err := p.store.Reporting(t.Context(), 0)
	if err != nil || waiting.Parked < backlog*9/10 {
		t.Errorf("%d of %d events wait, %v", waiting.Parked, backlog, err)
	}
	t.Logf("95 of 100 events arrive within %v, and within %v while %d wait for a host that never answers (%.2f times)",
		idle.Round(time.Millisecond), busy.Round(time.Millisecond), waiting.Parked, float64(busy)/float64(idle))
	if bound := 4*idle + 250*time.Millisecond; busy > bound {
		t.Errorf("%v is more than %v", busy, bound)
	}
	if n := most.Load(); n == 0 || n > 4 {
		t.Errorf("%d attempts at once to one host", n)
	}
}
