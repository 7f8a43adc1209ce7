package client_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/spectest"
)

const (
	jobID      = "job_01KCPDHS1S0EXAMPZE00000001"
	documentID = "doc_01KCPDHS1S0EXAMPZE00000002"
	deliveryID = "dlv_01KCPDHS780EXAMPZE00000006"
	eventID    = "evt_01KCPDHS780EXAMPZE00000007"
	keyID      = "key_01KCPCP2C00EXAMPZE0000000B"
	replayID   = "rpl_01KCPDHS1S0EXAMPZE0000000C"
	pdf        = "%PDF-1.7 the document"
)

// loadSpec gives all tests of the package one checker.
var loadSpec = sync.OnceValues(spectest.New)

func spec(t *testing.T) *spectest.Checker {
	t.Helper()
	checker, err := loadSpec()
	if err != nil {
		t.Fatal(err)
	}
	return checker
}

// script is a server that gives one answer after the other, and keeps what it was asked.
type script struct {
	t       *testing.T
	mu      sync.Mutex
	answers []http.HandlerFunc
	asked   []asked
}

// asked is a request as it arrived.
type asked struct {
	line   string // "GET /jobs?limit=200"
	header http.Header
	body   []byte
}

func serve(t *testing.T, answers ...http.HandlerFunc) *script {
	t.Helper()
	s := &script{t: t, answers: answers}
	t.Cleanup(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.answers) > 0 {
			t.Errorf("%d answers were not asked for", len(s.answers))
		}
	})
	return s
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Errorf("read the request: %v", err)
	}
	s.mu.Lock()
	s.asked = append(s.asked, asked{r.Method + " " + r.URL.RequestURI(), r.Header.Clone(), body})
	var next http.HandlerFunc
	if len(s.answers) > 0 {
		next, s.answers = s.answers[0], s.answers[1:]
	}
	s.mu.Unlock()
	w.Header().Set("X-Request-Id", "req-1")
	if next == nil {
		s.t.Errorf("one request too many: %s %s", r.Method, r.URL.RequestURI())
		problem(http.StatusInternalServerError, api.CodeInternal)(w, r)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	next(w, r)
}

func (s *script) requests() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func (s *script) lines() []string {
	var lines []string
	for _, a := range s.requests() {
		lines = append(lines, a.line)
	}
	return lines
}

// inMemory returns a client that reaches the script without a socket, each exchange checked against the spec.
func (s *script) inMemory() *client.Client {
	return &client.Client{BaseURL: "http://platen.test", Key: "plt_x_y", HTTP: spec(s.t).Client(s.t, s)}
}

// overTCP returns a client that reaches the script over a socket, which can be cut; no exchange is checked.
func (s *script) overTCP() *client.Client {
	server := httptest.NewServer(s)
	s.t.Cleanup(server.Close)
	return &client.Client{BaseURL: server.URL, Key: "plt_x_y"}
}

func reply(status int, body any, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		if body != nil {
			_ = json.NewEncoder(w).Encode(body)
		}
	}
}

func problem(status int, code api.ErrorCode, header ...string) http.HandlerFunc {
	return reply(status, api.Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: "It is so.", Code: code,
		RequestID: "req-1", Errors: []api.FieldError{},
	}, append([]string{"Content-Type", api.ProblemType}, header...)...)
}

// cut closes the connection instead of answering.
func cut(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// content answers with bytes under the name that belongs to pdf.
func content(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("ETag", strconv.Quote(digest(pdf)))
		w.Header().Set("Accept-Ranges", "bytes")
		w.Header().Set("Content-Disposition", `inline; filename="a.pdf"`)
		w.Header().Set("Content-Length", strconv.Itoa(len(pdf)))
		_, _ = io.WriteString(w, body)
	}
}

func accepted(job api.Job) http.HandlerFunc {
	return reply(http.StatusAccepted, job, "Location", "/jobs/"+job.ID, "Retry-After", "1")
}

func job(status api.JobStatus) api.Job {
	j := api.Job{
		ID: jobID, DocumentID: documentID, Status: status, Priority: api.PriorityNormal, CreatedAt: time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC),
		Warnings: []api.Warning{},
	}
	if status == api.JobSucceeded {
		j.Progress = 100
		j.Result = &api.Result{
			URL: "http://platen.test/documents/" + documentID + "/content", SHA256: digest(pdf), Bytes: int64(len(pdf)),
			Pages: 1, ContentType: "application/pdf", Filename: "a.pdf",
		}
	}
	return j
}

func issued() api.Document {
	sum, size, pages, media, name := digest(pdf), int64(len(pdf)), 1, "application/pdf", "a.pdf"
	at, address, number := time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC), "http://platen.test/documents/"+documentID+"/content", int64(1)
	return api.Document{
		ID: documentID, Status: api.DocumentIssued, JobID: jobID, URL: &address, IssueNumber: &number, SHA256: &sum, Bytes: &size,
		Pages: &pages, ContentType: &media, Filename: &name, CreatedAt: at, IssuedAt: &at,
	}
}

func pending() api.Document {
	return api.Document{ID: documentID, Status: api.DocumentPending, JobID: jobID, CreatedAt: time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC)}
}

func delivery(status api.DeliveryStatus) api.Delivery {
	return api.Delivery{
		ID: deliveryID, EventID: eventID, EventType: api.EventJobSucceeded, JobID: new(jobID), DocumentID: new(documentID),
		URLHost: "shop.example.com", Status: status, CreatedAt: time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC), Log: []api.DeliveryAttempt{}, Replays: []api.DeliveryReplay{},
	}
}

func replay(status api.ReplayStatus) api.Replay {
	return api.Replay{
		ID: replayID, Status: status, Filter: api.ReplayFilter{Status: api.DeliveryDead}, RatePerSecond: 50,
		CreatedAt: time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC), CreatedBy: keyID,
	}
}

func tenant() api.Tenant {
	return api.Tenant{Name: "shop", Secrets: []api.TenantSecret{{}}}
}

func key() api.Key {
	return api.Key{ID: keyID, Tenant: "shop", Name: "checkout", Scopes: []api.Scope{api.ScopeRead}, CreatedAt: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func page(html string) client.Submission {
	return client.Submission{Request: api.JobRequest{HTML: &html}}
}
