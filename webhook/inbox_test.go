package webhook_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/webhook"
)

var one = webhook.Count{Entries: 1}

func TestAnEventIsKeptBeforeItIsAnsweredAndHandledAfterwards(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	r := newRig(t, &webhook.MemoryStore{}, func(r *run) error {
		calls.Add(1)
		if r.event.ID != "evt_1" || r.event.Type != webhook.TypePing {
			t.Errorf("handled %+v", r.event)
		}
		return nil
	})
	if status := r.send("evt_1"); status != http.StatusNoContent || calls.Load() != 0 {
		t.Errorf("answered %d after %d calls", status, calls.Load())
	}
	if status := r.send("evt_1"); status != http.StatusNoContent {
		t.Errorf("while it waits: answered %d", status)
	}
	r.work()
	r.settle(webhook.Stats{Completed: one})
	if status := r.send("evt_1"); status != http.StatusOK {
		t.Errorf("when it is done: answered %d", status)
	}
	r.stop()
	if n := calls.Load(); n != 1 {
		t.Errorf("%d calls", n)
	}
	want := webhook.Counts{Accepted: 1, Repeated: 2}
	if diff := cmp.Diff(want, r.handler.Counts()); diff != "" {
		t.Error(diff)
	}
}

func TestAnotherBodyUnderAKnownIDIsAnswered409(t *testing.T) {
	t.Parallel()
	r := newRig(t, &webhook.MemoryStore{}, nil)
	r.send("evt_1")
	if status := r.post("evt_1", pingBody+" "); status != http.StatusConflict {
		t.Errorf("answered %d", status)
	}
	if s, err := r.Stats(t.Context()); err != nil || s.Conflicts != 1 || r.handler.Counts().Conflict != 1 {
		t.Errorf("%+v, %v, counted %+v", s, err, r.handler.Counts())
	}
}

// broken is a store that is down.
type broken struct{ webhook.Store }

var errDown = errors.New("connection refused by 10.0.0.7")

func (broken) Accept(context.Context, webhook.Message) (webhook.Receipt, error) {
	return webhook.Receipt{}, errDown
}

func TestRefusalsAreCountedApart(t *testing.T) {
	t.Parallel()
	r := newRig(t, broken{&webhook.MemoryStore{}}, nil)
	var log bytes.Buffer
	r.handler.Logger = slog.New(slog.NewTextHandler(&log, nil))
	sign := func(at time.Time, body string) http.Header {
		h, err := webhook.Sign(r.handler.Secrets, "evt_1", at, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	now := time.Now()
	for _, c := range []struct {
		header http.Header
		body   string
		want   int
	}{
		{sign(now, pingBody), pingBody, 503},
		{sign(now.Add(-time.Hour), pingBody), pingBody, 401},
		{sign(now, "{}"), pingBody, 401},
		{http.Header{}, pingBody, 401},
		{sign(now, "{"), "{", 400},
		{sign(now, pingBody), strings.Repeat(" ", 1<<20), 413},
	} {
		answer := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.body))
		req.Header = c.header
		r.handler.ServeHTTP(answer, req)
		if answer.Code != c.want || strings.Contains(answer.Body.String(), "10.0.0.7") {
			t.Errorf("answered %d %s, want %d", answer.Code, answer.Body, c.want)
		}
		if (answer.Code == http.StatusServiceUnavailable) != (answer.Header().Get("Retry-After") != "") {
			t.Errorf("%d with Retry-After %q", answer.Code, answer.Header().Get("Retry-After"))
		}
	}
	want := webhook.Counts{Storage: 1, Stale: 1, Signature: 1, Malformed: 1, NotEvent: 1, Unreadable: 1}
	if diff := cmp.Diff(want, r.handler.Counts()); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(log.String(), "10.0.0.7") {
		t.Errorf("logged %s", log.String())
	}
}

func TestAHandlerSetUpWronglyKeepsTheEventWithTheSender(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*webhook.Handler){
		"both":       func(h *webhook.Handler) { h.Handle = func(context.Context, webhook.Event) error { return nil } },
		"neither":    func(h *webhook.Handler) { h.Inbox = nil },
		"no store":   func(h *webhook.Handler) { h.Inbox.Store = nil },
		"no secrets": func(h *webhook.Handler) { h.Secrets[0] = webhook.Secret{} },
	} {
		r := newRig(t, &webhook.MemoryStore{}, nil)
		header, err := webhook.Sign(r.handler.Secrets, "evt_1", time.Now(), []byte(pingBody))
		if err != nil {
			t.Fatal(err)
		}
		change(r.handler)
		answer := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(pingBody))
		req.Header = header
		r.handler.ServeHTTP(answer, req)
		if c := r.handler.Counts(); answer.Code != http.StatusServiceUnavailable || c.Setup+c.Storage != 1 {
			t.Errorf("%s: answered %d, counted %+v", name, answer.Code, c)
		}
	}
	if err := new(webhook.Inbox).Work(t.Context()); err == nil {
		t.Error("an inbox without store works")
	}
}

