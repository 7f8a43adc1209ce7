package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render"
)

// head makes pages of ten lines.
const head = `<!DOCTYPE html><meta charset=utf-8><style>@page{size:300px 200px;margin:0}*{margin:0;padding:0}
html{font:10px/20px "Noto Sans",sans-serif}table{border-collapse:separate;border-spacing:0}</style>`

// tolerance is how many pixels a word may be away from its place.
const tolerance = 1.5

// TestPagesAreThoseOfTheBrowser prints each case of testdata with the browser: all words must stand on the same pages, in the same
// places. A case is a line "# name" and what is in the body.
func TestPagesAreThoseOfTheBrowser(t *testing.T) {
	t.Parallel()
	e := browser(t)
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for section := range strings.SplitSeq(strings.TrimPrefix(string(text), "# "), "\n# ") {
			name, body, _ := strings.Cut(section, "\n")
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+name, func(t *testing.T) {
				t.Parallel()
				req := render.Request{HTML: head + body, Output: render.DefaultOutput()}
				theirs, pages := printed(t, e, req), paginated(t, req)
				if len(theirs) != len(pages) {
					t.Errorf("%d pages, want %d", len(pages), len(theirs))
				}
				for i := range min(len(theirs), len(pages)) {
					if d := differ(theirs[i], words(pages[i]), tolerance); d != "" {
						t.Errorf("page %d:\n%s", i+1, d)
					}
				}
			})
		}
	}
}
