package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/webhook"
)

// receiver is what "platen listen" serves.
type receiver struct {
	env     Env
	secrets []webhook.Secret
	client  *client.Client // nil: the document is not looked at
	asJSON  bool

	mu       sync.Mutex // also keeps the lines apart
	failures int        // still to come
}

// received is one verified callback, as it is printed.
type received struct {
	At         time.Time `json:"at"`
	ID         string    `json:"id"`
	Timestamp  string    `json:"timestamp"` // the header's, Unix seconds: of this attempt
	Type       string    `json:"type"`
	Status     string    `json:"status"`
	JobID      string    `json:"job_id"`
	DocumentID string    `json:"document_id"`
	Sequence   int64     `json:"sequence"`
	Answered   int       `json:"answered"`
	Document   *fetched  `json:"document"` // null when it was not looked at
}

// fetched is what a look at the document told.
type fetched struct {
	Status  int    `json:"status"` // of the content; 0 when there was no answer
	SHA256  string `json:"sha256"`
	Matches bool   `json:"matches"` // whether it is the job's
	Error   string `json:"error"`
}

// ServeHTTP answers a callback: 401 when it does not verify, 500 while it is told to fail, 204 otherwise.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, webhook.MaxBody))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	event, err := webhook.Receive(r.secrets, req.Header, body, webhook.Options{})
	if err != nil {
		r.refuse(w, req, err)
		return
	}
	seen := received{
		At: time.Now().UTC(), ID: event.ID, Timestamp: req.Header.Get(webhook.HeaderTimestamp), Type: event.Type,
		Status: event.Data.Status, JobID: event.Data.JobID, DocumentID: event.Data.DocumentID, Sequence: event.Data.Sequence,
		Answered: r.verdict(),
	}
	if r.client != nil && event.Type == webhook.TypeJobSucceeded {
		seen.Document = r.fetch(req.Context(), event.Data)
	}
	r.print(seen)
	w.WriteHeader(seen.Answered)
}

// verdict is the status to answer: the first ones are failures, when that was asked for.
func (r *receiver) verdict() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failures > 0 {
		r.failures--
		return http.StatusInternalServerError
	}
	return http.StatusNoContent
}

func (r *receiver) refuse(w http.ResponseWriter, req *http.Request, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, _ = fmt.Fprintf(r.env.Stderr, "refused a request from %s: %v\n", req.RemoteAddr, err)
	w.WriteHeader(http.StatusUnauthorized)
}

// fetch looks at the document the way a receiver would: by its id, with a key.
func (r *receiver) fetch(ctx context.Context, data webhook.Data) *fetched {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	document, err := r.client.Download(ctx, data.DocumentID, io.Discard)
	if err != nil {
		return &fetched{Status: statusOf(err), Error: err.Error()}
	}
	found := &fetched{Status: http.StatusOK, SHA256: *document.SHA256}
	job, err := r.client.Job(ctx, data.JobID)
	switch {
	case err != nil:
		found.Error = err.Error()
	case job.Result == nil || job.Result.SHA256 != found.SHA256:
		found.Error = "the job names other bytes"
	default:
		found.Matches = true
	}
	return found
}

// statusOf is the HTTP status behind an error of the client. Bytes that are not the document came with a 200.
func statusOf(err error) int {
	if errors.Is(err, client.ErrDigest) {
		return http.StatusOK
	}
	if p, ok := errors.AsType[*client.Problem](err); ok {
		return p.Status
	}
	return 0
}

func (r *receiver) print(seen received) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asJSON {
		encoder := json.NewEncoder(r.env.Stdout)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(seen) // a closed pipe is no reason to fail the sender
		return
	}
	_, _ = fmt.Fprintf(r.env.Stdout, "%s  %s  timestamp %s  %s  %s  %s  answered %d\n", moment(seen.At), line(seen.ID), seen.Timestamp,
		line(seen.Type), api.JobStatus(line(seen.Status)), line(seen.DocumentID), seen.Answered)
	if d := seen.Document; d != nil {
		_, _ = fmt.Fprintf(r.env.Stdout, "    %s\n", d)
	}
}

// String is for people.
func (d *fetched) String() string {
	switch {
	case d.Matches:
		return fmt.Sprintf("GET of the document: %d, sha256 %s as the job says", d.Status, d.SHA256)
	case d.Status == 0:
		return "GET of the document: no answer: " + line(d.Error)
	default:
		return fmt.Sprintf("GET of the document: %d: %s", d.Status, line(d.Error))
	}
}
