package worker_test

import (
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/worker"
)

func TestTheJanitorKeepsWhatTheCatalogPointsTo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	item := jobs.Item{Tenant: "default", Shelf: jobs.AssetShelf, Name: "logo.svg"}
	other := jobs.Item{Tenant: "default", Shelf: jobs.TemplateShelf, Name: "logo.svg"}
	gone := jobs.Item{Tenant: "default", Shelf: jobs.TemplateShelf, Name: "gone"}
	aa, bb := strings.Repeat("a", 64), strings.Repeat("b", 64)
	kept := map[string]bool{
		jobs.ItemBlob(item, aa, "first"):  true,
		jobs.ItemBlob(item, aa, "second"): false, // lost a race, and its process died
		jobs.ItemBlob(item, bb, "first"):  false, // its process died before it was recorded
		jobs.ItemBlob(other, aa, "first"): true,  // of a name that the store has never heard of
		jobs.ItemBlob(gone, aa, "first"):  false, // its process died while it was deleted
		"default/assets/other/x":          true,  // not ours
	}
	for name := range kept {
		if err := r.blobs.Put(t.Context(), name, strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.store.StoreVersion(t.Context(), jobs.Stored{Item: item, SHA256: aa, Blob: jobs.ItemBlob(item, aa, "first")}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.store.StoreVersion(t.Context(), jobs.Stored{Item: gone, SHA256: aa, Blob: jobs.ItemBlob(gone, aa, "first")}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.store.RemoveVersion(t.Context(), gone, 0); err != nil {
		t.Fatal(err)
	}
	for _, walk := range []struct {
		grace time.Duration
		want  int
	}{{time.Hour, 0}, {time.Nanosecond, 3}} {
		j := &worker.Janitor{Store: r.store, Blobs: r.blobs, Logger: r.logger, Grace: walk.grace}
		if n, err := j.WalkBlobs(t.Context()); err != nil || n != walk.want {
			t.Errorf("%d removed after %v, %v; want %d", n, walk.grace, err, walk.want)
		}
	}
	for name, want := range kept {
		c, err := r.blobs.Open(t.Context(), name)
		if (err == nil) != want {
			t.Errorf("%s: kept %v, want %v", name, err == nil, want)
		}
		if err == nil {
			_ = c.Close()
		}
	}
}
