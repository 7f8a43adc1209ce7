package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

const content = "%PDF-1.7 0123456789"

func TestAnIssuedDocumentIsDescribedAlikeByJobAndDocument(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(`{"html":"<p>","document_key":"k","retention_seconds":3600,"output":{"filename":"A.pdf"}}`)
	r.issue(j.ID, content)
	d := read[api.Document](t, r.get("/documents/"+j.DocumentID), http.StatusOK)
	done := r.job(j.ID)
	address := publicURL + "/documents/" + j.DocumentID + "/content"
	want := api.Result{
		URL: address, SHA256: sha(content), Bytes: int64(len(content)), Pages: 1, ContentType: "application/pdf", Filename: "A.pdf",
		ExpiresAt: d.ExpiresAt,
	}
	if diff := cmp.Diff(&want, done.Result); diff != "" {
		t.Errorf("job (-want +got):\n%s", diff)
	}
	got := api.Result{
		URL: *d.URL, SHA256: *d.SHA256, Bytes: *d.Bytes, Pages: *d.Pages, ContentType: *d.ContentType, Filename: *d.Filename, ExpiresAt: d.ExpiresAt,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
	if d.Status != api.DocumentIssued || *d.IssueNumber != 1 || d.JobID != j.ID || *d.DocumentKey != "k" || !d.ExpiresAt.Equal(d.IssuedAt.Add(time.Hour)) {
		t.Errorf("got %+v", d)
	}
	if done.Progress != 100 || *done.Engine != "test" || *done.EngineReason != "`columns: 2` at line 12" || done.FinishedAt == nil || done.Attempt != 1 {
		t.Errorf("got %+v", done)
	}
}

func TestContentIsServedWholeAndInRanges(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(page)
	r.issue(j.ID, content)
	path, tag := "/documents/"+j.DocumentID+"/content", `"`+sha(content)+`"`

	whole := r.get(path)
	if whole.status != http.StatusOK || string(whole.body) != content || whole.header.Get("Content-Length") != fmt.Sprint(len(content)) {
		t.Errorf("got %d %q", whole.status, whole.body)
	}
	for name, want := range map[string]string{
		"Etag": tag, "Content-Type": "application/pdf", "X-Content-Type-Options": "nosniff", "Accept-Ranges": "bytes",
		"Content-Disposition": `attachment; filename="` + j.DocumentID + `.pdf"`, "Cache-Control": "private, max-age=31536000, immutable",
	} {
		if got := whole.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !strings.HasPrefix(whole.header.Get("Content-Security-Policy"), "sandbox") {
		t.Error("no sandbox")
	}
	head := r.do(http.MethodHead, path)
	head.header.Del("X-Request-Id")
	whole.header.Del("X-Request-Id")
	if diff := cmp.Diff(whole.header, head.header); head.status != http.StatusOK || diff != "" {
		t.Errorf("HEAD %d (-GET +HEAD):\n%s", head.status, diff)
	}

	for _, tc := range []struct {
		ranges, want, contentRange string
		with                       option
	}{
		{"bytes=0-3", content[:4], "bytes 0-3/19", as(r.key)},
		{"bytes=9-", content[9:], "bytes 9-18/19", as(r.key)},
		{"bytes=-4", content[15:], "bytes 15-18/19", as(r.key)},
		{"bytes=9-100", content[9:], "bytes 9-18/19", header("If-Range", tag)},
	} {
		a := r.get(path, header("Range", tc.ranges), tc.with)
		if a.status != http.StatusPartialContent || string(a.body) != tc.want || a.header.Get("Content-Range") != tc.contentRange {
			t.Errorf("%s: %d %q %q", tc.ranges, a.status, a.body, a.header.Get("Content-Range"))
		}
		if a := r.do(http.MethodHead, path, header("Range", tc.ranges)); a.status != http.StatusPartialContent {
			t.Errorf("HEAD %s: %d", tc.ranges, a.status)
		}
	}
	several := r.get(path, header("Range", "bytes=0-1,5-6"))
	if several.status != http.StatusPartialContent || !strings.HasPrefix(several.header.Get("Content-Type"), "multipart/byteranges") {
		t.Errorf("got %d %s", several.status, several.header.Get("Content-Type"))
	}
	if a := r.get(path, header("Range", "bytes=0-3"), header("If-Range", `"other"`)); a.status != http.StatusOK || string(a.body) != content {
		t.Errorf("another If-Range: %d", a.status)
	}
}

func TestConditionsAndImpossibleRangesAreAnsweredAsProblems(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(page)
	r.issue(j.ID, content)
	path, tag := "/documents/"+j.DocumentID+"/content", `"`+sha(content)+`"`
	beyond := header("Range", "bytes=19-")

	for _, method := range []string{http.MethodGet, http.MethodHead} {
		if a := r.do(method, path, header("If-None-Match", tag)); a.status != http.StatusNotModified || a.header.Get("ETag") != tag {
			t.Errorf("%s: If-None-Match: %d", method, a.status)
		}
		a := r.do(method, path, header("If-Match", `"other"`))
		b := r.do(method, path, beyond)
		if a.status != http.StatusPreconditionFailed || b.status != http.StatusRequestedRangeNotSatisfiable {
			t.Errorf("%s: %d and %d", method, a.status, b.status)
		}
		if b.header.Get("Content-Range") != "bytes */19" || b.header.Get("Content-Disposition") != "" || b.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", method, b.header)
		}
	}
	refused(t, r.get(path, header("If-Match", `"other"`)), http.StatusPreconditionFailed, api.CodePreconditionFailed)
	refused(t, r.get(path, beyond), http.StatusRequestedRangeNotSatisfiable, api.CodeRangeNotSatisfiable)
}

func TestARangeThatCannotBeReadIsIgnored(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(page)
	r.issue(j.ID, content)
	path := "/documents/" + j.DocumentID + "/content"
	for _, ranges := range []string{
		"lines=0-1", "bytes=z-", "bytes=0-z", "bytes=-z", "bytes=", "bytes=-", "bytes", "0-1", "bytes=5-4", "bytes=0-1,z", "bytes=+1-2", "bytes=--1",
		"bytes=99999999999999999999-5", "bytes 0-1", "bytes=,", "",
	} {
		if a := r.get(path, header("Range", ranges)); a.status != http.StatusOK || string(a.body) != content || a.header.Get("Content-Range") != "" {
			t.Errorf("%q: %d %q", ranges, a.status, a.body)
		}
	}
	two := func(req *http.Request) { req.Header["Range"] = []string{"bytes=0-1", "bytes=2-3"} }
	if a := r.get(path, two); a.status != http.StatusOK {
		t.Errorf("two headers: %d", a.status)
	}
	for ranges, want := range map[string]string{
		"BYTES=0-3": "bytes 0-3/19", "bytes= 0-3 , ": "bytes 0-3/19", "bytes=9-99999999999999999999": "bytes 9-18/19",
		"bytes=-99999999999999999999": "bytes 0-18/19", "bytes=0-0,90-": "bytes 0-0/19",
	} {
		if a := r.get(path, header("Range", ranges)); a.status != http.StatusPartialContent || a.header.Get("Content-Range") != want {
			t.Errorf("%q: %d %q", ranges, a.status, a.header.Get("Content-Range"))
		}
	}
}

func TestARangeOutsideOfTheDocumentIsToldItsLength(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(page)
	r.issue(j.ID, content)
	for _, ranges := range []string{"bytes=19-", "bytes=19-20", "bytes=-0", "bytes=99999999999999999999-", "bytes=50-60,-0"} {
		a := r.get("/documents/"+j.DocumentID+"/content", header("Range", ranges))
		refused(t, a, http.StatusRequestedRangeNotSatisfiable, api.CodeRangeNotSatisfiable)
		if got := a.header.Get("Content-Range"); got != "bytes */19" {
			t.Errorf("%s: Content-Range is %q", ranges, got)
		}
	}
}

func TestFileNamesTravelWhateverTheyHold(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, want := range map[string]string{
		`INV-1 (copy).pdf`: `attachment; filename="INV-1 (copy).pdf"`,
		`Straße 5 €.pdf`:   `attachment; filename="Stra_e 5 _.pdf"; filename*=UTF-8''Stra%C3%9Fe%205%20%E2%82%AC.pdf`,
		`a"b%41.pdf`:       `attachment; filename="a_b_41.pdf"; filename*=UTF-8''a%22b%2541.pdf`,
	} {
		j := r.submit(fmt.Sprintf(`{"html":"<p>","output":{"filename":%q}}`, name))
		r.issue(j.ID, content)
		if got := r.get("/documents/" + j.DocumentID + "/content").header.Get("Content-Disposition"); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestContentThatIsNotThereSaysWhy(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	link := jsonBody(`{"expires_in_seconds":60}`)
	check := func(j api.Job, status int, code api.ErrorCode, waits bool) {
		t.Helper()
		path := "/documents/" + j.DocumentID
		for _, a := range []answer{r.get(path + "/content"), r.post(path+"/links", link)} {
			p := refused(t, a, status, code)
			if *p.DocumentID != j.DocumentID || *p.JobID != j.ID || (a.header.Get("Retry-After") != "") != waits || p.Retryable != waits {
				t.Errorf("%s, Retry-After %q", a.body, a.header.Get("Retry-After"))
			}
		}
		if a := r.do(http.MethodHead, path+"/content"); a.status != status || (a.header.Get("Retry-After") != "") != waits {
			t.Errorf("HEAD: %d", a.status)
		}
	}
	j := r.submit(page)
	check(j, http.StatusConflict, api.CodeDocumentPending, true)
	r.fail(j.ID)
	check(j, http.StatusConflict, api.CodeDocumentNotIssued, false)

	j = r.submit(page)
	r.issue(j.ID, content)
	r.delete("/documents/" + j.DocumentID)
	check(j, http.StatusGone, api.CodeDocumentPurged, false)
}

func TestPurgingTakesBytesAndInputAndLeavesTheIdentity(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := read[api.Job](t, r.post("/jobs", form(part{name: "html", text: "<p>"}, part{name: "file", file: "a", text: "x"})), http.StatusAccepted)
	path := "/documents/" + j.DocumentID

	p := refused(t, r.delete(path), http.StatusConflict, api.CodeDocumentPending)
	if *p.JobID != j.ID || !p.Retryable {
		t.Errorf("names %v, retryable %v", *p.JobID, p.Retryable)
	}
	input := r.specOf(j.ID).Files[0].Blob
	r.issue(j.ID, content)
	stored, err := r.store.Document(t.Context(), jobs.ID(j.DocumentID))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // again is fine
		d := read[api.Document](t, r.delete(path), http.StatusOK)
		if d.Status != api.DocumentPurged || d.PurgedAt == nil || d.URL != nil || *d.SHA256 != sha(content) || *d.IssueNumber != 1 {
			t.Errorf("got %+v", d)
		}
	}
	for _, blob := range []string{input, stored.Result.Blob} {
		if _, err := r.blobs.Open(t.Context(), blob); err == nil {
			t.Errorf("%s is still there", blob)
		}
	}
	if d := read[api.Document](t, r.get(path), http.StatusOK); d.Status != api.DocumentPurged {
		t.Errorf("got %+v", d)
	}
}

func TestALinkNeedsNoKeyAndIsForOneDocumentAndOneTime(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j, other := r.submit(page), r.submit(page)
	r.issue(j.ID, content)
	r.issue(other.ID, content)
	before := time.Now()
	link := read[api.Link](t, r.post("/documents/"+j.DocumentID+"/links", jsonBody(`{"expires_in_seconds":3600}`)), http.StatusCreated)
	if wait := link.ExpiresAt.Sub(before); wait < 59*time.Minute || wait > 61*time.Minute {
		t.Errorf("expires in %v", wait)
	}
	u, err := url.Parse(link.URL)
	if err != nil || !strings.HasPrefix(link.URL, publicURL+"/documents/") {
		t.Fatalf("%s: %v", link.URL, err)
	}
	path := strings.TrimPrefix(u.Path, "/base")
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		if a := r.do(method, path+"?"+u.RawQuery, as("")); a.status != http.StatusOK || a.header.Get("ETag") != `"`+sha(content)+`"` {
			t.Errorf("%s: %d", method, a.status)
		}
	}
	expires, signature := u.Query().Get("expires"), u.Query().Get("signature")
	for name, tc := range map[string]struct{ path, query string }{
		"another document": {"/documents/" + other.DocumentID + "/content", u.RawQuery},
		"another time":     {path, "expires=" + expires + "0&signature=" + signature},
		"no signature":     {path, "expires=" + expires},
		"no time":          {path, "signature=" + signature},
		"empty":            {path, "expires=&signature="},
		"changed":          {path, "expires=" + expires + "&signature=00" + signature[2:]},
		"cut":              {path, "expires=" + expires + "&signature=" + signature[:32]},
		"no document":      {"/documents/doc_x/content", u.RawQuery},
	} {
		if a := r.get(tc.path+"?"+tc.query, as(""), wrong); a.status != http.StatusForbidden {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		} else {
			refused(t, a, http.StatusForbidden, api.CodeLinkInvalid)
		}
	}
	if a := r.get("/documents/"+j.DocumentID+"?"+u.RawQuery, as("")); a.status != http.StatusUnauthorized {
		t.Errorf("the link opens more than the content: %d", a.status)
	}
	old := r.service.Link(jobs.ID(j.DocumentID), time.Now().Add(-time.Second))
	refused(t, r.get(path+"?"+old, as("")), http.StatusForbidden, api.CodeLinkExpired)

	r.delete("/documents/" + j.DocumentID)
	refused(t, r.get(path+"?"+u.RawQuery, as("")), http.StatusGone, api.CodeDocumentPurged)
}

func TestALinksTimeIsBounded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(page)
	r.issue(j.ID, content)
	path := "/documents/" + j.DocumentID + "/links"
	for text, code := range map[string]api.ErrorCode{
		`{}`: api.CodeFieldMissing, `{"expires_in_seconds":0}`: api.CodeFieldInvalid, `{"expires_in_seconds":604801}`: api.CodeFieldInvalid,
		`{"expires_in_seconds":"1"}`: api.CodeFieldInvalid, `{"expires_in_seconds":null}`: api.CodeFieldInvalid, `{"expires_in_seconds":1,"x":1}`: api.CodeFieldUnknown,
	} {
		p := refused(t, r.post(path, jsonBody(text), wrong), http.StatusUnprocessableEntity, code)
		if len(p.Errors) != 1 || p.Errors[0].Pointer == "" {
			t.Errorf("%s: %+v", text, p.Errors)
		}
	}
	refused(t, r.post(path, jsonBody(`x`), wrong), http.StatusBadRequest, api.CodeBodyMalformed)
	refused(t, r.post(path, body("text/plain", `{}`), wrong), http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported)
	read[api.Link](t, r.post(path, jsonBody(`{"expires_in_seconds":604800}`)), http.StatusCreated)
}

func TestBytesThatAreLostAreWeatherToTheCallerAndAnErrorToTheOperator(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(page)
	r.issue(j.ID, content)
	if err := r.blobs.DeletePrefix(t.Context(), jobs.OutputPrefix("default", jobs.ID(j.DocumentID))); err != nil {
		t.Fatal(err)
	}
	a := r.get("/documents/" + j.DocumentID + "/content")
	p := refused(t, a, http.StatusServiceUnavailable, api.CodeStorageUnavailable)
	if !p.Retryable || a.header.Get("Retry-After") == "" || p.DocumentID == nil || *p.DocumentID != j.DocumentID || p.JobID == nil || *p.JobID != j.ID {
		t.Errorf("Retry-After %q: %s", a.header.Get("Retry-After"), a.body)
	}
	lines := r.logs.requests(t)
	last := lines[len(lines)-1]
	cause, _ := last["error"].(string)
	if last["level"] != "ERROR" || !strings.Contains(cause, "are missing") || !strings.Contains(cause, j.DocumentID) || strings.Contains(string(a.body), "missing") {
		t.Errorf("logged %v", last)
	}
}
