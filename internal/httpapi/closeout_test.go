package httpapi_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs"
)

// manifest is that of a batch, of which one of the tenant's keys has made the signature.
func (r *rig) manifest(batch string) api.Manifest {
	r.Helper()
	a := r.get("/batches/" + batch + "/manifest")
	if a.status != http.StatusOK {
		r.Fatalf("got %d: %s", a.status, a.body)
	}
	return r.checked(a.body)
}

func (r *rig) checked(text []byte) api.Manifest {
	r.Helper()
	keys := read[api.SigningKeyList](r, r.get("/keys/signing"), http.StatusOK)
	m, err := client.CheckManifest(text, keys.Data)
	if err != nil {
		r.Fatalf("%v: %s", err, text)
	}
	return m
}

// zipped are the files of an archive by their names.
func zipped(t *testing.T, text []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// story is what a manifest tells: key, status and file of each entry.
func story(m api.Manifest) []string {
	var lines []string
	for _, e := range m.Entries {
		line := string(e.Status)
		for _, text := range []*string{e.DocumentKey, e.File} {
			if text != nil {
				line += " " + *text
			}
		}
		if e.Unexpected {
			line += " unexpected"
		}
		if e.Purged {
			line += " purged"
		}
		lines = append(lines, line)
	}
	return lines
}

func TestABatchThatHasEndedIsClosedOut(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	before := r.submit(slip(0))
	r.issue(before.ID, "issued before")
	b := r.submitBatch(ndjson(append([]string{`{"expect_keys":["d:0","d:1","d:2","d:7"]}`}, slips(4)...)...))
	r.promote()
	for _, path := range []string{"/manifest", "/archive"} {
		a := r.get("/batches/" + b.ID + path)
		if p := refused(t, a, http.StatusConflict, api.CodeBatchPending); !p.Retryable || a.header.Get("Retry-After") == "" {
			t.Errorf("got %+v, %v", p, a.header)
		}
	}
	items := r.batchItems(b.ID, "")
	r.issue(items[1].Job.ID, "one")
	r.fail(items[2].Job.ID)
	r.issue(items[3].Job.ID, "three")
	r.delete("/documents/" + *items[3].DocumentID)

	m := r.manifest(b.ID)
	want := []string{"reused d:0 d_0.pdf", "issued d:1 d_1.pdf", "failed d:2", "issued d:3 unexpected purged", "missing d:7"}
	if d := cmp.Diff(want, story(m)); d != "" {
		t.Error(d)
	}
	if m.BatchID != b.ID || m.Tenant != "default" || m.Sequence != 1 || m.Items != 4 || *m.Expected != 4 || *m.Entries[1].SHA256 != sha("one") ||
		m.Counts != (api.ManifestCounts{Issued: 2, Reused: 1, Failed: 1, Missing: 1, Unexpected: 1}) {
		t.Errorf("got %+v", m)
	}

	a := r.get("/batches/" + b.ID + "/archive")
	files := zipped(t, a.body)
	if d := cmp.Diff(m, r.checked([]byte(files["manifest.json"]))); d != "" {
		t.Error(d)
	}
	delete(files, "manifest.json")
	if d := cmp.Diff(map[string]string{"d_0.pdf": "issued before", "d_1.pdf": "one"}, files); d != "" {
		t.Error(d)
	}
	if got := a.header.Get("Content-Disposition"); got != `attachment; filename="`+b.ID+`.zip"` {
		t.Error(got)
	}
}

func TestARetryMakesAManifestOfItsOwn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(ndjson(append([]string{`{}`}, slips(2)...)...))
	r.promote()
	items := r.batchItems(b.ID, "")
	r.issue(items[0].Job.ID, "zero")
	r.fail(items[1].Job.ID)
	first := r.manifest(b.ID)
	read[api.Batch](t, r.post("/batches/"+b.ID+"/retry", jsonBody(`{"items":[{"index":1,"html":"<p>mended"}]}`)), http.StatusAccepted)
	refused(t, r.get("/batches/"+b.ID+"/manifest"), http.StatusConflict, api.CodeBatchPending)
	r.promote()
	r.issue(r.batchItems(b.ID, "")[1].Job.ID, "mended")
	second := r.manifest(b.ID)
	if d := cmp.Diff([]string{"issued d:0 d_0.pdf", "issued d:1 d_1.pdf"}, story(second)); d != "" {
		t.Error(d)
	}
	if first.Sequence != 1 || second.Sequence != 2 || *first.Entries[1].DocumentID != *second.Entries[1].DocumentID || cmp.Diff(first.Entries[0], second.Entries[0]) != "" {
		t.Errorf("got %+v, then %+v", first, second)
	}
}

