package rendertest

import (
	"os"
	"testing"
)

// Document returns the text of a document to test with. Path is relative to the folder of the test: "testdata/…" for one of
// its own, "../testdata/…" for one that the packages of render share, "../../../examples/…" for one that users get.
func Document(tb testing.TB, path string) string {
	tb.Helper()
	text, err := os.ReadFile(path) //nolint:gosec // a test names it
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}
