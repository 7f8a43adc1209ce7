package cli_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/platen-render/platen/api"
)

func storedTemplate(version int) api.StoredTemplate {
	return api.StoredTemplate{Name: "letter", Version: version, Current: version == 3, SHA256: strings.Repeat("ab", 32), Bytes: 7, CreatedAt: noon, PendingJobs: 2}
}

func storedAsset() api.StoredAsset {
	return api.StoredAsset{Name: "logo.svg", Version: 2, Current: true, ContentType: "image/svg+xml", SHA256: strings.Repeat("cd", 32), Bytes: 5, CreatedAt: noon, URL: "https://x/"}
}

// folder writes files into a folder of the test.
func folder(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	for file, content := range files {
		path := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// unlessDry accepts what is only to be checked.
func unlessDry(put http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "dry_run=true" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		put(w, r)
	}
}

func shelves() map[string]http.HandlerFunc {
	gone := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	return map[string]http.HandlerFunc{
		"PUT /templates/{name}":                       unlessDry(reply(http.StatusCreated, storedTemplate(3), "Location", "/templates/letter/versions/3")),
		"GET /templates":                              reply(http.StatusOK, api.TemplateList{Data: []api.StoredTemplate{storedTemplate(3)}, NextCursor: new("letter")}),
		"GET /templates/{name}/versions":              reply(http.StatusOK, api.TemplateList{Data: []api.StoredTemplate{storedTemplate(3), storedTemplate(2)}}),
		"GET /templates/{name}":                       reply(http.StatusOK, api.TemplateContent{StoredTemplate: storedTemplate(3), Content: []byte(`{"html":"<p>"}`)}, "ETag", `"1"`),
		"GET /templates/{name}/versions/{version}":    reply(http.StatusOK, api.TemplateContent{StoredTemplate: storedTemplate(2), Content: []byte(`{"html":"<p>"}`)}, "ETag", `"1"`),
		"DELETE /templates/{name}":                    gone,
		"DELETE /templates/{name}/versions/{version}": gone,
		"PUT /assets/{name}":                          unlessDry(reply(http.StatusOK, storedAsset(), "Location", "/assets/logo.svg/versions/2")),
		"GET /assets/{name}":                          problem(http.StatusNotFound, api.CodeAssetNotFound),
		"GET /assets":                                 reply(http.StatusOK, api.AssetList{Data: []api.StoredAsset{storedAsset()}}),
		"GET /assets/{name}/versions":                 reply(http.StatusOK, api.AssetList{Data: []api.StoredAsset{storedAsset()}}),
		"DELETE /assets/{name}":                       gone,
		"DELETE /assets/{name}/versions/{version}":    gone,
	}
}

func TestAFolderIsStoredAsATemplateWithItsAssets(t *testing.T) {
	t.Parallel()
	dir := folder(t, "letter", map[string]string{
		"template.html": "<p>{{.n}}", "style.css": "p{}", "header.html": "h", "footer.html": "f", "schema.json": `{"type":"object"}`, "sample.json": `{"n": 1.10}`,
		"template.json": `{"engine":"native","output":{"paper":"a5"}}`, "assets/logo.svg": "<svg/>", "assets/.hidden": "x", ".gitignore": "x",
	})
	s := newServer(shelves())
	got := run(t, s, "", withKey, "templates", "put", dir)
	if got.status != 0 || got.stdout != "asset logo.svg, version 2, which has the same content and is the current one\ntemplate letter, version 3\n" {
		t.Errorf("%+v", got)
	}
	want := `{"html":"<p>{{.n}}","css":"p{}","header_html":"h","footer_html":"f","engine":"native","output":{"paper":"a5"},"sample":{"n":1.10},"schema":{"type":"object"}}`
	if body := strings.TrimSpace(s.request(t, "PUT /templates/letter").body); body != want {
		t.Errorf("sent %s", body)
	}
	if body := s.request(t, "PUT /assets/logo.svg").body; body != "<svg/>" {
		t.Errorf("sent %s", body)
	}
}

func TestAPageAndJSONAreStoredAsTemplates(t *testing.T) {
	t.Parallel()
	dir := folder(t, "x", map[string]string{"letter.html": "<p>", "full.json": `{"html":"x","css":"y"}`})
	s := newServer(shelves())
	if got := run(t, s, "", withKey, "templates", "put", filepath.Join(dir, "letter.html"), "--json"); got.status != 0 || !strings.Contains(got.stdout, `"version": 3`) {
		t.Errorf("%+v", got)
	}
	if got := run(t, s, "", withKey, "templates", "put", filepath.Join(dir, "full.json"), "--name", "other"); got.status != 0 {
		t.Errorf("%+v", got)
	}
	s.request(t, "PUT /templates/letter")
	if body := strings.TrimSpace(s.request(t, "PUT /templates/other").body); body != `{"html":"x","css":"y"}` {
		t.Errorf("sent %s", body)
	}
}

func TestWhatIsWrongWithAFolderIsToldBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{"style.css": "x"}, "there is no template.html in it"},
		{map[string]string{"template.html": "x", "styles.css": "x", "footer.htm": "x"}, "no part of a template: footer.htm, styles.css; a folder may have template.html, style.css"},
		{map[string]string{"template.html": "x", "style.css/x": "x"}, "no part of a template: style.css"},
		{map[string]string{"template.html": "x", "assets": "x"}, "no part of a template: assets"},
		{map[string]string{"template.html": "x", "assets/more/x.svg": "x"}, "more is a folder"},
		{map[string]string{"template.html": "x", "template.json": `{"engin":"auto"}`}, `engin`},
		{map[string]string{"template.html": "x", "sample.json": `{"a":1,"a":2}`}, "two members"},
		{map[string]string{"template.html": "x", "schema.json": ``}, "schema.json is empty"},
	} {
		if got := run(t, nil, "", withKey, "templates", "put", folder(t, "t", c.files)); got.status != 1 || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%v: %+v", c.files, got)
		}
	}
	if got := run(t, nil, "", withKey, "templates", "put", filepath.Join(t.TempDir(), "none")); got.status != 1 || !strings.Contains(got.stderr, "no such file") {
		t.Errorf("%+v", got)
	}
}

