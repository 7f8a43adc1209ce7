package e2e_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs/jobstest"
)

// wrong is a worker whose clock is off.
type wrong struct {
	*process
	out    *screen
	offset time.Duration
}

func (s *stack) startWrong(program string, offset time.Duration) wrong {
	s.Helper()
	w := wrong{out: &screen{out: s.Output()}, offset: offset}
	env := append(slices.Clip(s.env), clockOffset+"="+offset.String(), "PLATEN_LOG_LEVEL=debug")
	w.process = startProcess(s.T, exec.Command(program), env, w.out)
	jobstest.Eventually(s, "the worker starts", func() bool { return len(w.logged("worker started")) == 1 })
	said, err := time.Parse(time.RFC3339Nano, w.logged("worker started")[0].Time)
	if off := time.Until(said); err != nil || (off-offset).Abs() > time.Minute {
		s.Fatalf("the clock of the worker is off by %v, %v, and not by %v", off, err, offset)
	}
	return w
}

// entry is a line of a log.
type entry struct {
	Time, Msg, Answer string
	Job               string `json:"job_id"`
}

func (w wrong) logged(msg string) (found []entry) {
	for line := range strings.Lines(w.out.String()) {
		var e entry
		if json.Unmarshal([]byte(line), &e) == nil && e.Msg == msg {
			found = append(found, e)
		}
	}
	return found
}

// jobsOf names the jobs of some lines.
func jobsOf(entries []entry) map[string]int {
	found := map[string]int{}
	for _, e := range entries {
		found[e.Job]++
	}
	return found
}

// Time is that of Redis. A worker that is ten minutes ahead takes the tasks of one that is ten minutes behind for abandoned, as far
// as asynq goes, and receivers refuse what is signed at another time than theirs: neither may have an effect.
func TestWorkersWhoseClocksAreWrongDoAsTheOthers(t *testing.T) {
	t.Parallel()
	program := skewed(t, "worker")
	s, m := newStack(t, "PLATEN_RENDER_SLOTS=2"), newMailbox(t, 0)
	s.up()
	submit := func(n int, page string) (ids []string) {
		for i := range n {
			ids = append(ids, s.submitHTML(fmt.Sprint(page, "<p>", i), m.url).ID)
		}
		return ids
	}

	// One at work, and one beside it that thinks it dead.
	behind := s.startWrong(program, -10*time.Minute)
	slow := submit(2, slowPage(15*time.Second))
	for _, id := range slow {
		s.running(id, 1)
	}
	ahead := s.startWrong(program, 10*time.Minute)
	jobstest.Eventually(t, "asynq hands out a task twice", func() bool {
		return jobsOf(ahead.logged("task needs no work"))[slow[0]] > 0
	})
	all := append(slow, submit(30, "<h1>Quick</h1>")...)
	for _, id := range all {
		if j := s.await(id); j.Status != api.JobSucceeded || j.Attempt != 1 {
			t.Errorf("job %s is %s at attempt %d: %+v", id, j.Status, j.Attempt, j.Error)
		}
	}
	if a, b := len(ahead.logged("attempt ended")), len(behind.logged("attempt ended")); a == 0 || b < len(slow) {
		t.Errorf("one made %d documents and the other %d", a, b)
	}

	// One dies at work, and what it had is done by the other.
	slow = submit(4, slowPage(5*time.Second))
	for _, id := range slow {
		s.running(id, 1)
	}
	ahead.kill()
	done := jobsOf(ahead.logged("attempt ended"))
	all = append(all, submit(10, "<h1>After</h1>")...)
	for _, id := range append(all, slow...) {
		s.await(id)
	}
	taken := 0
	for _, id := range append(all, slow...) {
		j := s.await(id)
		want := 1
		if done[id] == 0 && jobsOf(behind.logged("attempt ended"))[id] == 1 && j.Attempt == 2 {
			want, taken = 2, taken+1
		}
		if j.Status != api.JobSucceeded || j.Attempt != want {
			t.Errorf("job %s is %s at attempt %d: %+v", id, j.Status, j.Attempt, j.Error)
		}
		s.reportedOnce(j, m)
	}
	if taken == 0 || taken > 2 {
		t.Errorf("%d jobs were taken from the dead worker, which had two", taken)
	}
	t.Logf("%d documents, of which the workers made %d and %d; taken over %d",
		len(all)+len(slow), len(behind.logged("attempt ended")), len(done), taken)
	m.neverRefused(t)
}

// reportedOnce checks that the event of a job was accepted at its first attempt.
func (s *stack) reportedOnce(j api.Job, m *mailbox) {
	s.Helper()
	jobstest.Eventually(s, "the event arrives", func() bool { n, _ := m.got(j.ID); return n > 0 })
	var d api.Delivery
	jobstest.Eventually(s, "the delivery is done", func() bool {
		list, err := s.Deliveries(s.Context(), j.ID)
		if err == nil && len(list.Data) == 1 {
			d = list.Data[0]
		}
		return d.Status == api.DeliveryDelivered
	})
	first := *d.Log[0].Outcome
	if first == api.AttemptUnknown && len(d.Log) == 2 {
		return // the dead worker was just sending it
	}
	if n, _ := m.got(j.ID); n != 1 || first != api.AttemptDelivered || len(d.Log) != 1 {
		s.Errorf("job %s: %d events in %d attempts, of which the first was %s", j.ID, n, len(d.Log), first)
	}
}

// neverRefused checks every request that came, whatever became of it.
func (m *mailbox) neverRefused(t *testing.T) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.requests) != len(m.events) {
		t.Errorf("%d requests and %d events: some were refused", len(m.requests), len(m.events))
	}
	for _, r := range m.requests {
		seconds, err := strconv.ParseInt(r.timestamp, 10, 64)
		if off := time.Unix(seconds, 0).Sub(r.at); err != nil || off.Abs() > 30*time.Second {
			t.Errorf("an event was signed %v off, %v", off, err)
		}
	}
}
