package page_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/corpus"
)

// letters are the characters of words, in an order of their own: where words end is seen differently by those who read PDFs. Bullets are
// shapes in the browser.
func letters(list []word) string {
	var all []rune
	for _, w := range list {
		all = append(all, []rune(w.text)...)
	}
	all = slices.DeleteFunc(all, func(r rune) bool { return strings.ContainsRune("•◦■▪ \u00a0", r) })
	slices.Sort(all)
	return string(all)
}

// TestPagesOfTheCorpusHaveTheSameText holds what stands on each page of each document against the browser.
func TestPagesOfTheCorpusHaveTheSameText(t *testing.T) {
	t.Parallel()
	e := browser(t)
	documents, err := corpus.Documents()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		if d.Outside != "" {
			continue
		}
		t.Run(path.Base(d.File), func(t *testing.T) {
			t.Parallel()
			req, err := d.Request(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			theirs, pages := printed(t, e, req), paginated(t, req)
			if len(pages) != d.Pages {
				t.Errorf("%d pages, README.md says %d", len(pages), d.Pages)
			}
			for i := range min(len(theirs), len(pages)) {
				if a, b := letters(theirs[i]), letters(words(pages[i])); a != b {
					t.Errorf("page %d:\n%s\nwant:\n%s", i+1, b, a)
				}
			}
		})
	}
}
