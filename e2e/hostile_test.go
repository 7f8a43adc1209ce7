package e2e_test

import (
	"cmp"
	"errors"
	"fmt"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs/jobstest"
)

const (
	// attemptDeadline is what the worker gives one attempt; late is how long after it one may end on a busy machine.
	attemptDeadline = 2 * time.Second
	late            = 3 * time.Second
	// early is what the attempt has begun before its time is taken.
	early = 100 * time.Millisecond
	// Of each kind there are so many hosts, with so many deliveries each. Two deliveries fail four times, which is once less than
	// makes a host one that does not answer.
	hostsPerKind, perHost = 3, 2
	// crowd is how many deliveries there are to one host that never answers. It has hostLimit attempts at once.
	crowd, hostLimit = 12, 4
	// atOnce is how many connections there have to be at the same time for all of it to mean something.
	atOnce = 32
	// maxGrowth is how much more memory the worker may take. Much of it is what the garbage collector leaves.
	maxGrowth = 64 << 20
	// maxTaken is how much of 1 GiB the buffers between two processes may hold, which is not memory of the worker.
	maxTaken = 64 << 20
	// So many more files and goroutines there may be after one round than after the one before. Connections to Redis are kept, a few
	// more each time that more work than ever wants one.
	moreFiles, moreGoroutines = 32, 12
	// prompt is how soon after its job others have their event.
	prompt = 3 * time.Second
)

// siege is a worker whose receivers misbehave.
type siege struct {
	*stack
	worker  *process
	metrics string
	kinds   []kind
	traps   tally
	healthy *mailbox
	codes   map[string]int // attempts that failed, so far
}

// Receivers of every bad kind have attempts at the same time. Each attempt ends by its deadline and is recorded as what it was, no answer is
// kept beyond its beginning or followed, the worker stays as small as it was, and who behaves waits for nobody.
func TestHostileReceiversCostTheirAttemptsAndNothingElse(t *testing.T) {
	t.Parallel()
	metrics := freeAddr(t)
	s := &siege{
		stack: newStack(t, "PLATEN_WORKER_ADDR="+metrics, "PLATEN_CALLBACK_TIMEOUT=2s", "PLATEN_CALLBACK_SCHEDULE=1s",
			"PLATEN_CALLBACK_SLOTS=64", "PLATEN_EGRESS_ALLOW_CALLBACKS=127.0.0.1"),
		metrics: metrics, healthy: newMailbox(t, 0), codes: map[string]int{},
	}
	forbidden, allowed := hostileHost(t, "127.0.0.2", &s.traps, holdOpen), hostileHost(t, "127.0.0.1", &s.traps, holdOpen)
	s.kinds = kinds(t, "http://"+forbidden+"/", "http://"+allowed+"/")
	s.up()
	s.worker = s.start("worker")
	s.serveHealthy() // what is started on first use is there from now on

	before := s.worker.footprint(metrics)
	s.worker.forgetHighest()
	throng := s.throng()
	s.round()
	first := s.worker.footprint(metrics)
	s.round()
	s.checkThrong(throng)
	var second footprint
	jobstest.Eventually(t, "files and goroutines are as many as before", func() bool {
		second = s.worker.footprint(metrics)
		return second.files <= first.files+moreFiles && second.goroutines <= first.goroutines+moreGoroutines
	})
	t.Logf("before %v; after one round %v; after two %v", before, first, second)
	if grown := second.highest - before.resident; grown > maxGrowth {
		t.Errorf("the worker took %d MiB more", grown>>20)
	}
	if n := s.traps.came.Load(); n != 0 {
		t.Errorf("%d connections to where redirects lead", n)
	}
	for code, n := range s.codes {
		series := fmt.Sprintf("platen_delivery_attempts_total{code=%q,outcome=\"retry\"}", code)
		jobstest.Eventually(t, fmt.Sprintf("%s is %d", series, n), func() bool { return int(metric(t, metrics, series)) == n })
	}
}

// target is a receiver and the jobs that report to it.
type target struct {
	kind
	count *tally
	url   string
	jobs  []string
}

// target opens a receiver that so many jobs will report to.
func (s *siege) target(k kind, count *tally, n int) *target {
	s.Helper()
	url := cmp.Or(k.scheme, "http") + "://" + hostileHost(s.T, "127.0.0.1", count, k.serve) + "/"
	return &target{kind: k, count: count, url: url, jobs: make([]string, n)}
}

// round has each kind of receiver once more, at new addresses, since what is known of a host stays.
func (s *siege) round() {
	s.Helper()
	began, count := time.Now(), &tally{}
	var targets []*target
	for _, k := range s.kinds {
		for range hostsPerKind {
			targets = append(targets, s.target(k, count, perHost))
		}
	}
	s.submitAll(targets...)
	slowest := s.serveHealthy()
	for _, at := range targets {
		s.check(at)
	}
	jobstest.Eventually(s, "all connections are closed", func() bool { return count.open.Load() == 0 })
	s.Logf("%d attempts in %v, %d at once; the largest answer took %d KiB; others had their events within %v", count.came.Load(),
		time.Since(began).Round(time.Millisecond), count.most.Load(), count.largest.Load()>>10, slowest)
	if n := count.most.Load(); n < atOnce {
		s.Errorf("only %d connections at once", n)
	}
	if n := count.largest.Load(); n > maxTaken {
		s.Errorf("an answer of %d MiB was taken", n>>20)
	}
	if slowest > prompt {
		s.Errorf("an event left %v after its job", slowest)
	}
}

// submitAll makes jobs that are canceled at once: their events differ from others in nothing that matters here.
func (s *siege) submitAll(targets ...*target) {
	s.Helper()
	var group errgroup.Group
	group.SetLimit(8)
	page := "<p>hostile</p>"
	for _, at := range targets {
		for i := range at.jobs {
			group.Go(func() error {
				got, err := s.Submit(s.Context(), client.Submission{Request: api.JobRequest{HTML: &page, CallbackURL: &at.url}})
				if err != nil {
					return err
				}
				at.jobs[i] = got.Job.ID
				_, err = s.Cancel(s.Context(), got.Job.ID)
				if p, ok := errors.AsType[*client.Problem](err); ok && p.Code == api.CodeJobFinished {
					return nil
				}
				return err
			})
		}
	}
	if err := group.Wait(); err != nil {
		s.Fatal(err)
	}
}

// serveHealthy has documents rendered and reported to a receiver that behaves, and returns how long after its job an
// event left at most.
func (s *siege) serveHealthy() (slowest time.Duration) {
	s.Helper()
	for range 5 {
		j := s.await(s.submitHTML("<p>one</p>", s.healthy.url).ID)
		if j.Status != api.JobSucceeded {
			s.Fatalf("job is %s: %+v", j.Status, j.Error)
		}
		d := s.ended(j.ID)
		if d.Status != api.DeliveryDelivered || d.Attempts != 1 {
			s.Fatalf("delivery %+v", d)
		}
		slowest = max(slowest, d.Log[0].StartedAt.Sub(*j.FinishedAt))
	}
	return slowest
}

// ended waits until the one delivery of a job is over.
func (s *siege) ended(job string) (d api.Delivery) {
	s.Helper()
	jobstest.Eventually(s, "the delivery ends", func() bool {
		list, err := s.Deliveries(s.Context(), job)
		if err != nil {
			s.Fatal(err)
		}
		if len(list.Data) == 1 {
			d = list.Data[0]
		}
		return len(list.Data) == 1 && d.Status != api.DeliveryPending
	})
	return d
}
