package callbacks_test

import (
	"fmt"
	"log/slog"
	"net/url"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/queue"
	"github.com/platen-render/platen/internal/urlguard"
	"github.com/platen-render/platen/internal/worker"
)

const (
	// outage is how long no name can be looked up.
	outage = 2 * time.Second
	// lookup is how long a look-up may take that fails at once. Others that ask for the same name meanwhile share it.
	lookup = 100 * time.Millisecond
)

// Fifty events go to ten hosts while no name can be looked up for two seconds: to eight of them so few that each has its own
// attempts, to two so many that the host counts as one that does not answer, and those that are left wait for it. The
// schedule and the deadline are the defaults, so that the outage is as long beside them as it would be in production.
func TestTwoSecondsWithoutNamesKillNoDelivery(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		trouble weather
		fails   bool // for a look-up that asks again in time, the outage is only a delay
	}{
		"refused": {refused, true},
		"failing": {failing, true},
		"mute":    {mute, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, m, names := newPost(t), newMailbox(t, tenantSecret, 0, 0), newNameServer(t, c.trouble)
			p.useNames(names)
			made := p.endedOnHosts(m.URL)
			p.work()
			<-time.After(outage)
			back := names.clearUp()
			p.checkWeather(made, back, c.fails)
			t.Logf("all arrived %v after the names were back", time.Since(back).Round(time.Millisecond))
			m.mu.Lock()
			defer m.mu.Unlock()
			got := map[string]bool{}
			for _, e := range m.events {
				got[e.ID] = true
			}
			if len(got) != len(made) || len(m.headers) != len(made) {
				t.Errorf("%d requests brought %d of %d events", len(m.headers), len(got), len(made))
			}
		})
	}
}

// useNames makes the deliverer look names up with a server, and have the patience that it has by default.
func (p *post) useNames(names *nameServer) {
	p.Helper()
	rules, err := urlguard.ParseRules("*." + zone)
	if err != nil {
		p.Fatal(err)
	}
	p.d.Schedule = callbacks.DefaultSchedule()
	p.d.Sender.Deadline = 0
	p.d.Sender.Client = urlguard.Policy{Allow: rules, Resolver: names.resolver()}.Client(urlguard.Options{})
	p.Cleanup(p.d.Sender.Client.CloseIdleConnections)
}

// endedOnHosts makes 8 times 2 and 2 times 17 jobs that have something to report, each group to a host of its own.
func (p *post) endedOnHosts(receiver string) []jobs.Job {
	p.Helper()
	u, err := url.Parse(receiver)
	if err != nil {
		p.Fatal(err)
	}
	var made []jobs.Job
	for i := range 10 {
		host := fmt.Sprintf("host-%d.%s:%s", i, zone, u.Port())
		for range []int{2, 17}[i/8] {
			made = append(made, p.endedOn(host, jobs.Callback{URL: "http://" + host + "/"}))
		}
	}
	return made
}

// work starts what a worker has for deliveries.
func (p *post) work() {
	p.d.Logger = slog.New(slog.DiscardHandler)
	p.run((&worker.Reconciler{
		Store: p.store, Queue: queue.NewClient(p.rdb), Rules: jobs.DefaultRules(), Schedule: p.d.Schedule, Lease: 10 * time.Second, Logger: p.d.Logger,
	}).Run)
	p.run((&queue.Server{Redis: p.rdb, Lines: map[jobs.Line]int{jobs.CallbackLine: 1}, Slots: 16, Handler: p.d.Deliver, Logger: p.d.Logger}).Run)
}

// checkWeather waits for all deliveries and checks what is recorded of each: failures of one kind, from before the names were
// back, with the waits of the schedule between them, and then the one success.
func (p *post) checkWeather(made []jobs.Job, back time.Time, fails bool) {
	p.Helper()
	failed, attempts := map[string]int{}, map[int]int{}
	for _, j := range made {
		var d jobs.Delivery
		jobstest.Eventually(p, "the delivery ends", func() (ended bool) {
			var err error
			if d, err = p.store.Delivery(p.Context(), j.Delivery); err != nil {
				p.Fatal(err)
			}
			return d.Status != jobs.DeliveryPending
		})
		if d.Status != jobs.DeliveryDelivered || d.Attempt != len(d.Log) {
			p.Errorf("%s is %s after %d attempts: %+v", d.Host, d.Status, d.Attempt, d.Log)
			continue
		}
		attempts[d.Attempt]++
		failed[d.Host] += d.Attempt - 1
		p.checkLog(d, back)
	}
	p.Logf("deliveries by attempts: %v", attempts)
	for _, j := range made {
		if host := j.Callback.Host; fails && failed[host] == 0 {
			p.Errorf("%s did not notice", host)
		}
	}
}

func (p *post) checkLog(d jobs.Delivery, back time.Time) {
	p.Helper()
	last := len(d.Log) - 1
	for i, a := range d.Log {
		if a.Number != i+1 {
			p.Errorf("%s: attempt %d has number %d", d.Host, i+1, a.Number)
		}
		if i == last {
			if a.Outcome != jobs.OutcomeDelivered || a.Status != 204 || a.Error != "" {
				p.Errorf("%s: the last attempt is %+v", d.Host, a)
			}
			break
		}
		if a.Outcome != jobs.OutcomeFailed || a.Status != 0 || a.Error != "dns_error" || a.Started.After(back.Add(lookup)) {
			p.Errorf("%s: names were back at %v, attempt %d is %+v", d.Host, back, i+1, a)
		}
		wait := d.Log[i+1].Started.Sub(a.Started.Add(a.Latency))
		if least := p.d.Schedule[i] * 8 / 10; wait < least-5*time.Millisecond { // times are kept in ms
			p.Errorf("%s: attempt %d came %v after the one before, not %v", d.Host, i+2, wait, least)
		}
	}
}
