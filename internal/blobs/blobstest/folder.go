package blobstest

import (
	"testing"

	"github.com/platen-render/platen/internal/blobs"
)

// Folder is a new store in a folder that ends with the test.
func Folder(tb testing.TB) blobs.FileStore {
	tb.Helper()
	return Prepared(tb, blobs.FileStore{Dir: tb.TempDir()})
}

// Prepared makes the folder of a store, as the start of a process does.
func Prepared(tb testing.TB, s blobs.FileStore) blobs.FileStore {
	tb.Helper()
	if _, err := s.Prepare(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	return s
}
