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
func tool(tb testing.TB, document []byte, name string, args ...string) string {
	tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		tb.Fatalf("%s is missing: install the Debian package %s", name, packages[name])
	}
	file := filepath.Join(tb.TempDir(), "document.pdf")
	if err := os.WriteFile(file, document, 0o600); err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(tb.Context(), time.Minute)
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
		tb.Fatalf("%s: %v\n%s%s", name, err, out.String(), problems.String())
	}
	if problems.Len() > 0 {
		tb.Fatalf("%s complains: %s", name, problems.String())
	}
	return out.String()
}

// sound fails the test unless qpdf finds nothing to say against the document.
func sound(tb testing.TB, document []byte) {
	tb.Helper()
	tool(tb, document, "qpdf", "--check", "FILE")
}