func TestNotYetIsCalledAgainUntilItIsTime(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	r := start(t, &webhook.MemoryStore{}, func(*run) error {
		if calls.Add(1) < 4 { // the last attempt of the rig
			return webhook.NotYet(errors.New("no such row"))
		}
		return nil
	})
	r.send("evt_1")
	r.settle(webhook.Stats{Completed: one})
	r.stop()
	if diff := cmp.Diff(webhook.InboxCounts{Completed: 1, NotYet: 3}, r.Counts()); diff != "" {
		t.Error(diff)
	}
}

func TestAnEntryFailsWhenItsAttemptsAreUsedUp(t *testing.T) {
	t.Parallel()
	var healed atomic.Bool
	r := start(t, &webhook.MemoryStore{}, func(r *run) error {
		switch {
		case healed.Load():
			return nil
		case r.event.ID == "evt_1":
			return errBoom
		case r.event.ID == "evt_2":
			panic("a bug")
		case r.event.ID == "evt_3":
			return webhook.NotYet(nil)
		default:
			return webhook.Reject(errBoom)
		}
	})
	for _, id := range []string{"evt_1", "evt_2", "evt_3", "evt_4"} {
		r.send(id)
	}
	r.settle(webhook.Stats{Failed: webhook.Count{Entries: 4}})
	failures, err := r.Failures(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range failures {
		want := map[string]string{"evt_1": "boom", "evt_2": "panic: a bug", "evt_3": "not yet", "evt_4": "rejected: boom"}[f.ID]
		attempts := 4
		if f.ID == "evt_4" {
			attempts = 1
		}
		if !strings.HasPrefix(f.Reason, want) || f.Attempts != attempts {
			t.Errorf("%+v", f)
		}
	}
	healed.Store(true)
	for _, f := range failures {
		if err := r.Replay(t.Context(), f.ID); err != nil {
			t.Error(err)
		}
	}
	r.settle(webhook.Stats{Completed: webhook.Count{Entries: 4}})
	if err := r.Replay(t.Context(), "evt_1"); !errors.Is(err, webhook.ErrNotFailed) {
		t.Errorf("replay of a completed entry: %v", err)
	}
}

func TestAnEventThatKillsItsProcessesIsGivenUp(t *testing.T) {
	t.Parallel()
	store := &webhook.MemoryStore{}
	r := newRig(t, store, func(*run) error { t.Error("called once more"); return nil })
	r.send("evt_1")
	for range 4 { // workers that die
		eventually(t, func() bool {
			_, found, err := store.Claim(t.Context(), time.Millisecond)
			return found && err == nil
		}, func() string { return "no takeover" })
	}
	r.work()
	r.settle(webhook.Stats{Failed: one})
}

func TestWhatIsAcceptedOrReplayedHereIsHandledAtOnce(t *testing.T) {
	t.Parallel()
	calls := 0
	r := newRig(t, &webhook.MemoryStore{}, func(*run) error {
		calls++
		if calls == 1 {
			return webhook.Reject(nil)
		}
		return nil
	})
	r.Poll = time.Hour
	r.Workers = 1
	r.work()
	r.send("evt_1")
	r.settle(webhook.Stats{Failed: one})
	if err := r.Replay(t.Context(), "evt_1"); err != nil {
		t.Fatal(err)
	}
	r.settle(webhook.Stats{Completed: one})
}

func TestTheEndOfWorkLeavesTheEntryToTheNextAtOnce(t *testing.T) {
	t.Parallel()
	store := openSQLite(t)
	migrate(t, store)
	started := make(chan struct{})
	r := start(t, store, func(r *run) error {
		close(started)
		<-r.ctx.Done()
		return r.ctx.Err()
	})
	r.send("evt_1")
	<-started
	r.stop()
	if c, found, err := store.Claim(t.Context(), time.Hour); err != nil || !found || c.Attempt != 1 {
		t.Errorf("claimed %+v, %t, %v", c, found, err)
	}
}

func TestWorkersHandleSeveralEventsAtATime(t *testing.T) {
	t.Parallel()
	const workers = 3
	var group sync.WaitGroup
	group.Add(workers)
	r := newRig(t, &webhook.MemoryStore{}, func(*run) error {
		group.Done()
		group.Wait() // for the others, which would be for ever if there were fewer
		return nil
	})
	r.Workers = workers
	for _, id := range []string{"evt_1", "evt_2", "evt_3"} {
		r.send(id)
	}
	r.work()
	r.settle(webhook.Stats{Completed: webhook.Count{Entries: workers}})
}

// slow is a store whose claims take until they are let go, and do not mind their context.
type slow struct {
	*webhook.MemoryStore
	asked, answer chan struct{}
}

func (s slow) Claim(ctx context.Context, lease time.Duration) (webhook.Claim, bool, error) {
	s.asked <- struct{}{}
	<-s.answer
	if err := ctx.Err(); err != nil { // the entry is claimed, and the caller does not know of it
		_, _, _ = s.MemoryStore.Claim(ctx, lease)
		return webhook.Claim{}, false, err
	}
	return s.MemoryStore.Claim(ctx, lease)
}

func TestAClaimIsNotForgottenAtTheEndOfWork(t *testing.T) {
	t.Parallel()
	store := slow{&webhook.MemoryStore{}, make(chan struct{}), make(chan struct{})}
	r := newRig(t, store, func(*run) error { t.Error("called after the end"); return nil })
	r.send("evt_1")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.Work(ctx) }()
	<-store.asked
	cancel()
	close(store.answer)
	if err := <-done; err != nil {
		t.Error(err)
	}
	r.settle(webhook.Stats{Accepted: one})
}

