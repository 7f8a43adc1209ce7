package httpapi

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// StreamOptions bound the streams of a server. Zero fields have their default.
type StreamOptions struct {
	// Max is how many may be open at once. Default 2,000.
	Max int
	// Heartbeat is how long a stream is silent at most. Default 15 s.
	Heartbeat time.Duration
	// Patience is how long a reader may take no byte before it is dropped. Default 10 s.
	Patience time.Duration
	// Recheck is how long a key may be revoked, or past its end, before its streams end, beside one Heartbeat. Default 30 s.
	Recheck time.Duration
}

func (o StreamOptions) withDefaults() StreamOptions {
	o.Max = cmp.Or(o.Max, 2000)
	o.Heartbeat = cmp.Or(o.Heartbeat, 15*time.Second)
	o.Patience = cmp.Or(o.Patience, 10*time.Second)
	o.Recheck = cmp.Or(o.Recheck, 30*time.Second)
	return o
}

// streamJob shows what happens to a job until its end.
func (s *Server) streamJob(c *call) error {
	id, err := c.id(jobs.KindJob, jobs.ErrJobNotFound)
	if err != nil {
		return err
	}
	return s.stream(c, jobs.Topic{Tenant: c.key.Tenant, Job: id})
}

// streamBatch shows what happens to a batch and its jobs until its end.
func (s *Server) streamBatch(c *call) error {
	id, err := c.id(jobs.KindBatch, jobs.ErrBatchNotFound)
	if err != nil {
		return err
	}
	return s.stream(c, jobs.Topic{Tenant: c.key.Tenant, Batch: id})
}

// streamTenant shows what happens to all jobs and batches of the tenant, without an end.
func (s *Server) streamTenant(c *call) error {
	return s.stream(c, jobs.Topic{Tenant: c.key.Tenant})
}

func (s *Server) stream(c *call, topic jobs.Topic) error {
	ctx, err := s.streams.open(c)
	if err != nil {
		return err
	}
	defer s.streams.close(c)
	st, err := s.service.Stream(ctx, topic, c.Request().Header.Get("Last-Event-ID"))
	if errors.Is(err, jobs.ErrStreamOver) {
		return c.NoContent(http.StatusNoContent) // tells an EventSource not to come back
	}
	if err != nil && errors.Is(context.Cause(ctx), errStopping) {
		return errStreamsBusy
	}
	if err != nil {
		return err
	}
	defer st.Close()
	w := &eventWriter{
		to: c.Response(), patience: s.opts.Streams.Patience,
		control: http.NewResponseController(c.Response().Writer), // that of echo hides why it cannot flush
	}
	err = s.pour(ctx, c, st, w)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = errSlowReader
	case errors.Is(err, io.EOF):
		err = nil
	}
	if err != nil {
		c.ended = err.Error() // the answer has begun: only the log can say why it goes no further
	}
	w.end()
	return nil
}

// pour writes a stream until its end, or that of ctx, of the reader, or of the key.
func (s *Server) pour(ctx context.Context, c *call, st *jobs.Stream, w *eventWriter) error {
	if err := w.begin(); err != nil {
		return err
	}
	checked := time.Now()
	for {
		moments, err := s.moments(ctx, st)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, context.DeadlineExceeded):
			err = w.beat(st.Position().String())
		case err == nil:
			err = s.write(w, moments)
		}
		if err != nil {
			return err
		}
		if time.Since(checked) >= s.opts.Streams.Recheck {
			if err := s.stillAllowed(ctx, c); err != nil {
				return err
			}
			checked = time.Now()
		}
	}
}

// moments are those that come within a heartbeat, or [context.DeadlineExceeded].
func (s *Server) moments(ctx context.Context, st *jobs.Stream) ([]jobs.Moment, error) {
	ctx, stop := context.WithTimeout(ctx, s.opts.Streams.Heartbeat)
	defer stop()
	return st.Next(ctx)
}

func (s *Server) write(w *eventWriter, moments []jobs.Moment) error {
	for _, m := range moments {
		if err := s.event(w, m); err != nil {
			return err
		}
	}
	return w.flush()
}

func (s *Server) event(w *eventWriter, m jobs.Moment) error {
	switch {
	case m.Change != nil && m.Change.Job != "":
		return w.event(m.At.String(), api.StreamJob, jobChange(m.Change))
	case m.Change != nil:
		return w.event(m.At.String(), api.StreamBatch, batchChange(m.Change))
	case m.Snapshot != nil:
		return w.event(m.At.String(), api.StreamSnapshot, s.snapshot(m.Snapshot))
	}
	return w.event("", api.StreamReset, struct{}{})
}

// snapshot is the subject of a stream as its own route shows it.
func (s *Server) snapshot(now *jobs.Snapshot) any {
	switch {
	case now.Job != nil:
		return s.job(*now.Job)
	case now.Batch != nil:
		return batch(*now.Batch)
	}
	return api.TenantSnapshot{Jobs: api.JobCounts{
		Queued: now.Tally[jobs.Queued], Running: now.Tally[jobs.Running], Succeeded: now.Tally[jobs.Succeeded],
		Failed: now.Tally[jobs.Failed], Canceled: now.Tally[jobs.Canceled],
	}}
}

// stillAllowed looks at the key again. While the store does not answer, what was allowed stays so.
func (s *Server) stillAllowed(ctx context.Context, c *call) error {
	k, err := s.service.Authenticate(ctx, bearer(c.Request().Header))
	switch {
	case err == nil && k.Allows(jobs.ScopeRead) && k.Tenant == c.key.Tenant:
		return nil
	case err != nil && fault.From(err).Kind == fault.Unavailable:
		return nil
	}
	return errKeyEnded
}
