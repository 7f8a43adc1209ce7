package rendertest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// toolLimit bounds each run of a tool, so that a broken document cannot hang a test.
const toolLimit = time.Minute

// Text returns the text of a document, laid out as on paper, pages apart by form feeds (pdftotext).
func Text(tb testing.TB, pdf []byte) string {
	tb.Helper()
	return string(tool(tb, "poppler-utils", "pdftotext", "-layout", "-enc", "UTF-8", file(tb, pdf), "-"))
}

// PageTexts returns the text of each page of a document.
func PageTexts(tb testing.TB, pdf []byte) []string {
	tb.Helper()
	return strings.Split(strings.TrimSuffix(Text(tb, pdf), "\f"), "\f")
}

// Info returns what pdfinfo says about a document: "Pages", "Page size", "Title", "Tagged", "CreationDate" and more.
func Info(tb testing.TB, pdf []byte) map[string]string {
	tb.Helper()
	info := map[string]string{}
	for line := range strings.Lines(string(tool(tb, "poppler-utils", "pdfinfo", file(tb, pdf)))) {
		if key, value, ok := strings.Cut(line, ":"); ok {
			info[key] = strings.TrimSpace(value)
		}
	}
	return info
}

// Pages returns the number of pages as pdfinfo counts them.
func Pages(tb testing.TB, pdf []byte) int {
	tb.Helper()
	n, err := strconv.Atoi(Info(tb, pdf)["Pages"])
	if err != nil {
		tb.Fatalf("pdfinfo names no number of pages: %v", err)
	}
	return n
}

// CheckPDF fails the test unless qpdf finds the structure of a document to be sound.
func CheckPDF(tb testing.TB, pdf []byte) {
	tb.Helper()
	tool(tb, "qpdf", "qpdf", "--check", file(tb, pdf))
}

// Plain returns a document with every stream uncompressed, to search for what must not be in it (qpdf).
func Plain(tb testing.TB, pdf []byte) string {
	tb.Helper()
	return string(tool(tb, "qpdf", "qpdf", "--stream-data=uncompress", "--object-streams=disable", file(tb, pdf), "-"))
}

// Picture returns one page, counted from 1, as a PNG with the given dots per inch (pdftoppm).
func Picture(tb testing.TB, pdf []byte, page, dpi int) []byte {
	tb.Helper()
	number := strconv.Itoa(page)
	return tool(tb, "poppler-utils", "pdftoppm", "-png", "-r", strconv.Itoa(dpi), "-f", number, "-l", number, "-singlefile", file(tb, pdf))
}

func file(tb testing.TB, pdf []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "document.pdf")
	if err := os.WriteFile(path, pdf, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// tool runs a program of a Debian package and returns what it printed.
func tool(tb testing.TB, pkg, name string, args ...string) []byte {
	tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		tb.Fatalf("%s is missing: install the Debian package %s", name, pkg)
	}
	ctx, cancel := context.WithTimeout(tb.Context(), toolLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...) //nolint:gosec // tests name the tools
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		tb.Fatal(fmt.Errorf("%s: %w\n%s%s", name, err, said.String(), out))
	}
	return out
}

// Boxes returns the words of a document with their boxes in points from the top left (pdftotext -bbox).
func Boxes(tb testing.TB, pdf []byte) string {
	tb.Helper()
	return string(tool(tb, "poppler-utils", "pdftotext", "-bbox", file(tb, pdf), "-"))
}
