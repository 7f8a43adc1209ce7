package httpapi

import (
	"context"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

// freezer completes the spec of a new job out of what the tenant has stored, and tries its template.
func (s *Server) freezer(tenant string, sub jobs.Submission, req api.JobRequest) func(context.Context, *jobs.Spec) error {
	asked := catalog.Asked{Engine: req.Engine, Output: req.Output, DocumentKey: sub.DocumentKey}
	return func(ctx context.Context, spec *jobs.Spec) error {
		if err := s.library.Freeze(ctx, tenant, spec, asked); err != nil {
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
