package e2e_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs/jobstest"
)

// engineLostWaits are those of a job that has lost its browser, once for each further attempt; see docs/state-machine.md.
var engineLostWaits = []time.Duration{1 * time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 8 * time.Second}

// The first time, the page has neighbors in its browser, which is everybody's. From then on it is alone, and what comes
// and goes meanwhile does not notice.
func TestAPageThatKillsItsBrowserFailsAndNobodyElseDoes(t *testing.T) {
	t.Parallel()
	s, m, host := newStack(t, "PLATEN_EGRESS_ALLOW_PAGES=127.0.0.0/8", "PLATEN_RENDER_SLOTS=4"), newMailbox(t, 0), newPageHost(t)
	s.up()
	worker := s.start("worker")
	poison := s.submitHTML(host.page("poison"), m.url)
	neighbors := map[string]api.Job{"left": s.submitHTML(host.page("left"), ""), "right": s.submitHTML(host.page("right"), "")}
	finished := s.keepSubmitting()

	arrivals := []time.Time{host.await("poison").at}
	host.await("left")
	host.await("right")
	worker.killBrowser(worker.browserOf(3))
	for name, neighbor := range neighbors {
		host.await(name).answer()
		s.succeeded(neighbor.ID, 2, 1)
	}
	for death := range len(engineLostWaits) {
		arrivals = append(arrivals, host.await("poison").at)
		browser, name := worker.browserOf(1), fmt.Sprint("beside-", death)
		beside := s.submitHTML(host.page(name), "")
		visit := host.await(name)
		worker.killBrowser(browser)
		visit.answer()
		s.succeeded(beside.ID, 1, 0)
	}
	checkWaits(t, arrivals)
	deaths := len(arrivals)
	s.failed(poison.ID, api.JobErrorEngineLost, deaths, m)
	s.counted(poison.ID, "engine_lost", deaths)
	if n, lost := finished(); n < 10 || lost > 1 {
		t.Errorf("%d other jobs were done meanwhile, and %d of their attempts were lost", n, lost)
	}
	worker.hasOneBrowserAndNoZombie()
}

// Both come back at the same time, and the page needs longer each time than the other one takes to kill.
func TestAPageBesideOneThatKillsItsBrowserLosesOneAttempt(t *testing.T) {
	t.Parallel()
	s, host := newStack(t, "PLATEN_EGRESS_ALLOW_PAGES=127.0.0.0/8", "PLATEN_RENDER_SLOTS=2"), newPageHost(t)
	s.up()
	worker := s.start("worker")
	poison, slow := s.submitHTML(host.page("poison"), ""), s.submitHTML(slowPage(3*time.Second), "")
	host.await("poison")
	worker.killBrowser(worker.browserOf(2))
	host.await("poison")
	worker.killBrowser(worker.browserOf(1))
	s.succeeded(slow.ID, 2, 1)
	host.await("poison").answer()
	s.succeeded(poison.ID, 3, 2)
	s.succeeded(s.submitHTML("<p>next</p>", "").ID, 1, 0) // in another browser of everybody's
	worker.hasOneBrowserAndNoZombie()
}

// Each worker that renders the page is killed, with its browsers; a job behind it is done by the next one. From the third on the page
// has a browser of its own.
func TestAJobWhoseWorkerDiesEachTimeEndsWorkerLost(t *testing.T) {
	t.Parallel()
	const deaths = 11
	s, m, host := newStack(t, "PLATEN_EGRESS_ALLOW_PAGES=127.0.0.0/8", "PLATEN_RENDER_SLOTS=1", "PLATEN_LEASE=1s"), newMailbox(t, 0), newPageHost(t)
	s.up()
	poison, good := s.submitHTML(host.page("poison"), m.url), s.submitHTML("<p>good</p>", "")
	began := time.Now()
	for death := range deaths {
		worker := s.start("worker")
		host.await("poison")
		browsers := worker.browsers()
		worker.kill()
		if want := min(death/2, 1) + 1; len(browsers) != want {
			t.Fatalf("%d browsers under attempt %d, want %d", len(browsers), death+1, want)
		}
		jobstest.Eventually(t, "the browsers end with their worker", func() bool { return !slices.ContainsFunc(browsers, isAlive) })
	}
	s.start("worker") // it reports
	s.failed(poison.ID, api.JobErrorWorkerLost, deaths, m)
	t.Logf("%d workers died in %v", deaths, time.Since(began))
	s.counted(poison.ID, "lost", deaths)
	s.succeeded(good.ID, 1, 0)
}

