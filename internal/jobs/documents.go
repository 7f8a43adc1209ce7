package jobs

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// Faults of links.
var (
	ErrLinkInvalid = fault.New(fault.Forbidden, "link_invalid", "The link is not valid.")
	ErrLinkExpired = fault.New(fault.Forbidden, "link_expired", "The link has expired.")
)

// Document returns a document of a tenant. Another tenant's is [ErrDocumentNotFound].
func (s *Service) Document(ctx context.Context, tenant string, id ID) (Document, error) {
	d, err := s.Store.Document(ctx, id)
	if err == nil && d.Tenant != tenant {
		return Document{}, ErrDocumentNotFound
	}
	return d, err
}

// LinkedDocument returns the document of a link that [Service.Link] made. [ErrLinkInvalid] and [ErrLinkExpired] come
// first, so that nobody learns from a forged link which documents exist.
func (s *Service) LinkedDocument(ctx context.Context, id ID, expires, signature string) (Document, error) {
	if err := s.CheckLink(id, expires, signature); err != nil {
		return Document{}, err
	}
	return s.Store.Document(ctx, id)
}

// Readable reports whether a document has bytes: nil, [ErrDocumentPending] while a job may still make them,
// [ErrNotIssued] when none will, or [ErrDocumentPurged] when they have ended.
func (s *Service) Readable(ctx context.Context, d Document) error {
	switch d.Status {
	case Issued:
		return nil
	case Purged:
		return aboutDocument(ErrDocumentPurged, d)
	case Pending:
	}
	j, err := s.Store.Job(ctx, d.Job)
	switch f := fault.From(err); {
	case f != nil && f.Kind != fault.NotFound:
		return err
	case f != nil || j.Status.Final():
		return aboutDocument(ErrNotIssued, d)
	}
	return aboutDocument(ErrDocumentPending, d).ForNow().After(s.RetryAfter(ctx, j.Class))
}

// aboutDocument names a document and its job.
func aboutDocument(f *fault.Error, d Document) *fault.Error {
	return f.About("document_id", string(d.ID)).About("job_id", string(d.Job))
}

var (
	// ErrBytesMissing is the cause when an issued document has no bytes. That must never be, and is for the operator to heal.
	ErrBytesMissing = errors.New("bytes of an issued document are missing")

	errUnreadable = fault.New(fault.Unavailable, "storage_unavailable", "The bytes of the document cannot be read at the moment.")
)

// Content opens the bytes of a document, or says as [Service.Readable] why there are none, or that the storage does not
// have them: a mount may come back, a backup may be put in place. The caller closes it.
func (s *Service) Content(ctx context.Context, d Document) (io.ReadSeekCloser, error) {
	if err := s.Readable(ctx, d); err != nil {
		return nil, err
	}
	content, err := s.Blobs.Open(ctx, d.Result.Blob)
	if f := fault.From(err); f == nil || f.Kind != fault.NotFound {
		return content, err
	}
	// Purged since d was read?
	if d, err = s.Store.Document(ctx, d.ID); err != nil {
		return nil, err
	}
	if err := s.Readable(ctx, d); err != nil {
		return nil, err
	}
	return nil, aboutDocument(errUnreadable, d).Because(fmt.Errorf("%w: %s", ErrBytesMissing, d.Result.Blob))
}

// Purge ends the bytes and the input of a document; its identity stays. Purging again is fine, and removes what a crash
// may have left.
func (s *Service) Purge(ctx context.Context, tenant string, id ID) (Document, error) {
	d, err := s.Document(ctx, tenant, id)
	if err != nil {
		return Document{}, err
	}
	jobs, err := s.Store.Purge(ctx, id)
	if errors.Is(err, ErrDocumentPending) {
		return Document{}, ErrDocumentPending.With("A job of the document is still at work. Cancel it first.").ForNow().
			About("document_id", string(id)).About("job_id", string(d.Job))
	}
	if err != nil {
		return Document{}, err
	}
	if err := DeleteDocument(ctx, s.Blobs, PurgedDocument{Tenant: tenant, Document: id, Jobs: jobs}); err != nil {
		return Document{}, fmt.Errorf("purge blobs: %w", err)
	}
	s.Logger.InfoContext(ctx, "document purged", slog.String("document_id", string(id)))
	return s.Store.Document(ctx, id)
}

// DeleteDocument removes the bytes of a purged document and the inputs of its jobs.
func DeleteDocument(ctx context.Context, blobs Blobs, d PurgedDocument) error {
	for _, job := range d.Jobs {
		if err := blobs.DeletePrefix(ctx, InputPrefix(d.Tenant, job)); err != nil {
			return err
		}
	}
	return blobs.DeletePrefix(ctx, OutputPrefix(d.Tenant, d.Document))
}

// Link signs the address of a document's content until an instant: what follows "?" in it.
func (s *Service) Link(id ID, expires time.Time) string {
	return fmt.Sprintf("expires=%d&signature=%s", expires.Unix(), hex.EncodeToString(s.Key.MAC(linkText(id, expires.Unix()))))
}

// CheckLink accepts what Link made for the document, until it expires: also one that an old master key made, until that key
// is dropped.
func (s *Service) CheckLink(id ID, expires, signature string) error {
	at, err := strconv.ParseInt(expires, 10, 64)
	if err != nil {
		return ErrLinkInvalid
	}
	given, err := hex.DecodeString(signature)
	if err != nil || !s.Key.Verify(linkText(id, at), given) {
		return ErrLinkInvalid
	}
	if time.Now().Unix() >= at {
		return ErrLinkExpired
	}
	return nil
}

// linkText is what is signed.
func linkText(id ID, expires int64) string {
	return string(id) + " " + strconv.FormatInt(expires, 10)
}
