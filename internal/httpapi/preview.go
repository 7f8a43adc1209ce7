package httpapi

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// previewTemplate shows what a stored template looks like, with data or with its sample. Nothing is issued.
func (s *Server) previewTemplate(c *call) error {
	i, err := c.item(jobs.TemplateShelf)
	if err != nil {
		return err
	}
	spec, err := s.previewSpec(c, i)
	if err != nil {
		return err
	}
	p, err := s.service.Preview(c.Request().Context(), c.key.Tenant, spec, api.MaxPreviewBytes)
	if errors.Is(err, jobs.ErrInputPurged) {
		err = jobs.ErrTemplateNotFound.Because(err) // it was deleted meanwhile
	}
	s.metrics.previewed("preview", err)
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }() // nothing was written
	if wantsJSON(c.Request().Header) {
		return previewJSON(c, p, *spec.Template)
	}
	if spec.Filename == "" {
		p.Result.Filename = i.Name + path.Ext(p.Result.Filename) // instead of one after a document
	}
	return previewBytes(c, p, *spec.Template)
}

// previewSpec is what a job would be asked for that names the template.
func (s *Server) previewSpec(c *call, i jobs.Item) (jobs.Spec, error) {
	var req api.PreviewRequest
	var unread wrongs
	if c.Request().ContentLength != 0 {
		var err error
		if unread, err = s.decode(c, &req); err != nil {
			return jobs.Spec{}, err
		}
	}
	version := 0
	if req.Version != nil {
		version = *req.Version
	}
	if req.Version != nil && version < 1 {
		unread.add("/version", "version must be at least 1.")
	}
	job := api.JobRequest{Template: &api.Template{Name: &i.Name}, Data: req.Data, Output: req.Output, Engine: req.Engine}
	sub, wrong := s.fill(job, input{kind: jobs.InputStored, text: i.Name}, unread)
	if err := append(unread, wrong...).err(); err != nil {
		return jobs.Spec{}, err
	}
	ctx := c.Request().Context()
	v, err := s.service.Store.Version(ctx, i, version)
	if err != nil {
		return jobs.Spec{}, err
	}
	ref := jobs.TemplateRef{Name: v.Name, Version: v.Version, SHA256: v.SHA256, Blob: v.Blob}
	sub.Spec.Template = &ref
	if req.Data == nil {
		t, err := s.library.Template(ctx, ref)
		if err != nil {
			return jobs.Spec{}, err
		}
		sub.Spec.Data = t.Sample
	}
	return sub.Spec, freezer(s.library, c.key.Tenant, sub, job)(ctx, &sub.Spec)
}

// wantsJSON reports whether a client names JSON among what it accepts. Whoever takes anything gets the bytes.
func wantsJSON(header http.Header) bool {
	for _, line := range header.Values(echo.HeaderAccept) {
		for one := range strings.SplitSeq(line, ",") {
			name, params, err := mime.ParseMediaType(one)
			if q, given := params["q"]; err == nil && name == echo.MIMEApplicationJSON && (!given || strings.Trim(q, "0.") != "") {
				return true
			}
		}
	}
	return false
}

func previewJSON(c *call, p *jobs.Preview, t jobs.TemplateRef) error {
	content, err := io.ReadAll(p.Content)
	if err != nil {
		return fmt.Errorf("read preview: %w", err)
	}
	return c.respond(http.StatusOK, api.Preview{
		Template: api.TemplateVersion{Name: t.Name, Version: t.Version}, Engine: p.Result.Engine, EngineReason: orNil(p.Result.Reason), Pages: p.Result.Pages,
		ContentType: p.Result.ContentType, SHA256: p.Result.SHA256, Bytes: p.Result.Bytes, Warnings: warnings(p.Warnings), Content: base64.StdEncoding.EncodeToString(content),
	})
}

// previewBytes sends the bytes as they are. They are as strange as those of a document, and are never kept.
func previewBytes(c *call, p *jobs.Preview, t jobs.TemplateRef) error {
	header := c.Response().Header()
	describe(header, p.Result)
	header.Set(echo.HeaderCacheControl, "no-store")
	header.Set(echo.HeaderContentLength, strconv.FormatInt(p.Result.Bytes, 10))
	header.Set(api.HeaderEngine, p.Result.Engine)
	header.Set(api.HeaderPages, strconv.Itoa(p.Result.Pages))
	header.Set(api.HeaderWarnings, strconv.Itoa(len(p.Warnings)))
	header.Set(api.HeaderTemplate, t.Name+"/"+strconv.Itoa(t.Version))
	return c.Stream(http.StatusOK, p.Result.ContentType, p.Content)
}
