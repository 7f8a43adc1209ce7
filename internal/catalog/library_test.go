package catalog_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/blobs/blobstest"
	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/jobs"
)

// files are blobs as jobs want them.
type files struct{ blobs.FileStore }

func (f files) Put(ctx context.Context, name string, r io.Reader) error {
	_, err := f.FileStore.Put(ctx, name, r)
	return err
}

func (f files) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	r, _, err := f.FileStore.Open(ctx, name)
	return r, err
}

func TestAVersionThatWasDeletedIsSoWhateverAProcessRemembers(t *testing.T) {
	t.Parallel()
	store := files{blobstest.Folder(t)}
	content, err := catalog.Canonical(api.TemplateRequest{HTML: new("x")})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(content)
	ref := jobs.TemplateRef{Name: "letter", Version: 1, SHA256: hex.EncodeToString(sum[:]), Blob: "a/one"}
	other := ref
	other.Version, other.Blob = 2, "a/two"
	for _, r := range []jobs.TemplateRef{ref, other} {
		if err := store.Put(t.Context(), r.Blob, bytes.NewReader(content)); err != nil {
			t.Fatal(err)
		}
	}
	library := &catalog.Library{Blobs: store}
	for range 2 {
		if _, err := library.Template(t.Context(), ref); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Delete(t.Context(), ref.Blob); err != nil {
		t.Fatal(err)
	}
	if got, err := library.Template(t.Context(), ref); !errors.Is(err, jobs.ErrMissing) || got != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := library.Template(t.Context(), other); err != nil { // the same content, and still there
		t.Error(err)
	}
}
