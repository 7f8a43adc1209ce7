package client_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

var (
	template = api.StoredTemplate{Name: "invoice.v2", Version: 3, Current: true, SHA256: digest("t"), Bytes: 7, CreatedAt: issuedAt}
	asset    = api.StoredAsset{Name: "logo.svg", Version: 2, Current: true, ContentType: "image/svg+xml", SHA256: digest("a"), Bytes: 5, CreatedAt: issuedAt, URL: "https://x/"}
)

func TestATemplateIsStoredReadListedAndDeleted(t *testing.T) {
	t.Parallel()
	next := "invoice.v2"
	list := api.TemplateList{Data: []api.StoredTemplate{template}}
	more := api.TemplateList{Data: []api.StoredTemplate{template}, NextCursor: &next}
	gone := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	content := api.TemplateContent{StoredTemplate: template, Content: json.RawMessage(`{"html":"x"}`)}
	s := serve(t,
		reply(http.StatusCreated, template, "Location", "/templates/invoice.v2/versions/3"), reply(http.StatusOK, template, "Location", "/templates/invoice.v2/versions/3"),
		reply(http.StatusOK, content, "ETag", `"1"`), reply(http.StatusOK, content, "ETag", `"1"`), reply(http.StatusOK, more), reply(http.StatusOK, list),
		reply(http.StatusOK, list), gone, gone, problem(http.StatusConflict, api.CodeTemplateInUse))
	c := s.inMemory()
	for _, want := range []bool{true, false} {
		got, created, err := c.PutTemplate(t.Context(), "invoice.v2", api.TemplateRequest{HTML: new("{{.}}"), Sample: json.RawMessage(`1.10`)})
		if diff := cmp.Diff(template, got); err != nil || created != want || diff != "" {
			t.Errorf("created %v, %v %s", created, err, diff)
		}
	}
	for _, version := range []int{0, 3} {
		if got, err := c.Template(t.Context(), "invoice.v2", version); err != nil || string(got.Content) != `{"html":"x"}` || got.Version != 3 {
			t.Errorf("%+v, %v", got, err)
		}
	}
	n := 0
	for _, err := range c.Templates(t.Context()) {
		if n++; err != nil {
			t.Error(err)
		}
	}
	if versions, err := c.TemplateVersionPage(t.Context(), "invoice.v2", client.Page{Limit: 5, Cursor: "7"}); err != nil || len(versions.Data) != 1 || n != 2 {
		t.Errorf("%+v, %v, %d templates", versions, err, n)
	}
	if err := errors.Join(c.DeleteTemplate(t.Context(), "invoice.v2", 0), c.DeleteTemplate(t.Context(), "invoice.v2", 3)); err != nil {
		t.Error(err)
	}
	if err := c.DeleteTemplate(t.Context(), "invoice.v2", 3); !client.HasCode(err, api.CodeTemplateInUse) {
		t.Error(err)
	}
	want := []string{
		"PUT /templates/invoice.v2", "PUT /templates/invoice.v2", "GET /templates/invoice.v2", "GET /templates/invoice.v2/versions/3",
		"GET /templates?limit=200", "GET /templates?cursor=invoice.v2&limit=200", "GET /templates/invoice.v2/versions?cursor=7&limit=5",
		"DELETE /templates/invoice.v2", "DELETE /templates/invoice.v2/versions/3", "DELETE /templates/invoice.v2/versions/3",
	}
	var lines []string
	for _, asked := range s.requests() {
		lines = append(lines, asked.line)
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	if body := strings.TrimSpace(string(s.requests()[0].body)); body != `{"html":"{{.}}","sample":1.10}` {
		t.Errorf("sent %s", body)
	}
}

func TestAnAssetIsStoredReadListedAndDeleted(t *testing.T) {
	t.Parallel()
	list := api.AssetList{Data: []api.StoredAsset{asset}}
	gone := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	bytes := func(w http.ResponseWriter, _ *http.Request) {
		for name, value := range map[string]string{"ETag": `"` + digest("a") + `"`, "Accept-Ranges": "bytes", "Content-Disposition": `attachment; filename="logo.svg"`, "Content-Type": "image/svg+xml"} {
			w.Header().Set(name, value)
		}
		_, _ = w.Write([]byte("<svg/>"))
	}
	s := serve(t, reply(http.StatusCreated, asset, "Location", "/assets/logo.svg/versions/2"), reply(http.StatusOK, asset, "ETag", `"1"`), reply(http.StatusOK, list), reply(http.StatusOK, list), bytes, gone)
	c := s.inMemory()
	got, created, err := c.PutAsset(t.Context(), client.File{Name: "logo.svg", Content: []byte("<svg/>")})
	if diff := cmp.Diff(asset, got); err != nil || !created || diff != "" {
		t.Errorf("created %v, %v %s", created, err, diff)
	}
	if got, err := c.Asset(t.Context(), "logo.svg", 2); err != nil || got.Version != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	for one, err := range c.Assets(t.Context()) {
		if err != nil || one.Name != "logo.svg" {
			t.Errorf("%+v, %v", one, err)
		}
	}
	if versions, err := c.AssetVersionPage(t.Context(), "logo.svg", client.Page{}); err != nil || len(versions.Data) != 1 {
		t.Errorf("%+v, %v", versions, err)
	}
	if content, err := c.AssetContent(t.Context(), "logo.svg", 2); err != nil || string(content) != "<svg/>" {
		t.Errorf("%s, %v", content, err)
	}
	if err := c.DeleteAsset(t.Context(), "logo.svg", 0); err != nil {
		t.Error(err)
	}
	if first := s.requests()[0]; first.line != "PUT /assets/logo.svg" || first.header.Get("Content-Type") != "image/svg+xml" || string(first.body) != "<svg/>" {
		t.Errorf("%+v", first)
	}
}

func TestWhatIsToBeStoredCanBeChecked(t *testing.T) {
	t.Parallel()
	fine := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	s := serve(t, fine, fine, problem(http.StatusUnprocessableEntity, api.CodeTemplateInvalid), problem(http.StatusUnprocessableEntity, api.CodeAssetInvalid))
	c, page, logo := s.inMemory(), api.TemplateRequest{HTML: new("x")}, client.File{Name: "logo.svg", Content: []byte("<svg/>")}
	if err := errors.Join(c.CheckTemplate(t.Context(), "invoice", page), c.CheckAsset(t.Context(), logo)); err != nil {
		t.Error(err)
	}
	if err := c.CheckTemplate(t.Context(), "invoice", page); !client.HasCode(err, api.CodeTemplateInvalid) {
		t.Error(err)
	}
	if err := c.CheckAsset(t.Context(), logo); !client.HasCode(err, api.CodeAssetInvalid) {
		t.Error(err)
	}
	want := []string{"PUT /templates/invoice?dry_run=true", "PUT /assets/logo.svg?dry_run=true", "PUT /templates/invoice?dry_run=true", "PUT /assets/logo.svg?dry_run=true"}
	for i, asked := range s.requests() {
		if asked.line != want[i] || len(asked.body) == 0 {
			t.Errorf("asked for %s with %q", asked.line, asked.body)
		}
	}
}

func TestWhatIsNoNameIsNotSent(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", ".", "..", "a/b", "a b", "a?b", "ü", ".x"} {
		c := serve(t).inMemory()
		_, _, putTemplate := c.PutTemplate(t.Context(), name, api.TemplateRequest{})
		_, template := c.Template(t.Context(), name, 0)
		_, versions := c.TemplateVersionPage(t.Context(), name, client.Page{})
		_, _, putAsset := c.PutAsset(t.Context(), client.File{Name: name})
		_, asset := c.Asset(t.Context(), name, 0)
		_, assetVersions := c.AssetVersionPage(t.Context(), name, client.Page{})
		_, content := c.AssetContent(t.Context(), name, 1)
		_, negative := c.Template(t.Context(), "t", -1)
		for i, err := range []error{putTemplate, template, versions, putAsset, asset, assetVersions, content, negative, c.DeleteTemplate(t.Context(), name, 0), c.DeleteAsset(t.Context(), name, 0)} {
			if !errors.Is(err, client.ErrArgument) {
				t.Errorf("%q, %d: %v", name, i, err)
			}
		}
	}
}