func TestEveryPartThatAServerFindsWrongIsTold(t *testing.T) {
	t.Parallel()
	wrong := api.Problem{
		Type: "about:blank", Title: "Unprocessable Entity", Status: 422, Code: api.CodeTemplateInvalid, Detail: "Line 1.", RequestID: "req-1",
		Errors: []api.FieldError{{Pointer: "/html", Code: api.CodeTemplateInvalid, Detail: "Line 1."}, {Pointer: "/footer_html", Code: api.CodeTemplateInvalid, Detail: "Line 2."}},
	}
	s := newServer(map[string]http.HandlerFunc{
		"PUT /templates/{name}": reply(http.StatusUnprocessableEntity, wrong, "Content-Type", api.ProblemType),
		"PUT /assets/{name}":    unlessDry(nil),
	})
	dir := folder(t, "t", map[string]string{"template.html": "{{", "assets/a.svg": "<svg/>", "assets/..b": "", "assets/ü.svg": "<svg/>"})
	got := run(t, s, "", withKey, "templates", "put", dir)
	want := "platen: nothing was stored: asset ü.svg: \"ü.svg\" is not the name of a template or an asset\n" +
		"template t: Line 1. (template_invalid at /html)\n  /footer_html: Line 2. (template_invalid)\n"
	if got.status != 1 || got.stderr != want || got.stdout != "" {
		t.Errorf("%+v", got)
	}
	for _, asked := range s.asked {
		if !strings.HasSuffix(asked.line, "?dry_run=true") {
			t.Errorf("asked for %s", asked.line)
		}
	}
}

func TestAssetsThatNobodyHasAreNamed(t *testing.T) {
	t.Parallel()
	got := run(t, newServer(shelves()), "", withKey, "templates", "put", folder(t, "letter", map[string]string{
		"template.html": `<img src="asset:logo.svg"><img src="{{asset "b.png"}}"><img src="asset:{{.n}}">`, "style.css": `p { background: url(asset:a.png) }`, "assets/logo.svg": "<svg/>",
	}))
	want := "warning: the template names asset:a.png, which is neither in the folder nor stored\nwarning: the template names asset:b.png, which is neither in the folder nor stored\n"
	if got.status != 0 || got.stderr != want || !strings.Contains(got.stdout, "template letter") {
		t.Errorf("%+v", got)
	}
}

func TestAFileThatIsNoTemplateIsNotStoredAsOne(t *testing.T) {
	t.Parallel()
	dir := folder(t, "x", map[string]string{"style.css": "p{}"})
	if got := run(t, nil, "", withKey, "templates", "put", filepath.Join(dir, "style.css")); got.status != 1 || !strings.Contains(got.stderr, "style.css is no template: that is a folder, a page that ends in .html") {
		t.Errorf("%+v", got)
	}
}

func TestTheShelvesAreShownAndCleared(t *testing.T) {
	t.Parallel()
	dir := folder(t, "x", map[string]string{"logo.svg": "<svg/>", "a.css": "p{}"})
	s := newServer(shelves())
	var all strings.Builder
	for _, line := range []string{
		"templates list --limit 1", "templates list letter", "templates show letter", "templates show letter --version 2", "templates delete letter --version 2", "templates delete letter --all",
		"assets put DIR/logo.svg DIR/a.css", "assets put DIR/logo.svg --name logo.svg", "assets list", "assets list logo.svg", "assets delete logo.svg --version 2", "assets delete logo.svg --all",
	} {
		got := run(t, s, "", withKey, strings.Fields(strings.ReplaceAll(line, "DIR", dir))...)
		if got.status != 0 {
			t.Errorf("platen %s: status %d", line, got.status)
		}
		all.WriteString("$ platen " + line + "\n" + got.stdout + got.stderr + "\n")
	}
	golden(t, "shelves.golden", all.String())
	for _, line := range []string{"templates delete letter", "templates delete letter --all --version 1", "assets delete", "assets put", "assets put a b --name c"} {
		if got := run(t, nil, "", withKey, strings.Fields(line)...); got.status != 2 {
			t.Errorf("platen %s: %+v", line, got)
		}
	}
}
