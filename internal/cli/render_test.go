package cli_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
)

func TestRenderSubmitsWaitsAndSaves(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page, out := file(t, dir, "a.html", "<p>1 &lt; 2</p>"), filepath.Join(dir, "out.pdf")
	s := newServer(renders(api.JobSucceeded, pdf))
	got := run(t, s, "", withKey, "render", page, "-o", out, "--document-key", "invoice:7", "--key", "order 7",
		"--output-format", "pdf", "--paper", "a5", "--landscape", "--engine", "chromium", "--callback-url", "https://shop.example.com/")
	want := outcome{
		0, out + "\nsha256 " + digest(pdf) + "\n",
		jobID + " running 40 %\n" + jobID + " succeeded\nwarning: logo.png:  [31mthe job has no such file (resource_missing)\n",
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	wantFile(t, out, pdf)
	sent := s.request(t, "POST /jobs")
	body := `{"html":"<p>1 &lt; 2</p>","output":{"format":"pdf","paper":"a5","landscape":true},"engine":"chromium",` +
		`"document_key":"invoice:7","callback_url":"https://shop.example.com/"}`
	if diff := cmp.Diff(body, strings.TrimSpace(sent.body)); diff != "" {
		t.Errorf("sent -want +got:\n%s", diff)
	}
	if sent.idempotencyKey != "order 7" || sent.authorization != "Bearer plt_user_secret" {
		t.Errorf("sent %+v", sent)
	}
}

func TestWhatFILEIsFollowsFromItsNameAndTheFlags(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := file(t, dir, "data.json", `{"n": 1.10}`)
	options := file(t, dir, "options.json", `{"output":{"scale":1.5,"paper":"a3"},"metadata":{"x":1.0}}`)
	tests := map[string]struct {
		args string // FILE first
		want string
	}{
		"html":              {"a.html", `{"html":"text"}`},
		"anything else":     {"a.txt", `{"html":"text"}`},
		"md":                {"a.md", `{"markdown":"text"}`},
		"tmpl":              {"a.tmpl", `{"template":{"html":"text"}}`},
		"with data":         {"a.html --data " + data, `{"template":{"html":"text"},"data":{"n":1.10}}`},
		"said":              {"a.html --as markdown", `{"markdown":"text"}`},
		"standard input":    {"-", `{"html":"from stdin"}`},
		"data from stdin":   {"a.html --data -", `{"template":{"html":"text"},"data":"from stdin"}`},
		"an address":        {"https://shop.example/a.md?n=7 --strict --wait-for #done", `{"url":"https://shop.example/a.md?n=7","wait_for":{"selector":"#done"},"strict":true}`},
		"priority":          {"a.html --priority low", `{"html":"text","priority":"low"}`},
		"looks":             {"a.html --pages 1-2,4- --outline --dpi 72 --quality 9", `{"html":"text","output":{"pages":"1-2,4-","outline":true,"dpi":72,"quality":9}}`},
		"the rest in a job": {"a.html --paper a4 --job " + options, `{"html":"text","output":{"paper":"a4","scale":1.5},"metadata":{"x":1.0}}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args := strings.Fields(test.args)
			stdin := "from stdin"
			if args[0] != "-" && !strings.Contains(args[0], "://") {
				args[0] = file(t, dir, args[0], "text")
				stdin = `"from stdin"`
			}
			s := newServer(renders(api.JobSucceeded, pdf))
			got := run(t, s, stdin, withKey, append([]string{"render", "-o", filepath.Join(dir, "out.pdf")}, args...)...)
			if got.status != 0 {
				t.Fatalf("status %d, %s", got.status, got.stderr)
			}
			if diff := cmp.Diff(test.want, strings.TrimSpace(s.request(t, "POST /jobs").body)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestWhereNothingCanBeSavedNothingIsSubmitted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := file(t, dir, "a.html", "x")
	for out, says := range map[string]string{
		filepath.Join(dir, "none", "a.pdf"): "folder " + filepath.Join(dir, "none") + ": no such file or directory",
		dir:                                 "it is a folder",
		"/dev/null":                         "it is not a regular file",
		filepath.Join(page, "a.pdf"):        "not a directory",
		"/proc/a.pdf":                       "folder /proc: ", // where not even root can write
	} {
		for _, where := range []string{"--json", "--local"} {
			got := run(t, nil, "", withKey, "render", page, "-o", out, where)
			if got.status != 1 || !strings.HasPrefix(got.stderr, "platen: cannot save "+out+": ") || !strings.Contains(got.stderr, says) ||
				strings.Contains(got.stderr, ".platen-") {
				t.Errorf("%s: status %d, stderr %q, want %q", where, got.status, got.stderr, says)
			}
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%d files are left, %v", len(entries), err)
	}
}

func TestStandardOutputIsNoPath(t *testing.T) {
	t.Parallel()
	got := run(t, newServer(renders(api.JobSucceeded, pdf)), "x", withKey, "render", "-", "-o", "-")
	if got.stdout != pdf || !strings.HasSuffix(got.stderr, " succeeded\nwarning: logo.png:  [31mthe job has no such file (resource_missing)\nsha256 "+digest(pdf)+"\n") {
		t.Errorf("status %d, stdout %q, stderr %q", got.status, got.stdout, got.stderr)
	}
}

func TestFilesGoAlongUnderTheNamesThatThePageUses(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	page := file(t, dir, "a.html", "<img src=img/logo.png>")
	file(t, dir, "img/logo.png", "beside the page")
	other := file(t, elsewhere, "x.css", "from elsewhere")
	s := newServer(renders(api.JobSucceeded, pdf))
	got := run(t, s, "", withKey, "render", page, "-o", "-", "--file", "img/logo.png", "--file", "style.css="+other)
	if got.status != 0 || got.stdout != pdf {
		t.Errorf("status %d, stdout %q, stderr %q", got.status, got.stdout, got.stderr)
	}
	body := s.request(t, "POST /jobs").body
	for _, part := range []string{
		"name=\"file\"; filename=\"img/logo.png\"\r\nContent-Type: image/png\r\n\r\nbeside the page",
		"name=\"file\"; filename=\"style.css\"\r\nContent-Type: text/css\r\n\r\nfrom elsewhere",
		"name=\"html\"\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<img src=img/logo.png>",
	} {
		if !strings.Contains(body, part) {
			t.Errorf("the form lacks %q: %s", part, body)
		}
	}
}

func TestAJobThatFailsIsStatus1WithItsError(t *testing.T) {
	t.Parallel()
	for status, says := range map[api.JobStatus]string{
		api.JobFailed:   "platen: " + jobID + " failed: The page is not well. (page_failed)\n",
		api.JobCanceled: "platen: " + jobID + " canceled\n",
	} {
		dir := t.TempDir()
		page, out := file(t, dir, "a.html", "x"), filepath.Join(dir, "out.pdf")
		got := run(t, newServer(renders(status, pdf)), "", withKey, "render", page, "-o", out)
		if got.status != 1 || got.stdout != "" || !strings.HasSuffix(got.stderr, says) {
			t.Errorf("%s: status %d, stdout %q, stderr %q, want %q", status, got.status, got.stdout, got.stderr, says)
		}
		wantNoFile(t, out)
	}
}

func TestADocumentThatArrivesWrongIsNotSaved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page, out := file(t, dir, "a.html", "x"), filepath.Join(dir, "out.pdf")
	got := run(t, newServer(renders(api.JobSucceeded, pdf+"!")), "", withKey, "render", page, "-o", out, "--key", "k1")
	if got.status != 1 || got.stdout != "" || !strings.Contains(got.stderr, "not those of the document") || !strings.Contains(got.stderr, `--key "k1"`) {
		t.Errorf("status %d, stdout %q, stderr %q", got.status, got.stdout, got.stderr)
	}
	wantNoFile(t, out)
}

func TestAnInterruptedRenderSaysHowToGoOn(t *testing.T) {
	t.Parallel()
	routes := renders(api.JobSucceeded, pdf)
	routes["GET /jobs/{id}"] = problem(http.StatusServiceUnavailable, api.CodeStoreUnavailable, "Retry-After", "600")
	page := file(t, t.TempDir(), "a.html", "x")
	s := newServer(routes)
	got := run(t, s, "", withKey, "render", page)
	if key := s.request(t, "POST /jobs").idempotencyKey; got.status != 1 || key == "" || !strings.Contains(got.stderr, key) {
		t.Errorf("status %d, stderr %q, the key was %q", got.status, got.stderr, key)
	}
}

func TestARefusedRequestIsNotToBeTriedAgain(t *testing.T) {
	t.Parallel()
	s := newServer(map[string]http.HandlerFunc{"POST /jobs": problem(http.StatusUnprocessableEntity, api.CodeFieldInvalid)})
	got := run(t, s, "x", withKey, "render", "-")
	if got.status != 1 || got.stderr != "platen: It is so. (field_invalid)\n" {
		t.Errorf("status %d, stderr %q", got.status, got.stderr)
	}
}

func TestRenderPrintsTheJobAsJSON(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := file(t, dir, "a.html", "x")
	got := run(t, newServer(renders(api.JobSucceeded, pdf)), "", withKey, "render", page, "--json", "-o", filepath.Join(dir, "b.pdf"))
	if m, ok := decode(t, got.stdout).(map[string]any); got.status != 0 || !ok || m["id"] != jobID {
		t.Errorf("status %d, stdout %q", got.status, got.stdout)
	}
}

// TestTheDefaultNameIsThePagesInThisFolder changes the folder, so it is not parallel.
func TestTheDefaultNameIsThePagesInThisFolder(t *testing.T) {
	page := file(t, t.TempDir(), "invoice.v2.html", "x")
	t.Chdir(t.TempDir())
	for _, test := range []struct {
		out  string
		args []string
	}{
		{"invoice.v2.pdf", []string{"render", page}},
		{"invoice.v2.png", []string{"render", page, "--output-format", "png"}},
		{"document.pdf", []string{"render", "-"}},
	} {
		got := run(t, newServer(renders(api.JobSucceeded, pdf)), "x", withKey, test.args...)
		if got.status != 0 || !strings.HasPrefix(got.stdout, test.out+"\n") {
			t.Errorf("status %d, stdout %q, stderr %q", got.status, got.stdout, got.stderr)
		}
		wantFile(t, test.out, pdf)
	}
}

func TestWhatCannotBeReadIsSaid(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := file(t, dir, "a.html", "x")
	for name, args := range map[string][]string{
		"no page":              {"render", filepath.Join(dir, "none.html")},
		"no file":              {"render", page, "--file", "none.png"},
		"data is no JSON":      {"render", page, "--data", page},
		"a job with a page":    {"render", page, "--job", file(t, dir, "html.json", `{"html":"x"}`)},
		"a job with a slip":    {"render", page, "--job", file(t, dir, "slip.json", `{"ouptut":{}}`)},
		"a job with a remnant": {"render", page, "--job", file(t, dir, "two.json", `{} {}`)},
	} {
		if got := run(t, nil, "", withKey, args...); got.status != 1 || !strings.Contains(got.stderr, dir) {
			t.Errorf("%s: status %d, stderr %q", name, got.status, got.stderr)
		}
	}
}

func wantFile(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s has %q, %v; want %q", path, got, err, want)
	}
}

func wantNoFile(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is there: %v", path, err)
	}
}
