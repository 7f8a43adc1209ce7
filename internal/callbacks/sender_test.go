package callbacks_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/webhook"
)

const body = `{"type":"job.succeeded","timestamp":"2026-01-02T03:04:05Z","data":{"job_id":"job_1","status":"succeeded","sequence":1}}`

// newSender has connections of its own, so that a closing server is not waited for by those of another test.
func newSender(t *testing.T) *callbacks.Sender {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &callbacks.Sender{Client: &http.Client{Transport: transport}, Deadline: 10 * time.Second}
}

func newMessage(url string) callbacks.Message {
	return callbacks.Message{URL: url, ID: "evt_1", Body: []byte(body), Secrets: []webhook.Secret{webhook.NewSecret()}}
}

func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

func answering(t *testing.T, status int, header map[string]string, text string) *httptest.Server {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for name, value := range header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	})
}

// check compares what matters in an attempt.
func check(t *testing.T, name string, a callbacks.Attempt, outcome callbacks.Outcome, code string, status int) {
	t.Helper()
	if a.Outcome != outcome || a.Code != code || a.Status != status {
		t.Errorf("%s: got %s %q status %d (%v), want %s %q status %d", name, a.Outcome, a.Code, a.Status, a.Err, outcome, code, status)
	}
	if a.Started.IsZero() || a.Latency <= 0 {
		t.Errorf("%s: started %s, took %s", name, a.Started, a.Latency)
	}
}

func TestWhatIsSentVerifiesWithOurReceiverAndTheOracle(t *testing.T) {
	t.Parallel()
	current, old := webhook.NewSecret(), webhook.NewSecret()
	received := make(chan *http.Request, 1)
	bodies := make(chan []byte, 1)
	events := make(chan webhook.Event, 1)
	receiver := &webhook.Handler{
		Secrets: []webhook.Secret{old}, // a receiver in the middle of a rotation
		Handle: func(_ context.Context, e webhook.Event) error {
			events <- e
			return nil
		},
	}
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(raw)))
		received <- r.Clone(context.WithoutCancel(r.Context()))
		bodies <- raw
		receiver.ServeHTTP(w, r)
	})
	sender := newSender(t)
	sender.UserAgent = "Platen/1.2"
	msg := newMessage(server.URL + "/hook?tenant=7")
	msg.Secrets = []webhook.Secret{current, old}
	msg.Headers = map[string]string{"Authorization": "Bearer t", "x-team": "billing"}

	before := time.Now().Truncate(time.Second)
	a := sender.Send(t.Context(), msg)
	check(t, "send", a, callbacks.Delivered, "", http.StatusNoContent)
	if e := <-events; e.ID != "evt_1" || e.Data.JobID != "job_1" {
		t.Errorf("our receiver got %+v", e)
	}

	req, raw := <-received, <-bodies
	for _, secret := range msg.Secrets {
		wh, err := standard.NewWebhook(secret.Reveal())
		if err != nil {
			t.Fatal(err)
		}
		if err := wh.Verify(raw, req.Header); err != nil {
			t.Errorf("oracle: %v", err)
		}
	}
	if string(raw) != body || req.Method != http.MethodPost || req.URL.String() != "/hook?tenant=7" || req.ContentLength != int64(len(body)) {
		t.Errorf("sent %s %s, %d bytes: %s", req.Method, req.URL, req.ContentLength, raw)
	}
	seconds, err := strconv.ParseInt(req.Header.Get("webhook-timestamp"), 10, 64)
	if at := time.Unix(seconds, 0); err != nil || at.Before(before) || at.After(time.Now()) {
		t.Errorf("timestamp %v, %v", at, err)
	}
	got := map[string]string{}
	for name := range req.Header {
		got[name] = req.Header.Get(name)
	}
	delete(got, "Webhook-Timestamp")
	delete(got, "Webhook-Signature")
	want := map[string]string{
		"Authorization": "Bearer t", "X-Team": "billing", "Webhook-Id": "evt_1", "Content-Type": "application/json",
		"Accept-Encoding": "identity", "User-Agent": "Platen/1.2", "Content-Length": strconv.Itoa(len(body)),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestARetryHasTheSameIDAndAFreshSignature(t *testing.T) {
	t.Parallel()
	headers := make(chan http.Header, 2)
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) { headers <- r.Header })
	sender, msg := newSender(t), newMessage(server.URL)
	sender.Send(t.Context(), msg)
	first := <-headers
	deadline := time.Now().Add(5 * time.Second)
	for time.Now().Before(deadline) {
		sender.Send(t.Context(), msg)
		second := <-headers
		if second.Get("webhook-id") != first.Get("webhook-id") {
			t.Fatal("the id changed")
		}
		if second.Get("webhook-timestamp") != first.Get("webhook-timestamp") {
			if second.Get("webhook-signature") == first.Get("webhook-signature") {
				t.Fatal("another timestamp, the same signature")
			}
			return
		}
		<-time.After(100 * time.Millisecond)
	}
	t.Fatal("the timestamp is not that of the attempt")
}

