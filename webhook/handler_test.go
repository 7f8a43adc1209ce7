package webhook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/webhook"
)

const pingBody = `{"type":"ping","timestamp":"2026-01-01T00:00:00Z","data":{}}`

// receiver is a Handler behind a real server, and what its function was called with.
type receiver struct {
	*webhook.Handler
	url string
	log bytes.Buffer

	mu     sync.Mutex
	events []webhook.Event
	answer error
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{Handler: &webhook.Handler{Secrets: []webhook.Secret{webhook.NewSecret()}}}
	r.Logger = slog.New(slog.NewTextHandler(&r.log, nil))
	r.Handle = func(_ context.Context, e webhook.Event) error {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.events = append(r.events, e)
		return r.answer
	}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

func (r *receiver) signed(t *testing.T, body string) http.Header {
	t.Helper()
	header, err := webhook.Sign(r.Secrets, "evt_1", time.Now(), []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return header
}

type answer struct {
	status int
	header http.Header
	text   string
}

func (r *receiver) send(t *testing.T, method string, header http.Header, body io.Reader) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, method, r.url, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(text)}
}

func TestAVerifiedEventReachesTheFunction(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	body := `{"type":"job.succeeded","timestamp":"2026-01-02T03:04:05.678Z","new_member":[1],"data":{
		"job_id":"job_1","document_id":"doc_1","document_key":"invoice:2026-00042","status":"succeeded","sequence":2,
		"job_url":"https://platen.example/jobs/job_1","document_url":"https://platen.example/documents/doc_1","batch_id":"bat_1",
		"metadata":{"total":1.10,"n":12345678901234567890}}}`
	got := r.send(t, http.MethodPost, r.signed(t, body), strings.NewReader(body))
	if got.status != http.StatusNoContent || got.text != "" {
		t.Fatalf("answered %d %q", got.status, got.text)
	}
	want := []webhook.Event{{
		ID: "evt_1", Type: webhook.TypeJobSucceeded, Timestamp: time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC),
		Data: webhook.Data{
			JobID: "job_1", DocumentID: "doc_1", DocumentKey: "invoice:2026-00042", Status: "succeeded", Sequence: 2,
			JobURL: "https://platen.example/jobs/job_1", DocumentURL: "https://platen.example/documents/doc_1", BatchID: "bat_1",
			Metadata: []byte(`{"total":1.10,"n":12345678901234567890}`),
		},
	}}
	if diff := cmp.Diff(want, r.events); diff != "" {
		t.Error(diff)
	}
	if r.log.Len() > 0 {
		t.Errorf("logged %s", r.log.String())
	}
}

func TestARefusedMessageNeverReachesTheFunction(t *testing.T) {
	t.Parallel()
	big := strings.Repeat(" ", 64<<10) + pingBody
	stranger := newReceiver(t) // another secret
	for name, c := range map[string]struct {
		method, body string
		header       func(*receiver) http.Header
		status       int
		logged       string
	}{
		"unsigned":          {"POST", pingBody, func(*receiver) http.Header { return http.Header{} }, 401, webhook.ErrHeader.Error()},
		"another secret":    {"POST", pingBody, func(*receiver) http.Header { return stranger.signed(t, pingBody) }, 401, webhook.ErrSignature.Error()},
		"another body":      {"POST", pingBody, func(r *receiver) http.Header { return r.signed(t, pingBody+" ") }, 401, webhook.ErrSignature.Error()},
		"unsigned, no JSON": {"POST", "{", func(*receiver) http.Header { return http.Header{} }, 401, webhook.ErrHeader.Error()},
		"old": {"POST", pingBody, func(r *receiver) http.Header {
			h, _ := webhook.Sign(r.Secrets, "evt_1", time.Now().Add(-6*time.Minute), []byte(pingBody))
			return h
		}, 401, webhook.ErrStale.Error()},
		"no JSON":             {"POST", "{", func(r *receiver) http.Header { return r.signed(t, "{") }, 400, webhook.ErrEvent.Error()},
		"text after the JSON": {"POST", pingBody + "{}", func(r *receiver) http.Header { return r.signed(t, pingBody+"{}") }, 400, webhook.ErrEvent.Error()},
		"no type":             {"POST", `{"timestamp":"2026-01-01T00:00:00Z"}`, func(r *receiver) http.Header { return r.signed(t, `{"timestamp":"2026-01-01T00:00:00Z"}`) }, 400, webhook.ErrEvent.Error()},
		"no time":             {"POST", `{"type":"ping"}`, func(r *receiver) http.Header { return r.signed(t, `{"type":"ping"}`) }, 400, webhook.ErrEvent.Error()},
		"too large, signed":   {"POST", big, func(r *receiver) http.Header { return r.signed(t, big) }, 413, "too large"},
		"too large, unsigned": {"POST", big, func(*receiver) http.Header { return http.Header{} }, 413, "too large"},
		"GET":                 {"GET", "", func(r *receiver) http.Header { return r.signed(t, "") }, 405, ""},
	} {
		r := newReceiver(t)
		got := r.send(t, c.method, c.header(r), strings.NewReader(c.body))
		if got.status != c.status || len(r.events) > 0 || !strings.Contains(r.log.String(), c.logged) {
			t.Errorf("%s: answered %d %q, want %d; logged %q", name, got.status, got.text, c.status, r.log.String())
		}
		if strings.Contains(got.text, "webhook:") {
			t.Errorf("%s: the sender is told why: %q", name, got.text)
		}
		if (got.status == http.StatusUnauthorized) != (got.header.Get("WWW-Authenticate") != "") {
			t.Errorf("%s: WWW-Authenticate is %q", name, got.header.Get("WWW-Authenticate"))
		}
	}
}

