package redisstore_test

import (
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// A worker of an older build, whose scripts know of no uses, may end a job while the others are renewed.
func TestWhatAnOlderWorkerHasNotReleasedIsReleasedWithTheRecord(t *testing.T) {
	t.Parallel()
	rdb := redistest.Start(t).Client()
	s := redisstore.New(rdb, redisstore.Options{JobRetention: time.Millisecond})
	logo := jobs.Item{Tenant: jobs.DefaultTenant, Shelf: jobs.AssetShelf, Name: "logo"}
	if _, err := s.StoreVersion(t.Context(), jobs.Stored{Item: logo, SHA256: "aa", Blob: "b"}); err != nil {
		t.Fatal(err)
	}
	a := newJob()
	a.Job.Sealed, a.Job.Callback = nil, nil
	a.Uses = []jobs.Use{{Shelf: jobs.AssetShelf, Name: "logo", Version: 1}}
	if _, err := s.Accept(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	record := "pl:{p0}:job:" + string(a.Job.ID)
	if err := rdb.HDel(t.Context(), record, "uses").Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Cancel(t.Context(), a.Job.ID); err != nil {
		t.Fatal(err)
	}
	if err := rdb.HSet(t.Context(), record, "uses", a.Uses[0].String()).Err(); err != nil { // as if it had never been looked at
		t.Fatal(err)
	}
	if _, err := s.RemoveVersion(t.Context(), logo, 1); err == nil {
		t.Fatal("nobody uses it: this test proves nothing")
	}
	for deadline := time.Now().Add(10 * time.Second); ; {
		cleaned, err := s.Clean(t.Context(), 0, 10)
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("cleaned %v, %v", cleaned, err)
		}
		if len(cleaned.Jobs) > 0 {
			break
		}
	}
	if _, err := s.RemoveVersion(t.Context(), logo, 1); err != nil {
		t.Error(err)
	}
}
