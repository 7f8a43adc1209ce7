package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// LoadSpec reads what a job was asked to make. [ErrInputPurged] when its record says that it is no longer kept; [ErrMissing] when the
// storage does not have it although it is to be kept, or when it was forgotten since the record was read.
func LoadSpec(ctx context.Context, blobs Blobs, j Job) (Spec, error) {
	if j.inputForgotten() {
		return Spec{}, ErrInputPurged
	}
	raw := j.Spec
	if j.SpecBlob != "" {
		var err error
		if raw, err = ReadBlob(ctx, blobs, j.SpecBlob); err != nil {
			return Spec{}, err
		}
	}
	var spec Spec
	if err := json.Unmarshal(raw, &spec); err != nil {
		return Spec{}, fmt.Errorf("spec of %s: %w", j.ID, err)
	}
	return spec, nil
}

// inputForgotten reports whether the input of a job has ended. It never does before the job has.
func (j Job) inputForgotten() bool { return j.Spec == nil && j.SpecBlob == "" }

// whyMissing tells an input that was forgotten from one that the storage does not have. What a spec names of the catalog is sure to stay only
// until its job has ended. Other errors pass.
func (s *Service) whyMissing(ctx context.Context, job ID, tenant string, spec Spec, err error) error {
	if !errors.Is(err, ErrMissing) {
		return err
	}
	forgotten, lookErr := s.forgotten(ctx, job, tenant, spec)
	switch {
	case lookErr != nil:
		return lookErr
	case forgotten:
		return ErrInputPurged.Because(err)
	}
	return err
}

// forgotten reports whether a job, its input or a version that a spec names is no longer kept. A page that is no job's has none.
func (s *Service) forgotten(ctx context.Context, job ID, tenant string, spec Spec) (bool, error) {
	if job != nobody.Job {
		j, err := s.Store.Job(ctx, job)
		if isNotFound(err) {
			return true, nil
		}
		if err != nil || j.inputForgotten() {
			return err == nil, err
		}
	}
	for _, u := range uses(spec) {
		_, err := s.Store.Version(ctx, Item{Tenant: tenant, Shelf: u.Shelf, Name: u.Name}, u.Version)
		if isNotFound(err) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}
