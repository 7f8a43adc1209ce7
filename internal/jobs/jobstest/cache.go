package jobstest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

func testCaching(t *testing.T, open opener) {
	const key = "of-what-it-was-made"
	cached := func(b bench, tenant, key string, maxAge time.Duration) (jobs.Cached, bool) {
		b.Helper()
		c, found, err := b.Cached(b.Context(), tenant, key, maxAge)
		if err != nil {
			b.Fatalf("cached: %v", err)
		}
		return c, found
	}
	remember := func(b bench, j jobs.Job, c jobs.Cached) {
		b.Helper()
		if err := b.Remember(b.Context(), j.Tenant, key, c); err != nil {
			b.Fatalf("remember: %v", err)
		}
	}

	t.Run("AnIssuedDocumentIsRememberedForItsTenantAndKeyOnly", func(t *testing.T) {
		b := newBench(t, open, Settings{})
		j := b.submit()
		b.issue(j.ID)
		want := jobs.Cached{Document: j.Document, Warnings: []render.Warning{{Code: "x", Detail: "1.10 é"}}}
		remember(b, j, want)
		if got, found := cached(b, j.Tenant, key, time.Hour); !found || cmp.Diff(want, got) != "" {
			t.Errorf("got %+v, %v", got, found)
		}
		for _, other := range [][2]string{{j.Tenant, "another"}, {"another", key}} {
			if _, found := cached(b, other[0], other[1], time.Hour); found {
				t.Errorf("found under %v", other)
			}
		}
	})

	t.Run("AnOlderOneIsNotFound", func(t *testing.T) {
		b := newBench(t, open, Settings{})
		j := b.submit()
		b.issue(j.ID)
		remember(b, j, jobs.Cached{Document: j.Document})
		Eventually(t, "the document is too old", func() bool {
			_, found := cached(b, j.Tenant, key, time.Millisecond)
			return !found
		})
		if _, found := cached(b, j.Tenant, key, time.Hour); !found {
			t.Error("forgotten by being asked for")
		}
	})

	t.Run("OnlyWhatIsIssuedIsRemembered", func(t *testing.T) {
		b := newBench(t, open, Settings{})
		pending, purged := b.submit(), b.submit()
		b.issue(purged.ID)
		if _, err := b.Purge(b.Context(), purged.Document); err != nil {
			t.Fatal(err)
		}
		for _, j := range []jobs.Job{pending, purged} {
			remember(b, j, jobs.Cached{Document: j.Document})
			if _, found := cached(b, j.Tenant, key, time.Hour); found {
				t.Errorf("%s is remembered", b.document(j.Document).Status)
			}
		}
	})
}
