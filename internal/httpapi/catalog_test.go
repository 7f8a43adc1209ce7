package httpapi_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

const (
	svg     = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`
	invoice = `{"html":"<!doctype html><p>{{.number}}</p><img src=\"asset:logo.svg\">","css":"p{color:red}",
		"footer_html":"<p>{{.number}}</p>","engine":"native","output":{"paper":"a5","locale":"de","margin_mm":{"top":30,"left":9}},
		"sample":{"number":1.10},"schema":{"type":"object","required":["number"],"properties":{"number":{"type":"number"}}}}`
)

func (r *rig) put(target string, options ...option) answer {
	r.Helper()
	return r.do(http.MethodPut, target, options...)
}

// keep stores a template under a name.
func (r *rig) keep(name, text string) api.StoredTemplate {
	r.Helper()
	a := r.put("/templates/"+name, jsonBody(text))
	if a.status != http.StatusOK && a.status != http.StatusCreated {
		r.Fatalf("got %d: %s", a.status, a.body)
	}
	return read[api.StoredTemplate](r, a, a.status)
}

// keepAsset stores an asset under a name.
func (r *rig) keepAsset(name, mediaType, text string) api.StoredAsset {
	r.Helper()
	a := r.put("/assets/"+name, body(mediaType, text))
	if a.status != http.StatusOK && a.status != http.StatusCreated {
		r.Fatalf("got %d: %s", a.status, a.body)
	}
	return read[api.StoredAsset](r, a, a.status)
}

// spec is what a worker would be asked.
func (r *rig) spec(id string) jobs.Spec {
	r.Helper()
	j, err := r.store.Job(r.Context(), jobs.ID(id))
	if err != nil {
		r.Fatal(err)
	}
	spec, err := jobs.LoadSpec(r.Context(), r.blobs, j)
	if err != nil {
		r.Fatal(err)
	}
	return spec
}

func TestATemplateIsStoredInVersionsThatNeverChange(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.put("/templates/invoice", jsonBody(invoice))
	first := read[api.StoredTemplate](t, a, http.StatusCreated)
	if first.Version != 1 || !first.Current || first.PendingJobs != 0 || first.Name != "invoice" {
		t.Errorf("%+v", first)
	}
	if got := a.header.Get("Location"); got != "/base/templates/invoice/versions/1" {
		t.Errorf("location %q", got)
	}
	var spelled map[string]json.RawMessage
	if err := json.Unmarshal([]byte(invoice), &spelled); err != nil {
		t.Fatal(err)
	}
	other, _ := json.MarshalIndent(spelled, "", "   ")
	again := read[api.StoredTemplate](t, r.put("/templates/invoice", jsonBody(string(other))), http.StatusOK)
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the same content again:\n%s", diff)
	}
	second := read[api.StoredTemplate](t, r.put("/templates/invoice", jsonBody(`{"html":"x"}`)), http.StatusCreated)
	shown := read[api.TemplateContent](t, r.get("/templates/invoice"), http.StatusOK)
	if second.Version != 2 || shown.Version != 2 || string(shown.Content) != `{"html":"x"}` {
		t.Errorf("%+v, %s", shown, shown.Content)
	}
	back := read[api.StoredTemplate](t, r.put("/templates/invoice", jsonBody(invoice)), http.StatusOK)
	if back.Version != 1 || !back.Current {
		t.Errorf("after going back %+v", back)
	}
	shown = read[api.TemplateContent](t, r.get("/templates/invoice/versions/1"), http.StatusOK)
	if !strings.Contains(string(shown.Content), `"number":1.10`) || !shown.Current {
		t.Errorf("%+v, %s", shown, shown.Content)
	}
	etag := r.get("/templates/invoice/versions/1").header.Get("ETag")
	if a := r.get("/templates/invoice/versions/1", header("If-None-Match", etag)); a.status != http.StatusNotModified {
		t.Errorf("got %d", a.status)
	}
	if a := r.get("/templates/invoice", header("If-None-Match", etag)); a.status != http.StatusNotModified {
		t.Errorf("got %d", a.status)
	}
	versions := read[api.TemplateList](t, r.get("/templates/invoice/versions?limit=1"), http.StatusOK)
	rest := read[api.TemplateList](t, r.get("/templates/invoice/versions?limit=1&cursor="+*versions.NextCursor), http.StatusOK)
	if versions.Data[0].Version != 2 || versions.Data[0].Current || rest.Data[0].Version != 1 || rest.NextCursor != nil {
		t.Errorf("%+v, %+v", versions, rest)
	}
}

func TestWhatIsStoredIsListedByName(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if got := read[api.TemplateList](t, r.get("/templates"), http.StatusOK); len(got.Data) != 0 || got.NextCursor != nil {
		t.Errorf("%+v", got)
	}
	for _, name := range []string{"c", "a", "b.1"} {
		r.keep(name, `{"html":"x"}`)
		r.keepAsset(name, "image/svg+xml", svg)
	}
	r.put("/templates/theirs", as(r.newKey("other", jobs.ScopeWrite)), jsonBody(`{"html":"x"}`))
	page := read[api.TemplateList](t, r.get("/templates?limit=2"), http.StatusOK)
	rest := read[api.TemplateList](t, r.get("/templates?limit=2&cursor="+*page.NextCursor), http.StatusOK)
	names := each(slices.Concat(page.Data, rest.Data), func(v api.StoredTemplate) string { return v.Name })
	if diff := cmp.Diff([]string{"a", "b.1", "c"}, names); diff != "" {
		t.Error(diff)
	}
	assets := read[api.AssetList](t, r.get("/assets"), http.StatusOK)
	if len(assets.Data) != 3 || assets.Data[1].Name != "b.1" || assets.Data[1].URL != publicURL+"/assets/b.1/versions/1/content" {
		t.Errorf("%+v", assets)
	}
}

func each[From, To any](from []From, convert func(From) To) []To {
	to := make([]To, len(from))
	for i, v := range from {
		to[i] = convert(v)
	}
	return to
}

func TestAnAssetIsStoredInVersions(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.put("/assets/logo.svg", body("image/svg+xml", svg))
	first := read[api.StoredAsset](t, a, http.StatusCreated)
	if first.Version != 1 || first.SHA256 != sha(svg) || first.Bytes != int64(len(svg)) || first.ContentType != "image/svg+xml" {
		t.Errorf("%+v", first)
	}
	if got := a.header.Get("Location"); got != "/base/assets/logo.svg/versions/1" {
		t.Errorf("location %q", got)
	}
	read[api.StoredAsset](t, r.put("/assets/logo.svg", body("application/octet-stream", svg)), http.StatusOK)
	second := r.keepAsset("logo.svg", "image/svg+xml", svg+"<!-- 2 -->")
	shown := read[api.StoredAsset](t, r.get("/assets/logo.svg"), http.StatusOK)
	if diff := cmp.Diff(second, shown); diff != "" || second.Version != 2 {
		t.Error(diff)
	}
	etag := r.get("/assets/logo.svg").header.Get("ETag")
	if a := r.get("/assets/logo.svg", header("If-None-Match", etag)); a.status != http.StatusNotModified {
		t.Errorf("got %d", a.status)
	}
	if a := r.get("/assets/logo.svg/versions/2", header("If-None-Match", etag)); a.status != http.StatusNotModified {
		t.Errorf("got %d", a.status)
	}
	if got := read[api.StoredAsset](t, r.get("/assets/logo.svg/versions/1"), http.StatusOK); got.Version != 1 || got.Current {
		t.Errorf("%+v", got)
	}
	versions := read[api.AssetList](t, r.get("/assets/logo.svg/versions"), http.StatusOK)
	if len(versions.Data) != 2 || versions.Data[0].Version != 2 {
		t.Errorf("%+v", versions)
	}
	content := r.get("/assets/logo.svg/versions/1/content")
	if content.status != http.StatusOK || string(content.body) != svg || content.header.Get("ETag") != `"`+sha(svg)+`"` {
		t.Errorf("%d %s", content.status, content.body)
	}
	for _, c := range []struct {
		header, value string
		status        int
	}{
		{"Range", "bytes=0-3", http.StatusPartialContent},
		{"Range", "bytes=9999-", http.StatusRequestedRangeNotSatisfiable},
		{"If-Match", `"other"`, http.StatusPreconditionFailed},
		{"If-None-Match", content.header.Get("ETag"), http.StatusNotModified},
	} {
		if a := r.get("/assets/logo.svg/versions/1/content", header(c.header, c.value)); a.status != c.status {
			t.Errorf("%s %s: %d", c.header, c.value, a.status)
		}
	}
}

func TestAJobFreezesTheVersionsThatItNames(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.keepAsset("logo.svg", "image/svg+xml", svg)
	r.keep("invoice", invoice)
	const request = `{"template":{"name":"invoice"},"data":{"number":1.10},"output":{"margin_mm":{"top":1},"locale":"fr"},"document_key":"d"}`
	j := r.submit(request)
	if j.Template == nil || *j.Template != (api.TemplateVersion{Name: "invoice", Version: 1}) {
		t.Errorf("template %+v", j.Template)
	}
	spec := r.spec(j.ID)
	if spec.Kind != jobs.InputStored || spec.Text != "" || spec.Template.Version != 1 || spec.Template.Blob == "" || spec.Engine != "native" {
		t.Errorf("spec %+v, %+v", spec, spec.Template)
	}
	if spec.Output.Width != 148 || spec.Output.Margin.Top != 1 || spec.Output.Margin.Left != 9 || spec.Output.Locale != "fr" {
		t.Errorf("output %+v", spec.Output)
	}
	if len(spec.Assets) != 1 || spec.Assets[0].Version != 1 || spec.Assets[0].SHA256 != sha(svg) || spec.Assets[0].ContentType != "image/svg+xml" {
		t.Errorf("assets %+v", spec.Assets)
	}
	r.keep("invoice", `{"html":"new"}`)
	r.keepAsset("logo.svg", "image/svg+xml", svg+" ")
	if again := read[api.Job](t, r.post("/jobs", jsonBody(request)), http.StatusAccepted); again.ID != j.ID || again.Template.Version != 1 {
		t.Errorf("a replay: %+v", again)
	}
	if newer := r.submit(`{"template":{"name":"invoice"}}`); newer.Template.Version != 2 || len(r.spec(newer.ID).Assets) != 0 {
		t.Errorf("a new job: %+v", newer.Template)
	}
	older := r.submit(`{"template":{"name":"invoice","version":1},"data":{"number":2}}`)
	if older.Template.Version != 1 || r.spec(older.ID).Assets[0].Version != 2 {
		t.Errorf("of an older version: %+v", older.Template)
	}
	r.issue(j.ID, "%PDF")
	if done := r.job(j.ID); done.Template == nil || done.Template.Version != 1 {
		t.Errorf("%+v", done.Template)
	}
}

func TestDefaultsOfATemplateDoNotStandInTheWayOfAnotherFormat(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.keep("statement", `{"html":"x","footer_html":"f","output":{"margin_mm":{"top":30},"metadata":{"title":"t"},"outline":true,"tagged":true}}`)
	spec := r.spec(r.submit(`{"template":{"name":"statement"},"output":{"format":"png","pages":"1"}}`).ID)
	if spec.Output.Margin.Top != 30 || spec.Output.Outline || spec.Output.Tagged || spec.Output.Meta != (render.Meta{}) {
		t.Errorf("pages: %+v", spec.Output)
	}
	if spec = r.spec(r.submit(`{"template":{"name":"statement"},"output":{"format":"jpeg"}}`).ID); spec.Output.Margin != render.DefaultOutput().Margin {
		t.Errorf("a screen: %+v", spec.Output)
	}
	p := refused(t, r.post("/jobs", jsonBody(`{"template":{"name":"statement"},"output":{"format":"png","metadata":{"title":"t"}}}`)), http.StatusUnprocessableEntity, api.CodeFieldInvalid)
	if len(p.Errors) != 1 || p.Errors[0].Pointer != "/output/metadata" {
		t.Errorf("%+v", p)
	}
}

func TestPagesNameAssets(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.keepAsset("a.css", "text/css", `@import url("asset:b.css"); p { background: url(asset:a.svg) }`)
	r.keepAsset("b.css", "text/css", `@import url("asset:a.css"); @font-face { font-family: X; src: url(asset:x.ttf) }`)
	r.keepAsset("x.ttf", "application/octet-stream", "\x00\x01\x00\x00...")
	for _, name := range []string{"a.svg", "b.svg", "c.svg", "d.svg"} {
		r.keepAsset(name, "image/svg+xml", svg)
	}
	names := func(request string) []string {
		return each(r.spec(r.submit(request).ID).Assets, func(a jobs.AssetRef) string { return a.Name })
	}
	for request, want := range map[string][]string{
		`{"html":"<link rel=stylesheet href=asset:a.css><script>fetch('asset:d.svg'); 'asset:none'</script>"}`: {"a.css", "a.svg", "b.css", "d.svg", "x.ttf"},
		`{"html":"<p>asset:nothing and asset: nothing</p>"}`:                                                   {},
		`{"markdown":"![x](asset:b.svg)"}`:                                                                     {"b.svg"},
		`{"html":"x","output":{"header_html":"<img src=asset:c.svg>","footer_html":"<img src=asset:b.svg>"}}`:  {"b.svg", "c.svg"},
		`{"template":{"html":"<style>p{background:url(asset:b.svg)}</style>"}}`:                                {"b.svg"},
	} {
		if diff := cmp.Diff(want, names(request)); diff != "" {
			t.Errorf("%s:\n%s", request, diff)
		}
	}
}

func TestWhatAJobNamesMustBeThere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.keep("invoice", invoice)
	r.keep("strict", `{"html":"{{.a.b}}","header_html":"{{.c}}"}`)
	r.keepAsset("a.css", "text/css", `@import url("asset:none.css");`)
	for _, c := range []struct {
		request, pointer string
		code             api.ErrorCode
	}{
		{`{"template":{"name":"none"}}`, "/template/name", api.CodeTemplateUnknown},
		{`{"template":{"name":"none","version":3}}`, "/template/name", api.CodeTemplateUnknown},
		{`{"template":{"name":"invoice","version":2}}`, "/template/version", api.CodeTemplateUnknown},
		{`{"template":{"name":"invoice"},"data":{"number":1}}`, "/template/name", api.CodeAssetUnknown},
		{`{"template":{"name":"invoice"}}`, "/data/number", api.CodeTemplateDataInvalid},
		{`{"template":{"name":"invoice"},"data":{"number":"1"}}`, "/data/number", api.CodeTemplateDataInvalid},
		{`{"template":{"name":"invoice"},"data":[]}`, "/data", api.CodeTemplateDataInvalid},
		{`{"template":{"name":"strict"},"data":{"a":{"b":1}}}`, "/data", api.CodeTemplateDataMissing},
		{`{"template":{"name":"invoice"},"data":{"number":1},"output":{"time_zone":"Mars/Olympus"}}`, "/output/time_zone", api.CodeFieldInvalid},
		{`{"html":"<img src=asset:none>"}`, "/html", api.CodeAssetUnknown},
		{`{"html":"<img src='asset:no such'>"}`, "/html", api.CodeAssetUnknown},
		{`{"html":"<link rel=stylesheet href=asset:a.css>"}`, "/html", api.CodeAssetUnknown},
		{`{"html":"x","output":{"footer_html":"<img src=asset:none>"}}`, "/output/footer_html", api.CodeAssetUnknown},
		{`{"template":{"html":"<img src=asset:none>"}}`, "/template/html", api.CodeAssetUnknown},
	} {
		p := refused(t, r.post("/jobs", jsonBody(c.request)), http.StatusUnprocessableEntity, c.code)
		if len(p.Errors) == 0 || p.Errors[0].Pointer != c.pointer {
			t.Errorf("%s: %+v", c.request, p)
		}
	}
	p := refused(t, r.post("/jobs", form(part{name: "html", text: "<img src=asset:none>"}, part{name: "job", text: "{}"})), http.StatusUnprocessableEntity, api.CodeAssetUnknown)
	if p.Errors[0].Pointer != "/job/html" {
		t.Errorf("%+v", p)
	}
}

func TestWhatAPendingJobUsesStays(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.keepAsset("logo.svg", "image/svg+xml", svg)
	r.keepAsset("logo.svg", "image/svg+xml", svg+" ")
	r.keepAsset("logo.svg", "image/svg+xml", svg)
	r.keep("invoice", invoice)
	r.keep("invoice", `{"html":"x"}`)
	j := r.submit(`{"template":{"name":"invoice","version":1},"data":{"number":1}}`)
	for target, code := range map[string]api.ErrorCode{
		"/templates/invoice": api.CodeTemplateInUse, "/templates/invoice/versions/1": api.CodeTemplateInUse,
		"/assets/logo.svg": api.CodeAssetInUse, "/assets/logo.svg/versions/1": api.CodeAssetInUse,
	} {
		refused(t, r.delete(target), http.StatusConflict, code)
	}
	for _, target := range []string{"/templates/invoice/versions/2", "/assets/logo.svg/versions/2"} {
		if a := r.delete(target); a.status != http.StatusNoContent {
			t.Errorf("%s: %d %s", target, a.status, a.body)
		}
	}
	if v := read[api.TemplateContent](t, r.get("/templates/invoice/versions/1"), http.StatusOK); v.PendingJobs != 1 {
		t.Errorf("%+v", v)
	}
	r.fail(j.ID)
	retry := read[api.Job](t, r.post("/jobs/"+j.ID+"/retry"), http.StatusAccepted)
	if retry.Template == nil || retry.Template.Version != 1 {
		t.Errorf("%+v", retry.Template)
	}
	if diff := cmp.Diff(r.spec(j.ID), r.spec(retry.ID)); diff != "" {
		t.Errorf("the retry has another spec:\n%s", diff)
	}
	refused(t, r.delete("/templates/invoice"), http.StatusConflict, api.CodeTemplateInUse)
	r.fail(retry.ID)
	for _, target := range []string{"/templates/invoice", "/assets/logo.svg"} {
		if a := r.delete(target); a.status != http.StatusNoContent {
			t.Errorf("%s: %d %s", target, a.status, a.body)
		}
	}
	refused(t, r.post("/jobs/"+retry.ID+"/retry"), http.StatusGone, api.CodeInputPurged)
	for _, name := range []string{"default/templates", "default/assets"} {
		if left := r.blobNames(name); len(left) != 0 {
			t.Errorf("blobs are left: %v", left)
		}
	}
	if v := r.keep("invoice", `{"html":"y"}`); v.Version != 3 {
		t.Errorf("a number was used again: %+v", v)
	}
}

func (r *rig) blobNames(prefix string) []string {
	r.Helper()
	var names []string
	err := r.blobs.Walk(r.Context(), prefix, func(i blobs.Info) error {
		names = append(names, i.Name)
		return nil
	})
	if err != nil {
		r.Fatal(err)
	}
	return names
}

func TestTheSameContentAtOnceIsOneVersion(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { r.put("/templates/t", jsonBody(`{"html":"x"}`)) })
	}
	group.Wait()
	if got := read[api.TemplateList](t, r.get("/templates/t/versions"), http.StatusOK); len(got.Data) != 1 || got.Data[0].Version != 1 {
		t.Errorf("%+v", got)
	}
	if left := r.blobNames("default/templates"); len(left) != 1 {
		t.Errorf("blobs: %v", left)
	}
}

func TestWhatIsNotStoredIsNotFound(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.keep("t", `{"html":"x"}`)
	r.keepAsset("a", "image/svg+xml", svg)
	other := as(r.newKey("other", jobs.ScopeRead, jobs.ScopeWrite))
	for _, c := range []struct {
		code  api.ErrorCode
		shelf string
		name  string
		tails []string
	}{
		{api.CodeTemplateNotFound, "/templates/", "t", []string{"", "/versions/1"}},
		{api.CodeAssetNotFound, "/assets/", "a", []string{"", "/versions/1", "/versions/1/content"}},
	} {
		for _, name := range []string{"none", ".t", "a%20b", strings.Repeat("x", 101)} {
			refused(t, r.get(c.shelf+name), http.StatusNotFound, c.code)
			refused(t, r.get(c.shelf+name+"/versions"), http.StatusNotFound, c.code)
			refused(t, r.delete(c.shelf+name), http.StatusNotFound, c.code)
		}
		for _, version := range []string{"2", "0", "-1", "01", "x", "99999999999999999999"} {
			refused(t, r.get(c.shelf+c.name+"/versions/"+version), http.StatusNotFound, c.code)
			refused(t, r.delete(c.shelf+c.name+"/versions/"+version), http.StatusNotFound, c.code)
		}
		for _, tail := range c.tails {
			refused(t, r.get(c.shelf+c.name+tail, other), http.StatusNotFound, c.code)
		}
		refused(t, r.delete(c.shelf+c.name, other), http.StatusNotFound, c.code)
		refused(t, r.get(c.shelf+c.name+"/versions", other), http.StatusNotFound, c.code)
		for _, query := range []string{"?limit=0", "?x=1", "?cursor="} {
			refused(t, r.get(strings.TrimSuffix(c.shelf, "/")+query, wrong), http.StatusBadRequest, api.CodeQueryMalformed)
			refused(t, r.get(c.shelf+c.name+"/versions"+query, wrong), http.StatusBadRequest, api.CodeQueryMalformed)
		}
		refused(t, r.get(strings.TrimSuffix(c.shelf, "/")+"?cursor=.."), http.StatusBadRequest, api.CodeQueryMalformed)
		refused(t, r.get(c.shelf+c.name+"/versions?cursor=x"), http.StatusBadRequest, api.CodeQueryMalformed)
	}
}

func TestATemplateThatCannotWorkIsNotStored(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	long := func(n int) string { return strings.Repeat("x", n+1) }
	for _, c := range []struct {
		text string
		want []string // code and pointer of each part that is wrong
	}{
		{`{}`, []string{"field_missing /html"}},
		{`{"html":"{{","header_html":"{{x}}","footer_html":"{{end}}"}`, []string{"template_invalid /html", "template_invalid /header_html", "template_invalid /footer_html"}},
		{`{"html":"{{","schema":{"type":"thing"}}`, []string{"template_invalid /html", "schema_invalid /schema/type"}},
		{`{"html":"x","schema":{"$ref":"https://a.example/x.json"}}`, []string{"schema_invalid /schema"}},
		{`{"html":"x","schema":{"$ref":"file:///etc/passwd"}}`, []string{"schema_invalid /schema"}},
		{`{"html":"x","schema":{"$schema":"https://a.example/draft"}}`, []string{"schema_invalid /schema"}},
		{`{"html":"x","schema":{"properties":{"a":{"$ref":"#/none"}}}}`, []string{"schema_invalid /schema"}},
		{`{"html":"x","schema":{"pattern":"("}}`, []string{"schema_invalid /schema/pattern"}},
		{`{"html":"x","schema":{"minimum":1e999999}}`, []string{"schema_invalid /schema"}},
		{`{"html":"{{.a}}","sample":{}}`, []string{"template_data_missing /sample"}},
		{`{"html":"x","footer_html":"{{.a}}","sample":{}}`, []string{"template_data_missing /sample"}},
		{`{"html":"{{add .a 1}}","sample":{"a":"b"}}`, []string{"template_failed /html"}},
		{`{"html":"x","header_html":"{{add .a 1}}","sample":{"a":"b"}}`, []string{"template_failed /header_html"}},
		{`{"html":"x","schema":{"required":["a","b"]},"sample":{}}`, []string{"template_data_invalid /sample/a", "template_data_invalid /sample/b"}},
		{`{"html":"` + long(api.MaxTemplateHTMLBytes) + `"}`, []string{"field_invalid /html"}},
		{`{"html":"x","css":"` + long(api.MaxTemplateCSSBytes) + `"}`, []string{"field_invalid /css"}},
		{`{"html":"x","sample":"` + long(api.MaxTemplateSampleBytes) + `"}`, []string{"field_invalid /sample"}},
		{`{"html":"x","schema":{"title":"` + long(api.MaxTemplateSchemaBytes) + `"}}`, []string{"field_invalid /schema"}},
	} {
		p := read[api.Problem](t, r.put("/templates/t", jsonBody(c.text), wrong), http.StatusUnprocessableEntity)
		got := each(p.Errors, func(f api.FieldError) string { return string(f.Code) + " " + f.Pointer })
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%.80s: %s\n%s", c.text, p.Detail, diff)
		}
	}
	for _, name := range []string{".t", "a..b", "-t", "a%20b", "%C3%BC", strings.Repeat("x", 101)} {
		refused(t, r.put("/templates/"+name, jsonBody(`{"html":"x"}`)), http.StatusUnprocessableEntity, api.CodeNameInvalid)
		refused(t, r.put("/assets/"+name, body("image/svg+xml", svg)), http.StatusUnprocessableEntity, api.CodeNameInvalid)
	}
	if got := read[api.TemplateList](t, r.get("/templates"), http.StatusOK); len(got.Data) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestADryRunChecksAndStoresNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, a := range []answer{r.put("/templates/t?dry_run=true", jsonBody(`{"html":"x"}`)), r.put("/assets/a.svg?dry_run=true", body("image/svg+xml", svg))} {
		if a.status != http.StatusNoContent || len(a.body) > 0 {
			t.Errorf("%d: %s", a.status, a.body)
		}
	}
	refused(t, r.put("/templates/t?dry_run=true", jsonBody(`{"html":"{{"}`)), http.StatusUnprocessableEntity, api.CodeTemplateInvalid)
	refused(t, r.put("/templates/.t?dry_run=true", jsonBody(`{"html":"x"}`)), http.StatusUnprocessableEntity, api.CodeNameInvalid)
	refused(t, r.put("/assets/a.svg?dry_run=true", body("image/svg+xml", "<html>")), http.StatusUnprocessableEntity, api.CodeAssetInvalid)
	for _, query := range []string{"dryrun=true", "dry_run=yes", "dry_run="} {
		refused(t, r.put("/templates/t?"+query, jsonBody(`{"html":"x"}`), wrong), http.StatusBadRequest, api.CodeQueryMalformed)
		refused(t, r.put("/assets/a.svg?"+query, body("image/svg+xml", svg), wrong), http.StatusBadRequest, api.CodeQueryMalformed)
	}
	if names := append(r.blobNames("default/templates"), r.blobNames("default/assets")...); len(names) != 0 {
		t.Errorf("stored %v", names)
	}
	refused(t, r.get("/templates/t"), http.StatusNotFound, api.CodeTemplateNotFound)
	if a := r.put("/templates/t?dry_run=false", jsonBody(`{"html":"x"}`)); a.status != http.StatusCreated {
		t.Errorf("%d: %s", a.status, a.body)
	}
}

func TestAnAssetThatNoPageLoadsIsNotStored(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, c := range []struct{ name, mediaType, text string }{
		{"a.png", "image/png", svg},
		{"a.png", "application/octet-stream", svg},
		{"a.svg", "image/svg+xml", "<html>"},
		{"a.css", "text/css", "\xff"},
		{"a.css", "text/css", "a\x00"},
		{"a.ttf", "font/ttf", "wOFF"},
		{"a.woff2", "font/woff2", "OTTO"},
		{"a.jpg", "image/jpeg", "GIF89a"},
	} {
		refused(t, r.put("/assets/"+c.name, body(c.mediaType, c.text), wrong), http.StatusUnprocessableEntity, api.CodeAssetInvalid)
	}
	for _, mediaType := range []string{"text/html", "text/javascript", "application/pdf", "image/tiff", "x", "", "application/octet-stream"} {
		p := refused(t, r.put("/assets/a.txt", body(mediaType, svg), wrong), http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported)
		if !strings.HasPrefix(p.Detail, "a.txt is nothing that pages load. An asset is PNG, JPEG") {
			t.Errorf("%q: %s", mediaType, p.Detail)
		}
	}
	refused(t, r.put("/assets/a.css", body("text/css", "x"), header("Content-Encoding", "gzip"), wrong), http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported)
	refused(t, r.put("/assets/a.css", body("text/css", strings.Repeat("x", api.MaxAssetBytes+1)), wrong), http.StatusRequestEntityTooLarge, api.CodeBodyTooLarge)
	r.keepAsset("large.css", "text/css", strings.Repeat("x", api.MaxAssetBytes)) // larger than other bodies may be
	refused(t, r.put("/assets/a.css", body("text/css", ""), wrong), http.StatusBadRequest, api.CodeBodyMalformed)
	r.keepAsset("a.otf", "font/ttf", "OTTO...")
	r.keepAsset("a.svg", "image/svg+xml; charset=utf-8", "<?xml version='1.0'?><!-- a --><!DOCTYPE svg><svg:svg/>")
}

func TestBytesThatAreGoneAreThePlaceToHeal(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.keep("t", `{"html":"x"}`)
	r.keepAsset("a.css", "text/css", "p {}")
	for _, name := range append(r.blobNames("default/templates"), r.blobNames("default/assets")...) {
		if err := r.blobs.Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range []answer{
		r.get("/templates/t"), r.get("/templates/t/versions/1"), r.get("/assets/a.css/versions/1/content"),
		r.post("/jobs", jsonBody(`{"template":{"name":"t"}}`)), r.post("/jobs", jsonBody(`{"html":"<link rel=stylesheet href=asset:a.css>"}`)),
	} {
		refused(t, a, http.StatusServiceUnavailable, api.CodeStorageUnavailable)
	}
}