func TestHeadersOfATenantNeverReplaceOurs(t *testing.T) {
	t.Parallel()
	headers := make(chan http.Header, 1)
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) { headers <- r.Header })
	msg := newMessage(server.URL)
	msg.Headers = map[string]string{ // which ValidateHeaders would not have let pass
		"webhook-id": "evt_2", "WEBHOOK-SIGNATURE": "v1,x", "webhook-timestamp": "1", "content-type": "text/html",
		"accept-encoding": "gzip", "user-agent": "curl", "Host": "other.example", "Content-Length": "1",
	}
	check(t, "send", newSender(t).Send(t.Context(), msg), callbacks.Delivered, "", 200)
	header := <-headers
	if err := webhook.Verify(msg.Secrets, header, []byte(body), webhook.Options{}); err != nil {
		t.Error(err)
	}
	if header.Get("Content-Type") != "application/json" || header.Get("Accept-Encoding") != "identity" || header.Get("User-Agent") != "Platen" {
		t.Errorf("sent %v", header)
	}
}

func TestAnswersAreJudged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status     int
		retryAfter string
		outcome    callbacks.Outcome
		code       string
		wait       time.Duration
	}{
		{200, "", callbacks.Delivered, "", 0},
		{202, "9", callbacks.Delivered, "", 0},
		{204, "", callbacks.Delivered, "", 0},
		{299, "", callbacks.Delivered, "", 0},
		{304, "", callbacks.Retry, "redirected", 0},
		{400, "", callbacks.Retry, "client_error", 0},
		{404, "9", callbacks.Retry, "client_error", 0},
		{408, "", callbacks.Retry, "client_error", 0},
		{410, "9", callbacks.Dead, "gone", 0},
		{425, "", callbacks.Retry, "client_error", 0},
		{429, "9", callbacks.Retry, "throttled", 9 * time.Second},
		{429, "86400", callbacks.Retry, "throttled", time.Hour},
		{429, "soon", callbacks.Retry, "throttled", 0},
		{500, "9", callbacks.Retry, "server_error", 0},
		{503, "9", callbacks.Retry, "server_error", 9 * time.Second},
		{503, time.Now().Add(30 * time.Minute).UTC().Format(http.TimeFormat), callbacks.Retry, "server_error", 30 * time.Minute},
	} {
		server := answering(t, c.status, map[string]string{"Retry-After": c.retryAfter}, "")
		a := newSender(t).Send(t.Context(), newMessage(server.URL))
		check(t, strconv.Itoa(c.status), a, c.outcome, c.code, c.status)
		if (a.RetryAfter-c.wait).Abs() > 10*time.Second || (a.RetryAfter == 0) != (c.wait == 0) {
			t.Errorf("%d: wait %s, want %s", c.status, a.RetryAfter, c.wait)
		}
		if a.Gone() != (c.status == 410) {
			t.Errorf("%d: gone %v", c.status, a.Gone())
		}
	}
}

func TestTheClockOfTheMessageCountsAndNotThatOfTheMachine(t *testing.T) {
	t.Parallel()
	at := time.Now().Add(-3 * time.Hour)
	stamps := make(chan string, 1)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		stamps <- r.Header.Get("webhook-timestamp")
		w.Header().Set("Retry-After", at.Add(30*time.Minute).UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	msg := newMessage(server.URL)
	msg.Clock = callbacks.ClockAt(at)
	a := newSender(t).Send(t.Context(), msg)
	check(t, "send", a, callbacks.Retry, "server_error", 503)
	seconds, err := strconv.ParseInt(<-stamps, 10, 64)
	if off := time.Unix(seconds, 0).Sub(at); err != nil || off.Abs() > time.Minute {
		t.Errorf("signed %v off, %v", off, err)
	}
	if off := a.Started.Sub(at); off < 0 || off > time.Minute {
		t.Errorf("started %v off", off)
	}
	if (a.RetryAfter - 30*time.Minute).Abs() > time.Minute {
		t.Errorf("asked to wait %v", a.RetryAfter)
	}
}

func TestAClockGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		at := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
		clock := callbacks.ClockAt(at)
		<-time.After(90 * time.Second)
		if got := clock.Now(); !got.Equal(at.Add(90 * time.Second)) {
			t.Errorf("after 90 s it shows %v", got)
		}
		if got := (callbacks.Clock{}).Now(); !got.Equal(time.Now()) {
			t.Errorf("the zero clock shows %v", got)
		}
	})
}

func TestRedirectsAreNeverFollowed(t *testing.T) {
	t.Parallel()
	hit := make(chan string, 10)
	target := serve(t, func(_ http.ResponseWriter, r *http.Request) { hit <- r.Method })
	sender := newSender(t)
	for _, status := range []int{301, 302, 303, 307, 308} {
		server := answering(t, status, map[string]string{"Location": target.URL}, "moved")
		check(t, strconv.Itoa(status), sender.Send(t.Context(), newMessage(server.URL)), callbacks.Retry, "redirected", status)
	}
	server := answering(t, 302, map[string]string{"Location": "http://[::1"}, "")
	if a := sender.Send(t.Context(), newMessage(server.URL)); a.Outcome != callbacks.Retry {
		t.Errorf("a Location that is no URL: %+v", a)
	}
	if len(hit) > 0 {
		t.Errorf("a redirect was followed with %s", <-hit)
	}
	if sender.Client.CheckRedirect != nil {
		t.Error("the client that was given is changed")
	}
}

