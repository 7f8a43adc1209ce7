package jobstest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

const cacheKey = "of-what-it-was-made"

func testCaching(t *testing.T, open opener) {
	t.Helper()
	t.Run("an issued document is remembered for its tenant and key only", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		b.issue(j.ID)
		want := jobs.Cached{Document: j.Document, Warnings: []render.Warning{{Code: "x", Detail: "1.10 é"}}}
		b.remember(j, want)
		if got, found := b.cached(j.Tenant, cacheKey, time.Hour); !found || cmp.Diff(want, got) != "" {
			t.Errorf("got %+v, %v", got, found)
		}
		for _, other := range [][2]string{{j.Tenant, "another"}, {"another", cacheKey}} {
			if _, found := b.cached(other[0], other[1], time.Hour); found {
				t.Errorf("found under %v", other)
			}
		}
	})
	t.Run("one that is too old is not found", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		b.issue(j.ID)
		b.remember(j, jobs.Cached{Document: j.Document})
		Eventually(t, "the document is too old", func() bool {
			_, found := b.cached(j.Tenant, cacheKey, time.Millisecond)
			return !found
		})
		if _, found := b.cached(j.Tenant, cacheKey, time.Hour); !found {
			t.Error("forgotten by being asked for")
		}
	})
	t.Run("only what is issued is remembered", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		pending, purged := b.submit(), b.submit()
		b.issue(purged.ID)
		if _, err := b.Purge(b.Context(), purged.Document); err != nil {
			t.Fatal(err)
		}
		for _, j := range []jobs.Job{pending, purged} {
			b.remember(j, jobs.Cached{Document: j.Document})
			if _, found := b.cached(j.Tenant, cacheKey, time.Hour); found {
				t.Errorf("a document that is %s is remembered", b.document(j.Document).Status)
			}
		}
	})
}

func (b bench) remember(j jobs.Job, c jobs.Cached) {
	b.Helper()
	if err := b.Remember(b.Context(), j.Tenant, cacheKey, c); err != nil {
		b.Fatalf("remember: %v", err)
	}
}

func (b bench) cached(tenant, key string, maxAge time.Duration) (jobs.Cached, bool) {
	b.Helper()
	c, found, err := b.Cached(b.Context(), tenant, key, maxAge)
	if err != nil {
		b.Fatalf("cached: %v", err)
	}
	return c, found
}
