package app_test

import (
	"crypto/rand"
	"math"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// scraped is what a collector says; the counter of deliveries that ended is there by its reasons.
func scraped(t *testing.T, c prometheus.Collector) map[string]float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if m.GetCounter() != nil { // its labels are in the order of their names
				values[m.GetLabel()[1].GetValue()+" "+m.GetLabel()[0].GetValue()] = m.GetCounter().GetValue()
				continue
			}
			values[f.GetName()] = m.GetGauge().GetValue()
		}
	}
	return values
}

func TestTheMetricsOfDeliveriesCountAllPartitions(t *testing.T) {
	t.Parallel()
	const partitions = 4
	server := redistest.Start(t)
	store := redisstore.New(server.Client(), redisstore.Options{Partitions: partitions, HostLimit: 1})
	c := app.NewReporting(t.Context(), store)
	want := map[string]float64{
		"platen_dead_letters": 0, "platen_dead_letter_oldest_seconds": 0, "platen_deliveries_parked": 0, "platen_callback_hosts_down": 0,
		"delivered ": 0, "dead schedule_over": 0, "dead gone": 0, "dead denied": 0, "dead url_gone": 0, "dead host_down": 0,
	}
	compare := func() {
		t.Helper()
		got := scraped(t, c)
		for name, v := range want {
			if n, there := got[name]; !there || n != v {
				t.Errorf("%s is %v, want %v", name, n, v)
			}
		}
	}
	compare()
	for p := range partitions {
		tenant := tenantIn(p, partitions)
		fail(t, store, tenant, jobs.OutcomeDead, 1)
		fail(t, store, tenant, jobs.OutcomeDelivered, 1)
		fail(t, store, tenant, jobs.OutcomeRetry, 3) // with those before, five in a row
		fail(t, store, tenant, "", 0)
		fail(t, store, tenant, "", 0)
		if _, err := store.Due(t.Context(), p, jobs.CallbackLine, 100); err != nil { // the one that failed is due again
			t.Fatal(err)
		}
	}
	want = map[string]float64{
		"platen_dead_letters": 4, "platen_deliveries_parked": 12, "platen_callback_hosts_down": 4,
		"delivered ": 4, "dead denied": 4, "dead schedule_over": 0,
	}
	compare()
	if age := scraped(t, c)["platen_dead_letter_oldest_seconds"]; age < 0 || age > 60 {
		t.Errorf("the oldest dead letter has been dead for %v s", age)
	}
	server.Kill()
	for name, v := range scraped(t, c) {
		if !math.IsNaN(v) {
			t.Errorf("%s is %v while the store is away", name, v)
		}
	}
}

// fail ends a job of a tenant and makes so many attempts to report it.
func fail(t *testing.T, store *redisstore.Store, tenant, outcome string, attempts int) {
	t.Helper()
	p := jobs.PartitionOf(tenant, store.Partitions())
	j := jobs.Job{
		ID: jobs.NewID(jobs.KindJob, p), Document: jobs.NewID(jobs.KindDocument, p), Event: jobs.NewID(jobs.KindEvent, p),
		Delivery: jobs.NewID(jobs.KindDelivery, p), Tenant: tenant, Callback: &jobs.CallbackState{Host: "a"}, Sealed: []byte("sealed"),
	}
	if _, err := store.Accept(t.Context(), jobs.Acceptance{Nonce: rand.Text(), Job: j}); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Cancel(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	for n := range attempts {
		claim, err := store.ClaimDelivery(t.Context(), j.Delivery, n+1, "me", time.Minute)
		if err != nil || claim.Answer != jobs.ClaimOK {
			t.Fatalf("claim: %s, %v", claim.Answer, err)
		}
		end := jobs.DeliveryEnd{Outcome: outcome, Health: jobs.HealthDown, Schedule: make([]time.Duration, 9)}
		if _, err := store.FinishDelivery(t.Context(), j.Delivery, claim.Delivery.Fence(), end); err != nil {
			t.Fatal(err)
		}
	}
}
