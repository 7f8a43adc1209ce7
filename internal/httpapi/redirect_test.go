package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// linker is a storage that makes addresses.
type linker func(name string, l jobs.BlobLink) (string, error)

func (l linker) Link(_ context.Context, name string, link jobs.BlobLink) (string, error) {
	return l(name, link)
}

func TestContentIsElsewhereForWhoAsks(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	j := r.submit(page)
	r.issue(j.ID, content)
	path := "/documents/" + j.DocumentID + "/content"
	if a := r.get(path + "?redirect=true"); a.status != http.StatusOK || string(a.body) != content {
		t.Errorf("from a storage without addresses: %d", a.status)
	}

	const elsewhere = "https://storage.example/a?signed=1"
	var asked []jobs.BlobLink
	r.service.Links = linker(func(name string, l jobs.BlobLink) (string, error) {
		if !strings.HasPrefix(name, jobs.OutputPrefix("default", jobs.ID(j.DocumentID))+"/") || !strings.HasSuffix(name, ".pdf") {
			t.Errorf("a link to %s", name)
		}
		asked = append(asked, l)
		return elsewhere, nil
	})
	a := r.get(path + "?redirect=true")
	if a.status != http.StatusTemporaryRedirect || len(a.body) != 0 {
		t.Fatalf("got %d, %q", a.status, a.body)
	}
	for name, want := range map[string]string{
		"Location": elsewhere, "Etag": `"` + sha(content) + `"`, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		"Content-Disposition": "", "Content-Type": "",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	want := jobs.BlobLink{
		Expires: time.Minute, ContentType: "application/pdf", CacheControl: "private, max-age=31536000, immutable",
		Disposition: `attachment; filename="` + j.DocumentID + `.pdf"`,
	}
	if len(asked) != 1 || asked[0] != want {
		t.Errorf("asked for %+v", asked)
	}

	for name, got := range map[string]answer{
		"unasked": r.get(path), "not wanted": r.get(path + "?redirect=false"), "HEAD": r.do(http.MethodHead, path+"?redirect=true"),
		"a condition": r.get(path+"?redirect=true", header("If-Match", `"`+sha(content)+`"`)),
	} {
		if got.status != http.StatusOK || got.header.Get("Location") != "" {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	if got := r.get(path+"?redirect=true", header("If-None-Match", `"`+sha(content)+`"`)); got.status != http.StatusNotModified {
		t.Errorf("what the caller has: %d", got.status)
	}
	refused(t, r.get(path+"?redirect=perhaps"), http.StatusBadRequest, api.CodeQueryMalformed)

	r.service.Links = linker(func(string, jobs.BlobLink) (string, error) { return "", errors.New("no credentials") })
	refused(t, r.get(path+"?redirect=true"), http.StatusInternalServerError, api.CodeInternal)
}

func TestOnlyWhoMayReadIsSentElsewhere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.service.Links = linker(func(string, jobs.BlobLink) (string, error) {
		t.Error("a link was made")
		return "https://storage.example/", nil
	})
	j := r.submit(page)
	path := "/documents/" + j.DocumentID + "/content?redirect=true"
	refused(t, r.get(path), http.StatusConflict, api.CodeDocumentPending)
	r.issue(j.ID, content)
	refused(t, r.get(path, as("")), http.StatusUnauthorized, api.CodeKeyMissing)
	refused(t, r.get(path+"&expires=99999999999&signature=00", as("")), http.StatusForbidden, api.CodeLinkInvalid)
	refused(t, r.get(path, as(r.newKey("another", jobs.ScopeRead))), http.StatusNotFound, api.CodeDocumentNotFound)
}
