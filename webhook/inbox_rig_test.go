package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/webhook"
)

const patience = 20 * time.Second

// rig is an inbox with a worker of its own, behind a Handler on a real server.
type rig struct {
	*testing.T
	*webhook.Inbox
	handler *webhook.Handler
	url     string
	stop    func()
}

// run is one call of the inbox's function.
type run struct {
	ctx   context.Context
	event webhook.Event
}

// newRig makes the inbox without starting its worker.
func newRig(t *testing.T, store webhook.Store, handle func(*run) error) *rig {
	t.Helper()
	r := &rig{T: t, stop: func() {}}
	r.Inbox = &webhook.Inbox{
		Store:  store,
		Poll:   5 * time.Millisecond,
		Waits:  []time.Duration{time.Millisecond, time.Millisecond, time.Millisecond},
		Handle: func(ctx context.Context, e webhook.Event) error { return handle(&run{ctx, e}) },
	}
	r.handler = &webhook.Handler{Secrets: []webhook.Secret{mustParse(t, whsec(32))}, Inbox: r.Inbox}
	server := httptest.NewServer(r.handler)
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

// start makes an inbox and its worker, which ends with the test.
func start(t *testing.T, store webhook.Store, handle func(*run) error) *rig {
	t.Helper()
	r := newRig(t, store, handle)
	r.work()
	return r
}

func (r *rig) work() {
	ctx, cancel := context.WithCancel(r.Context())
	done := make(chan error, 1)
	go func() { done <- r.Work(ctx) }()
	stopped := false
	r.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			r.Errorf("work: %v", err)
		}
	}
	r.Cleanup(r.stop)
}

// send delivers a ping and wants it to be taken.
func (r *rig) send(id string) int {
	r.Helper()
	status := r.post(id, pingBody)
	if status != http.StatusNoContent && status != http.StatusOK {
		r.Fatalf("%s was answered %d", id, status)
	}
	return status
}

// post delivers a body under an id and returns the answer.
func (r *rig) post(id, body string) int {
	r.Helper()
	header, err := webhook.Sign(r.handler.Secrets, id, time.Now(), []byte(body))
	if err != nil {
		r.Fatal(err)
	}
	req, err := http.NewRequestWithContext(r.Context(), http.MethodPost, r.url, strings.NewReader(body))
	if err != nil {
		r.Fatal(err)
	}
	req.Header = header
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		r.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// settle waits until the entries are so many of each status; the rest of want is ignored.
func (r *rig) settle(want webhook.Stats) {
	r.Helper()
	var got webhook.Stats
	eventually(r.T, func() bool {
		s, err := r.Stats(r.Context())
		if err != nil {
			r.Fatal(err)
		}
		got = s
		return entries(got) == entries(want)
	}, func() string { return fmt.Sprintf("the entries are %v, want %v", entries(got), entries(want)) })
}

func entries(s webhook.Stats) [4]int64 {
	return [4]int64{s.Accepted.Entries, s.Processing.Entries, s.Completed.Entries, s.Failed.Entries}
}

func eventually(t *testing.T, holds func() bool, what func() string) {
	t.Helper()
	deadline := time.Now().Add(patience)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatal(what())
		}
		<-tick.C
	}
}
