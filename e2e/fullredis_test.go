package e2e_test

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs/jobstest"
)

const (
	maxMemory = 32 << 20
	// refusedAt is the share of it from which new work is refused.
	refusedAt = 0.8
	// staleFor is how long an API may go by what it knew of Redis, and a bit.
	staleFor = 1500 * time.Millisecond
	// The API looks at the memory once a second; fillers times 10 jobs of 34 KiB are 4 % of it until then.
	fillers = 4
	pause   = 100 * time.Millisecond
)

// The store is filled to the brim while two jobs run and others wait. From then on new work is refused, what is known is
// answered, and what was accepted is done and reported, without Redis ever refusing a write.
func TestAFullRedisRefusesNewWorkAndFinishesTheRest(t *testing.T) {
	t.Parallel()
	s, m, host := newStack(t, "PLATEN_EGRESS_ALLOW_PAGES=127.0.0.0/8", "PLATEN_RENDER_SLOTS=2"), newMailbox(t, 0), newPageHost(t)
	rdb := s.redis.Client()
	s.set(rdb, "maxmemory", maxMemory)
	s.up()
	s.start("worker")
	running := []bulk{s.bulk(host.page("left"), m.url), s.bulk(host.page("right"), m.url)}
	for i := range running {
		if err := running[i].submit(s); err != nil {
			t.Fatal(err)
		}
	}
	held := []visit{host.await("left"), host.await("right")}
	s.ballast(rdb, 0.75)

	accepted := append(running, s.fill(m.url)...)
	s.ballast(rdb, refusedAt+0.02) // buffers come and go
	s.refused(m.url, 2*staleFor)
	t.Logf("%d jobs accepted, %.1f %% of memory in use", len(accepted), 100*s.usage(rdb))
	s.replayed(accepted)
	for _, v := range held {
		v.answer()
	}
	refusals := s.keepRefusing(m.url)
	began := time.Now()
	for _, b := range accepted {
		if j := s.await(b.id); j.Status != api.JobSucceeded {
			t.Errorf("%s is %s: %+v", b.id, j.Status, j.Error)
		}
	}
	for _, b := range accepted {
		jobstest.Eventually(t, "the event arrives", func() bool { n, _ := m.got(b.id); return n == 1 })
	}
	t.Logf("drained in %v, while %d requests were refused", time.Since(began), refusals())
	s.replayed(accepted)
	s.neverFull(rdb)

	s.set(rdb, "maxmemory", 2*maxMemory)
	late := s.bulk("<p>late</p>", m.url)
	jobstest.Eventually(t, "new work is accepted again", func() bool { return late.submit(s) == nil })
	if j := s.await(late.id); j.Status != api.JobSucceeded {
		t.Errorf("the job after it is %s: %+v", j.Status, j.Error)
	}
}

// bulk is a job that takes some 30 KiB in Redis, which is more than most.
type bulk struct {
	sub client.Submission
	id  string
}

func (s *stack) bulk(page, url string) bulk {
	s.Helper()
	data, err := json.Marshal(map[string]string{"filling": strings.Repeat("x", 30<<10)})
	if err != nil {
		s.Fatal(err)
	}
	return bulk{sub: client.Submission{
		IdempotencyKey: rand.Text(),
		Request:        api.JobRequest{Template: &api.Template{HTML: &page}, Data: data, CallbackURL: &url},
	}}
}

// submit asks once, as a client without patience does.
func (b *bulk) submit(s *stack) error {
	c := *s.Client
	c.RetryFor = -1
	got, err := c.Submit(s.Context(), b.sub)
	if err == nil {
		b.id = got.Job.ID
	}
	return err
}

