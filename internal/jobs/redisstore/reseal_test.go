package redisstore_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

func TestASealedCallbackIsReplacedOnlyWhereItIsAsItWas(t *testing.T) {
	t.Parallel()
	const tenant, partitions = "shop", 3
	store := redisstore.New(redistest.Start(t).Client(), redisstore.Options{Partitions: partitions})
	p := jobs.PartitionOf(tenant, partitions)
	ids := []jobs.ID{jobs.NewID(jobs.KindJob, p), jobs.NewID(jobs.KindJob, p), jobs.NewID(jobs.KindJob, p)}
	slices.Sort(ids)
	var want []jobs.SealedJob
	for i, id := range ids {
		j := jobs.Job{
			ID: id, Document: jobs.NewID(jobs.KindDocument, p), Tenant: tenant,
			Event: jobs.NewID(jobs.KindEvent, p), Delivery: jobs.NewID(jobs.KindDelivery, p), Class: "render",
		}
		if i > 0 {
			j.Callback, j.Sealed = &jobs.CallbackState{Host: "shop.example"}, []byte("old")
		}
		if got, err := store.Accept(t.Context(), jobs.Acceptance{Job: j, Nonce: "n"}); err != nil || got.Verdict != jobs.Created {
			t.Fatalf("accept: %s, %v", got.Verdict, err)
		}
		want = append(want, jobs.SealedJob{Job: j.ID, Delivery: j.Delivery, Sealed: j.Sealed})
	}
	// The last one ends: its delivery has a copy.
	if _, err := store.Cancel(t.Context(), want[2].Job); err != nil {
		t.Fatal(err)
	}
	want[2].DeliverySealed = []byte("old")
	page := func(after jobs.ID, limit int) []jobs.SealedJob {
		t.Helper()
		got, err := store.SealedJobs(t.Context(), tenant, after, limit)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if diff := cmp.Diff(want, append(page("", 2), page(want[1].Job, 2)...)); diff != "" {
		t.Fatalf("listed (-want +got):\n%s", diff)
	}
	if none := page(want[2].Job, 2); len(none) != 0 {
		t.Errorf("behind the last: %+v", none)
	}

	swap := func(old, replacement jobs.SealedJob) bool {
		t.Helper()
		all, err := store.SwapSealed(t.Context(), old, replacement)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	with := func(j jobs.SealedJob, job, delivery string) jobs.SealedJob {
		j.Sealed, j.DeliverySealed = []byte(job), []byte(delivery)
		return j
	}
	if swap(with(want[2], "other", "old"), with(want[2], "new", "new")) {
		t.Error("what was changed in the meantime was replaced")
	}
	for range 2 { // the reply may be lost
		if !swap(want[2], with(want[2], "new", "new")) {
			t.Error("it was not replaced")
		}
	}
	if diff := cmp.Diff(with(want[2], "new", "new"), page(want[1].Job, 1)[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// One that ends between the look and the change: its delivery must not stay with a key that is dropped next.
	if _, err := store.Cancel(t.Context(), want[1].Job); err != nil {
		t.Fatal(err)
	}
	if !swap(want[1], with(want[1], "new", "")) {
		t.Error("it was not replaced")
	}
	if diff := cmp.Diff(with(want[1], "new", "new"), page(want[0].Job, 1)[0]); diff != "" {
		t.Errorf("ended meanwhile (-want +got):\n%s", diff)
	}
	gone := want[0]
	gone.Job, gone.Delivery = jobs.NewID(jobs.KindJob, p), jobs.NewID(jobs.KindDelivery, p)
	if !swap(with(gone, "old", "old"), with(gone, "new", "new")) {
		t.Error("what is gone is in the way")
	}
	if _, err := store.Job(t.Context(), gone.Job); err == nil {
		t.Error("a record was made of nothing")
	}
}

func TestTheCallbackOfABatchIsReplacedInEachEpoch(t *testing.T) {
	t.Parallel()
	store := redisstore.New(redistest.Start(t).Client(), redisstore.Options{})
	s := scene{t, store, store}
	id, first := s.failedWithCallback("one")
	retry := jobs.BatchRetry{
		Batch: id, Key: "k", Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0), Sealed: []byte("two"),
	}
	if got, err := store.RetryBatch(t.Context(), retry); err != nil || got != jobs.RetryBegun {
		t.Fatal(got, err)
	}
	listed := func(after jobs.ID) []jobs.SealedJob {
		t.Helper()
		all, err := store.SealedJobs(t.Context(), jobs.DefaultTenant, after, 500)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	all := listed("")
	want := []jobs.SealedJob{
		{Job: id, Delivery: retry.Delivery, Sealed: []byte("two")},
		{Job: id, Delivery: first, DeliverySealed: []byte("one")},
	}
	if len(all) != 3 {
		t.Fatalf("listed %+v", all)
	}
	if diff := cmp.Diff(want, all[:2]); diff != "" {
		t.Fatalf("listed (-want +got):\n%s", diff)
	}
	if rest := listed(id); len(rest) != 1 || rest[0].Job != all[2].Job {
		t.Errorf("behind the batch: %+v", rest)
	}
	for i, anew := range []jobs.SealedJob{
		{Job: id, Delivery: retry.Delivery, Sealed: []byte("new two")},
		{Job: id, Delivery: first, DeliverySealed: []byte("new one")},
	} {
		if swapped, err := store.SwapSealed(t.Context(), want[i], anew); err != nil || !swapped {
			t.Errorf("swapped %v, %v", swapped, err)
		}
		if diff := cmp.Diff(anew, listed("")[i]); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
