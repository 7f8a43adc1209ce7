package pdf_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// packages name where the tools come from.
var packages = map[string]string{
	"qpdf": "qpdf", "pdftotext": "poppler-utils", "pdffonts": "poppler-utils", "pdftoppm": "poppler-utils", "pdfinfo": "poppler-utils",
}

// tool runs a PDF tool on a document and returns what it printed. A missing tool fails the test.
func tool(t testing.TB, document []byte, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is missing: install the Debian package %s", name, packages[name])
	}
	file := filepath.Join(t.TempDir(), "document.pdf")
	if err := os.WriteFile(file, document, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for i, a := range args {
		if a == "FILE" {
			args[i] = file
		}
	}
	cmd := exec.CommandContext(ctx, path, args...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", name, err, out.String(), problems.String())
	}
	if problems.Len() > 0 {
		t.Fatalf("%s complains: %s", name, problems.String())
	}
	return out.String()
}

// sound fails the test unless qpdf finds nothing to say against the document.
func sound(t testing.TB, document []byte) {
	t.Helper()
	tool(t, document, "qpdf", "--check", "FILE")
}
