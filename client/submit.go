package client

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"time"

	"github.com/platen-render/platen/api"
)

// Submission is a job to be submitted.
type Submission struct {
	// Request says what to make. Exactly one of its Template, HTML and Markdown is set.
	Request api.JobRequest
	// Files are what the page uses by relative names. With files the request travels as a form.
	Files []File
	// IdempotencyKey names this submission: 1 to [api.MaxIdempotencyKeyBytes] printable ASCII characters, unique
	// within the tenant. Empty means that Submit makes one, which protects its own repetitions; give one of your own
	// to be protected when your process dies and comes back.
	IdempotencyKey string
	// Wait asks the server to hold the answer until the job has ended, in whole seconds up to
	// [api.MaxWaitSeconds]. Zero means not at all.
	Wait time.Duration
}

// Submitted is what became of a submission.
type Submitted struct {
	Job api.Job
	// Replayed says that an earlier request made the job.
	Replayed bool
	// IdempotencyKey is the one that was sent.
	IdempotencyKey string
}

// Submit submits a job. When it returns without an error the job is accepted and will not be forgotten; it may have
// ended already, failed included. Text that is not UTF-8 is an [ErrArgument], and so is a bad key or file name.
//
// On an error Submitted.IdempotencyKey is set all the same: when the job may have been accepted, submitting the same
// again under this key gives that job.
func (c *Client) Submit(ctx context.Context, s Submission) (Submitted, error) {
	body, err := encode(s)
	if err != nil {
		return Submitted{}, err
	}
	req := request{method: http.MethodPost, path: "/jobs", header: map[string]string{"Content-Type": body.mediaType}, body: body.bytes}
	req.hold(s.Wait)
	return c.create(ctx, req, s.IdempotencyKey)
}

// Retry makes a new job for the document of a job that failed or was canceled, with the same input. The key is as in
// [Submission]. Errors: [api.CodeJobNotRetryable], [api.CodeInputPurged], and those of Submit.
func (c *Client) Retry(ctx context.Context, jobID, idempotencyKey string) (Submitted, error) {
	path, err := segment("/jobs/", jobID, "/retry")
	if err != nil {
		return Submitted{}, err
	}
	return c.create(ctx, request{method: http.MethodPost, path: path, header: map[string]string{}}, idempotencyKey)
}

// create sends a request that makes a job, under a key.
func (c *Client) create(ctx context.Context, req request, key string) (Submitted, error) {
	key, err := idempotencyKey(key)
	if err != nil {
		return Submitted{}, err
	}
	req.header["Idempotency-Key"] = key
	sent := Submitted{IdempotencyKey: key}
	got, err := c.do(ctx, req, &sent.Job)
	if err != nil {
		return Submitted{IdempotencyKey: key}, err
	}
	sent.Replayed = got.header.Get("Idempotency-Replayed") == "true"
	return sent, nil
}

// idempotencyKey is the key to send: the one given, or a new one.
func idempotencyKey(given string) (string, error) {
	if given == "" {
		return rand.Text(), nil
	}
	if len(given) > api.MaxIdempotencyKeyBytes || !printable(given) {
		return "", argument("the idempotency key is not 1 to %d printable ASCII characters", api.MaxIdempotencyKeyBytes)
	}
	return given, nil
}

// hold asks the server to hold the answer.
func (r *request) hold(d time.Duration) {
	seconds := min(int(d/time.Second), api.MaxWaitSeconds)
	if seconds <= 0 {
		return
	}
	if r.header == nil {
		r.header = map[string]string{}
	}
	r.header["Prefer"] = fmt.Sprintf("wait=%d", seconds)
	r.held = time.Duration(seconds) * time.Second
}