func TestAManifestOfManyPagesIsWhole(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const items, missing = 1203, 1100
	var expected []string
	for i := range missing {
		expected = append(expected, fmt.Sprintf(`"never:%04d"`, i))
	}
	b := r.submitBatch(ndjson(append([]string{`{"expect_keys":["d:0",` + strings.Join(expected, ",") + `]}`}, slips(items)...)...))
	r.delete("/batches/" + b.ID)
	r.promote()
	m := r.manifest(b.ID)
	if want := (api.ManifestCounts{Canceled: items, Missing: missing, Unexpected: items - 1}); m.Counts != want || len(m.Entries) != items+missing || m.Status != api.BatchCanceled {
		t.Fatalf("got %+v, %d entries", m.Counts, len(m.Entries))
	}
	for i, e := range m.Entries {
		want := fmt.Sprintf("d:%d", i)
		if i >= items {
			want = fmt.Sprintf("never:%04d", i-items)
		}
		if *e.DocumentKey != want || (e.Index == nil) != (i >= items) || e.Unexpected != (i > 0 && i < items) {
			t.Fatalf("entry %d is %+v", i, e)
		}
	}
	if files := zipped(t, r.get("/batches/"+b.ID+"/archive").body); len(files) != 1 {
		t.Errorf("got %d files", len(files))
	}
}

func TestADocumentThatCannotBeReadHasNoArchive(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(ndjson(`{}`, slip(0)))
	r.promote()
	job := r.batchItems(b.ID, "")[0].Job
	r.issue(job.ID, "zero")
	d, err := r.store.Document(t.Context(), jobs.ID(job.DocumentID))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.blobs.DeletePrefix(t.Context(), jobs.OutputPrefix("default", d.ID)); err != nil {
		t.Fatal(err)
	}
	a := r.get("/batches/" + b.ID + "/archive")
	if p := refused(t, a, http.StatusServiceUnavailable, api.CodeStorageUnavailable); *p.DocumentID != job.DocumentID || a.header.Get("Content-Disposition") != "" {
		t.Errorf("got %+v, %v", p, a.header)
	}
	r.manifest(b.ID) // needs no bytes
}

// TestAnArchiveThatFailsOnTheWayIsCutOff needs a connection: what was sent cannot be taken back, so the client must see that it is a part.
func TestAnArchiveThatFailsOnTheWayIsCutOff(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(ndjson(append([]string{`{}`}, slips(3)...)...))
	r.promote()
	large := strings.Repeat("large ", 100_000)
	for i, item := range r.batchItems(b.ID, "") {
		r.issue(item.Job.ID, fmt.Sprint(i, large))
	}
	d, err := r.store.DocumentByKey(t.Context(), "default", "d:2")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.blobs.DeletePrefix(t.Context(), jobs.OutputPrefix("default", d.ID)); err != nil {
		t.Fatal(err)
	}
	if err := r.blobs.Put(t.Context(), d.Result.Blob, strings.NewReader(fmt.Sprint(3, large))); err != nil {
		t.Fatal(err)
	}
	c := &client.Client{BaseURL: r.listen(), Key: r.key, RetryFor: -1}
	var part bytes.Buffer
	if err := c.Archive(t.Context(), b.ID, &part); !errors.Is(err, io.ErrUnexpectedEOF) || part.Len() < len(large) {
		t.Errorf("%d bytes, %v", part.Len(), err)
	}
	if _, err := zip.NewReader(bytes.NewReader(part.Bytes()), int64(part.Len())); err == nil {
		t.Error("what came is a zip")
	}
	eventually(t, "the operator is told", func() bool {
		for _, line := range r.logs.requests(t) {
			if line["route"] == "/batches/:id/archive" {
				return line["level"] == "ERROR" && strings.Contains(fmt.Sprint(line["error"]), "altered") && line["document_id"] == string(d.ID)
			}
		}
		return false
	})
}

// TestAClientThatHangsUpIsNoFault reads a part of an archive and goes.
func TestAClientThatHangsUpIsNoFault(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const many = 40
	b := r.submitBatch(ndjson(append([]string{`{}`}, slips(many)...)...))
	r.promote()
	large := strings.Repeat("large ", 150_000)
	for i, item := range r.batchItems(b.ID, "") {
		r.issue(item.Job.ID, fmt.Sprint(i, large))
	}
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	c := &client.Client{BaseURL: r.listen(), Key: r.key, RetryFor: -1}
	if err := c.Archive(ctx, b.ID, first(hangUp)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	eventually(t, "the log says that the client has gone", func() bool {
		for _, line := range r.logs.requests(t) {
			if line["route"] == "/batches/:id/archive" {
				return line["level"] == "INFO" && strings.Contains(fmt.Sprint(line["ended"]), "client has gone") && line["error"] == nil
			}
		}
		return false
	})
}

// first calls a function when the first part arrives.
type first func()

func (f first) Write(p []byte) (int, error) {
	f()
	return len(p), nil
}
