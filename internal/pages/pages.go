// Package pages makes what an engine takes out of what a job holds: the text becomes HTML, and everything that it names is
// brought together. Jobs, previews and the making anew of a document all go this one way, so that they make the same bytes.
package pages

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/compose"
	"github.com/platen-render/platen/internal/render/resources"
	"github.com/platen-render/platen/internal/render/templates"
	"github.com/platen-render/platen/internal/worker"
)

// Composer makes pages. All fields are required unless they say otherwise. Safe for concurrent use.
type Composer struct {
	Blobs   jobs.Blobs
	Library *catalog.Library // of the same blobs; it needs no store
	Loader  *resources.Loader
	// VerifyURL is the address where a document can be verified; it is [jobs.Signer.VerifyURL]. Nil leaves templates without one.
	VerifyURL func(ctx context.Context, tenant string, document jobs.ID) (string, error)
}

// Compose implements [worker.Composer].
func (c *Composer) Compose(ctx context.Context, j jobs.Job, s jobs.Spec) (worker.Composed, error) {
	p, err := c.page(ctx, j, s)
	if err != nil {
		return worker.Composed{}, err
	}
	composed := worker.Composed{
		Request:     render.Request{HTML: p.HTML, URL: p.url, Wait: s.Wait, Output: p.output},
		OwnIdentity: p.OwnIdentity,
	}
	if p.url == "" {
		files, err := c.files(ctx, s)
		if err != nil {
			return worker.Composed{}, err
		}
		out := &composed.Request.Output
		out.Header, out.Footer = inlined(out.Header, files), inlined(out.Footer, files)
		composed.Request.Resources, composed.Warnings = c.Loader.Load(ctx, p.HTML, files)
	}
	composed.Made, err = made(s, p, composed.Request)
	return composed, err
}

// page is what a spec says, filled in.
type page struct {
	compose.Page

	url    string        // in place of the page
	output render.Output // with the margins of a stored template
}

func (c *Composer) page(ctx context.Context, j jobs.Job, s jobs.Spec) (page, error) {
	switch s.Kind {
	case jobs.InputURL:
		return page{url: s.Text, output: s.Output}, nil
	case jobs.InputStored:
		return c.stored(ctx, j, s)
	case jobs.InputHTML, jobs.InputMarkdown, jobs.InputTemplate:
	}
	identity, err := c.identity(ctx, j, s.Kind == jobs.InputTemplate && strings.Contains(s.Text, verifyFunction))
	if err != nil {
		return page{}, err
	}
	composed, err := compose.Compose(ctx, compose.Source{
		Kind: compose.Kind(s.Kind), Text: s.Text, Data: s.Data, Locale: s.Output.Locale, TimeZone: s.Output.TimeZone,
	}, identity)
	return page{Page: composed, output: s.Output}, err
}

// stored fills in the version of a template that was frozen.
func (c *Composer) stored(ctx context.Context, j jobs.Job, s jobs.Spec) (page, error) {
	if s.Template == nil {
		return page{}, errors.New("a stored template without its name")
	}
	t, err := c.Library.Template(ctx, *s.Template)
	if err != nil {
		return page{}, err
	}
	identity, err := c.identity(ctx, j, t.Names(verifyFunction))
	if err != nil {
		return page{}, err
	}
	filled, err := t.Fill(ctx, s.Data, templates.Environment{Identity: identity, Locale: s.Output.Locale, TimeZone: s.Output.TimeZone})
	if errors.Is(err, context.DeadlineExceeded) {
		err = render.ErrTimeout.Because(err)
	}
	if err != nil {
		return page{}, fmt.Errorf("template %s, version %d: %w", s.Template.Name, s.Template.Version, err)
	}
	return page{Page: compose.Page{HTML: filled.HTML, OwnIdentity: filled.OwnIdentity}, output: t.Margins(s, filled)}, nil
}

// verifyFunction is what a template calls for the address where its document can be verified.
const verifyFunction = "verifyURL"

// identity is what the page may print about its document. The address for its verification needs a signing key and the store, so that
// only a template that names it depends on them.
func (c *Composer) identity(ctx context.Context, j jobs.Job, verifies bool) (compose.Identity, error) {
	id := compose.Identity{DocumentID: string(j.Document), DocumentKey: j.DocumentKey, JobID: string(j.ID)}
	if c.VerifyURL == nil || !verifies {
		return id, nil
	}
	var err error
	if id.VerifyURL, err = c.VerifyURL(ctx, j.Tenant, j.Document); err != nil {
		return id, fmt.Errorf("verification link: %w", err)
	}
	return id, nil
}

// files are those that came with the job, by the names that the page uses, and the assets that it names.
func (c *Composer) files(ctx context.Context, s jobs.Spec) (map[string]render.Resource, error) {
	files := make(map[string]render.Resource, len(s.Files)+len(s.Assets))
	for _, f := range s.Files {
		body, err := jobs.ReadSound(ctx, c.Blobs, f.Blob, f.SHA256)
		if err != nil {
			return nil, fmt.Errorf("file %s: %w", f.Name, err)
		}
		files[f.Name] = render.Resource{ContentType: f.ContentType, Body: body}
	}
	for _, a := range s.Assets {
		body, err := c.Library.Asset(ctx, a)
		if err != nil {
			return nil, err
		}
		files[resources.AssetScheme+":"+a.Name] = render.Resource{ContentType: a.ContentType, Body: body}
	}
	return files, nil
}
