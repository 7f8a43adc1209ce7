package httpapi

import (
	"net/http"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/jobs"
)

// putTemplate stores a template, or only checks it. The same content again is the same version, and the current one again.
func (s *Server) putTemplate(c *call) error {
	i, err := c.item(jobs.TemplateShelf)
	if err != nil {
		return errName
	}
	dry, err := c.dryRun()
	if err != nil {
		return err
	}
	var req api.TemplateRequest
	w, err := s.decode(c, &req)
	if err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	if len(w) == 0 {
		w = catalog.Check(ctx, req)
	}
	if err := w.err(); err != nil {
		return err
	}
	if dry {
		return c.NoContent(http.StatusNoContent)
	}
	content, err := catalog.Canonical(req)
	if err != nil {
		return err
	}
	v, created, err := s.service.Keep(ctx, i, "application/json", content)
	if err != nil {
		return err
	}
	return s.kept(c, v, created, shownTemplate(v))
}

// getTemplate shows a version of a template with its content.
func (s *Server) getTemplate(c *call) error {
	v, err := s.version(c, jobs.TemplateShelf)
	if err != nil {
		return err
	}
	content, err := s.library.Content(c.Request().Context(), v)
	if err != nil {
		return err
	}
	return c.show(api.TemplateContent{StoredTemplate: shownTemplate(v), Content: content})
}

// deleteTemplate deletes a version of a template, or all of them.
func (s *Server) deleteTemplate(c *call) error { return s.forget(c, jobs.TemplateShelf) }

// listTemplates shows a page of the tenant's templates.
func (s *Server) listTemplates(c *call) error {
	page, err := s.items(c, jobs.TemplateShelf)
	return respondTemplates(c, page, err)
}

// listTemplateVersions shows a page of the versions of a template.
func (s *Server) listTemplateVersions(c *call) error {
	page, err := s.versions(c, jobs.TemplateShelf)
	return respondTemplates(c, page, err)
}

func respondTemplates(c *call, page jobs.Page[jobs.Stored], err error) error {
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, api.TemplateList{Data: each(page.Items, shownTemplate), NextCursor: orNil(string(page.Next))})
}

func shownTemplate(v jobs.Stored) api.StoredTemplate {
	return api.StoredTemplate{
		Name: v.Name, Version: v.Version, Current: v.Current, SHA256: v.SHA256, Bytes: v.Size, CreatedAt: v.Created, PendingJobs: v.Uses,
	}
}
