package httpapi

import (
	"io"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/internal/render"
)

// getArchive gives what a batch has issued as one zip, with its manifest.
func (s *Server) getArchive(c *call) error {
	b, err := s.endedBatch(c)
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, disposition(string(b.ID)+".zip"))
	return c.long(render.ArchiveType, func(w io.Writer) error {
		return s.closeOut().Archive(c.Request().Context(), w, b)
	})
}
