package jobstest

import (
	"slices"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

func testDocuments(t *testing.T, open opener) {
	t.Helper()
	t.Run("several are read in the order that is asked for", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		pending, issued := b.submit(withDocumentKey("p")), b.submit(withDocumentKey("i"))
		b.issue(issued.ID)
		got, err := b.Documents(t.Context(), []jobs.ID{issued.Document, pending.Document, issued.Document})
		if err != nil || len(got) != 3 || got[0].Key != "i" || got[0].Result == nil || got[1].Key != "p" || got[1].Status != jobs.Pending || got[2].ID != issued.Document {
			t.Errorf("got %+v, %v", got, err)
		}
		if got, err := b.Documents(t.Context(), nil); err != nil || len(got) != 0 {
			t.Errorf("of none: %+v, %v", got, err)
		}
		_, err = b.Documents(t.Context(), []jobs.ID{issued.Document, jobs.NewID(jobs.KindDocument, issued.Document.Partition())})
		wantCode(t, err, jobs.ErrDocumentNotFound)
	})
	t.Run("a purge keeps the identity and forgets the input", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		failed := b.submit(withDocumentKey("d"))
		b.end(failed.ID)
		j := b.submit(withDocumentKey("d"))
		_, err := b.Purge(t.Context(), j.Document)
		wantCode(t, err, jobs.ErrDocumentPending)
		b.issue(j.ID)
		for range 2 {
			got, err := b.Purge(t.Context(), j.Document)
			if err != nil || !slices.Contains(got, j.ID) || !slices.Contains(got, failed.ID) {
				t.Fatalf("got %v, %v", got, err)
			}
		}
		d := b.document(j.Document)
		if d.Status != jobs.Purged || d.PurgedAt.IsZero() || d.Result.SHA256 != result.SHA256 {
			t.Errorf("document %+v", d)
		}
		for _, id := range []jobs.ID{failed.ID, j.ID} {
			if spec := b.job(id).Spec; spec != nil {
				t.Errorf("the input of %s is still there: %s", id, spec)
			}
		}
		if got := b.accept(b.request(withDocumentKey("d"))); got.Verdict != jobs.Replayed || got.Document != j.Document {
			t.Errorf("same payload: %+v", got)
		}
		if got := b.accept(b.request(withDocumentKey("d"), withPayload("fp-2"))); got.Verdict != jobs.KeyConflict {
			t.Errorf("another payload: %+v", got)
		}
	})
	t.Run("a failed document can be purged and is then not made again", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit(withDocumentKey("d"))
		b.end(j.ID)
		if _, err := b.Purge(t.Context(), j.Document); err != nil {
			t.Fatal(err)
		}
		if got := b.accept(b.request(withDocumentKey("d"))); got.Verdict != jobs.Replayed || got.Job != j.ID {
			t.Errorf("got %+v", got)
		}
		if got := b.accept(b.request(func(a *jobs.Acceptance) { a.RetryOf = j.ID })); got.Verdict != jobs.NotRetryable {
			t.Errorf("retry got %+v", got)
		}
	})
	t.Run("an unknown document is not found", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		id := jobs.NewID(jobs.KindDocument, 0)
		_, err := b.Document(t.Context(), id)
		wantCode(t, err, jobs.ErrDocumentNotFound)
		_, err = b.Purge(t.Context(), id)
		wantCode(t, err, jobs.ErrDocumentNotFound)
	})
}

