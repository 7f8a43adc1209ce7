package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/platen-render/platen/api"
)

// PutTemplate stores a template and makes it the current version of its name. The same content again is the same version. It reports
// whether the version is a new one. Errors: [api.CodeNameInvalid], [api.CodeTemplateInvalid] and others that say what is wrong.
func (c *Client) PutTemplate(ctx context.Context, name string, template api.TemplateRequest) (stored api.StoredTemplate, created bool, err error) {
	req, err := putTemplate(name, template)
	if err != nil {
		return stored, false, err
	}
	got, err := c.do(ctx, req, &stored)
	return stored, got.status == http.StatusCreated, err
}

// CheckTemplate finds out whether PutTemplate would be accepted, and stores nothing. Errors are those of PutTemplate.
func (c *Client) CheckTemplate(ctx context.Context, name string, template api.TemplateRequest) error {
	req, err := putTemplate(name, template)
	if err != nil {
		return err
	}
	req.query = dryRun()
	_, err = c.do(ctx, req, nil)
	return err
}

func putTemplate(name string, template api.TemplateRequest) (request, error) {
	path, err := itemPath("/templates/", name, 0)
	if err != nil {
		return request{}, err
	}
	req, err := jsonRequest(path, template)
	req.method = http.MethodPut
	return req, err
}

// dryRun asks to store nothing.
func dryRun() url.Values { return url.Values{"dry_run": {"true"}} }

// Template returns a version of a template with its content; 0 is the current one. Error: [api.CodeTemplateNotFound].
func (c *Client) Template(ctx context.Context, name string, version int) (api.TemplateContent, error) {
	var template api.TemplateContent
	path, err := itemPath("/templates/", name, version)
	if err != nil {
		return template, err
	}
	_, err = c.do(ctx, request{method: http.MethodGet, path: path}, &template)
	return template, err
}

// DeleteTemplate deletes a version of a template; 0 is all of them. Errors: [api.CodeTemplateNotFound], and [api.CodeTemplateInUse]
// while a job that has not ended uses it.
func (c *Client) DeleteTemplate(ctx context.Context, name string, version int) error {
	return c.deleteItem(ctx, "/templates/", name, version)
}

// TemplatePage returns one page of the tenant's templates by name, each with its current version.
func (c *Client) TemplatePage(ctx context.Context, page Page) (api.TemplateList, error) {
	var list api.TemplateList
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/templates", query: page.query(url.Values{})}, &list)
	return list, err
}

// Templates goes through the tenant's templates by name, page by page. After an error it ends.
func (c *Client) Templates(ctx context.Context) iter.Seq2[api.StoredTemplate, error] {
	return all(func(page Page) ([]api.StoredTemplate, *string, error) {
		list, err := c.TemplatePage(ctx, page)
		return list.Data, list.NextCursor, err
	})
}

// TemplateVersionPage returns one page of the versions of a template, newest first. Error: [api.CodeTemplateNotFound].
func (c *Client) TemplateVersionPage(ctx context.Context, name string, page Page) (api.TemplateList, error) {
	var list api.TemplateList
	path, err := itemPath("/templates/", name, 0)
	if err != nil {
		return list, err
	}
	_, err = c.do(ctx, request{method: http.MethodGet, path: path + "/versions", query: page.query(url.Values{})}, &list)
	return list, err
}

func (c *Client) deleteItem(ctx context.Context, prefix, name string, version int) error {
	path, err := itemPath(prefix, name, version)
	if err != nil {
		return err
	}
	_, err = c.do(ctx, request{method: http.MethodDelete, path: path}, nil)
	return err
}

// itemPath is the path of something that is stored under a name, or of a version of it, counted from 1. Names are ids that may have
// dots, but not at the beginning.
func itemPath(prefix, name string, version int) (string, error) {
	if _, err := segment("", strings.ReplaceAll(name, ".", "_"), ""); err != nil || strings.HasPrefix(name, ".") {
		return "", argument("%q is not the name of a template or an asset", name)
	}
	switch {
	case version < 0:
		return "", argument("versions are counted from 1")
	case version == 0:
		return prefix + name, nil
	}
	return prefix + name + "/versions/" + strconv.Itoa(version), nil
}
