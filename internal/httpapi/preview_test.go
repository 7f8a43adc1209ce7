package httpapi_test

import (
	"encoding/base64"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// putTemplate stores a template whose name and page are the same in all tests.
func (r *rig) putTemplate(members string) {
	r.Helper()
	a := r.do(http.MethodPut, "/templates/invoice", jsonBody(`{"html":"<h1>Invoice {{.number}}</h1>"`+members+`}`))
	if a.status != http.StatusOK && a.status != http.StatusCreated {
		r.Fatalf("put: %d %s", a.status, a.body)
	}
}

const invoicePreview = "/templates/invoice/preview"

func TestATemplateIsSeenWithItsSampleOrWithData(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.putTemplate(`,"sample":{"number":"INV-1"},"engine":"native","output":{"paper":"a5"}`)
	r.putTemplate(`,"sample":{"number":"INV-2"}`)
	var asked jobs.PreviewOrder
	r.previews(func(o jobs.PreviewOrder) (string, *jobs.Failure) { asked = o; return "the bytes", nil })

	a := r.post(invoicePreview)
	if a.status != http.StatusOK || string(a.body) != "the bytes" {
		t.Fatalf("%d: %s", a.status, a.body)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/pdf", "Content-Length": "9", "Cache-Control": "no-store", "Content-Disposition": `attachment; filename="invoice.pdf"`,
		api.HeaderEngine: "auto", api.HeaderPages: "1", api.HeaderWarnings: "1", api.HeaderTemplate: "invoice/2", "Content-Security-Policy": "sandbox; default-src 'none'",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if s := asked.Spec; string(s.Data) != `{"number":"INV-2"}` || s.Template.Version != 2 || asked.MaxBytes != api.MaxPreviewBytes {
		t.Errorf("asked for %+v", asked)
	}
	if strings.Trim(string(asked.Document), "doc_0") != "" || strings.Trim(string(asked.Job), "job_0") != "" {
		t.Errorf("the identity is %s, %s", asked.Document, asked.Job)
	}

	got := read[api.Preview](t, r.post(invoicePreview, header("Accept", "application/json, */*;q=0.5"), jsonBody(`{"version":1,"data":{"number":1.10},"output":{"landscape":true}}`)), http.StatusOK)
	if content, err := base64.StdEncoding.DecodeString(got.Content); err != nil || string(content) != "the bytes" || got.SHA256 != sha("the bytes") {
		t.Errorf("got %+v, %v", got, err)
	}
	if got.Template != (api.TemplateVersion{Name: "invoice", Version: 1}) || got.Engine != "native" || len(got.Warnings) != 1 || got.Warnings[0].Code != "glyph_missing" {
		t.Errorf("got %+v", got)
	}
	if s := asked.Spec; string(s.Data) != `{"number":1.10}` || s.Output.Width != 148 || !s.Output.Landscape {
		t.Errorf("asked for %+v", s)
	}
	if entries, err := os.ReadDir(r.blobs.Dir + "/previews"); err == nil {
		t.Errorf("%d folders are left", len(entries))
	}
	if list := read[api.JobList](t, r.get("/jobs"), http.StatusOK); len(list.Data) > 0 {
		t.Errorf("there are jobs: %+v", list.Data)
	}
}

func TestAPreviewIsRefusedAsItsJobWouldBe(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	refused(t, r.post(invoicePreview), http.StatusNotFound, api.CodeTemplateNotFound)
	r.putTemplate(`,"schema":{"type":"object","required":["number"]}`)
	refused(t, r.post(invoicePreview, as("")), http.StatusUnauthorized, api.CodeKeyMissing)
	refused(t, r.post(invoicePreview, as(r.newKey("default", jobs.ScopeRead))), http.StatusForbidden, api.CodeScopeMissing)
	refused(t, r.post(invoicePreview, as(r.newKey("another", jobs.ScopeWrite))), http.StatusNotFound, api.CodeTemplateNotFound)
	refused(t, r.post(invoicePreview, jsonBody(`{"version":7}`)), http.StatusNotFound, api.CodeTemplateNotFound)
	refused(t, r.post(invoicePreview, wrong, jsonBody(`{"version":`)), http.StatusBadRequest, api.CodeBodyMalformed)
	refused(t, r.post(invoicePreview, wrong, body("text/plain", "{}")), http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported)
	refused(t, r.post(invoicePreview, jsonBody(`{"data":"`+strings.Repeat("x", 11<<20)+`"}`)), http.StatusRequestEntityTooLarge, api.CodeBodyTooLarge)
	for text, want := range map[string]struct {
		code    api.ErrorCode
		pointer string
	}{
		`{"version":0}`:             {api.CodeFieldInvalid, "/version"},
		`{"versions":1}`:            {api.CodeFieldUnknown, "/versions"},
		`{"engine":"gecko"}`:        {api.CodeFieldInvalid, "/engine"},
		`{"output":{"paper":"b9"}}`: {api.CodeFieldInvalid, "/output/paper"},
	} {
		p := refused(t, r.post(invoicePreview, wrong, jsonBody(text)), http.StatusUnprocessableEntity, want.code)
		if len(p.Errors) != 1 || p.Errors[0].Pointer != want.pointer {
			t.Errorf("%s: %+v", text, p.Errors)
		}
	}
	for _, o := range [][]option{{}, {jsonBody(`{}`)}, {jsonBody(`{"data":{"Number":1}}`)}} { // without a sample
		if p := refused(t, r.post(invoicePreview, o...), http.StatusUnprocessableEntity, api.CodeTemplateDataInvalid); !strings.HasPrefix(p.Errors[0].Pointer, "/data") {
			t.Errorf("%+v", p.Errors)
		}
	}
	if n := r.rang.Load(); n > 0 {
		t.Errorf("%d tasks", n)
	}
	r.previews(func(jobs.PreviewOrder) (string, *jobs.Failure) {
		return "", &jobs.Failure{Code: "outside_native_subset", Detail: "The page uses `columns`."}
	})
	if p := refused(t, r.post(invoicePreview, jsonBody(`{"data":{"number":1}}`)), http.StatusUnprocessableEntity, api.CodeOutsideNativeSubset); p.Detail != "The page uses `columns`." || p.Retryable {
		t.Errorf("%+v", p)
	}
	r.previews(func(jobs.PreviewOrder) (string, *jobs.Failure) {
		return "", &jobs.Failure{Code: "input_purged", Detail: "Gone."}
	})
	refused(t, r.post(invoicePreview, jsonBody(`{"data":{"number":1}}`)), http.StatusNotFound, api.CodeTemplateNotFound) // it was deleted meanwhile
	missing := &jobs.Failure{Code: "storage_unavailable", Detail: "The storage does not have what was put there.", Retryable: true}
	r.previews(func(jobs.PreviewOrder) (string, *jobs.Failure) { return "", missing })
	refused(t, r.post(invoicePreview, jsonBody(`{"data":{"number":1}}`)), http.StatusServiceUnavailable, api.CodeStorageUnavailable)
	r.previews(func(jobs.PreviewOrder) (string, *jobs.Failure) {
		r.delete("/templates/invoice")
		return "", missing
	})
	refused(t, r.post(invoicePreview, jsonBody(`{"data":{"number":1}}`)), http.StatusNotFound, api.CodeTemplateNotFound)
	r.putTemplate("")
	r.service.PreviewLimit = -1
	refused(t, r.post(invoicePreview, jsonBody(`{"data":{"number":1}}`)), http.StatusServiceUnavailable, api.CodePreviewBusy)
}