// fill submits from several clients until each of them was refused.
func (s *stack) fill(url string) (accepted []bulk) {
	s.Helper()
	var group sync.WaitGroup
	var mu sync.Mutex
	for range fillers {
		group.Go(func() {
			tick := time.NewTicker(pause)
			defer tick.Stop()
			for ; ; <-tick.C {
				b := s.bulk("<p>bulk</p>", url)
				err := b.submit(s)
				if err != nil {
					s.checkRefusal(err)
					return
				}
				mu.Lock()
				accepted = append(accepted, b)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	if len(accepted) == 0 {
		s.Fatal("nothing was accepted")
	}
	return accepted
}

// checkRefusal checks the whole answer to a client that comes when Redis is full.
func (s *stack) checkRefusal(err error) {
	s.Helper()
	problem, ok := errors.AsType[*client.Problem](err)
	if !ok || problem.Status != http.StatusServiceUnavailable || problem.Code != api.CodeStoreFull || problem.RetryAfter <= 0 {
		s.Errorf("refused with %v, not 503 store_full and Retry-After", err)
	}
}

// refused checks that new work stays refused for a while.
func (s *stack) refused(url string, d time.Duration) {
	s.Helper()
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for end := time.Now().Add(d); time.Now().Before(end); <-tick.C {
		b := s.bulk("<p>refused</p>", url)
		err := b.submit(s)
		if err == nil {
			s.Fatal("accepted although Redis is full")
		}
		s.checkRefusal(err)
	}
}

// keepRefusing checks that new work is refused until the function that it returns is called, which says how often that was refused.
func (s *stack) keepRefusing(url string) (refusals func() int) {
	stop := make(chan struct{})
	var group sync.WaitGroup
	n := 0
	group.Go(func() {
		tick := time.NewTicker(pause)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			b := s.bulk("<p>refused</p>", url)
			err := b.submit(s)
			if err == nil {
				s.Error("accepted although Redis is full")
			} else {
				s.checkRefusal(err)
			}
			n++
		}
	})
	refusals = sync.OnceValue(func() int {
		close(stop)
		group.Wait()
		return n
	})
	s.Cleanup(func() { refusals() })
	return refusals
}

// replayed checks that requests of jobs that are there are answered with these jobs.
func (s *stack) replayed(all []bulk) {
	s.Helper()
	for _, b := range all {
		c := *s.Client
		c.RetryFor = -1
		got, err := c.Submit(s.Context(), b.sub)
		if err != nil || !got.Replayed || got.Job.ID != b.id {
			s.Errorf("again %s: job %s, replayed %v, %v", b.sub.IdempotencyKey, got.Job.ID, got.Replayed, err)
		}
	}
}

// set changes a setting of Redis.
func (s *stack) set(rdb *redis.Client, name string, value int) {
	s.Helper()
	if err := rdb.ConfigSet(s.Context(), name, strconv.Itoa(value)).Err(); err != nil {
		s.Fatal(err)
	}
}

// ballast fills a share of the memory with what is not ours.
func (s *stack) ballast(rdb *redis.Client, share float64) {
	s.Helper()
	const piece = 100 << 10
	for s.usage(rdb) < share {
		if err := rdb.Set(s.Context(), rand.Text(), strings.Repeat("x", piece), 0).Err(); err != nil {
			s.Fatal(err)
		}
	}
}

func (s *stack) usage(rdb *redis.Client) float64 {
	s.Helper()
	return float64(s.info(rdb, "memory", "used_memory")) / maxMemory
}

// neverFull checks that Redis has refused nothing, and had not to.
func (s *stack) neverFull(rdb *redis.Client) {
	s.Helper()
	peak := float64(s.info(rdb, "memory", "used_memory_peak")) / maxMemory
	s.Logf("the most in use was %.1f %%", 100*peak)
	if peak >= 1 || peak < refusedAt {
		s.Errorf("the most in use was %.1f %%", 100*peak)
	}
	text, err := rdb.Info(s.Context(), "errorstats").Result()
	if err != nil || strings.Contains(text, "errorstat_OOM") {
		s.Errorf("Redis refused writes: %q, %v", text, err)
	}
}

// info reads a number out of INFO.
func (s *stack) info(rdb *redis.Client, section, name string) int {
	s.Helper()
	text, err := rdb.Info(s.Context(), section).Result()
	if err != nil {
		s.Fatal(err)
	}
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			n, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil {
				s.Fatal(err)
			}
			return n
		}
	}
	s.Fatalf("INFO %s does not tell %s", section, name)
	return 0
}
