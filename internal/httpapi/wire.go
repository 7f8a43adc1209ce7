package httpapi

import (
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

// What is kept becomes what is shown, here and nowhere else.

func (s *Server) job(j jobs.Job) api.Job {
	shown := api.Job{
		ID: string(j.ID), DocumentID: string(j.Document), DocumentKey: orNil(j.DocumentKey), Status: api.JobStatus(j.Status),
		Progress: j.Progress, Attempt: j.Attempt, CreatedAt: j.Created.UTC(), StartedAt: timeOrNil(j.Started), FinishedAt: timeOrNil(j.Finished),
		Warnings: each(j.Warnings, func(w render.Warning) api.Warning { return api.Warning(w) }), Metadata: j.Metadata,
	}
	if r := j.Result; r != nil && j.Status == jobs.Succeeded {
		shown.Engine = orNil(r.Engine)
		shown.Result = &api.Result{
			URL: s.contentURL(j.Document), SHA256: r.SHA256, Bytes: r.Bytes, Pages: r.Pages,
			ContentType: r.ContentType, Filename: r.Filename, ExpiresAt: timeOrNil(j.Expires),
		}
	}
	if f := j.Failure; f != nil && j.Status == jobs.Failed {
		shown.Error = &api.JobError{Code: api.JobErrorCode(f.Code), Detail: f.Detail, Retryable: f.Retryable, RequestID: f.RequestID}
	}
	if cb := j.Callback; cb != nil {
		shown.Callback = &api.CallbackState{
			URLHost: cb.Host, Status: api.DeliveryStatus(cb.Status), Attempts: cb.Attempts, NextAttemptAt: timeOrNil(cb.NextAttempt),
		}
	}
	return shown
}

// represent is a job as it is sent. A job always encodes: it holds strings, numbers and JSON that was checked.
func (s *Server) represent(j jobs.Job) []byte {
	body, _ := encode(s.job(j))
	return body
}

func (s *Server) document(d jobs.Document) api.Document {
	shown := api.Document{
		ID: string(d.ID), DocumentKey: orNil(d.Key), Status: api.DocumentStatus(d.Status), JobID: string(d.Job), IssueNumber: orNil(d.Number),
		CreatedAt: d.Created.UTC(), IssuedAt: timeOrNil(d.Issued), ExpiresAt: timeOrNil(d.Expires), PurgedAt: timeOrNil(d.PurgedAt),
	}
	if d.Status == jobs.Issued {
		shown.URL = orNil(s.contentURL(d.ID))
	}
	if r := d.Result; r != nil {
		shown.SHA256, shown.Bytes, shown.Pages = &r.SHA256, &r.Bytes, &r.Pages
		shown.ContentType, shown.Filename = &r.ContentType, &r.Filename
	}
	return shown
}

func (s *Server) contentURL(id jobs.ID) string {
	return s.opts.PublicURL + "/documents/" + string(id) + "/content"
}

func delivery(d jobs.Delivery) api.Delivery {
	return api.Delivery{
		ID: string(d.ID), EventID: string(d.Event), EventType: api.EventType(d.EventType), JobID: string(d.Job), DocumentID: string(d.Document),
		URLHost: d.Host, Status: api.DeliveryStatus(d.Status), Attempts: d.Attempt, NextAttemptAt: timeOrNil(d.Next),
		CreatedAt: d.Created.UTC(), Log: each(d.Log, attempt),
	}
}

// outcomes says how an attempt ended, whatever follows from it.
var outcomes = map[string]api.AttemptOutcome{
	jobs.OutcomeDelivered: api.AttemptDelivered,
	jobs.OutcomeUnknown:   api.AttemptUnknown,
	jobs.OutcomeFailed:    api.AttemptFailed,
	jobs.OutcomeRetry:     api.AttemptFailed,
	jobs.OutcomeDead:      api.AttemptFailed,
}

func attempt(a jobs.DeliveryAttempt) api.DeliveryAttempt {
	shown := api.DeliveryAttempt{Number: a.Number, StartedAt: a.Started.UTC(), StatusCode: orNil(a.Status), Error: orNil(a.Detail)}
	outcome, ended := outcomes[a.Outcome]
	if !ended {
		return shown
	}
	latency := a.Latency.Milliseconds()
	shown.Outcome, shown.LatencyMS = &outcome, &latency
	if shown.Error == nil {
		shown.Error = orNil(a.Error)
	}
	if a.Status != 0 {
		shown.Response = &a.Response
	}
	return shown
}

func key(k jobs.APIKey) api.Key {
	return api.Key{
		ID: string(k.ID), Tenant: k.Tenant, Name: k.Name, CreatedAt: k.Created.UTC(), ExpiresAt: timeOrNil(k.Expires),
		Scopes: each(k.Scopes, func(s jobs.Scope) api.Scope { return api.Scope(s) }),
	}
}

// each converts a list; none becomes an empty one, never null.
func each[From, To any](from []From, convert func(From) To) []To {
	to := make([]To, len(from))
	for i, v := range from {
		to[i] = convert(v)
	}
	return to
}

// orNil is nil for a value that is not there.
func orNil[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