func TestABodyOfUnknownLengthIsLimitedToo(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	r.MaxBytes = 100
	if got := r.send(t, http.MethodPost, r.signed(t, pingBody), io.MultiReader(strings.NewReader(pingBody))); got.status != 204 {
		t.Errorf("a chunked body below the limit: %d", got.status)
	}
	long := pingBody + strings.Repeat(" ", 100)
	if got := r.send(t, http.MethodPost, r.signed(t, long), io.MultiReader(strings.NewReader(long))); got.status != 413 {
		t.Errorf("a chunked body above the limit: %d", got.status)
	}
}

func TestAFailingFunctionAsksForTheEventAgain(t *testing.T) {
	t.Parallel()
	for wait, want := range map[time.Duration]string{0: "5", time.Millisecond: "1", 1500 * time.Millisecond: "2", time.Minute: "60", -time.Hour: "1"} {
		r := newReceiver(t)
		r.RetryAfter = wait
		r.answer = errors.New("disk full at /var/lib/secret")
		got := r.send(t, http.MethodPost, r.signed(t, pingBody), strings.NewReader(pingBody))
		if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") != want {
			t.Errorf("wait %s: answered %d, Retry-After %q", wait, got.status, got.header.Get("Retry-After"))
		}
		if strings.Contains(got.text, "disk") || !strings.Contains(r.log.String(), "disk full") || !strings.Contains(r.log.String(), "event_id=evt_1") {
			t.Errorf("answered %q, logged %q", got.text, r.log.String())
		}
		r.answer = nil
		if got := r.send(t, http.MethodPost, r.signed(t, pingBody), strings.NewReader(pingBody)); got.status != 204 || len(r.events) != 2 {
			t.Errorf("the second time: answered %d after %d calls", got.status, len(r.events))
		}
	}
}

func TestAReceiverWithoutSecretKeepsTheEventWithTheSender(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	header := r.signed(t, pingBody)
	for _, secrets := range [][]webhook.Secret{nil, {{}}} {
		r.Secrets = secrets
		if got := r.send(t, http.MethodPost, header, strings.NewReader(pingBody)); got.status != 503 || len(r.events) > 0 {
			t.Errorf("answered %d after %d calls", got.status, len(r.events))
		}
	}
}

func TestTheLogQuotesNoIDOfAStranger(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	header := http.Header{}
	header.Set("webhook-id", "a strange id")
	r.send(t, http.MethodPost, header, strings.NewReader(pingBody))
	if strings.Contains(r.log.String(), "strange") || !strings.Contains(r.log.String(), "status=401") {
		t.Errorf("logged %q", r.log.String())
	}
}

func TestAnEventIsWrittenAsItIsRead(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	for _, c := range []struct {
		text string
		data webhook.Data
	}{
		{
			`{"type":"job.failed","timestamp":"2026-01-02T03:04:05Z","data":{"job_id":"job_1","status":"failed","sequence":1,"metadata":null,"document_key":null,"batch_id":null}}`,
			webhook.Data{JobID: "job_1", Status: "failed", Sequence: 1},
		},
		{
			`{"type":"batch.completed","timestamp":"2026-01-02T03:04:05Z","data":{"status":"completed","metadata":{"a":1.10},"document_key":"k","batch_id":"bat_1"}}`,
			webhook.Data{Status: "completed", Metadata: []byte(`{"a":1.10}`), DocumentKey: "k", BatchID: "bat_1"},
		},
	} {
		event, err := webhook.Receive(r.Secrets, r.signed(t, c.text), []byte(c.text), webhook.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.data, event.Data); diff != "" {
			t.Error(diff)
		}
		if out, err := json.Marshal(event); err != nil || string(out) != c.text {
			t.Errorf("got %s, %v", out, err)
		}
	}
}
