package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/rendertest"
)

// shellBlock is a block of commands in a Markdown file.
var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestTheCommandsOfTheFrontPageWork types what README.md shows under "Use", where its reader would. What has a "…" is
// for the reader to fill in, and what listens never ends.
func TestTheCommandsOfTheFrontPageWork(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.start("worker")
	s.up()
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, use, _ := strings.Cut(string(page), "\n## Use\n")
	use, _, _ = strings.Cut(use, "\n## ")
	script := "set -ex\n"
	for _, block := range shellBlock.FindAllStringSubmatch(use, -1) {
		for line := range strings.Lines(block[1]) {
			if !strings.Contains(line, "…") && !strings.Contains(line, "platen listen") {
				script += line
			}
		}
	}
	module, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	here := strings.NewReplacer("127.0.0.1:8080", s.addr, "go run ", "go -C "+module+" run ")
	cmd := exec.Command("sh", "-c", here.Replace(script))
	cmd.Dir = repositoryTop(t)
	cmd.Env = append(os.Environ(), "PLATEN_URL="+s.BaseURL)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	for _, want := range []string{`"status":"queued"`, `"document_key":"invoice:2026-00417"`, `"status":"succeeded"`, "invoice.pdf\nsha256 ", "no deliveries", `"template":{"name":"invoice","version":1}`, "preview.pdf", "genuine", "100 issued"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	pdf, err := os.ReadFile(filepath.Join(cmd.Dir, "invoice.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	if text := rendertest.Text(t, pdf); !strings.Contains(text, "INV-2026-00417") {
		t.Errorf("the invoice says %s", text)
	}
}

// repositoryTop is a folder that looks like the top of the repository after make run.
func repositoryTop(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	examples, err := filepath.Abs("../examples")
	if err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"examples": examples, "bin": bin} {
		if err := os.Symlink(target, filepath.Join(top, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(top, ".platen"), 0o700); err != nil {
		t.Fatal(err)
	}
	state := "{\n  \"url\": \"\",\n  \"key\": \"" + devKey + "\",\n  \"secret_key\": \"plt_no\"\n}\n"
	if err := os.WriteFile(filepath.Join(top, ".platen", "dev.json"), []byte(state), 0o600); err != nil {
		t.Fatal(err)
	}
	return top
}
