package callbacks_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/internal/urlguard"
	"github.com/platen-render/platen/webhook"
)

// mailbox is a receiver that fails as often as it is told, and remembers what it was sent.
type mailbox struct {
	*httptest.Server
	mu      sync.Mutex
	fail    int
	status  int
	headers []http.Header
	events  []webhook.Event
}

func newMailbox(t *testing.T, secret string, fail, status int) *mailbox {
	t.Helper()
	parsed, err := webhook.ParseSecret(secret)
	if err != nil {
		t.Fatal(err)
	}
	m := &mailbox{fail: fail, status: status}
	verify := &webhook.Handler{Secrets: []webhook.Secret{parsed}, Handle: func(_ context.Context, e webhook.Event) error {
		m.events = append(m.events, e)
		return nil
	}}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.headers = append(m.headers, r.Header.Clone())
		if len(m.headers) <= m.fail {
			w.WriteHeader(m.status)
			return
		}
		verify.ServeHTTP(w, r)
	}))
	t.Cleanup(m.Close)
	return m
}

// post is a store, and a deliverer that is driven by hand as the queue would.
type post struct {
	*testing.T
	rdb   *redis.Client
	store *redisstore.Store
	key   *seal.Key
	d     *callbacks.Deliverer
}

const tenantSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8G"

func newPost(t *testing.T) *post {
	t.Helper()
	key, err := seal.ParseKey(seal.GenerateKey())
	if err != nil {
		t.Fatal(err)
	}
	rules, err := urlguard.ParseRules("127.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	rdb := redistest.Start(t).Client()
	store := redisstore.New(rdb, redisstore.Options{PublicURL: "https://docs.example"})
	service := jobs.Service{Store: store, Key: key}
	if err := service.SetCallbackSecrets(t.Context(), "default", tenantSecret); err != nil {
		t.Fatal(err)
	}
	client := urlguard.Policy{Allow: rules}.Client(urlguard.Options{})
	return &post{T: t, rdb: rdb, store: store, key: key, d: &callbacks.Deliverer{
		Store: store, Sender: &callbacks.Sender{Client: client, Deadline: 5 * time.Second}, Key: key,
		Schedule: callbacks.Schedule{time.Millisecond, time.Millisecond, time.Millisecond, time.Millisecond, time.Millisecond},
		Logger:   slog.New(slog.NewTextHandler(t.Output(), nil)),
	}}
}

// ended makes a job that was canceled, and so has something to report.
func (p *post) ended(c jobs.Callback) jobs.Job { return p.endedOn("receiver", c) }

// endedOn does the same for a host of that name.
func (p *post) endedOn(host string, c jobs.Callback) jobs.Job {
	p.Helper()
	a := jobs.Acceptance{Nonce: rand.Text(), Job: jobs.Job{
		ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Tenant: "default",
		Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0), Callback: &jobs.CallbackState{Host: host},
		Target: jobs.Target(c.URL),
	}}
	a.Job.Sealed = c.Seal(p.key, a.Job.Delivery)
	if _, err := p.store.Accept(p.Context(), a); err != nil {
		p.Fatal(err)
	}
	if _, err := p.store.Cancel(p.Context(), a.Job.ID); err != nil {
		p.Fatal(err)
	}
	return a.Job
}

// pump delivers what is due until the delivery has the status.
func (p *post) pump(id jobs.ID, want jobs.DeliveryStatus) jobs.Delivery {
	p.Helper()
	var d jobs.Delivery
	jobstest.Eventually(p, "the delivery is "+string(want), func() bool {
		due, err := p.store.Due(p.Context(), 0, jobs.CallbackLine, 10)
		if err != nil {
			p.Fatal(err)
		}
		for _, task := range due.Tasks {
			if err := p.d.Deliver(p.Context(), task); err != nil {
				p.Fatal(err)
			}
		}
		if d, err = p.store.Delivery(p.Context(), id); err != nil {
			p.Fatal(err)
		}
		return d.Status == want
	})
	return d
}

