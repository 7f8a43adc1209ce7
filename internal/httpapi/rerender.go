package httpapi

import (
	"net/http"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// rerenderDocument makes a document anew and tells what differs.
func (s *Server) rerenderDocument(c *call) error {
	var req api.RerenderRequest
	if c.Request().ContentLength != 0 {
		w, err := s.decode(c, &req)
		if err != nil {
			return err
		}
		if err := w.err(); err != nil {
			return err
		}
	}
	id, err := c.id(jobs.KindDocument, jobs.ErrDocumentNotFound)
	if err != nil {
		return err
	}
	remade, err := s.service.Rerender(c.Request().Context(), c.key.Tenant, id, req.Restore != nil && *req.Restore)
	s.metrics.previewed("rerender", err)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, rerender(id, remade))
}

func rerender(id jobs.ID, m jobs.Remade) api.Rerender {
	shown := api.Rerender{
		DocumentID: string(id), Identical: m.Identical, SHA256: m.Result.SHA256, Bytes: m.Result.Bytes, Pages: m.Result.Pages,
		Engine: m.Result.Engine, EngineVersion: m.Result.Version, Stored: api.StoredBytes(m.Stored), Restored: m.Restored,
	}
	if d := m.Difference; d != nil {
		shown.Difference = &api.Difference{Member: d.Member, Was: orNil(d.Was), Is: orNil(d.Is), Offset: d.Offset}
	}
	return shown
}
