package redisstore_test

import (
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// Builds from before did not count what they issued and stored.
func TestWhatAnOlderBuildHasStoredIsNotTakenOff(t *testing.T) {
	t.Parallel()
	rdb := redistest.Start(t).Client()
	s := redisstore.New(rdb, redisstore.Options{})
	if _, err := s.EnsureTenant(t.Context(), jobs.DefaultTenant, []byte("s")); err != nil {
		t.Fatal(err)
	}
	logo := jobs.Item{Tenant: jobs.DefaultTenant, Shelf: jobs.AssetShelf, Name: "logo"}
	if _, err := s.StoreVersion(t.Context(), jobs.Stored{Item: logo, SHA256: "aa", Blob: "b", Size: 9}); err != nil {
		t.Fatal(err)
	}
	a := newJob()
	if _, err := s.Accept(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	c, err := s.Claim(t.Context(), a.Job.ID, 1, "owner", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Complete(t.Context(), a.Job.ID, c.Job.Fence(), jobs.Result{Bytes: 7, SHA256: "s"}, nil); err != nil || got != jobs.Won {
		t.Fatal(got, err)
	}
	usage := func() jobs.Usage {
		tenant, err := s.Tenant(t.Context(), jobs.DefaultTenant)
		if err != nil {
			t.Fatal(err)
		}
		return tenant.Usage
	}
	if got := usage(); got != (jobs.Usage{Bytes: 16, Versions: 1}) {
		t.Fatalf("counted %+v: this test proves nothing", got)
	}
	for _, record := range []string{"document:" + string(a.Job.Document), "ver:default:asset:logo:1"} {
		if n, err := rdb.HDel(t.Context(), "pl:{p0}:"+record, "counted").Result(); err != nil || n != 1 {
			t.Fatalf("%s: %d, %v", record, n, err)
		}
	}
	if err := rdb.Del(t.Context(), "pl:{p0}:used:default").Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Purge(t.Context(), a.Job.Document); err != nil {
		t.Fatal(err)
	}
	if _, err := s.RemoveVersion(t.Context(), logo, 0); err != nil {
		t.Fatal(err)
	}
	if got := usage(); got != (jobs.Usage{}) {
		t.Errorf("counted %+v", got)
	}
}
