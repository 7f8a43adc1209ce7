package box_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/native/box"
)

// printed returns the words that the browser prints of a page, each line by itself.
func printed(t *testing.T, page string) []string {
	t.Helper()
	program, err := chromium.FindProgram("")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file, out := filepath.Join(folder, "page.html"), filepath.Join(folder, "page.pdf")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	browser := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
		"--user-data-dir="+filepath.Join(folder, "profile"), "--print-to-pdf="+out, "file://"+file)
	if err := browser.Run(); err != nil {
		t.Fatalf("the browser (Debian package chromium-headless-shell): %v", err)
	}
	text, err := exec.CommandContext(ctx, "pdftotext", "-layout", out, "-").Output()
	if err != nil {
		t.Fatalf("pdftotext (Debian package poppler-utils): %v", err)
	}
	return lines(string(text))
}

// lines are the lines that have words, with these one blank apart. A soft hyphen is nothing.
func lines(text string) []string {
	var out []string
	for line := range strings.FieldsFuncSeq(strings.ReplaceAll(text, "\u00ad", ""), func(r rune) bool { return r == '\n' || r == '\f' }) {
		if words := strings.Join(strings.Fields(line), " "); words != "" {
			out = append(out, words)
		}
	}
	return out
}

// written are the lines that a tree would have if no line were too long.
func written(tree *box.Tree) []string {
	var b strings.Builder
	var walk func(x *box.Box)
	walk = func(x *box.Box) {
		if x.Kind == box.Text && x.Symbol == "" {
			b.WriteString(strings.NewReplacer("\n", " ", "\u200b", "").Replace(x.Text))
		}
		block := !x.InlineLevel()
		if block && !strings.HasSuffix(b.String(), ". ") { // what follows an outside marker is on its line
			b.WriteString("\n")
		}
		if x.Marker != nil {
			walk(x.Marker)
		}
		for _, c := range x.Children {
			walk(c)
		}
		if block || x.Kind == box.Break {
			b.WriteString("\n")
		}
	}
	walk(tree.Root)
	return lines(b.String())
}

// TestGeneratedTextIsThatOfTheBrowser: list markers, counters, quotation marks, transformed text, texts of missing images.
func TestGeneratedTextIsThatOfTheBrowser(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("testdata/generated.html")
	if err != nil {
		t.Fatal(err)
	}
	want := printed(t, string(page))
	got := written(mustBuild(t, string(page), nil))
	if len(want) < 90 {
		t.Fatalf("the browser printed only %d lines: %q", len(want), want)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-browser +boxes):\n%s", diff)
	}
}

func TestQuotationMarksAreThoseOfTheBrowser(t *testing.T) {
	t.Parallel()
	names, err := os.ReadFile("testdata/languages.txt")
	if err != nil {
		t.Fatal(err)
	}
	page := "<!doctype html><meta charset=utf-8><style>p{margin:0;font:10px 'Noto Sans'}</style>"
	for lang := range strings.FieldsSeq(string(names)) {
		page += "<p lang='" + lang + "'>" + lang + " <q>a<q>b</q></q></p>"
	}
	want := printed(t, page)
	if len(want) < 190 {
		t.Fatalf("the browser printed only %d lines", len(want))
	}
	if diff := cmp.Diff(want, written(mustBuild(t, page, nil))); diff != "" {
		t.Errorf("lines (-browser +boxes):\n%s", diff)
	}
}
