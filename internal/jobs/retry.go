package jobs

import (
	"context"
	"fmt"
)

// Retry makes a new job for the document of a failed or canceled one, with its stored input, callback and metadata.
func (s *Service) Retry(ctx context.Context, tenant string, id ID, idempotencyKey, requestID string) (Submitted, error) {
	old, err := s.Job(ctx, tenant, id)
	if err != nil {
		return Submitted{}, err
	}
	sub := Submission{
		Tenant: tenant, IdempotencyKey: idempotencyKey, DocumentKey: old.DocumentKey, RequestID: requestID,
		Fingerprint: old.Fingerprint, Class: old.Class.alone(), Metadata: old.Metadata, Retention: old.Retention, InputRetention: old.InputRetention,
	}
	if sub.Callback, err = s.callbackOf(old); err != nil {
		return Submitted{}, err
	}
	sub.NoCallback = sub.Callback == nil // it has what the old one had
	input := func(_ request, a *Acceptance) error {
		a.Job.Reports = old.Reports
		return s.copyInput(ctx, old, a)
	}
	return s.accept(ctx, request{Submission: sub, fingerprint: FingerprintRetry(id), retryOf: id}, input)
}

// notRetryable says why a job cannot be retried, as far as it can still be told.
func (s *Service) notRetryable(ctx context.Context, id ID) error {
	j, err := s.Store.Job(ctx, id)
	if err != nil {
		return err
	}
	d, err := s.Store.Document(ctx, j.Document)
	if err != nil {
		return err
	}
	return ErrNotRetryable.With("%s", whyNot(j, d)).About("job_id", string(j.ID)).About("document_id", string(d.ID))
}

func whyNot(j Job, d Document) string {
	switch {
	case !j.Status.Final():
		return fmt.Sprintf("The job is %s; only a failed or canceled one can be retried.", j.Status)
	case j.Status == Succeeded:
		return "The job has succeeded; only a failed or canceled one can be retried."
	case d.Status == Purged:
		return "The document of the job was purged."
	case d.Job != j.ID:
		return fmt.Sprintf("The document of the job has a later one, %s.", d.Job)
	}
	return ErrNotRetryable.Message
}

func (s *Service) callbackOf(j Job) (*Callback, error) {
	if len(j.Sealed) == 0 {
		return nil, nil //nolint:nilnil // a job without a callback is not an error
	}
	c, err := OpenCallback(s.Key, j.Delivery, j.Sealed)
	return &c, err
}

// copyInput gives a job the input of another one, blobs included: each input lives and ends with its own job.
func (s *Service) copyInput(ctx context.Context, from Job, to *Acceptance) error {
	spec, uploads, err := s.readInput(ctx, from)
	if err != nil {
		return s.whyMissing(ctx, from.ID, from.Tenant, Spec{}, err)
	}
	return s.store(ctx, to, spec, uploads)
}

func (s *Service) readInput(ctx context.Context, j Job) (spec Spec, uploads []Upload, err error) {
	if spec, err = LoadSpec(ctx, s.Blobs, j); err != nil {
		return spec, nil, err
	}
	for _, f := range spec.Files {
		body, err := ReadSound(ctx, s.Blobs, f.Blob, f.SHA256)
		if err != nil {
			return spec, nil, fmt.Errorf("file %s: %w", f.Name, err)
		}
		uploads = append(uploads, Upload{File: f, Body: body})
	}
	return spec, uploads, nil
}
