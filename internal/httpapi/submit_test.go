package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

// specOf is what a worker would be asked to make.
func (r *rig) specOf(id string) jobs.Spec {
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

func TestAnAcceptedJobHasAnAddressAndAWait(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.post("/jobs", jsonBody(`{"html":"<h1>Invoice</h1>","document_key":"invoice:1","metadata":{"total":1.10,"id":12345678901234567890}}`))
	j := read[api.Job](t, a, http.StatusAccepted)

	if got, want := a.header.Get("Location"), "/base/jobs/"+j.ID; got != want {
		t.Errorf("Location is %q, want %q", got, want)
	}
	if a.header.Get("Retry-After") == "" || a.header.Get("Idempotency-Replayed") != "" || a.header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers: %v", a.header)
	}
	if j.Status != api.JobQueued || *j.DocumentKey != "invoice:1" || string(j.Metadata) != `{"total":1.10,"id":12345678901234567890}` {
		t.Errorf("job: %s", a.body)
	}
	if diff := cmp.Diff(j, r.job(j.ID)); diff != "" {
		t.Errorf("the job that was accepted and the one that is shown (-accepted +shown):\n%s", diff)
	}
	if r.rang.Load() != 1 {
		t.Errorf("rang %d times", r.rang.Load())
	}
}

func TestDefaultsAreTheContracts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	want := jobs.Spec{Kind: jobs.InputHTML, Text: "<p>", Engine: "auto", Output: render.DefaultOutput(), Timeout: time.Minute}
	if diff := cmp.Diff(want, r.specOf(r.submit(`{"html":"<p>"}`).ID)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEveryMemberReachesTheSpec(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(`{
		"template": {"html": "{{.total}}"}, "data": {"total": 1.10},
		"engine": "chromium", "timeout_seconds": 300, "retention_seconds": 3600,
		"output": {"width_mm": 100, "height_mm": 200, "landscape": true, "margin_mm": {"top": 1, "right": 2, "bottom": 3, "left": 4},
			"scale": 0.5, "header_html": "<b>", "footer_html": "<i>", "background": false, "tagged": true,
			"locale": "de-AT", "time_zone": "Europe/Vienna", "filename": "Rechnung Nr. 1.pdf"}
	}`)
	got := r.specOf(j.ID)
	if total := string(got.Data); total != `{"total":1.10}` {
		t.Errorf("data is %s", total)
	}
	got.Data = nil
	want := jobs.Spec{
		Kind: jobs.InputTemplate, Text: "{{.total}}", Engine: "chromium", Timeout: 300 * time.Second, Filename: "Rechnung Nr. 1.pdf",
		Output: render.Output{
			Format: render.PDF, Width: 100, Height: 200, Landscape: true, Margin: render.Margin{Top: 1, Right: 2, Bottom: 3, Left: 4},
			Scale: 0.5, Header: "<b>", Footer: "<i>", Tagged: true, Locale: "de-AT", TimeZone: "Europe/Vienna", FullPage: true,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	stored, err := r.store.Job(t.Context(), jobs.ID(j.ID))
	if err != nil || stored.Retention != time.Hour {
		t.Errorf("retention %v, %v", stored.Retention, err)
	}
	png := r.specOf(r.submit(`{"markdown":"# A","output":{"format":"png","paper":"letter","full_page":false}}`).ID)
	if png.Kind != jobs.InputMarkdown || png.Output.Format != render.PNG || png.Output.Width != 215.9 || png.Output.FullPage {
		t.Errorf("got %+v", png)
	}
}

func TestAFormCarriesThePageAndItsFiles(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := read[api.Job](t, r.post("/jobs", form(
		part{name: "job", text: `{"document_key":"k","output":{"paper":"a5"}}`},
		part{name: "html", file: "invoice.html", mediaType: "text/html", text: "<img src=img/logo.png>"},
		part{name: "file", file: "img/logo.png", mediaType: "image/png", text: "\x89PNG"},
		part{name: "file", file: "style.css", mediaType: "application/octet-stream", text: "p{}"},
	)), http.StatusAccepted)
	got := r.specOf(j.ID)
	if got.Kind != jobs.InputHTML || got.Text != "<img src=img/logo.png>" || got.Output.Width != 148 || *j.DocumentKey != "k" {
		t.Errorf("got %+v", got)
	}
	var names []string
	for _, f := range got.Files {
		stored, err := jobs.ReadBlob(t.Context(), r.blobs, f.Blob)
		if err != nil || sha(string(stored)) != f.SHA256 || int64(len(stored)) != f.Size {
			t.Errorf("%s: stored %q, %v", f.Name, stored, err)
		}
		names = append(names, f.Name+" "+f.ContentType)
	}
	if diff := cmp.Diff([]string{"img/logo.png image/png", "style.css text/css"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAFormAndAJSONBodyWithTheSameContentAreOnePayload(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	key := header("Idempotency-Key", "one")
	first := r.submit(`{"html":"<p title=\"\u00e9\">\n</p>"}`, key)
	a := r.post("/jobs", key, form(part{name: "html", text: "<p title=\"é\">\n</p>"}))
	if again := read[api.Job](t, a, http.StatusAccepted); again.ID != first.ID {
		t.Errorf("%s and %s", first.ID, again.ID)
	}
}

func TestALargePageGoesToTheBlobStore(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	page := "<p>" + strings.Repeat("x", 1<<20)
	raw, err := json.Marshal(api.JobRequest{HTML: &page})
	if err != nil {
		t.Fatal(err)
	}
	j := r.submit(string(raw))
	stored, err := r.store.Job(t.Context(), jobs.ID(j.ID))
	if err != nil || stored.SpecBlob == "" || stored.Spec != nil {
		t.Fatalf("spec blob %q, %v", stored.SpecBlob, err)
	}
	if got := r.specOf(j.ID); got.Text != page {
		t.Error("the page did not survive")
	}
}

func TestTheCallbackIsSealedAndOnlyItsHostIsShown(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const secret = "a secret of the tests"
	a := r.post("/jobs", jsonBody(`{"html":"<p>","callback_url":"https://shop.example:8443/hooks?token=t0k3n",
		"callback_secret":"`+secret+`","callback_headers":{"X-Shop":"v4lu3"}}`))
	j := read[api.Job](t, a, http.StatusAccepted)
	if j.Callback == nil || j.Callback.URLHost != "shop.example:8443" || j.Callback.Status != api.DeliveryPending {
		t.Errorf("callback: %s", a.body)
	}
	stored, err := r.store.Job(t.Context(), jobs.ID(j.ID))
	if err != nil {
		t.Fatal(err)
	}
	callback, err := jobs.OpenCallback(r.service.Key, stored.Delivery, stored.Sealed)
	want := jobs.Callback{URL: "https://shop.example:8443/hooks?token=t0k3n", Secret: secret, Headers: map[string]string{"X-Shop": "v4lu3"}}
	if diff := cmp.Diff(want, callback); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, text := range []string{string(a.body), string(r.get("/jobs/" + j.ID).body), r.logs.String()} {
		for _, hidden := range []string{"t0k3n", secret, "v4lu3"} {
			if strings.Contains(text, hidden) {
				t.Errorf("%q is shown in %s", hidden, text)
			}
		}
	}
}