func TestAReceiverThatFailsTwiceGetsTheSameEventThreeTimes(t *testing.T) {
	t.Parallel()
	p, m := newPost(t), newMailbox(t, tenantSecret, 2, 500)
	j := p.ended(jobs.Callback{URL: m.URL, Headers: map[string]string{"Authorization": "Basic eDp5"}})
	d := p.pump(j.Delivery, jobs.DeliveryDelivered)
	if len(m.headers) != 3 || len(m.events) != 1 || d.Attempt != 3 {
		t.Fatalf("%d requests, %d events, %d attempts", len(m.headers), len(m.events), d.Attempt)
	}
	for _, h := range m.headers {
		if h.Get("webhook-id") != string(j.Event) || h.Get("Authorization") != "Basic eDp5" {
			t.Errorf("headers %v", h)
		}
	}
	if e := m.events[0]; e.Type != "job.canceled" || e.ID != string(j.Event) || e.Data.JobID != string(j.ID) || e.Data.Sequence != 1 {
		t.Errorf("event %+v", e)
	}
	if a := d.Log; a[0].Status != 500 || a[0].Outcome != jobs.OutcomeFailed || a[2].Outcome != jobs.OutcomeDelivered || a[2].Status != 204 {
		t.Errorf("log %+v", a)
	}
}

func TestAJobsOwnSecretWinsOverTheTenants(t *testing.T) {
	t.Parallel()
	const own = "a secret of this job"
	p, m := newPost(t), newMailbox(t, own, 0, 0)
	j := p.ended(jobs.Callback{URL: m.URL, Secret: own})
	p.pump(j.Delivery, jobs.DeliveryDelivered)
	if len(m.events) != 1 {
		t.Errorf("%d events", len(m.events))
	}
}

func TestAReceiverThatAlwaysFailsIsDeadAfterSixAndCanBeReplayed(t *testing.T) {
	t.Parallel()
	p, m := newPost(t), newMailbox(t, tenantSecret, 6, 503)
	j := p.ended(jobs.Callback{URL: m.URL})
	if d := p.pump(j.Delivery, jobs.DeliveryDead); d.Attempt != 6 {
		t.Errorf("dead after %d attempts", d.Attempt)
	}
	if err := p.store.Replay(t.Context(), j.Delivery, ""); err != nil {
		t.Fatal(err)
	}
	p.pump(j.Delivery, jobs.DeliveryDelivered)
	if len(m.events) != 1 || m.events[0].ID != string(j.Event) {
		t.Errorf("events %+v", m.events)
	}
}

func TestTheCountOfAttemptsSaysWhatEachOneSaidAndThatOfEndingsWhy(t *testing.T) {
	t.Parallel()
	p, m := newPost(t), newMailbox(t, tenantSecret, 6, 503)
	registry := prometheus.NewPedanticRegistry()
	p.d.Metrics = callbacks.NewMetrics(registry)
	p.pump(p.ended(jobs.Callback{URL: m.URL}).Delivery, jobs.DeliveryDead)
	p.pump(p.ended(jobs.Callback{URL: m.URL}).Delivery, jobs.DeliveryDelivered)
	p.pump(p.ended(jobs.Callback{URL: "http://10.1.2.3/"}).Delivery, jobs.DeliveryDead)
	attempts := map[string]float64{"delivered ": 1, "retry server_error": 6, "dead url_denied": 1}
	if got := countedAttempts(t, registry); !maps.Equal(got, attempts) {
		t.Errorf("attempts %v, want %v", got, attempts)
	}
	r, err := p.store.Reporting(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	endings := map[jobs.Ending]int{jobs.EndedDelivered: 1, jobs.EndedScheduleOver: 1, jobs.EndedDenied: 1}
	if !maps.Equal(r.Ended, endings) {
		t.Errorf("ended %v, want %v", r.Ended, endings)
	}
}

// countedAttempts are the attempts that were counted, by outcome and code.
func countedAttempts(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if labels := m.GetLabel(); len(labels) == 2 { // in the order of their names
				counted[labels[1].GetValue()+" "+labels[0].GetValue()] = m.GetCounter().GetValue()
			}
		}
	}
	return counted
}

func TestATestCallsAURLThatIsGone(t *testing.T) {
	t.Parallel()
	p, m := newPost(t), newMailbox(t, tenantSecret, 1, http.StatusGone)
	p.pump(p.ended(jobs.Callback{URL: m.URL}).Delivery, jobs.DeliveryDead)
	ping := jobs.Ping{
		Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0), Tenant: "default", Host: "receiver",
		Target: jobs.Target(m.URL),
	}
	ping.Sealed = jobs.Callback{URL: m.URL}.Seal(p.key, ping.Delivery)
	if err := p.store.Test(t.Context(), ping); err != nil {
		t.Fatal(err)
	}
	p.pump(ping.Delivery, jobs.DeliveryDelivered)
	if gone, err := p.store.GoneURLs(t.Context(), "default"); err != nil || len(gone) != 1 {
		t.Errorf("the test has lifted it: %+v, %v", gone, err)
	}
}

