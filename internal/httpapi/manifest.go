package httpapi

import (
	"io"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/internal/jobs"
)

// getManifest says what has become of each document of a batch, signed.
func (s *Server) getManifest(c *call) error {
	b, err := s.endedBatch(c)
	if err != nil {
		return err
	}
	return c.long(echo.MIMEApplicationJSON, func(w io.Writer) error {
		return s.closeOut().Manifest(c.Request().Context(), w, b)
	})
}

// endedBatch is the one in the path, if it is the tenant's and all its items have ended.
func (s *Server) endedBatch(c *call) (jobs.Batch, error) {
	id, err := c.id(jobs.KindBatch, jobs.ErrBatchNotFound)
	if err != nil {
		return jobs.Batch{}, err
	}
	b, err := s.service.Batch(c.Request().Context(), c.key.Tenant, id)
	if err != nil {
		return b, err
	}
	return b, jobs.Ended(b)
}

func (s *Server) closeOut() *jobs.CloseOut {
	return &jobs.CloseOut{Store: s.service.Store, Signer: s.signer, Open: s.service.Content}
}
