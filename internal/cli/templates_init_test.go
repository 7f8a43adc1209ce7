package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/examples"
)

func TestTemplatesAreWrittenAsTheyAre(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "templates")
	got := run(t, nil, "", nil, "templates", "init", dir)
	var want []string
	for _, name := range examples.TemplateNames() {
		want = append(want, filepath.Join(dir, name))
	}
	if got.status != 0 || got.stderr != "" {
		t.Fatalf("status %d, %s", got.status, got.stderr)
	}
	if diff := cmp.Diff(want, strings.Fields(got.stdout)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, file := range []string{"template.html", "style.css", "sample.json", "schema.json", "template.json", "assets/logo.svg"} {
		want, err := os.ReadFile(filepath.Join("../../examples/templates/letter", file))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "letter", file))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s differs: %v", file, err)
		}
	}
}

func TestTemplatesThatExistAreNotOverwritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if got := run(t, nil, "", nil, "templates", "init", dir, "letter", "letter"); got.status != 0 {
		t.Fatalf("status %d, %s", got.status, got.stderr)
	}
	page := filepath.Join(dir, "letter", "template.html")
	if err := os.WriteFile(page, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := run(t, nil, "", nil, "templates", "init", dir)
	if got.status != 1 || got.stdout != "" || !strings.Contains(got.stderr, "letter exists already; nothing was written") {
		t.Errorf("status %d, %q, %q", got.status, got.stdout, got.stderr)
	}
	if text, err := os.ReadFile(page); err != nil || string(text) != "mine" {
		t.Errorf("the page is now %q, %v", text, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("there are %v, %v", entries, err)
	}
}

func TestTemplatesThatAreNotThereAreNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	got := run(t, nil, "", nil, "templates", "init", dir, "invoice", "receipt")
	if got.status != 2 || !strings.Contains(got.stderr, `there is no template "receipt", only certificate, invoice, letter, payslip, statement`) {
		t.Errorf("status %d, %q", got.status, got.stderr)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("there are %v, %v", entries, err)
	}
}
