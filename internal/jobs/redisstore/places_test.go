package redisstore_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// Two tenants report to one host, a gateway: what is behind the path of one of them never answers.
func TestAHostThatFailsOneTenantIsOpenToAnother(t *testing.T) {
	t.Parallel()
	store := redisstore.New(redistest.Start(t).Client(), redisstore.Options{HostLimit: 4, HostPatience: 600 * time.Millisecond, HostPause: 50 * time.Millisecond})
	report := func(tenant string) jobs.Job {
		t.Helper()
		j := jobs.Job{
			ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Tenant: tenant, Class: "render",
			Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0),
			Callback: &jobs.CallbackState{Host: "relay.example"}, Sealed: []byte("x"), Target: tenant,
		}
		if got, err := store.Accept(t.Context(), jobs.Acceptance{Job: j, Nonce: "n"}); err != nil || got.Verdict != jobs.Created {
			t.Fatal(got, err)
		}
		if _, err := store.Cancel(t.Context(), j.ID); err != nil {
			t.Fatal(err)
		}
		return j
	}
	for range 60 {
		report("mallory")
	}
	attempts := map[string]int{}
	attempt := func() {
		due, err := store.Due(t.Context(), 0, jobs.CallbackLine, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range due.Tasks {
			c, err := store.ClaimDelivery(t.Context(), task.ID, task.Generation, rand.Text(), time.Minute)
			if err != nil || c.Answer != jobs.ClaimOK {
				continue
			}
			attempts[c.Delivery.Tenant]++
			end := jobs.DeliveryEnd{Outcome: jobs.OutcomeRetry, Health: jobs.HealthDown, Schedule: []time.Duration{time.Millisecond, time.Millisecond * 5, time.Millisecond * 25}}
			if c.Delivery.Tenant == "alice" {
				end = jobs.DeliveryEnd{Outcome: jobs.OutcomeDelivered, Health: jobs.HealthUp}
			}
			if _, err := store.FinishDelivery(t.Context(), task.ID, c.Delivery.Fence(), end); err != nil {
				t.Fatal(err)
			}
		}
	}
	jobstest.Eventually(t, "the host is left alone", func() bool {
		attempt()
		return attempts["mallory"] >= 5
	})
	b := report("alice")
	jobstest.Eventually(t, "alice's delivery ends", func() bool {
		attempt()
		d, err := store.Delivery(t.Context(), b.Delivery)
		return err == nil && d.Status != jobs.DeliveryPending
	})
	d, err := store.Delivery(t.Context(), b.Delivery)
	if err != nil || d.Status != jobs.DeliveryDelivered || attempts["alice"] != 1 {
		t.Errorf("alice's is %s: %+v; attempts %v", d.Status, d.Log, attempts)
	}
}
