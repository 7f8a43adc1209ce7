package jobs

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
)

// Submission is a checked request for a document.
type Submission struct {
	Tenant         string
	IdempotencyKey string // "" for none
	DocumentKey    string // "" for none
	RequestID      string
	Fingerprint    Fingerprint
	Class          Class // "" for the normal one
	Spec           Spec
	Uploads        []Upload
	Callback       *Callback // nil for the tenant's default URL, if it has one
	NoCallback     bool      // do without the default
	Metadata       json.RawMessage
	Retention      time.Duration // of the issued bytes; 0 is for ever
	InputRetention time.Duration // of the input, after the job has ended; 0 is as long as the record
	// Freeze completes the spec of a new job: names become versions, and what is too dear to be looked at for a request that an
	// earlier job answers is looked at, and perhaps refused. It is called again when what it found was deleted meanwhile. It may
	// be nil.
	Freeze func(ctx context.Context, s *Spec) error
}

// Upload is the content of a [File].
type Upload struct {
	File File
	Body []byte
}

// Submitted is the answer to a submission.
type Submitted struct {
	Job Job
	// Replayed says that an earlier job answers.
	Replayed bool
	// Warnings are about the request, not about the job, which keeps its own.
	Warnings []render.Warning
}

// drawings bounds how often new ids are drawn when somebody else has drawn the same: once is already a wonder.
const drawings = 3

// Submit accepts a request. The identity is asked first, a read: whatever only concerns new jobs (the callback's
// address, the template, the room in the store, the blobs) is looked at after it, and Accept then decides again.
func (s *Service) Submit(ctx context.Context, sub Submission) (Submitted, error) {
	input := func(r request, a *Acceptance) error { return s.store(ctx, a, r.Spec, r.Uploads) }
	return s.accept(ctx, request{Submission: sub, fingerprint: sub.Fingerprint}, input)
}

// request is a submission on its way, or a retry.
type request struct {
	Submission
	fingerprint Fingerprint // of the request itself, for its idempotency key
	retryOf     ID
}

// named reports whether an earlier job may answer.
func (r request) named() bool {
	return r.IdempotencyKey != "" || r.DocumentKey != "" || r.retryOf != ""
}

// freeze completes the spec.
func (r request) freeze(ctx context.Context) (request, error) {
	if r.Freeze == nil {
		return r, nil
	}
	err := r.Freeze(ctx, &r.Spec)
	return r, err
}

// accept asks who answers, then admits and stores what is new, then decides.
func (s *Service) accept(ctx context.Context, r request, input func(request, *Acceptance) error) (Submitted, error) {
	if r.named() {
		probe := s.acceptance(r)
		probe.Probe = true
		got, err := s.Store.Accept(ctx, probe)
		if err != nil || got.Verdict != Absent {
			return s.answer(ctx, probe, r, got, err)
		}
	}
	job, err := s.admit(ctx, r)
	if err != nil {
		return Submitted{}, err
	}
	a, got, err := s.decide(ctx, job, input)
	if err == nil && got.Verdict == InputGone && r.Freeze != nil {
		if job.Spec, err = r.frozenAgain(ctx); err != nil {
			return Submitted{}, err
		}
		a, got, err = s.decide(ctx, job, input)
	}
	return s.answer(ctx, a, r, got, err)
}

// frozenAgain is the spec as its names are to be read now.
func (r request) frozenAgain(ctx context.Context) (Spec, error) {
	r, err := r.freeze(ctx)
	return r.Spec, err
}

// decide stores the input and asks the store, with new ids when they are taken.
func (s *Service) decide(ctx context.Context, r request, input func(request, *Acceptance) error) (a Acceptance, got Acceptation, err error) {
	for range drawings {
		a = s.acceptance(r)
		if err := input(r, &a); err != nil {
			return a, got, err
		}
		a.Most = s.slots.Most(ctx, s.Queue)
		if got, err = s.Store.Accept(ctx, a); err != nil || got.Verdict != IDTaken {
			break
		}
	}
	return a, got, err
}

