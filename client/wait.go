package client

import (
	"context"
	"net/http"
	"time"

	"github.com/platen-render/platen/api"
)

const (
	// heldFor is how long each poll asks the server to wait for a change. It is below the usual idle limits of
	// proxies, and of [api.MaxWaitSeconds].
	heldFor = 25 * time.Second
	// pollEvery is the pause after an answer that the server did not hold and that names no pause.
	pollEvery = time.Second
)

// Wait waits until a job has ended, whichever way, and returns it: look at its Status. Progress, when not nil, is told
// the job as it is first seen and after each change, the last one included, always from this goroutine.
//
// Wait ends early when ctx does, or when the server gives no answer for RetryFor; the job goes on all the same, and
// another Wait may follow. It returns the job as last seen then.
func (c *Client) Wait(ctx context.Context, jobID string, progress func(api.Job)) (api.Job, error) {
	path, err := segment("/jobs/", jobID, "")
	if err != nil {
		return api.Job{}, err
	}
	poll := poll[api.Job]{path: path}
	return poll.until(ctx, c, 0, func(j api.Job) bool { return Terminal(j.Status) }, progress)
}

// Terminal reports whether a job of this status has ended and will never change. An unknown status is none.
func Terminal(status api.JobStatus) bool {
	return status == api.JobSucceeded || status == api.JobFailed || status == api.JobCanceled
}

// poll is what is known of a job or a batch between two looks at it.
type poll[T any] struct {
	path  string
	etag  string // "" before the first look
	seen  T
	pause time.Duration // before the next look
}

// until looks again and again, with pauses of at least so long, and returns what it has last seen.
func (p *poll[T]) until(ctx context.Context, c *Client, least time.Duration, ended func(T) bool, progress func(T)) (T, error) {
	for {
		changed, err := p.look(ctx, c)
		if err != nil {
			return p.seen, err
		}
		if changed && progress != nil {
			progress(p.seen)
		}
		if ended(p.seen) {
			return p.seen, nil
		}
		if err := sleep(ctx, max(p.pause, least)); err != nil {
			return p.seen, err
		}
	}
}

// look asks: at once the first time, afterwards for the next change. It reports whether there was one.
func (p *poll[T]) look(ctx context.Context, c *Client) (bool, error) {
	req := request{method: http.MethodGet, path: p.path, header: map[string]string{}}
	first := p.etag == ""
	if !first {
		req.header["If-None-Match"] = p.etag
		req.hold(heldFor)
	}
	began := time.Now()
	var seen T
	got, err := c.do(ctx, req, &seen)
	if err != nil {
		return false, err
	}
	changed := got.status != http.StatusNotModified && (first || got.header.Get("ETag") != p.etag)
	if changed {
		p.seen, p.etag = seen, got.header.Get("ETag")
	}
	// An answer that was held is a pause in itself. One that came at once without a change was not held, whatever it
	// says, and to ask again at once would be a busy loop.
	held := got.header.Get("Preference-Applied") != "" && (changed || time.Since(began) >= pollEvery)
	switch after := retryAfter(got.header); {
	case held, first && p.etag != "":
		p.pause = 0
	case after > 0:
		p.pause = after
	default:
		p.pause = max(p.pause, pollEvery)
	}
	return changed, nil
}