func TestCookiesAreNotKept(t *testing.T) {
	t.Parallel()
	cookies := make(chan string, 2)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		cookies <- r.Header.Get("Cookie")
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "of another tenant"})
	})
	sender := newSender(t)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	sender.Client.Jar = jar
	for range 2 {
		sender.Send(t.Context(), newMessage(server.URL))
		if got := <-cookies; got != "" {
			t.Errorf("sent the cookie %q", got)
		}
	}
}

func TestTheTimeLimitOfTheClientIsNotUsed(t *testing.T) {
	t.Parallel()
	sender := newSender(t)
	sender.Client.Timeout = 1
	check(t, "send", sender.Send(t.Context(), newMessage(answering(t, 200, nil, "").URL)), callbacks.Delivered, "", 200)
}

func TestAnUnsignedMessageIsNeverSent(t *testing.T) {
	t.Parallel()
	hit := make(chan struct{}, 10)
	server := serve(t, func(http.ResponseWriter, *http.Request) { hit <- struct{}{} })
	for name, change := range map[string]func(*callbacks.Message){
		"no secret":   func(m *callbacks.Message) { m.Secrets = nil },
		"zero secret": func(m *callbacks.Message) { m.Secrets = []webhook.Secret{{}} },
		"bad id":      func(m *callbacks.Message) { m.ID = "evt.1" },
	} {
		msg := newMessage(server.URL)
		change(&msg)
		check(t, name, newSender(t).Send(t.Context(), msg), callbacks.Retry, "signing_failed", 0)
	}
	msg := newMessage("http://[::1?token=hunter2")
	a := newSender(t).Send(t.Context(), msg)
	check(t, "no URL", a, callbacks.Dead, "url_invalid", 0)
	if strings.Contains(a.Err.Error(), "hunter2") {
		t.Errorf("%v quotes the URL", a.Err)
	}
	if len(hit) > 0 {
		t.Error("something was sent")
	}
}

func TestARefusedTargetIsDeadAndLeavesNoBody(t *testing.T) {
	t.Parallel()
	denied := fault.New(fault.Invalid, "url_denied", "The URL is not allowed.").Because(errors.New("x.example is 10.0.0.1"))
	sender := &callbacks.Sender{Client: &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return nil, denied
	})}}
	a := sender.Send(t.Context(), newMessage("https://x.example/?token=hunter2"))
	check(t, "denied", a, callbacks.Dead, "url_denied", 0)
	if a.Response != "" || strings.Contains(a.Detail, "10.0.0.1") || !strings.Contains(a.Err.Error(), "10.0.0.1") || strings.Contains(a.Err.Error(), "hunter2") {
		t.Errorf("detail %q, error %q, response %q", a.Detail, a.Err, a.Response)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTheDefaultDeadlineGivesALeaseOfTwentySeconds(t *testing.T) {
	t.Parallel()
	if got := (&callbacks.Sender{}).Lease(); got != 20*time.Second {
		t.Errorf("default: %s", got)
	}
	if got := (&callbacks.Sender{Deadline: time.Second}).Lease(); got != 6*time.Second {
		t.Errorf("deadline 1s: %s", got)
	}
}

func TestLogsHoldNoSecretOfAMessage(t *testing.T) {
	t.Parallel()
	server := answering(t, 500, nil, "response-text")
	msg := newMessage(server.URL + "/hunter2?token=hunter2")
	msg.Headers = map[string]string{"Authorization": "hunter2"}
	a := newSender(t).Send(t.Context(), msg)
	a.Err = errors.New("the cause")
	var out strings.Builder
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", slog.Any("message", msg), slog.Any("attempt", a))
	var line struct{ Message, Attempt map[string]any }
	if err := json.Unmarshal([]byte(out.String()), &line); err != nil {
		t.Fatal(err)
	}
	delete(line.Attempt, "latency_ms")
	want := map[string]any{"outcome": "retry", "status": 500.0, "error_code": "server_error", "error": "the cause"}
	if diff := cmp.Diff(want, line.Attempt); diff != "" {
		t.Error(diff)
	}
	want = map[string]any{"event_id": "evt_1", "host": strings.TrimPrefix(server.URL, "http://"), "headers": 1.0}
	if diff := cmp.Diff(want, line.Message); diff != "" {
		t.Error(diff)
	}
}

func TestOneSenderServesManyAtOnce(t *testing.T) {
	t.Parallel()
	server := answering(t, 200, nil, "ok")
	sender, msg := newSender(t), newMessage(server.URL)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if a := sender.Send(t.Context(), msg); a.Outcome != callbacks.Delivered || a.Response != "ok" {
				t.Errorf("got %+v", a)
			}
		})
	}
	wg.Wait()
}