// acceptance draws the ids of a new job.
func (s *Service) acceptance(sub request) Acceptance {
	p := PartitionOf(sub.Tenant, s.Partitions)
	a := Acceptance{
		Job: Job{
			ID: NewID(KindJob, p), Document: NewID(KindDocument, p), DocumentKey: sub.DocumentKey, Tenant: sub.Tenant,
			Class: cmp.Or(sub.Class, ClassNormal), Fingerprint: sub.Fingerprint, Metadata: sub.Metadata, Retention: sub.Retention, InputRetention: sub.InputRetention,
			Event: NewID(KindEvent, p), Delivery: NewID(KindDelivery, p), Failure: &Failure{RequestID: sub.RequestID},
		},
		IdempotencyKey: sub.IdempotencyKey, Request: sub.fingerprint, RetryOf: sub.retryOf,
		Nonce: rand.Text(), Grace: s.grace(),
	}
	if sub.Callback != nil {
		a.Job.Callback = &CallbackState{Host: hostOf(sub.Callback.URL)}
		a.Job.Sealed, a.Job.Target = sub.Callback.Seal(s.Key, a.Job.Delivery), Target(sub.Callback.URL)
	}
	return a
}

// admit looks at what only matters when a new job would be made, and returns the request with its tenant's default. What the
// request itself says stays apart: a repeated one that names no callback asks for no other one than the first.
func (s *Service) admit(ctx context.Context, r request) (request, error) {
	if err := s.Store.Room(ctx, r.Tenant); err != nil {
		return r, err
	}
	var err error
	if r, err = r.freeze(ctx); err != nil {
		return r, err
	}
	if err := s.pageAllowed(ctx, r); err != nil {
		return r, err
	}
	if r.NoCallback {
		return r, s.optedOut(ctx, r)
	}
	r.Callback, err = s.guarded(ctx, r.Tenant, r.Callback)
	return r, err
}

// ErrPageURL is in the cause of a refusal by the guard that is about the address of the page.
var ErrPageURL = errors.New("address of the page")

// pageAllowed asks the guard of pages about an address, so that what no worker may load is refused at once. It is asked again at each
// hop; a host that cannot be looked up now may be there by then.
func (s *Service) pageAllowed(ctx context.Context, r request) error {
	if r.Spec.Kind != InputURL || s.CheckPage == nil {
		return nil
	}
	page, _, _ := strings.Cut(r.Spec.Text, "#") // what comes after it no server sees
	err := s.CheckPage(ctx, page)
	if err == nil || fault.Retryable(err) {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrPageURL, err)
}

// errNothingToOptOut refuses an empty URL where it can only be a slip: that of a job which reports nowhere because a variable was
// not set.
var errNothingToOptOut = fault.At("/callback_url", "field_invalid", "callback_url must not be empty: the tenant has no default URL to do without.")

// optedOut lets a request, but not a retry, do without a default only where there is one.
func (s *Service) optedOut(ctx context.Context, r request) error {
	if r.retryOf != "" {
		return nil
	}
	url, err := s.defaultURL(ctx, r.Tenant)
	if err == nil && url == "" {
		return errNothingToOptOut
	}
	return err
}

// guarded is a callback that was given, or else one to the tenant's default URL, once the guard has judged its URL. Nil without
// either.
func (s *Service) guarded(ctx context.Context, tenant string, given *Callback) (*Callback, error) {
	if given != nil {
		return given, s.CheckCallback(ctx, given.URL)
	}
	url, err := s.defaultURL(ctx, tenant)
	if err != nil || url == "" {
		return nil, err
	}
	if err := s.CheckCallback(ctx, url); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDefaultURL, err)
	}
	return &Callback{URL: url}, nil
}

