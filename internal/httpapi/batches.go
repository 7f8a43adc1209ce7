package httpapi

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// getBatch shows a batch, when the client prefers so only after it has ended, or changed.
func (s *Server) getBatch(c *call) error {
	id, err := c.id(jobs.KindBatch, jobs.ErrBatchNotFound)
	if err != nil {
		return err
	}
	known := c.Request().Header.Values("If-None-Match")
	b, err := s.awaitBatch(c, id, func(b jobs.Batch) bool {
		return b.Status.Final() || len(known) > 0 && !knows(known, etagOfBatch(b))
	})
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set("ETag", "W/"+etagOfBatch(b))
	header.Set(echo.HeaderCacheControl, "private, no-cache") // kept, but asked for each time
	if knows(known, etagOfBatch(b)) {
		return c.NoContent(http.StatusNotModified)
	}
	if !b.Status.Final() {
		s.pollBatch(c)
	}
	return c.respond(http.StatusOK, batch(b))
}

// etagOfBatch leaves out what follows from the time alone.
func etagOfBatch(b jobs.Batch) string {
	shown := batch(b)
	shown.RatePerMinute, shown.EstimatedEndAt = nil, nil
	body, _ := encode(shown) // strings and numbers always encode
	return etagOf(body)
}

// awaitBatch is await for a batch.
func (s *Server) awaitBatch(c *call, id jobs.ID, done func(jobs.Batch) bool) (jobs.Batch, error) {
	wait, ok := c.preferWait()
	if !ok {
		return s.service.Batch(c.Request().Context(), c.key.Tenant, id)
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), wait)
	defer cancel()
	return s.service.AwaitBatch(ctx, c.key.Tenant, id, done)
}

// pollBatch tells when to look again.
func (s *Server) pollBatch(c *call) {
	c.Response().Header().Set(echo.HeaderRetryAfter, seconds(s.service.RetryAfter(c.Request().Context(), jobs.ClassBatch)))
}

// listBatches shows a page of the tenant's batches.
func (s *Server) listBatches(c *call) error {
	q := c.query("status", "limit", "cursor")
	statuses := []string{string(jobs.BatchRunning), string(jobs.BatchCanceling), string(jobs.BatchCompleted), string(jobs.BatchCanceled)}
	f := jobs.BatchFilter{
		Tenant: c.key.Tenant, Status: jobs.BatchStatus(q.oneOf("status", statuses...)), Cursor: q.cursor(jobs.KindBatch), Limit: q.limit(),
	}
	if q.err != nil {
		return q.err
	}
	page, err := s.service.Store.Batches(c.Request().Context(), f)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, api.BatchList{Data: each(page.Items, batch), NextCursor: orNil(string(page.Next))})
}

// listBatchJobs shows a page of the items of a batch.
func (s *Server) listBatchJobs(c *call) error {
	id, err := c.id(jobs.KindBatch, jobs.ErrBatchNotFound)
	if err != nil {
		return err
	}
	q := c.query("status", "limit", "cursor")
	statuses := each(jobs.ItemStatuses, func(s jobs.ItemStatus) string { return string(s) })
	f := jobs.ItemFilter{Batch: id, Status: jobs.ItemStatus(q.oneOf("status", statuses...)), From: q.index("cursor"), Limit: q.limit()}
	if q.err != nil {
		return q.err
	}
	items, next, err := s.service.BatchItems(c.Request().Context(), c.key.Tenant, f)
	if err != nil {
		return err
	}
	list := api.BatchItemList{Data: each(items, s.batchItem)}
	if next >= 0 {
		cursor := strconv.Itoa(next)
		list.NextCursor = &cursor
	}
	return c.respond(http.StatusOK, list)
}

// index is the cursor of a list in the order of an upload.
func (q *query) index(name string) int {
	if q.get(name) == "" {
		return 0
	}
	n, err := strconv.Atoi(q.get(name))
	if err != nil || n < 0 {
		q.fail("%s must be the next_cursor of the page before.", name)
	}
	return n
}

// cancelBatch ends what has not ended of a batch.
func (s *Server) cancelBatch(c *call) error {
	id, err := c.id(jobs.KindBatch, jobs.ErrBatchNotFound)
	if err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	b, err := s.service.CancelBatch(ctx, c.key.Tenant, id)
	if err != nil {
		return err
	}
	if b.Status.Final() {
		return c.respond(http.StatusOK, batch(b))
	}
	s.pollBatch(c)
	return c.respond(http.StatusAccepted, batch(b))
}

func batch(b jobs.Batch) api.Batch {
	shown := api.Batch{
		ID: string(b.ID), Status: api.BatchStatus(b.Status), Sequence: b.Epoch, Items: b.Items, Metadata: b.Metadata,
		Counts:   batchCounts(b.Counts),
		Progress: 100 * (b.Items - b.Pending()) / max(1, b.Items), WebhookEvents: each(b.Events, func(e string) string { return e }),
		Errors:    each(b.Errors, func(e jobs.BatchError) api.BatchError { return api.BatchError(e) }),
		CreatedAt: b.Created.UTC(), FinishedAt: timeOrNil(b.Finished),
	}
	if b.Expected > 0 {
		shown.Expected = &api.ExpectedKeys{Keys: b.Expected, Missing: b.Missing, Unexpected: b.Unexpected}
	}
	if rate := ratePerMinute(b); rate > 0 {
		rounded := math.Round(rate*10) / 10
		shown.RatePerMinute = &rounded
		if b.Status == jobs.BatchRunning {
			shown.EstimatedEndAt = timeOrNil(b.Now.Add(time.Duration(float64(b.Pending()) / rate * float64(time.Minute))))
		}
	}
	if cb := b.Callback; cb != nil {
		shown.Callback = callbackState(*cb)
	}
	return shown
}

// ratePerMinute is how fast the last items ended; 0 when it cannot be told.
func ratePerMinute(b jobs.Batch) float64 {
	until := b.Now
	if b.Status.Final() {
		until = b.Finished
	}
	if spent := until.Sub(b.Since); b.Recent > 1 && spent > 0 {
		return float64(b.Recent) / spent.Minutes()
	}
	return 0
}

func (s *Server) batchItem(i jobs.ItemWithJob) api.BatchItem {
	shown := api.BatchItem{
		Index: i.Index, DocumentKey: orNil(i.DocumentKey), Status: api.ItemStatus(i.Status), DocumentID: orNil(string(i.Document)),
	}
	if i.Work != nil {
		job := s.job(*i.Work)
		shown.Job, shown.Error = &job, job.Error
	}
	if f := i.Failure; f != nil && shown.Error == nil && i.Status == jobs.ItemFailed {
		shown.Error = jobError(*f)
	}
	return shown
}
