package catalog

import (
	"context"
	"fmt"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// Library is what a tenant's jobs can name. Store is needed to freeze only. Safe for concurrent use.
type Library struct {
	Store jobs.Catalog
	Blobs jobs.Blobs

	parsed kept
}

// Template reads a version. What is stored and cannot be read is storage_unavailable.
func (l *Library) Template(ctx context.Context, ref jobs.TemplateRef) (*Template, error) {
	if t := l.parsed.get(ref.SHA256); t != nil {
		return t, nil
	}
	content, err := l.read(ctx, ref.Blob)
	if err != nil {
		return nil, fmt.Errorf("template %s: %w", ref.Name, err)
	}
	t, err := Parse(content)
	if err != nil {
		return nil, err
	}
	l.parsed.put(ref.SHA256, t, len(content))
	return t, nil
}

// Asset reads the bytes of a version, as Template does.
func (l *Library) Asset(ctx context.Context, ref jobs.AssetRef) ([]byte, error) {
	content, err := l.read(ctx, ref.Blob)
	if err != nil {
		return nil, fmt.Errorf("asset %s: %w", ref.Name, err)
	}
	return content, nil
}

// Content reads the bytes of a version.
func (l *Library) Content(ctx context.Context, v jobs.Stored) ([]byte, error) {
	return l.read(ctx, v.Blob)
}

// read reads what a record points to. That it is not there is for the operator to heal, and a job may try again.
func (l *Library) read(ctx context.Context, blob string) ([]byte, error) {
	content, err := jobs.ReadBlob(ctx, l.Blobs, blob)
	if f := fault.From(err); f != nil && f.Kind == fault.NotFound {
		return nil, errUnreadable.Because(err)
	}
	return content, err
}

var errUnreadable = fault.New(fault.Unavailable, "storage_unavailable", "What is stored under this name cannot be read at the moment.")
