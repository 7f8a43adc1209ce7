package spectest_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/spectest"
)

const (
	jobID      = "job_01KCPDHS1S0EXAMPZE00000001"
	documentID = "doc_01KCPDHS1S0EXAMPZE00000002"
	sha        = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	queuedJob  = `{"id":"` + jobID + `","document_id":"` + documentID + `","document_key":null,"status":"queued","priority":"normal","progress":0,"attempt":0,
		"created_at":"2026-03-02T09:15:00Z","started_at":null,"finished_at":null,"engine":null,"engine_reason":null,"template":null,"warnings":[],
		"result":null,"error":null,"callback":null,"batch_id":null,"metadata":null}`
)

// answer is a canned response with an X-Request-Id. A header whose value is empty is not sent.
type answer struct {
	status int
	header map[string]string
	body   string
}

func (a answer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("X-Request-Id", "req-1")
	for name, value := range a.header {
		w.Header().Set(name, value)
		if value == "" {
			w.Header().Del(name)
		}
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

// with returns a copy with another header.
func (a answer) with(name, value string) answer {
	a.header = maps.Clone(a.header)
	a.header[name] = value
	return a
}

func (a answer) replace(from, to string) answer {
	a.body = strings.Replace(a.body, from, to, 1)
	return a
}

func accepted() answer {
	return answer{http.StatusAccepted, map[string]string{"Content-Type": "application/json", "Location": "/jobs/" + jobID, "Retry-After": "1"}, queuedJob}
}

func problem(status int, code string) answer {
	return answer{status, map[string]string{"Content-Type": "application/problem+json"}, fmt.Sprintf(
		`{"type":"about:blank","title":%q,"status":%d,"detail":"No.","code":%q,"request_id":"req-1","retryable":false,"errors":[],"job_id":null,"document_id":null,"batch_id":null,"error_count":null,"limit":null,"limit_value":null}`,
		http.StatusText(status), status, code)}
}

func content() answer {
	return answer{http.StatusOK, map[string]string{
		"Content-Type": "application/pdf", "ETag": `"` + sha + `"`, "Accept-Ranges": "bytes", "Content-Disposition": `attachment; filename="a.pdf"`,
	}, "%PDF-1.7 \x00\xff\xfe"}
}

// recorder collects what would fail a test.
type recorder struct {
	testing.TB
	mu   sync.Mutex
	said []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func (r *recorder) findings() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.said)
}

func checker(t *testing.T) *spectest.Checker {
	t.Helper()
	c, err := spectest.New()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// exchange sends req to a handler that answers a, and returns what the checker has against it.
func exchange(t *testing.T, c *spectest.Checker, req *http.Request, a answer) []string {
	t.Helper()
	rec := &recorder{TB: t}
	res, err := c.Client(rec, a).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return rec.findings()
}

func request(t *testing.T, method, target, mediaType, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, "http://platen.test"+target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if mediaType != "" {
		req.Header.Set("Content-Type", mediaType)
	}
	return req
}

func get(t *testing.T, target string) *http.Request {
	t.Helper()
	return request(t, http.MethodGet, target, "", "")
}

func post(t *testing.T, target, mediaType, body string) *http.Request {
	t.Helper()
	return request(t, http.MethodPost, target, mediaType, body)
}

func invalid(req *http.Request) *http.Request {
	return req.WithContext(spectest.Invalid(req.Context()))
}

// part is one part of a form; a file when it has a file name.
type part struct{ name, filename, mediaType, body string }

// form is what curl makes of: -F job='{…};type=application/json' -F html=@a.html -F file=@a.png -F file=@a.css.
func form(t *testing.T) *http.Request {
	t.Helper()
	return formOf(
		t,
		part{name: "job", mediaType: "application/json", body: `{"output":{"paper":"a5"}}`},
		part{name: "html", filename: "a.html", mediaType: "text/html", body: "<img src=a.png>"},
		part{name: "file", filename: "a.png", mediaType: "image/png", body: "\x89PNG\x00\xff"},
		part{name: "file", filename: "a.css", mediaType: "text/css", body: "p{}"},
	)
}

func formOf(t *testing.T, parts ...part) *http.Request {
	t.Helper()
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	for _, p := range parts {
		header := textproto.MIMEHeader{}
		disposition := fmt.Sprintf(`form-data; name=%q`, p.name)
		if p.filename != "" {
			disposition += fmt.Sprintf(`; filename=%q`, p.filename)
		}
		header.Set("Content-Disposition", disposition)
		if p.mediaType != "" {
			header.Set("Content-Type", p.mediaType)
		}
		pw, err := w.CreatePart(header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(pw, p.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return post(t, "/jobs", w.FormDataContentType(), buf.String())
}
