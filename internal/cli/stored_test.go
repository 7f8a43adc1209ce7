package cli_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
)

func TestADocumentIsIssuedFromAStoredTemplate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := file(t, dir, "data.json", `{"n": 1.10}`)
	stored := file(t, dir, "stored.json", `{"template":{"name":"letter","version":2},"data":{"n":1},"metadata":{"x":1.0}}`)
	address := file(t, dir, "address.json", `{"url":"https://shop.example/"}`)
	options := file(t, dir, "options.json", `{"strict":true}`)
	for name, test := range map[string]struct{ args, want string }{
		"the current version": {"--template letter --data " + data, `{"template":{"name":"letter"},"data":{"n":1.10}}`},
		"one version": {
			"--template letter@12 --data - --locale de-CH --job " + options,
			`{"template":{"name":"letter","version":12},"data":"from stdin","output":{"locale":"de-CH"},"strict":true}`,
		},
		"of the job":            {"--job " + stored, `{"template":{"name":"letter","version":2},"data":{"n":1},"metadata":{"x":1.0}}`},
		"of the job, and data":  {"--job " + stored + " --data " + data, `{"template":{"name":"letter","version":2},"data":{"n":1.10},"metadata":{"x":1.0}}`},
		"an address of the job": {"--job " + address, `{"url":"https://shop.example/"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(renders(api.JobSucceeded, pdf))
			got := run(t, s, `"from stdin"`, withKey, append([]string{"render", "-o", "-"}, strings.Fields(test.args)...)...)
			if got.status != 0 || got.stdout != pdf {
				t.Fatalf("status %d, %s", got.status, got.stderr)
			}
			if diff := cmp.Diff(test.want, strings.TrimSpace(s.request(t, "POST /jobs").body)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestOnePageIsNamedAndNoMore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := file(t, dir, "a.html", "x")
	stored := file(t, dir, "stored.json", `{"template":{"name":"letter"}}`)
	options := file(t, dir, "options.json", `{"strict":false}`)
	for _, test := range []struct {
		args   string
		status int
		says   string
	}{
		{"", 2, "FILE is missing; --template or --job can stand in for it"},
		{"--job " + options, 2, "names no page"},
		{page + " --template letter", 2, "not both"},
		{page + " --job " + stored, 1, "the page is in FILE"},
		{"--template letter --job " + stored, 1, "the page is that of --template"},
		{"--template letter --as html", 2, "--as says what FILE is"},
		{"--template letter --local", 2, "--template needs a server"},
		{"--job " + stored + " --local -o " + filepath.Join(dir, "a.pdf"), 1, "template/name needs a server"},
		{"--template letter@", 2, "want NAME or NAME@VERSION"},
		{"--template letter@0", 2, "want NAME or NAME@VERSION"},
		{"https://shop.example/ --data " + options, 2, "--data is only for a template"},
	} {
		got := run(t, nil, "", withKey, append([]string{"render"}, strings.Fields(test.args)...)...)
		if got.status != test.status || !strings.Contains(got.stderr, test.says) {
			t.Errorf("%s: status %d, %s", test.args, got.status, got.stderr)
		}
	}
}

// TestADocumentOfATemplateIsCalledLikeIt runs in a folder of its own, so not beside others.
func TestADocumentOfATemplateIsCalledLikeIt(t *testing.T) { // not parallel: t.Chdir
	t.Chdir(t.TempDir())
	routes := renders(api.JobSucceeded, pdf)
	image := job(api.JobSucceeded)
	image.Result.ContentType = "image/png"
	routes["GET /jobs/{id}"] = reply(http.StatusOK, image, "ETag", `"2"`)
	for args, out := range map[string]string{"letter": "letter.png", "letter@3 --output-format jpeg": "letter.png"} {
		got := run(t, newServer(routes), "", withKey, append([]string{"render", "--template"}, strings.Fields(args)...)...)
		if want := out + "\nsha256 " + digest(pdf) + "\n"; got.status != 0 || got.stdout != want {
			t.Errorf("%s: status %d, %q, want %q, %s", args, got.status, got.stdout, want, got.stderr)
		}
		wantFile(t, out, pdf)
	}
}

// TestADocumentIsDownloadedUnderItsOwnName runs in a folder of its own, so not beside others.
func TestADocumentIsDownloadedUnderItsOwnName(t *testing.T) { // not parallel: t.Chdir
	t.Chdir(t.TempDir())
	routes := renders(api.JobSucceeded, pdf)
	got := run(t, newServer(routes), "", withKey, "documents", "download", documentID)
	if want := "a.pdf\nsha256 " + digest(pdf) + "\n"; got.status != 0 || got.stdout != want {
		t.Errorf("status %d, %q, want %q, %s", got.status, got.stdout, want, got.stderr)
	}
	wantFile(t, "a.pdf", pdf)
	if got := run(t, newServer(routes), "", withKey, "documents", "download", documentID); got.status != 1 || !strings.Contains(got.stderr, "a.pdf is there already; -o replaces it") {
		t.Errorf("a second time: %+v", got)
	}
	if got := run(t, newServer(routes), "", withKey, "documents", "download", documentID, "-o", "a.pdf"); got.status != 0 {
		t.Errorf("a second time, named: %+v", got)
	}
	for _, name := range []string{"../a.pdf", "/tmp/a.pdf", "b/a.pdf", `b\a.pdf`, ".bashrc", "-rf", "..", "a\x1b[31m.pdf", "a\n.pdf"} {
		named := document()
		named.Filename = &name
		routes["GET /documents/{id}"] = reply(http.StatusOK, named)
		if got := run(t, newServer(routes), "", withKey, "documents", "download", documentID); got.status != 1 || !strings.Contains(got.stderr, "no name for a file here") {
			t.Errorf("%q: %+v", name, got)
		}
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 1 {
		t.Errorf("%d files, %v", len(entries), err)
	}
}

func TestADocumentIsDownloadedToAPathOrTheStandardOutput(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "mine.pdf")
	if got := run(t, newServer(renders(api.JobSucceeded, pdf)), "", withKey, "documents", "download", documentID, "-o", out); got.status != 0 || got.stdout != out+"\nsha256 "+digest(pdf)+"\n" {
		t.Errorf("%+v", got)
	}
	wantFile(t, out, pdf)
	if got := run(t, newServer(renders(api.JobSucceeded, pdf)), "", withKey, "documents", "download", documentID, "-o", "-"); got.status != 0 || got.stdout != pdf || got.stderr != "sha256 "+digest(pdf)+"\n" {
		t.Errorf("%+v", got)
	}
	before := file(t, t.TempDir(), "before.pdf", "what was there before")
	if got := run(t, newServer(renders(api.JobSucceeded, "other bytes")), "", withKey, "documents", "download", documentID, "-o", before); got.status != 1 {
		t.Errorf("other bytes than were issued: %+v", got)
	}
	wantFile(t, before, "what was there before")
}

func TestAPurgeMustBeMeant(t *testing.T) {
	t.Parallel()
	purged := document()
	purged.Status, purged.PurgedAt, purged.URL = api.DocumentPurged, &noon, nil
	s := newServer(map[string]http.HandlerFunc{"DELETE /documents/{id}": reply(http.StatusOK, purged)})
	if got := run(t, s, "", withKey, "documents", "purge", documentID); got.status != 2 || !strings.Contains(got.stderr, "cannot be undone; --yes says that "+documentID) || len(s.asked) > 0 {
		t.Errorf("without --yes: %+v, asked %v", got, s.asked)
	}
	if got := run(t, s, "", withKey, "documents", "purge", documentID, "--yes"); got.status != 0 || !strings.Contains(got.stdout, "purged        2026-03-02 12:00:00Z\n") {
		t.Errorf("%+v", got)
	}
}

func TestALinkWorksAsLongAsIsSaid(t *testing.T) {
	t.Parallel()
	url := "http://platen.test/documents/" + documentID + "/content?expires=1&signature=00"
	for body, args := range map[string][]string{`{"expires_in_seconds":86400}`: nil, `{"expires_in_seconds":3600}`: {"--expires", "1h"}} {
		s := newServer(map[string]http.HandlerFunc{"POST /documents/{id}/links": reply(http.StatusCreated, api.Link{URL: url, ExpiresAt: noon})})
		got := run(t, s, "", withKey, append([]string{"documents", "link", documentID}, args...)...)
		if got.status != 0 || got.stdout != url+"\n" || got.stderr != "works until 2026-03-02 12:00:00Z\n" {
			t.Errorf("%q: %+v", args, got)
		}
		if asked := strings.TrimSpace(s.request(t, "POST /documents/"+documentID+"/links").body); asked != body {
			t.Errorf("asked %s, want %s", asked, body)
		}
	}
}

func TestAJobTellsItsTemplate(t *testing.T) {
	t.Parallel()
	j := job(api.JobSucceeded)
	j.Template = &api.TemplateVersion{Name: "letter", Version: 3}
	s := newServer(map[string]http.HandlerFunc{"GET /jobs/{id}": reply(http.StatusOK, j, "ETag", `"1"`)})
	if got := run(t, s, "", withKey, "jobs", "get", jobID); !strings.Contains(got.stdout, "letter, version 3\n") {
		t.Errorf("%+v", got)
	}
}