// checkWaits checks that no attempt came sooner after the one before than it should.
func checkWaits(t *testing.T, arrivals []time.Time) {
	t.Helper()
	for i, wait := range engineLostWaits {
		took := arrivals[i+1].Sub(arrivals[i])
		t.Logf("attempt %d came %v after the one before", i+2, took)
		if took < wait {
			t.Errorf("attempt %d came %v after the one before, and not %v", i+2, took, wait)
		}
	}
}

// failed checks why a job failed, after how many attempts, and that this is reported once.
func (s *stack) failed(id string, code api.JobErrorCode, attempts int, m *mailbox) {
	s.Helper()
	j := s.await(id)
	if j.Status != api.JobFailed || j.Error == nil || j.Error.Code != code || j.Attempt != attempts {
		s.Errorf("%s is %s after %d attempts: %+v", id, j.Status, j.Attempt, j.Error)
	}
	jobstest.Eventually(s, "the failure is reported", func() bool {
		n, event := m.got(id)
		return n == 1 && event.Type == "job.failed"
	})
}

// succeeded checks how a job went: in so many attempts, of which so many ended with the browser.
func (s *stack) succeeded(id string, attempts, lost int) {
	s.Helper()
	if j := s.await(id); j.Status != api.JobSucceeded || j.Attempt != attempts {
		s.Errorf("%s is %s after %d attempts, not succeeded after %d: %+v", id, j.Status, j.Attempt, attempts, j.Error)
	}
	s.counted(id, "engine_lost", lost)
}

// counted checks the counters of a job: one has a value, and the others have none.
func (s *stack) counted(id, counter string, want int) {
	s.Helper()
	record := s.redis.Client().HGetAll(s.Context(), "pl:{p0}:job:"+id).Val()
	if record["status"] == "" {
		s.Errorf("there is no record of %s", id)
	}
	for _, name := range []string{"engine_lost", "lost", "retries", "infrastructure", "unexplained"} {
		expected := 0
		if name == counter {
			expected = want
		}
		if got, _ := strconv.Atoi(record[name]); got != expected {
			s.Errorf("%s: %s is %d, not %d", id, name, got, expected)
		}
	}
}

// keepSubmitting submits small jobs, one after another, until the function that it returns is called, which says how many
// have succeeded, and how many of their attempts were lost.
func (s *stack) keepSubmitting() (finished func() (n, lost int)) {
	ctx, cancel := context.WithCancel(s.Context())
	var group sync.WaitGroup
	n, lost := 0, 0
	group.Go(func() {
		for ; ctx.Err() == nil; n++ {
			j, err := s.finish(context.WithoutCancel(ctx), fmt.Sprintf("<p>%d</p>", n))
			if err != nil || j.Status != api.JobSucceeded {
				s.Errorf("job %d is %s: %+v, %v", n, j.Status, j.Error, err)
				return
			}
			lost += j.Attempt - 1
		}
	})
	finished = sync.OnceValues(func() (int, int) {
		cancel()
		group.Wait()
		s.Logf("%d other jobs were done, %d of their attempts lost with a browser", n, lost)
		return n, lost
	})
	s.Cleanup(func() { finished() })
	return finished
}

// finish submits a page and waits until its job is over.
func (s *stack) finish(ctx context.Context, page string) (api.Job, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	got, err := s.Submit(ctx, client.Submission{Request: api.JobRequest{HTML: &page}})
	if err != nil {
		return got.Job, err
	}
	return s.Wait(ctx, got.Job.ID, nil)
}
