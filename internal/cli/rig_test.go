package cli_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/cli"
	"github.com/platen-render/platen/internal/spectest"
)

const (
	jobID      = "job_01KCPDHS1S0EXAMPZE00000001"
	documentID = "doc_01KCPDHS1S0EXAMPZE00000002"
	deliveryID = "dlv_01KCPDHS780EXAMPZE00000006"
	eventID    = "evt_01KCPDHS780EXAMPZE00000007"
	keyID      = "key_01KCPCP2C00EXAMPZE0000000B"
	replayID   = "rpl_01KCPDHS1S0EXAMPZE0000000C"
	urlID      = "AAAAAAAAAAAAAAAAAAAAAA"
	pdf        = "%PDF-1.7 the document"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// loadSpec gives all tests of the package one checker.
var loadSpec = sync.OnceValues(spectest.New)

// outcome is what a command did.
type outcome struct {
	status         int
	stdout, stderr string
}

// run runs a command line. Without a server any request is an error; the environment is given as NAME=VALUE.
func run(t *testing.T, server http.Handler, stdin string, environ []string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := environment(t, server, environ)
	env.Stdin, env.Stdout, env.Stderr = strings.NewReader(stdin), &stdout, &stderr
	status := cli.Main(t.Context(), env, cli.Commands(), args)
	return outcome{status, stdout.String(), stderr.String()}
}

func environment(t *testing.T, server http.Handler, environ []string) cli.Env {
	t.Helper()
	values := map[string]string{"PLATEN_DATA_DIR": filepath.Join(t.TempDir(), "none"), "PLATEN_URL": "http://platen.test"}
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		values[name] = value
	}
	env := cli.Env{Getenv: func(name string) string { return values[name] }, Version: "v0.1.0"}
	env.HTTP = &http.Client{Transport: unreachable{}}
	if server != nil {
		checker, err := loadSpec()
		if err != nil {
			t.Fatal(err)
		}
		env.HTTP = checker.Client(t, server)
	}
	return env
}

// unreachable is a network without a server.
type unreachable struct{}

func (unreachable) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("this test has no server")
}

// withKey is the environment of a user who has a key.
var withKey = []string{"PLATEN_KEY=plt_user_secret"}

// server answers by routes and keeps what was asked.
type server struct {
	*http.ServeMux
	mu    sync.Mutex
	asked []asked
}

type asked struct {
	line, authorization, idempotencyKey, body string
}

func newServer(routes map[string]http.HandlerFunc) *server {
	s := &server{ServeMux: http.NewServeMux()}
	for route, answer := range routes {
		s.HandleFunc(route, answer)
	}
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // in memory
	s.mu.Lock()
	s.asked = append(s.asked, asked{
		r.Method + " " + r.URL.RequestURI(), r.Header.Get("Authorization"), r.Header.Get("Idempotency-Key"), string(body),
	})
	s.mu.Unlock()
	w.Header().Set("X-Request-Id", "req-1")
	s.ServeMux.ServeHTTP(w, r)
}

func (s *server) request(t *testing.T, line string) asked {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.asked {
		if a.line == line {
			return a
		}
	}
	t.Fatalf("%s was not asked for, but %+v", line, s.asked)
	return asked{}
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
		RequestID: "req-1", Retryable: status == http.StatusServiceUnavailable, Errors: []api.FieldError{},
	}, append([]string{"Content-Type", api.ProblemType}, header...)...)
}

// renders are the routes of a server whose one job ends with a status, and whose document has the given bytes.
func renders(status api.JobStatus, content string) map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"POST /jobs": reply(http.StatusAccepted, job(api.JobQueued), "Location", "/jobs/"+jobID, "Retry-After", "1"),
		"GET /jobs/{id}": func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("If-None-Match") == "" {
				reply(http.StatusOK, job(api.JobRunning), "ETag", `"1"`, "Retry-After", "1")(w, r)
				return
			}
			reply(http.StatusOK, job(status), "ETag", `"2"`)(w, r)
		},
		"GET /documents/{id}": reply(http.StatusOK, document()),
		"GET /documents/{id}/content": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			w.Header().Set("ETag", strconv.Quote(digest(pdf)))
			w.Header().Set("Accept-Ranges", "bytes")
			w.Header().Set("Content-Disposition", `inline; filename="a.pdf"`)
			_, _ = io.WriteString(w, content)
		},
	}
}

