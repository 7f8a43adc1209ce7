package httpapi

import (
	"context"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

// freezes is a library of a tenant's, or a sitting in it.
type freezes interface {
	Freeze(ctx context.Context, tenant string, spec *jobs.Spec, asked catalog.Asked) error
}

// freezer completes the spec of a new job out of what the tenant has stored, and tries its template.
func freezer(library freezes, tenant string, sub jobs.Submission, req api.JobRequest) func(context.Context, *jobs.Spec) error {
	asked := catalog.Asked{Engine: req.Engine, Output: req.Output, DocumentKey: sub.DocumentKey}
	return func(ctx context.Context, spec *jobs.Spec) error {
		if err := library.Freeze(ctx, tenant, spec, asked); err != nil {
			return err
		}
		var w wrongs
		if spec.Kind == jobs.InputStored {
			checkTogether(*spec, nil, &w) // whose output and engine are known now
			if spec.Engine == render.Native && !spec.Wait.IsZero() {
				w.add("/wait_for", "wait_for is for a browser, and the template is for the native engine.")
			}
		}
		return w.err()
	}
}
