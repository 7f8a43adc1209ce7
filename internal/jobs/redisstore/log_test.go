package redisstore_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// Whoever replays one delivery for ever must not make a record of it that takes Redis seconds to read.
func TestADeliveryKeepsItsLastAttempts(t *testing.T) {
	t.Parallel()
	rdb := redistest.Start(t).Client()
	store := redisstore.New(rdb, redisstore.Options{})
	j := jobs.Job{
		ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Tenant: "default", Class: "render",
		Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0),
		Callback: &jobs.CallbackState{Host: "shop.example"}, Sealed: []byte("sealed"),
	}
	if got, err := store.Accept(t.Context(), jobs.Acceptance{Job: j, Nonce: "n"}); err != nil || got.Verdict != jobs.Created {
		t.Fatalf("accept: %s, %v", got.Verdict, err)
	}
	if _, err := store.Cancel(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	const times = 130
	for n := 1; n <= times; n++ {
		d, err := store.Delivery(t.Context(), j.Delivery)
		if err != nil {
			t.Fatal(err)
		}
		c, err := store.ClaimDelivery(t.Context(), d.ID, d.Generation, rand.Text(), time.Minute)
		if err != nil || c.Answer != jobs.ClaimOK {
			t.Fatalf("claim: %s, %v", c.Answer, err)
		}
		end := jobs.DeliveryEnd{Outcome: jobs.OutcomeDelivered, Attempt: jobs.DeliveryAttempt{Outcome: jobs.OutcomeDelivered, Status: 200 + n}}
		if _, err := store.FinishDelivery(t.Context(), d.ID, c.Delivery.Fence(), end); err != nil {
			t.Fatal(err)
		}
		if n == times {
			break
		}
		if err := store.Replay(t.Context(), d.ID, "key"); err != nil {
			t.Fatal(err)
		}
	}
	d, err := store.Delivery(t.Context(), j.Delivery)
	if err != nil || d.Attempt != times || len(d.Log) != 100 || len(d.Replays) != 100 {
		t.Fatalf("attempt %d, %d logged, %d replays, %v", d.Attempt, len(d.Log), len(d.Replays), err)
	}
	if first, last := d.Log[0], d.Log[99]; first.Number != 31 || first.Status != 231 || first.Started.IsZero() || last.Number != times || last.Status != 200+times {
		t.Errorf("logged are %+v to %+v", first, last)
	}
	if r := d.Replays[0]; r.At.IsZero() || r.By != "key" {
		t.Errorf("replay %+v", r)
	}
	if n := rdb.HLen(t.Context(), "pl:{p0}:dlv:"+string(j.Delivery)).Val(); n > 350 {
		t.Errorf("the record has %d fields", n)
	}
}
