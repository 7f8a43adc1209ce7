package jobs

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"time"

	"crypto/hmac"

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

// Content opens the bytes of an issued document. [ErrDocumentPending] while a job may still make it, [ErrNotIssued] when
// none will, [ErrDocumentPurged] when they have ended. The caller closes it.
func (s *Service) Content(ctx context.Context, d Document) (io.ReadSeekCloser, error) {
	switch d.Status {
	case Issued:
		return s.Blobs.Open(ctx, d.Result.Blob)
	case Purged:
		return nil, ErrDocumentPurged.About("document_id", string(d.ID))
	case Pending:
	}
	j, err := s.Store.Job(ctx, d.Job)
	switch f := fault.From(err); {
	case f != nil && f.Kind != fault.NotFound:
		return nil, err
	case f != nil || j.Status.Final():
		return nil, ErrNotIssued.About("document_id", string(d.ID))
	}
	return nil, ErrDocumentPending.About("document_id", string(d.ID)).After(s.RetryAfter(ctx))
}

// Purge ends the bytes and the input of a document; its identity stays. Purging again is fine, and removes what a crash
// may have left.
func (s *Service) Purge(ctx context.Context, tenant string, id ID) (Document, error) {
	if _, err := s.Document(ctx, tenant, id); err != nil {
		return Document{}, err
	}
	jobs, err := s.Store.Purge(ctx, id)
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
	return fmt.Sprintf("expires=%d&signature=%s", expires.Unix(), hex.EncodeToString(s.linkMAC(id, expires.Unix())))
}

// CheckLink accepts what Link made for the document, until it expires.
func (s *Service) CheckLink(id ID, expires, signature string) error {
	at, err := strconv.ParseInt(expires, 10, 64)
	if err != nil {
		return ErrLinkInvalid
	}
	given, err := hex.DecodeString(signature)
	if err != nil || !hmac.Equal(given, s.linkMAC(id, at)) {
		return ErrLinkInvalid
	}
	if time.Now().Unix() >= at {
		return ErrLinkExpired
	}
	return nil
}

func (s *Service) linkMAC(id ID, expires int64) []byte {
	return s.Key.MAC(string(id) + " " + strconv.FormatInt(expires, 10))
}
