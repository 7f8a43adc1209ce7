package catalog

import (
	"context"
	"errors"
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

// Template reads a version. When its bytes are not there, it was deleted, unless a job that has not ended needs it: then the storage
// has lost them, or does for now. The error is a [jobs.ErrInputPurged] that says so.
func (l *Library) Template(ctx context.Context, ref jobs.TemplateRef) (*Template, error) {
	if t := l.parsed.get(ref.SHA256); t != nil {
		return t, nil
	}
	content, err := l.read(ctx, ref.Blob, ref.SHA256)
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

// Asset reads the bytes of a version. The error is as in [Library.Template].
func (l *Library) Asset(ctx context.Context, ref jobs.AssetRef) ([]byte, error) {
	content, err := l.read(ctx, ref.Blob, ref.SHA256)
	if err != nil {
		return nil, fmt.Errorf("asset %s: %w", ref.Name, err)
	}
	return content, nil
}

// Content reads the bytes of a version that there is.
func (l *Library) Content(ctx context.Context, v jobs.Stored) ([]byte, error) {
	content, err := l.read(ctx, v.Blob, v.SHA256)
	return content, thereThough(err)
}

// read is for sure what was stored: a receipt names it by its digest, and what is kept parsed serves whoever has the same.
func (l *Library) read(ctx context.Context, blob, sha256 string) ([]byte, error) {
	content, err := jobs.ReadSound(ctx, l.Blobs, blob, sha256)
	if f := fault.From(err); f != nil && f.Kind == fault.NotFound {
		return nil, jobs.ErrInputPurged.With("What the job uses of the templates and assets cannot be read.").ForNow().Because(err)
	}
	return content, err
}

// thereThough says of bytes that are not there, although their record is, that the storage does not have them now.
func thereThough(err error) error {
	if errors.Is(err, jobs.ErrInputPurged) {
		return errUnreadable.Because(err)
	}
	return err
}

var errUnreadable = fault.New(fault.Unavailable, "storage_unavailable", "What is stored under this name cannot be read at the moment.")
