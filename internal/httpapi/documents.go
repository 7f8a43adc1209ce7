package httpapi

import (
	"net/http"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// getDocument shows what is known of a document, purged or not.
func (s *Server) getDocument(c *call) error {
	d, err := s.ownDocument(c)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, s.document(d))
}

// ownDocument reads the document in the path, if it is the tenant's.
func (s *Server) ownDocument(c *call) (jobs.Document, error) {
	id, err := c.id(jobs.KindDocument, jobs.ErrDocumentNotFound)
	if err != nil {
		return jobs.Document{}, err
	}
	return s.service.Document(c.Request().Context(), c.key.Tenant, id)
}

// purgeDocument ends the bytes and the input of a document; its identity stays.
func (s *Server) purgeDocument(c *call) error {
	id, err := c.id(jobs.KindDocument, jobs.ErrDocumentNotFound)
	if err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	d, err := s.service.Purge(ctx, c.key.Tenant, id)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, s.document(d))
}

// createLink signs an address of the content that needs no key.
func (s *Server) createLink(c *call) error {
	var req api.LinkRequest
	w, err := s.decode(c, &req)
	if err != nil {
		return err
	}
	upTo(&w, "/expires_in_seconds", req.ExpiresInSeconds, api.MaxLinkSeconds)
	if err := w.err(); err != nil {
		return err
	}
	d, err := s.ownDocument(c)
	if err != nil {
		return err
	}
	if err := s.service.Readable(c.Request().Context(), d); err != nil {
		return err
	}
	expires := time.Now().Add(time.Duration(*req.ExpiresInSeconds) * time.Second).Truncate(time.Second).UTC()
	return c.respond(http.StatusCreated, api.Link{URL: s.contentURL(d.ID) + "?" + s.service.Link(d.ID, expires), ExpiresAt: expires})
}
