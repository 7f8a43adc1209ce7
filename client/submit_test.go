package client_test

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

func TestASubmissionIsRepeatedUnderOneKeyWhenTheConnectionIsCut(t *testing.T) {
	t.Parallel()
	server := serve(t, cut, accepted(job(api.JobQueued)))
	sent, err := server.overTCP().Submit(t.Context(), page("<p>once</p>"))
	if err != nil {
		t.Fatal(err)
	}
	if len(server.requests()) != 2 {
		t.Fatalf("%d requests arrived, want 2", len(server.requests()))
	}
	for i, a := range server.requests() {
		if got := a.header.Get("Idempotency-Key"); got == "" || got != sent.IdempotencyKey {
			t.Errorf("request %d: Idempotency-Key %q, and the submission says %q", i, got, sent.IdempotencyKey)
		}
		if want := `{"html":"<p>once</p>"}`; strings.TrimSpace(string(a.body)) != want {
			t.Errorf("request %d: body %s, want %s", i, a.body, want)
		}
	}
	if sent.Job.ID != jobID || sent.Replayed {
		t.Errorf("submitted %+v", sent)
	}
}

func TestEachSubmissionHasAKeyOfItsOwn(t *testing.T) {
	t.Parallel()
	server := serve(t, accepted(job(api.JobQueued)), accepted(job(api.JobQueued)))
	c := server.inMemory()
	first, err := c.Submit(t.Context(), page("a"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := c.Submit(t.Context(), page("a"))
	if err != nil {
		t.Fatal(err)
	}
	if first.IdempotencyKey == second.IdempotencyKey {
		t.Errorf("both have the key %q", first.IdempotencyKey)
	}
}

func TestASubmissionSaysWhatTheServerDid(t *testing.T) {
	t.Parallel()
	server := serve(t, reply(http.StatusOK, job(api.JobSucceeded),
		"Location", "/jobs/"+jobID, "Idempotency-Replayed", "true", "Preference-Applied", "wait=30"))
	s := page("a")
	s.IdempotencyKey, s.Wait = "order 7", time.Hour
	sent, err := server.inMemory().Submit(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	want := client.Submitted{Job: job(api.JobSucceeded), Replayed: true, IdempotencyKey: "order 7"}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := server.requests()[0].header.Get("Prefer"); got != "wait=30" {
		t.Errorf("Prefer is %q, want the server's limit", got)
	}
}

func TestDataAndMetadataTravelAsTheyWereGiven(t *testing.T) {
	t.Parallel()
	server := serve(t, accepted(job(api.JobQueued)))
	text := "<p>{{.n}} & more</p>"
	_, err := server.inMemory().Submit(t.Context(), client.Submission{Request: api.JobRequest{
		Template: &api.Template{HTML: &text},
		Data:     json.RawMessage(`{"n":1.10,"big":12345678901234567890,"a<b":"&"}`),
		Metadata: json.RawMessage(`{"z":1e400}`),
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"template":{"html":"<p>{{.n}} & more</p>"},"data":{"n":1.10,"big":12345678901234567890,"a<b":"&"},"metadata":{"z":1e400}}`
	if got := strings.TrimSpace(string(server.requests()[0].body)); got != want {
		t.Errorf("sent %s\nwant %s", got, want)
	}
}

func TestFilesTravelInAForm(t *testing.T) {
	t.Parallel()
	server := serve(t, accepted(job(api.JobQueued)))
	s := page("<img src='img/logo.png'>")
	number := "invoice:7"
	s.Request.DocumentKey = &number
	s.Files = []client.File{
		{Name: "img/logo.png", Content: []byte("\x89PNG\x00\xff")},
		{Name: `ä "x".css`, Content: []byte("p{}")},
		{Name: "font", ContentType: "font/woff2", Content: []byte("w")},
		{Name: "unknown.xyz"},
	}
	if _, err := server.inMemory().Submit(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`job  application/json {"document_key":"invoice:7"}`,
		`html  text/html; charset=utf-8 <img src='img/logo.png'>`,
		"file img/logo.png image/png \x89PNG\x00\xff",
		`file ä "x".css text/css p{}`,
		"file font font/woff2 w",
		"file unknown.xyz application/octet-stream ",
	}
	if diff := cmp.Diff(want, parts(t, server.requests()[0])); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// parts reads a form: name, file name as it was sent, media type, content.
func parts(t *testing.T, a asked) []string {
	t.Helper()
	_, params, err := mime.ParseMediaType(a.header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	form := multipart.NewReader(strings.NewReader(string(a.body)), params["boundary"])
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		_, disposition, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, strings.Join([]string{
			part.FormName(), disposition["filename"], part.Header.Get("Content-Type"), strings.TrimSuffix(string(content), "\n"),
		}, " "))
	}
}

func TestWhatCannotBeSentIsRefusedBeforehand(t *testing.T) {
	t.Parallel()
	bad, good := "caf\xe9", "a"
	with := func(change func(*client.Submission)) client.Submission {
		s := page(good)
		change(&s)
		return s
	}
	tests := map[string]client.Submission{
		"a page that is not UTF-8":     page(bad),
		"Markdown that is not UTF-8":   {Request: api.JobRequest{Markdown: &bad}},
		"a template that is not UTF-8": {Request: api.JobRequest{Template: &api.Template{HTML: &bad}}},
		"a name that is not UTF-8":     with(func(s *client.Submission) { s.Request.DocumentKey = &bad }),
		"a footer that is not UTF-8":   with(func(s *client.Submission) { s.Request.Output = &api.Output{FooterHTML: &bad} }),
		"data that is not JSON":        with(func(s *client.Submission) { s.Request.Data = json.RawMessage(`{`) }),
		"a key with a line break":      with(func(s *client.Submission) { s.IdempotencyKey = "a\nb" }),
		"a key that is too long":       with(func(s *client.Submission) { s.IdempotencyKey = strings.Repeat("k", 256) }),
		"a file without a name":        with(func(s *client.Submission) { s.Files = []client.File{{}} }),
		"a file name with a break":     with(func(s *client.Submission) { s.Files = []client.File{{Name: "a\r\nb"}} }),
		"a media type with a break":    with(func(s *client.Submission) { s.Files = []client.File{{Name: "a", ContentType: "a\r\nb: c"}} }),
	}
	for name, submission := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := serve(t).inMemory().Submit(t.Context(), submission); !errors.Is(err, client.ErrArgument) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestARetryHasAKeyToo(t *testing.T) {
	t.Parallel()
	server := serve(t, accepted(job(api.JobQueued)), problem(http.StatusConflict, api.CodeJobNotRetryable))
	c := server.inMemory()
	sent, err := c.Retry(t.Context(), jobID, "")
	if err != nil || sent.Job.ID != jobID {
		t.Fatalf("retry: %+v, %v", sent, err)
	}
	if got := server.requests()[0].header.Get("Idempotency-Key"); got == "" || got != sent.IdempotencyKey {
		t.Errorf("Idempotency-Key %q, and the answer says %q", got, sent.IdempotencyKey)
	}
	sent, err = c.Retry(t.Context(), jobID, "again")
	if !client.HasCode(err, api.CodeJobNotRetryable) || sent.IdempotencyKey != "again" {
		t.Errorf("second retry: %+v, %v", sent, err)
	}
}