func TestPolicyAndGoneAreDeadAtOnce(t *testing.T) {
	t.Parallel()
	p, m := newPost(t), newMailbox(t, tenantSecret, 9, http.StatusGone)
	for _, url := range []string{m.URL, "http://10.1.2.3/", "http://169.254.169.254/latest"} {
		j := p.ended(jobs.Callback{URL: url})
		if d := p.pump(j.Delivery, jobs.DeliveryDead); d.Attempt != 1 || d.Log[0].Response != "" {
			t.Errorf("%s: %+v", url, d.Log)
		}
	}
}

func TestADeliveryThatIsNotOursIsLeft(t *testing.T) {
	t.Parallel()
	p, m := newPost(t), newMailbox(t, tenantSecret, 0, 0)
	j := p.ended(jobs.Callback{URL: m.URL})
	for _, task := range []jobs.Task{
		{Line: jobs.CallbackLine, ID: j.Delivery, Generation: 7},
		{Line: jobs.CallbackLine, ID: jobs.NewID(jobs.KindDelivery, 0), Generation: 1},
	} {
		if err := p.d.Deliver(t.Context(), task); err != nil || len(m.headers) != 0 {
			t.Errorf("%+v: %v, %d requests", task, err, len(m.headers))
		}
	}
}

func TestAnAttemptThatCannotBePreparedIsRecordedAtOnce(t *testing.T) {
	t.Parallel()
	p, m := newPost(t), newMailbox(t, tenantSecret, 0, 0)
	j := p.ended(jobs.Callback{URL: m.URL})
	tenant, err := p.store.Tenant(t.Context(), "default")
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := p.store.SwapTenant(t.Context(), "default", jobs.TenantSecrets, tenant.Secrets, []byte("not sealed by us")); err != nil || !ok {
		t.Fatal(ok, err)
	}
	d := p.pump(j.Delivery, jobs.DeliveryDead)
	if d.Attempt != 6 || d.Log[0].Error != "not_sent" || len(m.headers) != 0 {
		t.Errorf("%d requests, log %+v", len(m.headers), d.Log)
	}
}

func TestAURLThatAnswered410GetsNoMoreEventsUntilItIsLifted(t *testing.T) {
	t.Parallel()
	p, m := newPost(t), newMailbox(t, tenantSecret, 1, http.StatusGone)
	p.pump(p.ended(jobs.Callback{URL: m.URL}).Delivery, jobs.DeliveryDead)
	later := p.ended(jobs.Callback{URL: m.URL})
	if d := p.pump(later.Delivery, jobs.DeliveryDead); d.Log[0].Error != "url_gone" || len(m.headers) != 1 {
		t.Errorf("%d requests, log %+v", len(m.headers), d.Log)
	}
	if err := p.store.LiftGoneURL(t.Context(), "default", jobs.Target(m.URL)); err != nil {
		t.Fatal(err)
	}
	if err := p.store.Replay(t.Context(), later.Delivery, ""); err != nil {
		t.Fatal(err)
	}
	p.pump(later.Delivery, jobs.DeliveryDelivered)
}

func TestASlotGoesOnWithWhatWaitsForTheSameHost(t *testing.T) {
	t.Parallel()
	p, m := newPost(t), newMailbox(t, tenantSecret, 0, 0)
	var waiting []jobs.Job
	for range 8 { // a host has four places
		waiting = append(waiting, p.ended(jobs.Callback{URL: m.URL}))
	}
	due, err := p.store.Due(t.Context(), 0, jobs.CallbackLine, 100)
	if err != nil || len(due.Tasks) != 4 {
		t.Fatalf("due %+v, %v", due, err)
	}
	if err := p.d.Deliver(t.Context(), due.Tasks[0]); err != nil {
		t.Fatal(err)
	}
	if len(m.events) != 5 { // the first, and the four that had no place
		t.Errorf("%d of %d events", len(m.events), len(waiting))
	}
}

func TestSecretsThatOverlapAllSign(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	service := jobs.Service{Store: p.store, Key: p.key, Logger: p.d.Logger}
	const second = "another secret of the tenant"
	if _, err := service.RotateSecret(t.Context(), "default", second, time.Hour); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{tenantSecret, second} {
		m := newMailbox(t, secret, 0, 0)
		p.pump(p.ended(jobs.Callback{URL: m.URL}).Delivery, jobs.DeliveryDelivered)
		if n := len(strings.Fields(m.headers[0].Get("webhook-signature"))); n != 2 {
			t.Errorf("%d signatures", n)
		}
	}
}
