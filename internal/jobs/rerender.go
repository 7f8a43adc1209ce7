package jobs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"

	"github.com/platen-render/platen/internal/fault"
)

// BytesState is what the storage has of the bytes of a document.
type BytesState string

// What it may have.
const (
	BytesIntact  BytesState = "intact"
	BytesMissing BytesState = "missing"
	BytesDamaged BytesState = "damaged" // other bytes than were issued
	BytesPurged  BytesState = "purged"  // the document was purged: there are to be none
)

// Remade is what came of making a document anew.
type Remade struct {
	Identical  bool
	Result     Result     // of the new bytes, which are not kept
	Stored     BytesState // before anything was restored
	Restored   bool
	Difference *Difference // nil when it is identical
}

// Rerender makes the bytes of an issued document anew, as the same document, by the engine that made them, from the input that is kept, and
// compares. Restore puts them back where they are missing, if they are identical. [ErrInputPurged] when the input is not kept any more;
// [ErrDocumentPending], [ErrNotIssued] and [ErrDocumentPurged] as in [Service.Readable], the last one only to restore. Otherwise as
// [Service.Preview], but that it is waited for as long as the job might take.
func (s *Service) Rerender(ctx context.Context, tenant string, id ID, restore bool) (Remade, error) {
	d, err := s.Document(ctx, tenant, id)
	if err != nil {
		return Remade{}, err
	}
	if d.Result == nil || restore {
		if err := s.Readable(ctx, d); err != nil {
			return Remade{}, err
		}
	}
	spec, err := s.issuedSpec(ctx, d)
	if err != nil {
		return Remade{}, err
	}
	order := PreviewOrder{Spec: spec, Tenant: tenant, Document: d.ID, DocumentKey: d.Key, Job: d.Job}
	p, err := s.preview(ctx, order, max(spec.Timeout, cmp.Or(s.PreviewPatience, defaultPreviewPatience)))
	if err != nil {
		return Remade{}, aboutDocument(fault.From(err), d)
	}
	defer func() { _ = p.Close() }() // nothing was written
	return s.compare(ctx, d, p, restore)
}

// issuedSpec is what the job asked for that issued a document, for the engine that made it.
func (s *Service) issuedSpec(ctx context.Context, d Document) (Spec, error) {
	j, err := s.Store.Job(ctx, d.Job)
	if f := fault.From(err); f != nil && f.Kind == fault.NotFound {
		return Spec{}, aboutDocument(ErrInputPurged, d).Because(err)
	}
	if err != nil {
		return Spec{}, err
	}
	spec, err := LoadSpec(ctx, s.Blobs, j)
	if err != nil {
		return Spec{}, aboutDocument(fault.From(s.whyMissing(ctx, j.ID, j.Tenant, Spec{}, err)), d)
	}
	spec.Engine = cmp.Or(d.Result.Engine, spec.Engine)
	return spec, nil
}

// compare holds the new bytes to the record and to what the storage has.
func (s *Service) compare(ctx context.Context, d Document, p *Preview, restore bool) (Remade, error) {
	remade := Remade{Identical: p.Result.SHA256 == d.Result.SHA256, Result: p.Result, Stored: BytesPurged}
	if d.Status == Issued {
		var err error
		if remade.Stored, err = s.stored(ctx, d); err != nil {
			return Remade{}, err
		}
	}
	if !remade.Identical {
		remade.Difference = differenceOf(d, p.Result)
		var err error
		remade.Difference.Offset, err = s.firstOffset(ctx, d, p, remade.Stored)
		return remade, err
	}
	if restore && remade.Stored == BytesMissing {
		return s.restore(ctx, d, p, remade)
	}
	return remade, nil
}

// stored looks at the bytes of an issued document.
func (s *Service) stored(ctx context.Context, d Document) (BytesState, error) {
	content, err := s.Blobs.Open(ctx, d.Result.Blob)
	if f := fault.From(err); f != nil && f.Kind == fault.NotFound {
		return BytesMissing, nil
	}
	if err != nil {
		return "", fmt.Errorf("open document: %w", err)
	}
	defer func() { _ = content.Close() }() // nothing was written
	digest := sha256.New()
	if _, err := io.Copy(digest, content); err != nil {
		return "", errUnreadable.Because(fmt.Errorf("read document: %w", err))
	}
	if hex.EncodeToString(digest.Sum(nil)) != d.Result.SHA256 {
		return BytesDamaged, nil
	}
	return BytesIntact, nil
}

// restore puts the bytes of a document back under the name that its record has. A purge that came meanwhile wins.
func (s *Service) restore(ctx context.Context, d Document, p *Preview, remade Remade) (Remade, error) {
	if _, err := p.Content.Seek(0, io.SeekStart); err != nil {
		return Remade{}, fmt.Errorf("read preview: %w", err)
	}
	if err := s.Blobs.Put(ctx, d.Result.Blob, Sound(p.Content, d.Result.SHA256)); err != nil {
		return Remade{}, fmt.Errorf("restore document: %w", err)
	}
	now, err := s.Store.Document(ctx, d.ID)
	if err != nil {
		return Remade{}, err
	}
	if now.Status != Issued {
		if err := s.Blobs.DeletePrefix(ctx, OutputPrefix(d.Tenant, d.ID)); err != nil {
			return Remade{}, fmt.Errorf("purge blobs: %w", err)
		}
		return Remade{}, aboutDocument(ErrDocumentPurged, now)
	}
	s.Logger.InfoContext(ctx, "bytes of a document restored", slog.String("document_id", string(d.ID)), slog.String("sha256", d.Result.SHA256))
	remade.Restored = true
	return remade, nil
}

// firstOffset is where new and stored bytes part, or nil when those that were issued are not there.
func (s *Service) firstOffset(ctx context.Context, d Document, p *Preview, stored BytesState) (*int64, error) {
	if stored != BytesIntact {
		return nil, nil //nolint:nilnil // nothing to compare with is not an error
	}
	was, err := s.Blobs.Open(ctx, d.Result.Blob)
	if err != nil {
		return nil, fmt.Errorf("open document: %w", err)
	}
	defer func() { _ = was.Close() }() // nothing was written
	offset, err := parting(was, p.Content)
	if err != nil {
		return nil, errUnreadable.Because(fmt.Errorf("compare: %w", err))
	}
	return &offset, nil
}
