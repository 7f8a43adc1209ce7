package redisstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

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
	if n, err := rdb.ZRem(t.Context(), "pl:{p0}:lane:default@a.example", string(old)).Result(); n != 1 || err != nil {
		t.Fatalf("%d places, %v", n, err)
	}
	wider := redisstore.New(rdb, redisstore.Options{HostLimit: 4})
	for range 2 {
		c, err := wider.ClaimDelivery(t.Context(), old, 1, "owner", time.Minute)
		if err != nil || c.Answer != jobs.ClaimOK || c.Delivery.Attempt != 1 {
			t.Errorf("claim: %s at attempt %d, %v", c.Answer, c.Delivery.Attempt, err)
		}
	}
	if n := rdb.ZCard(t.Context(), "pl:{p0}:lane:default@a.example").Val(); n != 2 {
		t.Errorf("%d places are taken, those of %s and %s", n, old, parked)
	}
}

// One script gives up so many deliveries that Redis does not stand still, however many hosts are silent, and the next ones the others.
func TestOneLookGivesUpABoundedNumber(t *testing.T) {
	t.Parallel()
	rdb := redistest.Start(t).Client()
	store := redisstore.New(rdb, redisstore.Options{HostPatience: time.Second})
	const hosts, parked = 4, 150
	pipe := rdb.Pipeline()
	for h := range hosts {
		host := fmt.Sprint("host-", h)
		pipe.HSet(t.Context(), "pl:{p0}:host:"+host, "fails", 5, "since", 1, "open", time.Now().Add(time.Hour).UnixMilli())
		pipe.ZAdd(t.Context(), "pl:{p0}:hosts", redis.Z{Score: 1, Member: host})
		for i := range parked {
			id := fmt.Sprintf("dlv_%d_%d", h, i)
			pipe.HSet(t.Context(), "pl:{p0}:dlv:"+id, "status", "pending", "tenant", "shop", "host", host, "url", "u", "job", "j", "event", "e", "gen", 1, "att", 0)
			pipe.ZAdd(t.Context(), "pl:{p0}:park:"+host, redis.Z{Score: 1, Member: id})
		}
	}
	if _, err := pipe.Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int64{2 * parked, 4 * parked, 4 * parked} {
		if _, err := store.Due(t.Context(), 0, jobs.CallbackLine, 200); err != nil {
			t.Fatal(err)
		}
		if n := rdb.ZCard(t.Context(), "pl:{p0}:died").Val(); n != want {
			t.Errorf("%d are given up, want %d", n, want)
		}
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
