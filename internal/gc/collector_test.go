package gc_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/blobs/blobstest"
	"github.com/platen-render/platen/internal/gc"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

const sum = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

// rig is a collector over a real store, with a document, an input and an asset that the store does not know, and a stranger.
func rig(t *testing.T) (c gc.Collector, document, input, asset string) {
	t.Helper()
	c = gc.Collector{
		Store: redisstore.New(redistest.Start(t).Client(), redisstore.Options{}), Blobs: blobstest.Folder(t), Grace: time.Nanosecond,
	}
	job := jobs.NewID(jobs.KindJob, 0)
	document = jobs.OutputBlob(jobs.Job{Tenant: "default", ID: job, Document: jobs.NewID(jobs.KindDocument, 0), Attempt: 1, Owner: "o"}, "pdf")
	input = jobs.SpecBlob("default", job)
	asset = jobs.ItemBlob(jobs.Item{Tenant: "default", Shelf: jobs.AssetShelf, Name: "logo.svg"}, sum, "one")
	for _, name := range []string{document, input, asset, "default/strange"} {
		if _, err := c.Blobs.Put(t.Context(), name, strings.NewReader("bytes")); err != nil {
			t.Fatal(err)
		}
	}
	return c, document, input, asset
}

func TestEachBlobWithoutAnOwnerIsNamed(t *testing.T) {
	t.Parallel()
	c, document, input, asset := rig(t)
	want := gc.Report{Seen: 4, Bytes: 20, Findings: []gc.Finding{
		{Name: asset, Bytes: 5, Verdict: gc.Unknown},
		{Name: document, Bytes: 5, Verdict: gc.Unknown},
		{Name: input, Bytes: 5, Verdict: gc.Orphan},
		{Name: "default/strange", Bytes: 5, Verdict: gc.Foreign},
	}}
	got, err := c.List(t.Context())
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(gc.Finding{}, "Written")); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	c.Grace = 0 // a day
	if got, err := c.List(t.Context()); err != nil || len(got.Findings) != 1 || got.Findings[0].Verdict != gc.Foreign {
		t.Errorf("of what is young: %+v, %v", got.Findings, err)
	}
}

func TestAnEmptyStoreDeletesNothingThatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	c, _, input, _ := rig(t)
	report, err := c.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	never := func(f gc.Finding) { t.Errorf("%s was deleted", f.Name) }
	if err := c.Delete(t.Context(), report.Findings, never); !errors.Is(err, gc.ErrStoreEmpty) {
		t.Errorf("got %v", err)
	}
	var deleted []string
	orphans := []gc.Finding{report.Findings[2], report.Findings[3]}
	if err := c.Delete(t.Context(), orphans, func(f gc.Finding) { deleted = append(deleted, f.Name) }); err != nil || !cmp.Equal(deleted, []string{input}) {
		t.Errorf("deleted %v, %v", deleted, err)
	}
	if _, _, err := c.Blobs.Open(t.Context(), input); !errors.Is(err, blobs.ErrNotFound) {
		t.Errorf("the input: %v", err)
	}
}

// issuing is a store that has issued something.
type issuing struct{ *redisstore.Store }

func (issuing) Tenants(context.Context) ([]string, error) { return []string{"default"}, nil }
func (issuing) Numbers(context.Context, string, int64, int) (jobs.Numbers, error) {
	return jobs.Numbers{Last: 7}, nil
}

func TestWhatIsUnknownGoesWhenAPersonSaysSo(t *testing.T) {
	t.Parallel()
	c, document, input, asset := rig(t)
	c.Store = issuing{c.Store.(*redisstore.Store)}
	report, err := c.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// Meanwhile somebody stores the asset: it is kept by now.
	item := jobs.Item{Tenant: "default", Shelf: jobs.AssetShelf, Name: "logo.svg"}
	if _, err := c.Store.(issuing).StoreVersion(t.Context(), jobs.Stored{Item: item, SHA256: sum, Blob: asset}); err != nil {
		t.Fatal(err)
	}
	var deleted []string
	if err := c.Delete(t.Context(), report.Findings, func(f gc.Finding) { deleted = append(deleted, f.Name) }); err != nil || !cmp.Equal(deleted, []string{document, input}) {
		t.Errorf("deleted %v, %v", deleted, err)
	}
	after, err := c.List(t.Context())
	if err != nil || after.Seen != 2 || len(after.Findings) != 1 {
		t.Errorf("left %+v, %v", after, err)
	}
}

func TestAStoreThatDoesNotAnswerIsNoGarbage(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	c, _, _, _ := rig(t)
	c.Store = redisstore.New(redis.Client(), redisstore.Options{})
	redis.Kill()
	report, err := c.List(t.Context())
	if err == nil || len(report.Findings) != 1 || report.Findings[0].Verdict != gc.Foreign {
		t.Errorf("%+v, %v", report.Findings, err)
	}
}

func TestTheInputOfAnItemOfABatchIsKeptUntilItHasItsJob(t *testing.T) {
	t.Parallel()
	store := redisstore.New(redistest.Start(t).Client(), redisstore.Options{})
	c := gc.Collector{Store: store, Blobs: blobstest.Folder(t), Grace: time.Nanosecond}
	o := jobs.BatchOrder{ID: jobs.NewID(jobs.KindBatch, 0), Tenant: "default", Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0)}
	if _, err := store.BeginBatch(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	j := jobs.Job{
		ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Tenant: "default", Class: jobs.ClassBatch, Batch: o.ID,
		Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0), Reports: []string{},
	}
	j.SpecBlob = jobs.SpecBlob(j.Tenant, j.ID)
	if _, err := c.Blobs.Put(t.Context(), j.SpecBlob, strings.NewReader("bytes")); err != nil {
		t.Fatal(err)
	}
	if _, err := store.StageItems(t.Context(), o.ID, []jobs.StagedItem{{Job: j}}); err != nil {
		t.Fatal(err)
	}
	if got, err := c.List(t.Context()); err != nil || len(got.Findings) > 0 {
		t.Errorf("of an upload: %+v, %v", got.Findings, err)
	}
	if got, err := store.SealBatch(t.Context(), o.ID, 1, "digest"); err != nil || got != jobs.SealDone {
		t.Fatal(got, err)
	}
	if got, err := c.List(t.Context()); err != nil || len(got.Findings) > 0 {
		t.Errorf("of a batch that waits for workers: %+v, %v", got.Findings, err)
	}
	for more := true; more; {
		var err error
		if more, err = store.Promote(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	// What no item has taken is an orphan.
	if _, err := c.Blobs.Put(t.Context(), jobs.SpecBlob("default", jobs.NewID(jobs.KindJob, 0)), strings.NewReader("bytes")); err != nil {
		t.Fatal(err)
	}
	if got, err := c.List(t.Context()); err != nil || len(got.Findings) != 1 {
		t.Errorf("of a job: %+v, %v", got.Findings, err)
	}
}
