package jobs_test

import (
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/jobs"
)

func TestLostContentIsBackOnceItIsStoredAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	item := jobs.Item{Tenant: jobs.DefaultTenant, Shelf: jobs.AssetShelf, Name: "logo.svg"}
	keep := func(content string, wantCreated bool) jobs.Stored {
		t.Helper()
		v, created, err := r.Keep(t.Context(), item, "image/svg+xml", []byte(content))
		if err != nil || created != wantCreated {
			t.Fatalf("created %v, %v", created, err)
		}
		return v
	}
	first := keep("<svg/>", true)
	keep("<svg />", true)
	for _, damaged := range []string{"", "<SVG/>"} { // the bucket is lost, and then damaged
		if err := r.Blobs.DeletePrefix(t.Context(), jobs.DefaultTenant); err != nil {
			t.Fatal(err)
		}
		if damaged != "" {
			if err := r.Blobs.Put(t.Context(), first.Blob, strings.NewReader(damaged)); err != nil {
				t.Fatal(err)
			}
		}
		if again := keep("<svg/>", false); again.Version != first.Version || again.Blob != first.Blob {
			t.Errorf("got %+v, want %+v", again, first)
		}
		if content, err := jobs.ReadBlob(t.Context(), r.Blobs, first.Blob); err != nil || string(content) != "<svg/>" {
			t.Errorf("%q, %v", content, err)
		}
	}
}
