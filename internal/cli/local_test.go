package cli_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/rendertest"
)

// chromium is the environment of a machine with a browser; the browser's own settings are passed on.
func chromium() []string {
	var environ []string
	for _, name := range []string{"PLATEN_CHROMIUM", "PLATEN_CHROMIUM_NO_SANDBOX", "PLATEN_FONT_DIR"} {
		environ = append(environ, name+"="+os.Getenv(name))
	}
	return environ
}

func TestRenderWorksWithoutAServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := file(t, dir, "a.tmpl", `<link rel=stylesheet href=a.css><img src=gone.png><p>Total {{fixed 2 .total}} EUR</p>`)
	file(t, dir, "a.css", "p::after { content: ' with style' }")
	data, out := file(t, dir, "a.json", `{"total": 1499.9}`), filepath.Join(dir, "out.pdf")
	got := run(t, nil, "", chromium(), "render", page, "--data", data, "--file", "a.css", "--paper", "a6", "-o", out, "--local", "--engine", "chromium")
	if got.status != 0 {
		t.Fatalf("status %d, stderr %q", got.status, got.stderr)
	}
	pdf, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if text := rendertest.Text(t, pdf); !strings.Contains(text, "Total 1499.90 EUR with style") {
		t.Errorf("the text is %q", text)
	}
	if size := rendertest.Info(t, pdf)["Page size"]; !strings.HasPrefix(size, "298.") {
		t.Errorf("the page is %s, want A6", size)
	}
	if want := out + "\nsha256 " + digest(string(pdf)) + "\n"; got.stdout != want {
		t.Errorf("stdout %q, want %q", got.stdout, want)
	}
	if !strings.Contains(got.stderr, "warning: gone.png") || strings.Count(got.stderr, "gone.png") != 1 || !strings.Contains(got.stderr, "rendered 1 page by chromium") {
		t.Errorf("stderr %q", got.stderr)
	}
}

func TestATemplateThatPrintsItsIdentityRendersWithoutAServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := file(t, dir, "a.tmpl", `<p>{{documentID}} {{.day | date "long"}}</p>{{verifyURL | qr}}`)
	data, out := file(t, dir, "a.json", `{"day": "2026-03-31"}`), filepath.Join(dir, "out.pdf")
	job := file(t, dir, "job.json", `{"output": {"locale": "de"}}`)
	got := run(t, nil, "", chromium(), "render", page, "--data", data, "--job", job, "-o", out, "--local", "--engine", "native")
	if got.status != 0 {
		t.Fatalf("status %d, stderr %q", got.status, got.stderr)
	}
	pdf, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if text, want := rendertest.Text(t, pdf), "doc_00000000000000000000000000 31. März 2026"; !strings.Contains(text, want) {
		t.Errorf("the text is %q, want %q", text, want)
	}
}

func TestPicturesOfPagesAreAnArchiveOfThem(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	page := file(t, dir, "a.html", `<p>one<p style="break-before:page">two<p style="break-before:page">three`)
	patient := []string{"PLATEN_CACHE_DIR=" + os.Getenv("PLATEN_CACHE_DIR"), "PLATEN_CHROMIUM=off", "PLATEN_RENDER_TIMEOUT=600s", "PLATEN_RENDER_TIMEOUT_MAX=600s"} // a busy machine compiles for long
	got := run(t, nil, "", patient, "render", page, "--local", "--output-format", "jpeg", "--pages", "2-", "--dpi", "40", "--quality", "50")
	if got.status != 0 || !strings.HasPrefix(got.stdout, "a.zip\n") {
		t.Fatalf("%+v", got)
	}
	archive, err := zip.OpenReader("a.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	if len(archive.File) != 2 || archive.File[0].Name != "page-002.jpeg" || archive.File[1].Name != "page-003.jpeg" {
		t.Errorf("%v", archive.File)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestALocalRenderThatFailsLeavesNoFile(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		page, options string
		says          string
	}{
		"data is missing":             {"{{.total}}", `{}`, "(template_data_missing)"},
		"unknown paper":               {"x", `{"output":{"paper":"a0"}}`, "output.paper must be one of a3, a4"},
		"unknown format":              {"x", `{"output":{"format":"gif"}}`, "output.format must be pdf, png or jpeg. (field_invalid at /output/format)"},
		"half a size":                 {"x", `{"output":{"width_mm":100}}`, "output.width_mm and output.height_mm go together."},
		"two wrongs":                  {"x", `{"output":{"format":"png","tagged":true,"scale":9}}`, "must be 0.1 to 2. (field_invalid at /output/scale)\n  /output/tagged: output.tagged is only for pdf. (field_invalid)"},
		"another engine":              {"x", `{"engine":"wkhtml"}`, "engine must be auto, native or chromium. (field_invalid at /engine)"},
		"a browser that is not there": {"x", `{"engine":"chromium"}`, "platen: The rendering engine cannot be started at the moment: "},
		"an empty page":               {"", `{}`, "platen: The input must not be empty. (field_invalid at /template/html)\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			page, options, out := file(t, dir, "a.tmpl", test.page), file(t, dir, "o.json", test.options), filepath.Join(dir, "a.pdf")
			environ := []string{"PLATEN_CHROMIUM=" + filepath.Join(dir, "none")}
			got := run(t, nil, "", environ, "render", page, "--job", options, "-o", out, "--local")
			if got.status != 1 || !strings.Contains(got.stderr, test.says) {
				t.Errorf("status %d, stderr %q, want %q", got.status, got.stderr, test.says)
			}
			wantNoFile(t, out)
		})
	}
}
