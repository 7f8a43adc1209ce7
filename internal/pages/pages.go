// Package pages makes what an engine takes out of what a job holds: the text becomes HTML, and everything that it names is
// brought together. Jobs, previews and the making anew of a document all go this one way, so that they make the same bytes.
package pages

import (
	"context"
	"fmt"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/compose"
	"github.com/platen-render/platen/internal/render/resources"
	"github.com/platen-render/platen/internal/worker"
)

// Composer makes pages. All fields are required. Safe for concurrent use.
type Composer struct {
	Blobs  jobs.Blobs
	Loader *resources.Loader
}

// Compose implements [worker.Composer].
func (c *Composer) Compose(ctx context.Context, j jobs.Job, s jobs.Spec) (worker.Composed, error) {
	identity := compose.Identity{DocumentID: string(j.Document), DocumentKey: j.DocumentKey, JobID: string(j.ID)}
	page, err := compose.Compose(ctx, compose.Source{
		Kind: compose.Kind(s.Kind), Text: s.Text, Data: s.Data, Locale: s.Output.Locale, TimeZone: s.Output.TimeZone,
	}, identity)
	if err != nil {
		return worker.Composed{}, err
	}
	files, err := c.files(ctx, s)
	if err != nil {
		return worker.Composed{}, err
	}
	found, warnings := c.Loader.Load(ctx, page.HTML, files)
	return worker.Composed{
		Request:  render.Request{HTML: page.HTML, Resources: found, Output: s.Output},
		Warnings: warnings, OwnIdentity: page.OwnIdentity,
	}, nil
}

// files are those that came with the job, by the names that the page uses.
func (c *Composer) files(ctx context.Context, s jobs.Spec) (map[string]render.Resource, error) {
	files := make(map[string]render.Resource, len(s.Files))
	for _, f := range s.Files {
		body, err := jobs.ReadBlob(ctx, c.Blobs, f.Blob)
		if err != nil {
			return nil, fmt.Errorf("file %s: %w", f.Name, err)
		}
		files[f.Name] = render.Resource{ContentType: f.ContentType, Body: body}
	}
	return files, nil
}
