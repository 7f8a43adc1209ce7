package client_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

func TestADownloadIsTheDocument(t *testing.T) {
	t.Parallel()
	server := serve(t, reply(http.StatusOK, issued()), content(pdf))
	var buf bytes.Buffer
	document, err := server.inMemory().Download(t.Context(), documentID, &buf)
	if err != nil {
		t.Fatal(err)
	}
	if buf.String() != pdf {
		t.Errorf("downloaded %q", buf.String())
	}
	if diff := cmp.Diff(issued(), document); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestADownloadReplacesAFileInOneStep(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.pdf")
	write(t, path, "earlier")
	server := serve(t, reply(http.StatusOK, issued()), content(pdf))
	if _, err := server.inMemory().DownloadFile(t.Context(), documentID, path); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, filepath.Dir(path), map[string]string{"a.pdf": pdf})
}

func TestOtherBytesThanTheDocumentsLeaveNoFile(t *testing.T) {
	t.Parallel()
	forged := []byte(pdf)
	forged[len(forged)-1]++
	dir := t.TempDir()
	server := serve(t, reply(http.StatusOK, issued()), content(string(forged)))
	_, err := server.inMemory().DownloadFile(t.Context(), documentID, filepath.Join(dir, "a.pdf"))
	if !errors.Is(err, client.ErrDigest) {
		t.Errorf("the error is %v", err)
	}
	wantFiles(t, dir, map[string]string{})
}

func TestAFailedDownloadLeavesTheFileAsItWas(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.pdf")
	write(t, path, "earlier")
	server := serve(t, reply(http.StatusOK, pending()), problem(http.StatusConflict, api.CodeDocumentPending, "Retry-After", "2"))
	_, err := server.inMemory().DownloadFile(t.Context(), documentID, path)
	if !client.HasCode(err, api.CodeDocumentPending) {
		t.Errorf("the error is %v", err)
	}
	wantFiles(t, filepath.Dir(path), map[string]string{"a.pdf": "earlier"})
}

// half sends the first bytes of the document and cuts the connection.
func half(w http.ResponseWriter, r *http.Request) {
	content(pdf[:9])(w, r)
	_ = http.NewResponseController(w).Flush()
	cut(w, r)
}

func TestADownloadIntoAFileThatBreaksOffIsRepeated(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server := serve(t, reply(http.StatusOK, issued()), half, content(pdf))
	if _, err := server.overTCP().DownloadFile(t.Context(), documentID, filepath.Join(dir, "a.pdf")); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, dir, map[string]string{"a.pdf": pdf})
}

func TestADownloadIntoAStreamThatBreaksOffIsAnError(t *testing.T) {
	t.Parallel()
	server := serve(t, reply(http.StatusOK, issued()), half)
	var buf bytes.Buffer
	if _, err := server.overTCP().Download(t.Context(), documentID, &buf); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the error is %v", err)
	}
}

func TestADocumentIssuedMeanwhileIsVerifiedToo(t *testing.T) {
	t.Parallel()
	server := serve(t, reply(http.StatusOK, pending()), content(pdf), reply(http.StatusOK, issued()))
	document, err := server.inMemory().Download(t.Context(), documentID, io.Discard)
	if err != nil || document.Status != api.DocumentIssued {
		t.Errorf("download: %+v, %v", document, err)
	}
}

func TestWhatIsNoFileIsNotReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := serve(t).inMemory().DownloadFile(t.Context(), documentID, dir)
	if !errors.Is(err, client.ErrArgument) {
		t.Errorf("the error is %v", err)
	}
	wantFiles(t, dir, map[string]string{})
}

func TestAFolderThatIsNotThereIsSaidWithThePathThatWasGiven(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "none", "a.pdf")
	_, err := serve(t).inMemory().DownloadFile(t.Context(), documentID, path)
	if want := "save " + path + ": no such file or directory"; err == nil || err.Error() != want || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestALinkToAFileStaysALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target.pdf"), filepath.Join(t.TempDir(), "link.pdf")
	write(t, target, "earlier")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	server := serve(t, reply(http.StatusOK, issued()), content(pdf))
	if _, err := server.inMemory().DownloadFile(t.Context(), documentID, link); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, dir, map[string]string{"target.pdf": pdf})
	if got, err := os.Readlink(link); err != nil || got != target {
		t.Errorf("the link leads to %q, %v", got, err)
	}
}

func TestAWriterThatFailsEndsTheDownload(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	server := serve(t, reply(http.StatusOK, issued()), content(pdf))
	if _, err := server.inMemory().Download(t.Context(), documentID, failing{full}); !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// wantFiles compares all files of a folder.
func wantFiles(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got[entry.Name()] = string(text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files -want +got:\n%s", diff)
	}
}