// bubble accepts one event into an inbox in a bubble of fake time, and works on it until it is done.
func bubble(t *testing.T, store webhook.Store, handle func(context.Context) error) *webhook.Inbox {
	t.Helper()
	inbox := &webhook.Inbox{Store: store, Handle: func(ctx context.Context, _ webhook.Event) error { return handle(ctx) }}
	if _, err := store.Accept(t.Context(), webhook.Message{ID: "evt_1", Body: []byte(pingBody)}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*24*time.Hour)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := inbox.Work(ctx); err != nil {
			t.Error(err)
		}
	}()
	for deadline := time.Now().Add(48 * time.Hour); time.Now().Before(deadline); {
		time.Sleep(time.Second) // fake
		if s, err := store.Stats(ctx); err == nil && s.Pending().Entries == 0 {
			break
		}
	}
	cancel()
	<-done
	return inbox
}

func TestALeaseIsExtendedForAsLongAsTheFunctionRuns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		bubble(t, &webhook.MemoryStore{}, func(ctx context.Context) error {
			calls++
			select {
			case <-ctx.Done():
				t.Errorf("the context has ended: %v", context.Cause(ctx))
			case <-time.After(10 * time.Minute):
			}
			return nil
		})
		if calls != 1 {
			t.Errorf("%d calls", calls)
		}
	})
}

// mute is a store that nobody can extend a lease in, because it is down or because it says that the lease is lost.
type mute struct {
	*webhook.MemoryStore
	err error
}

func (m mute) Extend(context.Context, webhook.Claim, time.Duration) error { return m.err }

func TestTheFunctionIsToldWhenItsLeaseIsLost(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]time.Duration{webhook.ErrLost: 10 * time.Second, errDown: 27 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			bubble(t, mute{&webhook.MemoryStore{}, err}, func(ctx context.Context) error {
				calls++
				if calls > 1 {
					return nil
				}
				begun := time.Now()
				<-ctx.Done()
				if took := time.Since(begun); took != want || !errors.Is(context.Cause(ctx), webhook.ErrLost) {
					t.Errorf("%v: told after %s that %v, want after %s", err, took, context.Cause(ctx), want)
				}
				return ctx.Err()
			})
			if calls != 2 {
				t.Errorf("%d calls", calls)
			}
		})
	}
}

func TestTheDefaultWaitsEndAfterADay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun, last, calls := time.Now(), time.Time{}, 0
		inbox := bubble(t, &webhook.MemoryStore{}, func(context.Context) error {
			calls++
			last = time.Now()
			return errBoom
		})
		if took := last.Sub(begun); calls != 16 || took < 27*time.Hour || took > 28*time.Hour {
			t.Errorf("%d calls within %s", calls, took)
		}
		if s, err := inbox.Stats(t.Context()); err != nil || s.Failed.Entries != 1 {
			t.Errorf("%+v, %v", s, err)
		}
	})
}

func TestFinishedEntriesAreDeletedAfter45Days(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &webhook.MemoryStore{}
		inbox := bubble(t, store, func(context.Context) error { return nil })
		for _, c := range []struct {
			after time.Duration
			want  int64
		}{{webhook.DefaultRetention - time.Hour, 1}, {2 * time.Hour, 0}} {
			time.Sleep(c.after) // fake
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if err := inbox.Work(ctx); err != nil {
				t.Error(err)
			}
			cancel()
			if s, err := inbox.Stats(t.Context()); err != nil || s.Completed.Entries != c.want {
				t.Errorf("after %s more: %+v, %v", c.after, s, err)
			}
		}
	})
}