func testLists(t *testing.T, open opener) {
	t.Helper()
	t.Run("pages are complete, newest first, and stable while jobs come", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		var want []jobs.ID
		for range 7 {
			want = append(want, b.submit().ID)
		}
		slices.Sort(want)
		slices.Reverse(want)
		var got []jobs.ID
		f := jobs.JobFilter{Tenant: b.tenant, Limit: 3}
		for {
			p, err := b.Jobs(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			for _, j := range p.Items {
				got = append(got, j.ID)
			}
			if p.Next == "" {
				break
			}
			f.Cursor = p.Next
			b.submit()
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
	t.Run("filters select", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		issued, failed := b.submit(), b.submit(withDocumentKey("d"))
		b.issue(issued.ID)
		b.end(failed.ID)
		queued := b.submit(withDocumentKey("d"))
		b.submit(withTenant("other"))
		past, future := queued.Created.Add(-time.Hour), queued.Created.Add(time.Hour)
		for name, c := range map[string]struct {
			filter jobs.JobFilter
			want   []jobs.ID
		}{
			"all":            {jobs.JobFilter{}, []jobs.ID{issued.ID, failed.ID, queued.ID}},
			"queued":         {jobs.JobFilter{Status: jobs.Queued}, []jobs.ID{queued.ID}},
			"running":        {jobs.JobFilter{Status: jobs.Running}, nil},
			"succeeded":      {jobs.JobFilter{Status: jobs.Succeeded}, []jobs.ID{issued.ID}},
			"document":       {jobs.JobFilter{Document: failed.Document}, []jobs.ID{failed.ID, queued.ID}},
			"both":           {jobs.JobFilter{Document: failed.Document, Status: jobs.Failed}, []jobs.ID{failed.ID}},
			"after":          {jobs.JobFilter{CreatedAfter: past}, []jobs.ID{issued.ID, failed.ID, queued.ID}},
			"after, none":    {jobs.JobFilter{CreatedAfter: queued.Created}, nil},
			"before":         {jobs.JobFilter{CreatedBefore: future}, []jobs.ID{issued.ID, failed.ID, queued.ID}},
			"before, none":   {jobs.JobFilter{CreatedBefore: issued.Created}, nil},
			"between":        {jobs.JobFilter{CreatedAfter: past, CreatedBefore: future}, []jobs.ID{issued.ID, failed.ID, queued.ID}},
			"another tenant": {jobs.JobFilter{Tenant: "third"}, nil},
		} {
			f := c.filter
			f.Limit = 50
			if f.Tenant == "" {
				f.Tenant = b.tenant
			}
			p, err := b.Jobs(t.Context(), f)
			var got []jobs.ID
			for _, j := range p.Items {
				got = append(got, j.ID)
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s: got %v, %v, want %v", name, got, err, c.want)
			}
		}
	})
}

func testAccess(t *testing.T, open opener) {
	t.Helper()
	t.Run("a tenant is created once", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		for i, want := range []bool{true, false} {
			created, err := b.EnsureTenant(t.Context(), "acme", []byte{byte(i)})
			if err != nil || created != want {
				t.Fatalf("got %v, %v", created, err)
			}
		}
		if got, err := b.Tenant(t.Context(), "acme"); err != nil || string(got.Secrets) != "\x00" || got.Callback != nil || got.Now.IsZero() {
			t.Errorf("got %+v, %v", got, err)
		}
		_, err := b.Tenant(t.Context(), "nobody")
		wantCode(t, err, jobs.ErrTenantNotFound)
	})
	t.Run("tenants are listed in order", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		for _, name := range []string{"b", "c", "a", "b"} {
			if _, err := b.EnsureTenant(t.Context(), name, []byte("s")); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := b.Tenants(t.Context()); err != nil || !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("of two changes to a tenant at once one is told to look again", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		swap := func(field jobs.TenantField, old, replacement string, want bool) {
			t.Helper()
			if ok, err := b.SwapTenant(t.Context(), "acme", field, []byte(old), []byte(replacement)); err != nil || ok != want {
				t.Errorf("%s from %q to %q: %v, %v", field, old, replacement, ok, err)
			}
		}
		_, err := b.SwapTenant(t.Context(), "acme", jobs.TenantSecrets, nil, []byte("x"))
		wantCode(t, err, jobs.ErrTenantNotFound)
		if _, err := b.EnsureTenant(t.Context(), "acme", []byte("first")); err != nil {
			t.Fatal(err)
		}
		swap(jobs.TenantSecrets, "first", "second", true)
		swap(jobs.TenantSecrets, "first", "third", false)
		swap(jobs.TenantCallback, "", "sealed", true)
		swap(jobs.TenantCallback, "", "other", false)
		if got, err := b.Tenant(t.Context(), "acme"); err != nil || string(got.Secrets) != "second" || string(got.Callback) != "sealed" {
			t.Errorf("got %+v, %v", got, err)
		}
		swap(jobs.TenantCallback, "sealed", "", true)
		if got, err := b.Tenant(t.Context(), "acme"); err != nil || got.Callback != nil {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("keys are found by their hash until they are deleted", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		var made []jobs.ID
		for _, hash := range []string{"h1", "h2", "h3"} {
			k := jobs.APIKey{ID: jobs.NewID(jobs.KindKey, 0), Tenant: "acme", Name: hash, Scopes: []jobs.Scope{jobs.ScopeRead, jobs.ScopeWrite}}
			if err := b.PutKey(t.Context(), hash, k); err != nil {
				t.Fatal(err)
			}
			made = append(made, k.ID)
		}
		k, err := b.KeyByHash(t.Context(), "h2")
		if err != nil || k.ID != made[1] || k.Tenant != "acme" || k.Name != "h2" || !k.Allows(jobs.ScopeWrite) || k.Allows(jobs.ScopeAdmin) ||
			k.Created.IsZero() || !k.Expires.IsZero() || k.Expired {
			t.Errorf("key %+v, %v", k, err)
		}
		if err := b.DeleteKey(t.Context(), made[1]); err != nil {
			t.Fatal(err)
		}
		_, err = b.KeyByHash(t.Context(), "h2")
		wantCode(t, err, jobs.ErrKeyNotFound)
		wantCode(t, b.DeleteKey(t.Context(), made[1]), jobs.ErrKeyNotFound)
		p, err := b.Keys(t.Context(), "", 50)
		if err != nil || len(p.Items) != 2 {
			t.Errorf("listed %+v, %v", p, err)
		}
	})
	t.Run("a key expires by the store's clock", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		k := jobs.APIKey{ID: jobs.NewID(jobs.KindKey, 0), Tenant: "acme", Lifetime: time.Millisecond}
		if err := b.PutKey(t.Context(), "h", k); err != nil {
			t.Fatal(err)
		}
		Eventually(t, "the key expires", func() bool {
			k, err := b.KeyByHash(t.Context(), "h")
			return err == nil && k.Expired
		})
	})
}
