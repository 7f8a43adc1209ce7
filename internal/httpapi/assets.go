package httpapi

import (
	"bytes"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/strictjson"
)

// putAsset stores an image, a font or a style sheet, or only checks it. The same content again is the same version, and the current one again.
func (s *Server) putAsset(c *call) error {
	i, err := c.item(jobs.AssetShelf)
	if err != nil {
		return errName
	}
	dry, err := c.dryRun()
	if err != nil {
		return err
	}
	kind, ok := catalog.MediaType(c.Request().Header.Get(echo.HeaderContentType), i.Name)
	if !ok {
		return errMediaType.With("%s is nothing that pages load. An asset is %s; its Content-Type says which, or the ending of its name.", i.Name, catalog.Kinds)
	}
	content, err := s.readUpTo(c, api.MaxAssetBytes)
	if err != nil {
		return err
	}
	if len(content) == 0 {
		return strictjson.ErrMalformed.With("The body is empty.")
	}
	if err := catalog.CheckAsset(kind, content); err != nil {
		return err
	}
	if dry {
		return c.NoContent(http.StatusNoContent)
	}
	ctx, cancel := c.lasting()
	defer cancel()
	v, created, err := s.service.Keep(ctx, i, kind, content)
	if err != nil {
		return err
	}
	return s.kept(c, v, created, s.asset(v))
}

// getAsset shows what is known of a version of an asset.
func (s *Server) getAsset(c *call) error {
	v, err := s.version(c, jobs.AssetShelf)
	if err != nil {
		return err
	}
	return c.show(s.asset(v))
}

// getAssetContent gives the bytes of a version, which never change, whole or in ranges.
func (s *Server) getAssetContent(c *call) error {
	v, err := s.version(c, jobs.AssetShelf)
	if err != nil {
		return err
	}
	content, err := s.library.Content(c.Request().Context(), v)
	if err != nil {
		return err
	}
	describe(c.Response().Header(), jobs.Result{SHA256: v.SHA256, ContentType: v.ContentType, Filename: v.Name})
	return serveContent(c, bytes.NewReader(content))
}

// deleteAsset deletes a version of an asset, or all of them.
func (s *Server) deleteAsset(c *call) error { return s.forget(c, jobs.AssetShelf) }

// listAssets shows a page of the tenant's assets.
func (s *Server) listAssets(c *call) error {
	page, err := s.items(c, jobs.AssetShelf)
	return s.respondAssets(c, page, err)
}

// listAssetVersions shows a page of the versions of an asset.
func (s *Server) listAssetVersions(c *call) error {
	page, err := s.versions(c, jobs.AssetShelf)
	return s.respondAssets(c, page, err)
}

func (s *Server) respondAssets(c *call, page jobs.Page[jobs.Stored], err error) error {
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, api.AssetList{Data: each(page.Items, s.asset), NextCursor: orNil(string(page.Next))})
}

func (s *Server) asset(v jobs.Stored) api.StoredAsset {
	return api.StoredAsset{
		Name: v.Name, Version: v.Version, Current: v.Current, ContentType: v.ContentType, SHA256: v.SHA256, Bytes: v.Size,
		CreatedAt: v.Created, PendingJobs: v.Uses, URL: s.opts.PublicURL + versionPath(v) + "/content",
	}
}
