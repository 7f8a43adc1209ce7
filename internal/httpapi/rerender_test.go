package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

// previews answers each preview in the place of a worker, with the bytes or the failure that answer gives.
func (r *rig) previews(answer func(jobs.PreviewOrder) (string, *jobs.Failure)) {
	r.service.Queue = enqueue(func(t jobs.Task) {
		r.rang.Add(1)
		if t.Line != jobs.PreviewLine {
			return
		}
		if err := r.answerPreview(t.ID, answer); err != nil {
			r.Error(err)
		}
	})
}

func (r *rig) answerPreview(id jobs.ID, answer func(jobs.PreviewOrder) (string, *jobs.Failure)) error {
	claim, err := r.store.ClaimPreview(r.Context(), id, "me")
	if err != nil || !claim.OK {
		return err
	}
	order, err := jobs.LoadPreview(r.Context(), r.blobs, claim.Request)
	if err != nil {
		return err
	}
	content, failure := answer(order)
	a := jobs.PreviewAnswer{Failure: failure}
	if failure == nil {
		blob := jobs.PreviewBlob(order.Tenant, id, order.Spec.Output.Format)
		if err := r.blobs.Put(r.Context(), blob, strings.NewReader(content)); err != nil {
			return err
		}
		a.Warnings = []render.Warning{{Code: "glyph_missing", Detail: "U+65E5 \"日\""}}
		a.Result = &jobs.Result{
			Blob: blob, SHA256: sha(content), Bytes: int64(len(content)), Pages: 1, ContentType: order.Spec.Output.Format.ContentType(),
			Filename: "preview.pdf", Engine: order.Spec.Engine, Version: "1",
		}
	}
	raw, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = r.store.AnswerPreview(r.Context(), id, "me", raw)
	return err
}

func TestADocumentIsMadeAnewThroughTheAPI(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const page = `{"html":"<p>Hi"}`
	job := r.submit(page)
	r.issue(job.ID, "bytes of the document")
	content := "bytes of the document"
	var asked jobs.PreviewOrder
	r.previews(func(o jobs.PreviewOrder) (string, *jobs.Failure) { asked = o; return content, nil })
	target := "/documents/" + job.DocumentID + "/rerender"

	got := read[api.Rerender](t, r.post(target), http.StatusOK)
	if !got.Identical || got.Stored != api.StoredIntact || got.SHA256 != sha(content) || got.Difference != nil || got.Restored {
		t.Errorf("got %+v", got)
	}
	if string(asked.Document) != job.DocumentID || string(asked.Job) != job.ID || asked.Spec.Engine != "test" || asked.Spec.Text != "<p>Hi" {
		t.Errorf("asked for %+v", asked)
	}
	if err := r.blobs.DeletePrefix(t.Context(), "default/documents"); err != nil {
		t.Fatal(err)
	}
	got = read[api.Rerender](t, r.post(target, jsonBody(`{"restore":true}`)), http.StatusOK)
	if !got.Identical || got.Stored != api.StoredMissing || !got.Restored {
		t.Errorf("restored: %+v", got)
	}
	if a := r.get("/documents/" + job.DocumentID + "/content"); a.status != http.StatusOK || string(a.body) != content {
		t.Errorf("%d: %s", a.status, a.body)
	}
	content = "bytes of another"
	got = read[api.Rerender](t, r.post(target, jsonBody(`{}`)), http.StatusOK)
	if d := got.Difference; got.Identical || d == nil || d.Member != "bytes" || d.Offset == nil || *d.Offset != 9 || *d.Was != sha("bytes of the document") {
		t.Errorf("different: %+v", got)
	}
}

func TestMakingAnewIsRefusedAsItShould(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	job := r.submit(`{"html":"<p>Hi"}`)
	target := "/documents/" + job.DocumentID + "/rerender"
	if p := refused(t, r.post(target), http.StatusConflict, api.CodeDocumentPending); *p.JobID != job.ID {
		t.Errorf("job %s", *p.JobID)
	}
	r.issue(job.ID, "bytes")
	refused(t, r.post(target, as(r.newKey("default", jobs.ScopeRead))), http.StatusForbidden, api.CodeScopeMissing)
	refused(t, r.post(target, as("")), http.StatusUnauthorized, api.CodeKeyMissing)
	refused(t, r.post(target, as(r.newKey("another", jobs.ScopeWrite))), http.StatusNotFound, api.CodeDocumentNotFound)
	refused(t, r.post(target, wrong, jsonBody(`{"restore":`)), http.StatusBadRequest, api.CodeBodyMalformed)
	refused(t, r.post(target, wrong, jsonBody(`{"restored":true}`)), http.StatusUnprocessableEntity, api.CodeFieldUnknown)
	refused(t, r.post(target, wrong, body("text/plain", "restore")), http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported)
	refused(t, r.post(target, wrong, jsonBody(`{"restore":true}`+strings.Repeat(" ", 11<<20))), http.StatusRequestEntityTooLarge, api.CodeBodyTooLarge)

	for code, status := range map[api.ErrorCode]int{
		api.CodePageFailed: http.StatusUnprocessableEntity, api.CodeOutsideNativeSubset: http.StatusUnprocessableEntity,
		api.CodeInputPurged: http.StatusGone, api.CodeInternal: http.StatusInternalServerError,
	} {
		r.previews(func(jobs.PreviewOrder) (string, *jobs.Failure) {
			return "", &jobs.Failure{Code: string(code), Detail: "So it is."}
		})
		p := refused(t, r.post(target), status, code)
		if code != api.CodeInternal && (*p.DocumentID != job.DocumentID || p.Retryable) {
			t.Errorf("%s: %+v", code, p)
		}
	}
	for _, code := range []api.ErrorCode{api.CodeEngineLost, api.CodeRenderTimeout} {
		r.previews(func(jobs.PreviewOrder) (string, *jobs.Failure) {
			return "", &jobs.Failure{Code: string(code), Detail: "So it is.", Retryable: true}
		})
		if p := refused(t, r.post(target), http.StatusServiceUnavailable, code); !p.Retryable {
			t.Errorf("%s: %+v", code, p)
		}
	}
	r.service.PreviewLimit = -1
	refused(t, r.post(target), http.StatusServiceUnavailable, api.CodePreviewBusy)
	if a := r.delete("/documents/" + job.DocumentID); a.status != http.StatusOK {
		t.Fatalf("purge: %d", a.status)
	}
	refused(t, r.post(target), http.StatusGone, api.CodeInputPurged)
	refused(t, r.post(target, jsonBody(`{"restore":true}`)), http.StatusGone, api.CodeDocumentPurged)
	if metrics := string(r.get("/metrics").body); !strings.Contains(metrics, `platen_previews_total{outcome="page_failed",what="rerender"} 1`) {
		t.Errorf("not counted:\n%s", metrics)
	}
}

func TestWithoutAWorkerMakingAnewEndsInTime(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *settings) { s.http.DefaultTimeout = time.Second })
	r.service.PreviewPatience = time.Second
	job := r.submit(`{"html":"<p>Hi"}`)
	r.issue(job.ID, "bytes")
	began := time.Now()
	if p := refused(t, r.post("/documents/"+job.DocumentID+"/rerender"), http.StatusServiceUnavailable, api.CodePreviewTimeout); !p.Retryable {
		t.Errorf("%+v", p)
	}
	if took := time.Since(began); took < time.Second || took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}
