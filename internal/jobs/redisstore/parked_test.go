package redisstore_test

import (
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// A build from before there were places has left a task whose delivery has none. Who claims it gets one, with a new generation,
// and loses the reply.
func TestAClaimOfADeliveryWithoutAPlaceMayBeRepeated(t *testing.T) {
	t.Parallel()
	rdb := redistest.Start(t).Client()
	store := redisstore.New(rdb, redisstore.Options{HostLimit: 1})
	old, parked := canceled(t, store), canceled(t, store)
	if n, err := rdb.ZRem(t.Context(), "pl:{p0}:lane:a.example", string(old)).Result(); n != 1 || err != nil {
		t.Fatalf("%d places, %v", n, err)
	}
	wider := redisstore.New(rdb, redisstore.Options{HostLimit: 4})
	for range 2 {
		c, err := wider.ClaimDelivery(t.Context(), old, 1, "owner", time.Minute)
		if err != nil || c.Answer != jobs.ClaimOK || c.Delivery.Attempt != 1 {
			t.Errorf("claim: %s at attempt %d, %v", c.Answer, c.Delivery.Attempt, err)
		}
	}
	if n := rdb.ZCard(t.Context(), "pl:{p0}:lane:a.example").Val(); n != 2 {
		t.Errorf("%d places are taken, those of %s and %s", n, old, parked)
	}
}

// canceled is the delivery of a job that was canceled.
func canceled(t *testing.T, store *redisstore.Store) jobs.ID {
	t.Helper()
	j := jobs.Job{
		ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Tenant: jobs.DefaultTenant, Class: "render",
		Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0),
		Callback: &jobs.CallbackState{Host: "a.example"}, Sealed: []byte("sealed"), Target: "url",
	}
	if got, err := store.Accept(t.Context(), jobs.Acceptance{Job: j, Nonce: "n"}); err != nil || got.Verdict != jobs.Created {
		t.Fatalf("accept: %s, %v", got.Verdict, err)
	}
	if _, err := store.Cancel(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	return j.Delivery
}
