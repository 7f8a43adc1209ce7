package native_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What an engine keeps from one job to the next is seen by the clock alone: whatever it rendered before, the bytes are those that a process
// makes which has rendered nothing else. The documents have words, fonts and pictures in common; the second brings a font along that has
// the name of one that the first asks for and does not get.
func TestADocumentDoesNotDependOnThoseBefore(t *testing.T) {
	t.Parallel()
	files := []string{"invoice.html", "invoice_webfont.html", "statement.html"}
	fresh, warm := map[string]string{}, []order{}
	for _, file := range files {
		fresh[file] = apart(t, nil, orderOf(t, file))[0].Sum
	}
	turns := slices.Concat(files, files, files[:2])
	for _, file := range turns {
		warm = append(warm, orderOf(t, file))
	}
	for i, got := range apart(t, nil, warm...) {
		if got.Sum == "" || got.Sum != fresh[turns[i]] {
			t.Errorf("%s, as document %d: %q (%s), by itself %q", turns[i], i, got.Sum, got.Detail, fresh[turns[i]])
		}
	}
}

// orderOf asks for a document of the corpus in the embedded fonts.
func orderOf(tb testing.TB, file string) order {
	tb.Helper()
	return order{Request: request(tb, file), Limit: limit}
}

// A word that was set before is not looked at again; that its characters have no font is still told to each who wants it.
func TestEachJobHearsOfItsMissingCharacters(t *testing.T) {
	t.Parallel()
	e := embedded(t)
	for range 3 {
		for _, c := range []struct{ body, want string }{
			{"<p>日本 and Latin", `U+65E5 "日", U+672C "本"`},
			{"<p>日 and Latin", `U+65E5 "日"`},
			{"<p>x\u20e4 and Latin", "U+20E4"}, // nobody would see it by itself
			{"<p>and Latin", ""},
		} {
			var pdf bytes.Buffer
			report, err := e.Render(t.Context(), &pdf, page("<meta charset=utf-8>"+c.body))
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			for _, w := range report.Warnings {
				told = append(told, w.Detail)
			}
			if diff := cmp.Diff(c.want, strings.Join(told, "; ")); diff != "" {
				t.Errorf("%s: missing characters (-want +got):\n%s", c.body, diff)
			}
		}
	}
}
