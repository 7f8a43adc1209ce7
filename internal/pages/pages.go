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

// Composer makes pages. All fields are required unless they say otherwise. Safe for concurrent use.
type Composer struct {
	Blobs  jobs.Blobs
	Loader *resources.Loader
	// VerifyURL is the address where a document can be verified; it is [jobs.Signer.VerifyURL]. Nil leaves templates without one.
	VerifyURL func(ctx context.Context, tenant string, document jobs.ID) (string, error)
}

// Compose implements [worker.Composer].
func (c *Composer) Compose(ctx context.Context, j jobs.Job, s jobs.Spec) (worker.Composed, error) {
	identity, err := c.identity(ctx, j, s)
	if err != nil {
		return worker.Composed{}, err
	}
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

// identity is what the page may print about its document. Only templates can.
func (c *Composer) identity(ctx context.Context, j jobs.Job, s jobs.Spec) (compose.Identity, error) {
	id := compose.Identity{DocumentID: string(j.Document), DocumentKey: j.DocumentKey, JobID: string(j.ID)}
	if c.VerifyURL == nil || s.Kind != jobs.InputTemplate && s.Kind != jobs.InputStored {
		return id, nil
	}
	var err error
	if id.VerifyURL, err = c.VerifyURL(ctx, j.Tenant, j.Document); err != nil {
		return id, fmt.Errorf("verification link: %w", err)
	}
	return id, nil
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
