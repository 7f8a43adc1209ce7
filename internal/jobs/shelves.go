package jobs

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/platen-render/platen/internal/fault"
)

// Keep stores content as the current version of an item, and reports whether it is a new version. The bytes are written before
// anything points to them; what a crash leaves the janitor finds.
func (s *Service) Keep(ctx context.Context, i Item, contentType string, content []byte) (v Stored, created bool, err error) {
	v = Stored{Item: i, SHA256: Digest(content), Size: int64(len(content)), ContentType: contentType}
	if known, err := s.Store.StoreVersion(ctx, v); !errors.Is(err, ErrNotStored(i.Shelf)) {
		return known, false, s.mend(ctx, known, content, err)
	}
	if err := s.Store.Room(ctx, i.Tenant); err != nil {
		return Stored{}, false, err
	}
	v.Blob = ItemBlob(i, v.SHA256, rand.Text())
	if err := s.Blobs.Put(ctx, v.Blob, bytes.NewReader(content)); err != nil {
		return Stored{}, false, fmt.Errorf("store content: %w", err)
	}
	kept, err := s.Store.StoreVersion(ctx, v)
	if err != nil {
		return Stored{}, false, err // it may have been recorded all the same, so the bytes stay
	}
	if kept.Blob != v.Blob {
		s.drop(ctx, v.Blob) // somebody else was first
	}
	return kept, kept.Blob == v.Blob, nil
}

// mend puts the bytes of a version back that the storage has lost or damaged: whoever stores it again has them.
func (s *Service) mend(ctx context.Context, v Stored, content []byte, err error) error {
	if err != nil {
		return err
	}
	sound, err := s.holds(ctx, v.Blob, content)
	if err != nil || sound {
		return err
	}
	if err := s.Blobs.DeletePrefix(ctx, folderOf(v.Blob)); err != nil { // what is damaged would stay
		return fmt.Errorf("remove damaged content: %w", err)
	}
	if err := s.Blobs.Put(ctx, v.Blob, bytes.NewReader(content)); err != nil {
		return fmt.Errorf("restore content: %w", err)
	}
	s.Logger.InfoContext(ctx, "lost content restored", slog.String("blob", v.Blob))
	return nil
}

// holds reports whether the storage has a blob with this content.
func (s *Service) holds(ctx context.Context, blob string, content []byte) (bool, error) {
	r, err := s.Blobs.Open(ctx, blob)
	if f := fault.From(err); f != nil && f.Kind == fault.NotFound {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("open content: %w", err)
	}
	defer func() { _ = r.Close() }() // nothing was written
	there, err := io.ReadAll(r)
	if err != nil {
		return false, fmt.Errorf("read content: %w", err)
	}
	return bytes.Equal(there, content), nil
}

// Forget deletes a version of an item, 0 being all of them.
func (s *Service) Forget(ctx context.Context, i Item, version int) error {
	free, err := s.Store.RemoveVersion(ctx, i, version)
	if err != nil {
		return err // it may be there again, when a replica takes over that lacks this, so the bytes stay for the janitor
	}
	for _, blob := range free {
		s.drop(ctx, blob)
	}
	return nil
}

// drop removes a blob that nothing points to any more. What is left the janitor finds.
func (s *Service) drop(ctx context.Context, blob string) {
	if err := s.Blobs.DeletePrefix(ctx, folderOf(blob)); err != nil {
		s.Logger.WarnContext(ctx, "stored content not removed", slog.String("blob", blob), slog.String("error", err.Error()))
	}
}
