package e2e_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/s3test"
)

// hold lets the server take the first document of a kind and keeps its answer back until it is released.
type hold struct {
	once    sync.Once
	reached chan struct{}
	release chan struct{}
}

func newHold(t *testing.T) *hold {
	t.Helper()
	h := &hold{reached: make(chan struct{}), release: make(chan struct{})}
	t.Cleanup(func() { close(h.release) })
	return h
}

func (h *hold) wait() {
	h.once.Do(func() {
		close(h.reached)
		<-h.release
	})
}

func documentPut(r *http.Request) bool {
	return r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/documents/") && strings.HasSuffix(r.URL.Path, ".pdf")
}

// A worker dies when the bucket has its bytes, and another one while it sends them: one document comes of it, made by a third, and what is left is found.
func TestADocumentInABucketSurvivesItsWorkers(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := newStack(t, append(s3test.Environ(), "PLATEN_BLOB_DIR="+strings.Replace(server.Bucket(t, "papers"), "s3://papers", "s3://papers/platen", 1), "PLATEN_LEASE=1s")...)
	s.up()

	kept, cut := newHold(t), newHold(t)
	server.Break(func(r *http.Request) s3test.Fault {
		if documentPut(r) {
			return s3test.Fault{After: kept.wait}
		}
		return s3test.Fault{}
	})
	first := s.start("worker")
	native, html := api.EngineNative, "<h1>Invoice</h1>"
	got, err := s.Submit(t.Context(), client.Submission{Request: api.JobRequest{HTML: &html, Engine: &native}})
	if err != nil {
		t.Fatal(err)
	}
	job := got.Job
	<-kept.reached
	first.kill()
	server.Break(func(r *http.Request) s3test.Fault {
		if documentPut(r) {
			return s3test.Fault{Before: cut.wait, CutRequest: 100}
		}
		return s3test.Fault{}
	})
	second := s.start("worker")
	<-cut.reached
	content := "/documents/" + job.DocumentID + "/content"
	if status, _, _ := s.fetch(content); status != http.StatusConflict {
		t.Errorf("bytes of a document that is not issued: %d", status)
	}
	second.kill()
	server.Break(nil)
	s.start("worker")
	done := s.await(job.ID)
	if done.Status != api.JobSucceeded || done.Attempt != 3 {
		t.Fatalf("%s in attempt %d, %+v", done.Status, done.Attempt, done.Error)
	}
	status, _, whole := s.fetch(content)
	if status != http.StatusOK || !bytes.HasPrefix(whole, []byte("%PDF")) || int64(len(whole)) != done.Result.Bytes {
		t.Errorf("%d, %d bytes", status, len(whole))
	}
	status, header, _ := s.fetch(content + "?redirect=true")
	if status != http.StatusTemporaryRedirect || header.Get("ETag") != `"`+done.Result.SHA256+`"` {
		t.Fatalf("%d, %v", status, header)
	}
	res, err := http.Get(header.Get("Location")) // without a key
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	elsewhere, err := io.ReadAll(res.Body)
	if err != nil || !bytes.Equal(elsewhere, whole) || res.Header.Get("Content-Type") != "application/pdf" || !strings.Contains(res.Header.Get("Content-Disposition"), ".pdf") {
		t.Errorf("%d, %d bytes, %v, %v", res.StatusCode, len(elsewhere), res.Header, err)
	}

	orphan := s.gc("--json")
	if len(orphan.Findings) != 1 || orphan.Findings[0].Found != "orphan" || !strings.Contains(orphan.Findings[0].Blob, job.DocumentID+"/"+job.ID+"-1-") || orphan.Findings[0].Deleted {
		t.Fatalf("found %+v", orphan)
	}
	if after := s.gc("--json", "--delete", "--yes"); len(after.Findings) != 1 || !after.Findings[0].Deleted {
		t.Errorf("deleted %+v", after)
	}
	if after := s.gc("--json"); len(after.Findings) != 0 || after.Blobs == 0 {
		t.Errorf("still there: %+v", after)
	}
	if status, _, again := s.fetch(content); status != http.StatusOK || !bytes.Equal(again, whole) {
		t.Errorf("after that: %d, %d bytes", status, len(again))
	}

	// Another bucket is no place to start with, and the first one is missed at once.
	s.env = append(s.env, "PLATEN_BLOB_DIR="+strings.Replace(server.Bucket(t, "others"), "s3://others", "s3://others/x", 1))
	if out, err := s.program("platen", "gc").CombinedOutput(); err == nil || !strings.Contains(string(out), "it is another one") {
		t.Errorf("gc of a bucket that is not ours: %v, %s", err, out)
	}
	jobstest.Eventually(t, "all are ready", func() bool { status, _ := ready(t, s.addr); return status == http.StatusOK })
}

type garbage struct {
	Blobs    int
	Findings []struct {
		Blob, Found string
		Deleted     bool
	}
}

func (s *stack) program(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.Context(), filepath.Join(bin, name), args...)
	cmd.Env = s.env
	return cmd
}

func (s *stack) gc(args ...string) garbage {
	s.Helper()
	var stderr bytes.Buffer
	cmd := s.program("platen", append([]string{"gc"}, args...)...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var g garbage
	if err == nil {
		err = json.Unmarshal(out, &g)
	}
	if err != nil {
		s.Fatalf("platen gc: %v\n%s%s", err, out, stderr.String())
	}
	return g
}

// fetch gets a path with the key, and follows nothing.
func (s *stack) fetch(path string) (status int, header http.Header, body []byte) {
	s.Helper()
	req, err := http.NewRequestWithContext(s.Context(), http.MethodGet, s.BaseURL+path, http.NoBody)
	if err != nil {
		s.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+devKey)
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		s.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if body, err = io.ReadAll(res.Body); err != nil {
		s.Fatal(err)
	}
	return res.StatusCode, res.Header, body
}
