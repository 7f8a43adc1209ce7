package client_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// shelf is a server with one batch that has ended. The content of a document is "pdf " and its id.
type shelf struct {
	mu       sync.Mutex
	manifest api.Manifest
	contents map[string]int    // how often each was asked for
	instead  map[string]string // other bytes, or "" for 410
}

func shelve(files ...string) *shelf {
	s := &shelf{contents: map[string]int{}, instead: map[string]string{}}
	s.manifest = api.Manifest{Version: 1, BatchID: batchID, Status: api.BatchCompleted}
	for i, file := range files {
		id := fmt.Sprintf("doc_%d", i)
		sum := digest("pdf " + id)
		s.manifest.Entries = append(s.manifest.Entries, api.ManifestEntry{
			Index: &i, Status: api.EntryIssued, DocumentID: &id, SHA256: &sum, File: &file,
		})
	}
	s.manifest.Entries = append(s.manifest.Entries, api.ManifestEntry{Status: api.EntryMissing, DocumentKey: new("never sent")})
	return s
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if strings.HasSuffix(r.URL.Path, "/manifest") {
		_ = json.NewEncoder(w).Encode(api.SignedManifest{Manifest: s.manifest})
		return
	}
	id := strings.Split(r.URL.Path, "/")[2]
	s.contents[id]++
	switch other, ok := s.instead[id]; {
	case ok && other == "":
		problem(http.StatusGone, api.CodeDocumentPurged)(w, r)
	case ok:
		_, _ = w.Write([]byte(other))
	default:
		_, _ = w.Write([]byte("pdf " + id))
	}
}

func (s *shelf) client(t *testing.T) *client.Client {
	t.Helper()
	return listen(t, func(_ int64, w http.ResponseWriter, r *http.Request) { s.ServeHTTP(w, r) })
}

func TestABatchIsSavedAndGoneOnWith(t *testing.T) {
	t.Parallel()
	s := shelve("a.pdf", "b.pdf", "c.pdf", "d.pdf", "e.pdf", "f.pdf")
	dir := filepath.Join(t.TempDir(), "new")
	c := s.client(t)
	if m, err := c.DownloadBatch(t.Context(), batchID, dir, client.BatchDownload{}); err != nil || m.BatchID != batchID {
		t.Fatalf("%+v, %v", m, err)
	}
	write(t, filepath.Join(dir, "b.pdf"), "something else")
	if err := os.Remove(filepath.Join(dir, "c.pdf")); err != nil {
		t.Fatal(err)
	}
	kept := map[string]bool{}
	_, err := c.DownloadBatch(t.Context(), batchID, dir, client.BatchDownload{Parallel: 2, Each: func(f client.BatchFile) { kept[filepath.Base(f.Path)] = f.Kept }})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]bool{"a.pdf": true, "b.pdf": false, "c.pdf": false, "d.pdf": true, "e.pdf": true, "f.pdf": true}, kept); diff != "" {
		t.Errorf("kept -want +got:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"doc_0": 1, "doc_1": 2, "doc_2": 2, "doc_3": 1, "doc_4": 1, "doc_5": 1}, s.contents); diff != "" {
		t.Errorf("asked for -want +got:\n%s", diff)
	}
	manifest, err := json.Marshal(api.SignedManifest{Manifest: s.manifest})
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, dir, map[string]string{
		"a.pdf": "pdf doc_0", "b.pdf": "pdf doc_1", "c.pdf": "pdf doc_2", "d.pdf": "pdf doc_3", "e.pdf": "pdf doc_4", "f.pdf": "pdf doc_5",
		"manifest.json": string(manifest) + "\n",
	})
}

func TestADocumentThatIsNotThereKeepsNobodyFromTheOthers(t *testing.T) {
	t.Parallel()
	s := shelve("a.pdf", "b.pdf", "c.pdf")
	s.instead["doc_0"], s.instead["doc_1"] = "", "forged"
	dir, errs := t.TempDir(), map[string]error{}
	_, err := s.client(t).DownloadBatch(t.Context(), batchID, dir, client.BatchDownload{
		Parallel: 1, Each: func(f client.BatchFile) { errs[*f.Entry.DocumentID] = f.Err },
	})
	if !client.HasCode(err, api.CodeDocumentPurged) || !strings.Contains(err.Error(), "2 are missing") {
		t.Errorf("the error is %v", err)
	}
	if !client.HasCode(errs["doc_0"], api.CodeDocumentPurged) || !errors.Is(errs["doc_1"], client.ErrDigest) || errs["doc_2"] != nil || len(errs) != 3 {
		t.Errorf("told %v", errs)
	}
	wantFiles(t, dir, map[string]string{"c.pdf": "pdf doc_2"})
}

func TestAFolderThatTakesNothingEndsIt(t *testing.T) {
	t.Parallel()
	var files []string
	for i := range 100 {
		files = append(files, fmt.Sprintf("%d.pdf", i))
	}
	s, dir := shelve(files...), t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "0.pdf"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := s.client(t).DownloadBatch(t.Context(), batchID, dir, client.BatchDownload{Parallel: 1})
	if err == nil || !strings.Contains(err.Error(), "0.pdf") || len(s.contents) > 2 {
		t.Errorf("after %d documents: %v", len(s.contents), err)
	}
}

func TestNamesThatLeadElsewhereAreNotFollowed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"../a.pdf", "/a.pdf", `a\b.pdf`, ".a.pdf", "", "manifest.json", "twice.pdf"} {
		s, dir := shelve("twice.pdf", name), t.TempDir()
		if _, err := s.client(t).DownloadBatch(t.Context(), batchID, dir, client.BatchDownload{}); !errors.Is(err, client.ErrManifest) || len(s.contents) > 0 {
			t.Errorf("%q: %v", name, err)
		}
	}
}