// store puts the input of a job where a worker finds it: files and a large spec into the blob store, before
// anything points to them.
func (s *Service) store(ctx context.Context, a *Acceptance, spec Spec, uploads []Upload) error {
	j := &a.Job
	a.Uses, spec.Files = uses(spec), nil
	if t := spec.Template; t != nil {
		j.Template = &TemplateRef{Name: t.Name, Version: t.Version, SHA256: t.SHA256}
	}
	for _, u := range uploads {
		f := u.File
		f.Blob = FileBlob(j.Tenant, j.ID, f.SHA256)
		if err := s.Blobs.Put(ctx, f.Blob, bytes.NewReader(u.Body)); err != nil {
			return fmt.Errorf("store file: %w", err)
		}
		spec.Files = append(spec.Files, f)
	}
	raw, err := json.Marshal(spec)
	if err != nil {
		return fmt.Errorf("encode spec: %w", err)
	}
	if len(raw) <= maxInlineSpec {
		j.Spec = raw
		return nil
	}
	j.SpecBlob = SpecBlob(j.Tenant, j.ID)
	if err := s.Blobs.Put(ctx, j.SpecBlob, bytes.NewReader(raw)); err != nil {
		return fmt.Errorf("store spec: %w", err)
	}
	return nil
}

// answer turns a verdict into the job to show, and rings for a new one.
func (s *Service) answer(ctx context.Context, a Acceptance, sub request, got Acceptation, err error) (Submitted, error) {
	if err != nil {
		return Submitted{}, err
	}
	switch got.Verdict {
	case KeyReused:
		return Submitted{}, ErrKeyReused.About("job_id", string(got.Job))
	case KeyConflict:
		return Submitted{}, keyConflict(got.Document).
			About("document_id", string(got.Document)).About("job_id", string(got.Job))
	case KeyReserved:
		return Submitted{}, ErrKeyReserved
	case NotRetryable:
		return Submitted{}, s.notRetryable(ctx, got.Job)
	case Retained:
		d, err := s.Store.Document(ctx, got.Document)
		return Submitted{Job: d.AsJob(), Replayed: true, Warnings: retainedWarnings(sub.Callback)}, err
	case InputGone:
		return Submitted{}, sub.gone(got.Gone)
	case Limited:
		return Submitted{}, s.limited(ctx, *got.Limit)
	case Created:
		if !got.Held {
			s.ring(ctx, Task{Line: a.Job.Class.Line(), ID: got.Job, Generation: 1})
		}
		j := a.Job
		j.Document, j.Status, j.Created, j.Failure = got.Document, Queued, got.Created, nil
		if j.Callback != nil {
			j.Callback.Status = DeliveryPending
		}
		return Submitted{Job: j}, nil
	case Replayed:
		j, err := s.Store.Job(ctx, got.Job)
		return Submitted{Job: j, Replayed: true, Warnings: s.replayWarnings(j, sub.Callback)}, err
	case IDTaken, Absent, Resumed:
	}
	return Submitted{}, fault.From(fmt.Errorf("accept answered %q", got.Verdict))
}

// gone says that what the job needs was deleted.
func (r request) gone(use string) error {
	if r.retryOf != "" {
		return ErrInputPurged.With("What the job uses of the templates and assets was deleted.").About("job_id", string(r.retryOf))
	}
	return errGone(use)
}

// otherCallback reports whether a repeated request asks for another callback than the first one, whose stands.
func (s *Service) otherCallback(j Job, c *Callback) bool {
	if c == nil {
		return false
	}
	if j.Callback == nil {
		return true
	}
	first, err := OpenCallback(s.Key, j.Delivery, j.Sealed)
	return err != nil || !first.equal(*c)
}

// replayWarnings names the host in force when a repeated request asks for another callback.
func (s *Service) replayWarnings(j Job, c *Callback) []render.Warning {
	if !s.otherCallback(j, c) {
		return nil
	}
	host := "it has no callback"
	if j.Callback != nil {
		host = j.Callback.Host
	}
	return []render.Warning{{Code: "callback_ignored", Detail: "The first accepted request's callback settings stand: " + host + "."}}
}

// retainedWarnings says that nothing will be reported of a document whose job is past its retention.
func retainedWarnings(c *Callback) []render.Warning {
	if c == nil {
		return nil
	}
	return []render.Warning{{Code: "callback_ignored", Detail: "The document was made by an earlier request, whose callback settings stood."}}
}

// hostOf is the part of a URL that may be shown.
func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(strings.ToLower(u.Host), defaultPorts[strings.ToLower(u.Scheme)])
}

// defaultPorts are left out of a host: what leads to one place has one name.
var defaultPorts = map[string]string{"https": ":443", "http": ":80"}
