package httpapi

import (
	"slices"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

// What is kept becomes what is shown, here and nowhere else.

func (s *Server) job(j jobs.Job) api.Job {
	shown := api.Job{
		ID: string(j.ID), DocumentID: string(j.Document), DocumentKey: orNil(j.DocumentKey), Status: api.JobStatus(j.Status), Priority: api.Priority(j.Class.Name()),
		Progress: j.Progress, Attempt: j.Attempt, CreatedAt: j.Created.UTC(), StartedAt: timeOrNil(j.Started), FinishedAt: timeOrNil(j.Finished),
		Warnings: warnings(j.Warnings), Metadata: j.Metadata, BatchID: orNil(string(j.Batch)),
	}
	if t := j.Template; t != nil {
		shown.Template = &api.TemplateVersion{Name: t.Name, Version: t.Version}
	}
	if r := j.Result; r != nil && j.Status == jobs.Succeeded {
		shown.Engine, shown.EngineReason = orNil(r.Engine), orNil(r.Reason)
		shown.Result = &api.Result{
			URL: s.contentURL(j.Document), SHA256: r.SHA256, Bytes: r.Bytes, Pages: r.Pages,
			ContentType: r.ContentType, Filename: r.Filename, ExpiresAt: timeOrNil(j.Expires),
		}
	}
	if f := j.Failure; f != nil && j.Status == jobs.Failed {
		shown.Engine, shown.EngineReason = orNil(f.Engine), orNil(f.Reason)
		shown.Warnings = warnings(slices.Concat(f.Warnings, j.Warnings)) // what is about the request comes last
		shown.Error = jobError(*f)
	}
	if cb := j.Callback; cb != nil {
		shown.Callback = callbackState(*cb)
	}
	return shown
}

func jobError(f jobs.Failure) *api.JobError {
	return &api.JobError{Code: api.JobErrorCode(f.Code), Detail: f.Detail, Retryable: f.Retryable, RequestID: f.RequestID}
}

func callbackState(cb jobs.CallbackState) *api.CallbackState {
	return &api.CallbackState{
		URLHost: cb.Host, Status: api.DeliveryStatus(cb.Status), Attempts: cb.Attempts, NextAttemptAt: timeOrNil(cb.NextAttempt),
	}
}

func warnings(all []render.Warning) []api.Warning {
	return each(all, func(w render.Warning) api.Warning { return api.Warning(w) })
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
		ID: string(d.ID), EventID: string(d.Event), EventType: api.EventType(d.EventType), JobID: orNil(string(d.Job)), DocumentID: orNil(string(d.Document)),
		BatchID: orNil(string(d.Batch)), Ping: d.Ping, URLHost: d.Host, Status: api.DeliveryStatus(d.Status), Attempts: d.Attempt, NextAttemptAt: timeOrNil(d.Next),
		CreatedAt: d.Created.UTC(), DiedAt: timeOrNil(d.Died), Log: each(d.Log, attempt),
		Replays: each(d.Replays, func(r jobs.DeliveryReplay) api.DeliveryReplay {
			return api.DeliveryReplay{CreatedAt: r.At.UTC(), CreatedBy: string(r.By)}
		}),
	}
}

// outcomes says how an attempt ended, whatever follows from it.
var outcomes = map[string]api.AttemptOutcome{
	jobs.OutcomeDelivered: api.AttemptDelivered,
	jobs.OutcomeUnknown:   api.AttemptUnknown,
	jobs.OutcomeFailed:    api.AttemptFailed,
	jobs.OutcomeRetry:     api.AttemptFailed,
	jobs.OutcomeDead:      api.AttemptFailed,
	jobs.OutcomeGone:      api.AttemptFailed,
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

func replay(r jobs.ReplayRun) api.Replay {
	shown := api.Replay{
		ID: string(r.ID), Status: api.ReplayRunning, Matched: r.Replayed + r.Skipped, Replayed: r.Replayed, Skipped: r.Skipped,
		RatePerSecond: r.Rate, CreatedAt: r.Created.UTC(), CreatedBy: string(r.By), FinishedAt: timeOrNil(r.Finished),
		Filter: api.ReplayFilter{
			Status: api.DeliveryStatus(r.Filter.Status), URLHost: orNil(r.Filter.Host), Type: orNil(api.EventType(r.Filter.Type)),
			CreatedAfter: timeOrNil(r.Filter.CreatedAfter), CreatedBefore: timeOrNil(r.Filter.CreatedBefore),
		},
	}
	if !r.Filter.CreatedAfter.IsZero() {
		*shown.Filter.CreatedAfter = shown.Filter.CreatedAfter.Add(time.Millisecond) // the first that counts; the store keeps the last that does not
	}
	if !r.Finished.IsZero() {
		shown.Status = api.ReplayFinished
	}
	return shown
}

func tenant(t jobs.TenantState) api.Tenant {
	return api.Tenant{
		Name: t.Name, CallbackURLHost: orNil(t.CallbackHost), CallbackSecretConfigured: t.SecretConfigured,
		Secrets: each(t.Secrets, func(s jobs.SecretState) api.TenantSecret {
			return api.TenantSecret{CreatedAt: timeOrNil(s.Since), ExpiresAt: timeOrNil(s.Until)}
		}),
		Limits: tenantLimits(t.Limits),
		Usage: api.TenantUsage{
			ConcurrentRenders: t.Usage.Renders, QueuedJobs: t.Usage.Queued, StoredBytes: t.Usage.Bytes, StoredVersions: t.Usage.Versions,
		},
	}
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
