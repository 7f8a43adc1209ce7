package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// submitJob accepts one document to be made. Once the request is read, it is decided whatever becomes of the client.
func (s *Server) submitJob(c *call) error {
	sub, err := s.submission(c)
	if err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	got, err := s.service.Submit(ctx, sub)
	if err != nil {
		return below(c.jobAt, submissionRefused(err)) // of the job, wherever it stands
	}
	if _, ok := preferWait(c.Request().Header); ok {
		// The job is accepted: trouble while waiting for it must not look like a refusal.
		if j, err := s.await(c, got.Job.ID, isFinal); err == nil {
			got.Job = j
		}
	}
	return s.accepted(c, got)
}

// retryJob makes a new job for the document of a failed or canceled one.
func (s *Server) retryJob(c *call) error {
	id, err := c.id(jobs.KindJob, jobs.ErrJobNotFound)
	if err != nil {
		return err
	}
	key, err := c.idempotencyKey()
	if err != nil {
		return err
	}
	if err := s.noBody(c); err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	got, err := s.service.Retry(ctx, c.key.Tenant, id, key, c.requestID)
	if err != nil {
		return callbackRefused(err) // there is no body to point into
	}
	return s.accepted(c, got)
}

// accepted answers a submission or a retry: 200 when the job is terminal, else 202.
func (s *Server) accepted(c *call, got jobs.Submitted) error {
	header := c.Response().Header()
	header.Set(echo.HeaderLocation, s.basePath+"/jobs/"+string(got.Job.ID))
	if got.Replayed {
		header.Set("Idempotency-Replayed", "true")
	}
	got.Job.Warnings = append(got.Job.Warnings, got.Warnings...)
	if got.Job.Status.Final() {
		return c.respond(http.StatusOK, s.job(got.Job))
	}
	header.Set(echo.HeaderRetryAfter, seconds(s.service.RetryAfter(c.Request().Context(), got.Job.Class)))
	return c.respond(http.StatusAccepted, s.job(got.Job))
}

// getJob shows a job, when the client prefers so only after it changed.
func (s *Server) getJob(c *call) error {
	id, err := c.id(jobs.KindJob, jobs.ErrJobNotFound)
	if err != nil {
		return err
	}
	known := c.Request().Header.Values("If-None-Match")
	done := isFinal
	if len(known) > 0 {
		// A terminal job never changes: whoever knows it is not kept waiting.
		done = func(j jobs.Job) bool { return isFinal(j) || !knows(known, etagOf(s.represent(j))) }
	}
	j, err := s.await(c, id, done)
	if err != nil {
		return err
	}
	header := c.Response().Header()
	body := s.represent(j)
	header.Set("ETag", etagOf(body))
	header.Set(echo.HeaderCacheControl, "private, no-cache") // kept, but asked for each time
	if knows(known, etagOf(body)) {
		return c.NoContent(http.StatusNotModified)
	}
	if !j.Status.Final() {
		header.Set(echo.HeaderRetryAfter, seconds(s.service.RetryAfter(c.Request().Context(), j.Class)))
	}
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, body)
}

func isFinal(j jobs.Job) bool { return j.Status.Final() }

// listJobs shows a page of the tenant's jobs.
func (s *Server) listJobs(c *call) error {
	q := c.query("status", "document_key", "acknowledged", "created_after", "created_before", "limit", "cursor")
	f := jobs.JobFilter{
		Tenant: c.key.Tenant, Status: jobs.Status(q.oneOf("status", statusNames()...)),
		Unacknowledged: q.oneOf("acknowledged", "false") != "", CreatedAfter: q.since("created_after"), CreatedBefore: q.time("created_before"),
		Cursor: q.cursor(jobs.KindJob), Limit: q.limit(),
	}
	key := q.get("document_key")
	if len(key) > api.MaxDocumentKeyBytes {
		q.fail("document_key has at most %d bytes.", api.MaxDocumentKeyBytes)
	}
	if q.err != nil {
		return q.err
	}
	page, err := s.service.Jobs(c.Request().Context(), f, key)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, api.JobList{Data: each(page.Items, s.job), NextCursor: orNil(string(page.Next))})
}

func statusNames() []string {
	return each(jobs.Statuses, func(s jobs.Status) string { return string(s) })
}

// cancelJob ends a job, or asks a running one to end.
func (s *Server) cancelJob(c *call) error {
	id, err := c.id(jobs.KindJob, jobs.ErrJobNotFound)
	if err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	j, err := s.service.Cancel(ctx, c.key.Tenant, id)
	if err != nil {
		return err
	}
	if j.Status.Final() {
		return c.respond(http.StatusOK, s.job(j))
	}
	c.Response().Header().Set(echo.HeaderRetryAfter, seconds(s.service.RetryAfter(ctx, j.Class)))
	return c.respond(http.StatusAccepted, s.job(j))
}