func job(status api.JobStatus) api.Job {
	key, engine, started := "invoice:7", "chromium", noon.Add(time.Second)
	j := api.Job{
		ID: jobID, DocumentID: documentID, DocumentKey: &key, Status: status, Priority: api.PriorityNormal, CreatedAt: noon, Warnings: []api.Warning{},
		Metadata: json.RawMessage(`{"n":1.10}`),
	}
	if status != api.JobQueued {
		j.Attempt, j.StartedAt, j.Engine, j.Progress = 1, &started, &engine, 40
	}
	finished := noon.Add(2 * time.Second)
	switch status {
	case api.JobSucceeded:
		reason := "`columns: 2` at line 12"
		j.Progress, j.FinishedAt, j.EngineReason = 100, &finished, &reason
		j.Result = &api.Result{
			URL: "http://platen.test/documents/" + documentID + "/content", SHA256: digest(pdf), Bytes: int64(len(pdf)), Pages: 2,
			ContentType: "application/pdf", Filename: "a.pdf",
		}
		j.Warnings = []api.Warning{{Code: "resource_missing", Detail: "logo.png: \x1b[31mthe job has no such file"}}
		j.Callback = &api.CallbackState{URLHost: "shop.example.com", Status: api.DeliveryPending, Attempts: 1}
	case api.JobFailed:
		j.FinishedAt = &finished
		j.Error = &api.JobError{Code: api.JobErrorPageFailed, Detail: "The page is not well.", RequestID: "req-1"}
	default:
	}
	return j
}

func document() api.Document {
	sum, size, pages, media, name := digest(pdf), int64(len(pdf)), 2, "application/pdf", "a.pdf"
	address, number := "http://platen.test/documents/"+documentID+"/content", int64(1)
	return api.Document{
		ID: documentID, Status: api.DocumentIssued, JobID: jobID, URL: &address, IssueNumber: &number, SHA256: &sum, Bytes: &size,
		Pages: &pages, ContentType: &media, Filename: &name, CreatedAt: noon, IssuedAt: &noon,
	}
}

func delivery(status api.DeliveryStatus) api.Delivery {
	failed, delivered, refused := api.AttemptFailed, api.AttemptDelivered, "connection refused"
	code, quick := 204, int64(31)
	d := api.Delivery{
		ID: deliveryID, EventID: eventID, EventType: api.EventJobSucceeded, JobID: new(jobID), DocumentID: new(documentID),
		URLHost: "shop.example.com", Status: status, Attempts: 2, CreatedAt: noon, Log: []api.DeliveryAttempt{
			{Number: 1, StartedAt: noon, Outcome: &failed, LatencyMS: &quick, Error: &refused},
			{Number: 2, StartedAt: noon.Add(time.Second), Outcome: &delivered, StatusCode: &code, LatencyMS: &quick},
			{Number: 3, StartedAt: noon.Add(2 * time.Second)},
		}, Replays: []api.DeliveryReplay{{CreatedAt: noon.Add(2 * time.Second), CreatedBy: keyID}},
	}
	if status == api.DeliveryDead {
		long, died, internal := "the certificate of shop.example.com is \x1b[31mnot valid: it ended on 2026-03-01", noon.Add(3*time.Second), 500
		d.DiedAt = &died
		d.Log[1] = api.DeliveryAttempt{Number: 2, StartedAt: noon.Add(time.Second), Outcome: &failed, StatusCode: &internal, LatencyMS: &quick}
		d.Log[2] = api.DeliveryAttempt{Number: 3, StartedAt: noon.Add(2 * time.Second), Outcome: &failed, LatencyMS: &quick, Error: &long}
	}
	return d
}

func replay(status api.ReplayStatus) api.Replay {
	host := "shop.example.com"
	return api.Replay{
		ID: replayID, Status: status, Filter: api.ReplayFilter{Status: api.DeliveryDead, URLHost: &host}, Matched: 7, Replayed: 6, Skipped: 1,
		RatePerSecond: 50, CreatedAt: noon, CreatedBy: keyID,
	}
}

func tenant() api.Tenant {
	return api.Tenant{Name: "shop", CallbackURLHost: new("shop.example.com"), Secrets: []api.TenantSecret{
		{CreatedAt: new(noon)}, {ExpiresAt: new(noon.Add(time.Hour))},
	}}
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// file writes a file into a folder and returns its path.
func file(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
