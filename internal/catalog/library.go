package catalog

import (
	"context"
	"fmt"

	"github.com/platen-render/platen/internal/jobs"
)

// Library is what a tenant's jobs can name. Store is needed to freeze only. Safe for concurrent use.
type Library struct {
	Store jobs.Catalog
	Blobs jobs.Blobs

	parsed kept
	memory *memory // of a sitting; nil without one
}

// Template reads a version. [jobs.ErrMissing] when its bytes are not there: of a version that a job needs which has not ended, the storage
// has lost them, or has for now; others may have been deleted.
func (l *Library) Template(ctx context.Context, ref jobs.TemplateRef) (*Template, error) {
	if t := l.parsed.get(ref.SHA256); t != nil {
		if err := l.memory.once(ref.Blob, func() error { return l.there(ctx, ref.Blob) }); err != nil {
			return nil, fmt.Errorf("template %s: %w", ref.Name, err)
		}
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

// there looks for the bytes of what is kept parsed: a version that was deleted is so for every process, whatever it remembers.
func (l *Library) there(ctx context.Context, blob string) error {
	content, err := jobs.OpenBlob(ctx, l.Blobs, blob)
	if err != nil {
		return err
	}
	return content.Close()
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
	return l.read(ctx, v.Blob, v.SHA256)
}

// read is for sure what was stored: a receipt names it by its digest, and what is kept parsed serves whoever has the same.
func (l *Library) read(ctx context.Context, blob, sha256 string) ([]byte, error) {
	return jobs.ReadSound(ctx, l.Blobs, blob, sha256)
}
