package app

import (
	"context"
	"fmt"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/compose"
	"github.com/platen-render/platen/internal/render/resources"
	"github.com/platen-render/platen/internal/urlguard"
	"github.com/platen-render/platen/internal/worker"
)

// maxRedirects is how many hops a resource of a page may take; each is judged anew.
const maxRedirects = 5

// composer makes pages out of specs: the text becomes HTML, and what that names is fetched through the guard.
func (p *parts) composer(policy urlguard.Policy) worker.Composer {
	loader := &resources.Loader{
		Client: policy.Client(urlguard.Options{Timeout: p.cfg.ResourceTimeout, MaxRedirects: maxRedirects}),
		Limits: resources.Limits{Timeout: p.cfg.ResourceTimeout},
	}
	return func(ctx context.Context, j jobs.Job, s jobs.Spec) (render.Request, []render.Warning, error) {
		identity := compose.Identity{DocumentID: string(j.Document), DocumentKey: j.DocumentKey, JobID: string(j.ID)}
		page, err := compose.Compose(ctx, compose.Source{Kind: compose.Kind(s.Kind), Text: s.Text, Data: s.Data}, identity)
		if err != nil {
			return render.Request{}, nil, err
		}
		files, err := p.files(ctx, s)
		if err != nil {
			return render.Request{}, nil, err
		}
		found, warnings := loader.Load(ctx, page, files)
		return render.Request{HTML: page, Resources: found}, warnings, nil
	}
}

// files are those that came with the job, by the names that the page uses.
func (p *parts) files(ctx context.Context, s jobs.Spec) (map[string]render.Resource, error) {
	files := make(map[string]render.Resource, len(s.Files))
	for _, f := range s.Files {
		body, err := jobs.ReadBlob(ctx, p.blobs, f.Blob)
		if err != nil {
			return nil, fmt.Errorf("file %s: %w", f.Name, err)
		}
		files[f.Name] = render.Resource{ContentType: f.ContentType, Body: body}
	}
	return files, nil
}
