package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/platen-render/platen/api"
)

// JobFilter says which jobs to list; a zero field filters nothing.
type JobFilter struct {
	Status         api.JobStatus
	DocumentKey    string
	Batch          string    // the id of the batch that it is part of
	Unacknowledged bool      // has ended, and its callback URL has not taken the event
	CreatedAfter   time.Time // at or after
	CreatedBefore  time.Time
}

// Job returns a job as it is now. Error: [api.CodeJobNotFound].
func (c *Client) Job(ctx context.Context, id string) (api.Job, error) {
	return c.job(ctx, http.MethodGet, id)
}

// Cancel cancels a queued job, or asks a running one to stop, which it does soon; a look at the Status tells. Canceling
// again is fine. Errors: [api.CodeJobFinished], [api.CodeJobNotFound].
func (c *Client) Cancel(ctx context.Context, id string) (api.Job, error) {
	return c.job(ctx, http.MethodDelete, id)
}

func (c *Client) job(ctx context.Context, method, id string) (api.Job, error) {
	path, err := segment("/jobs/", id, "")
	if err != nil {
		return api.Job{}, err
	}
	var job api.Job
	_, err = c.do(ctx, request{method: method, path: path}, &job)
	return job, err
}

// JobPage returns one page of the tenant's jobs, newest first.
func (c *Client) JobPage(ctx context.Context, filter JobFilter, page Page) (api.JobList, error) {
	var list api.JobList
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/jobs", query: page.query(filter.query())}, &list)
	return list, err
}

// Jobs goes through all jobs of the tenant, newest first, page by page. After an error it ends.
func (c *Client) Jobs(ctx context.Context, filter JobFilter) iter.Seq2[api.Job, error] {
	return all(func(page Page) ([]api.Job, *string, error) {
		list, err := c.JobPage(ctx, filter, page)
		return list.Data, list.NextCursor, err
	})
}

func (f JobFilter) query() url.Values {
	query := url.Values{}
	set(query, "status", string(f.Status))
	set(query, "document_key", f.DocumentKey)
	set(query, "batch", f.Batch)
	if f.Unacknowledged {
		query.Set("acknowledged", "false")
	}
	setTime(query, "created_after", f.CreatedAfter)
	setTime(query, "created_before", f.CreatedBefore)
	return query
}

func set(query url.Values, name, value string) {
	if value != "" {
		query.Set(name, value)
	}
}

func setTime(query url.Values, name string, t time.Time) {
	if !t.IsZero() {
		query.Set(name, t.UTC().Format(time.RFC3339Nano))
	}
}
