package app_test

import (
	"math"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// gauges are what a collector says, by metric and class.
func gauges(t *testing.T, c prometheus.Collector) map[string]float64 {
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
			values[f.GetName()+" "+m.GetLabel()[0].GetValue()] = m.GetGauge().GetValue()
		}
	}
	return values
}

func TestTheAgeOfAQueueIsThatOfItsOldestPartition(t *testing.T) {
	t.Parallel()
	const partitions = 4
	server := redistest.Start(t)
	store := redisstore.New(server.Client(), redisstore.Options{Partitions: partitions})
	c := app.NewQueueAges(t.Context(), store)
	const oldest, turn = "platen_queue_age_seconds high", "platen_queue_turn_seconds high"
	got := gauges(t, c)
	for _, class := range jobs.Classes {
		if v, there := got["platen_queue_age_seconds "+class.Name()]; !there || v != 0 {
			t.Errorf("%s: %v, %v", class.Name(), v, there)
		}
	}
	for p := range partitions {
		for range 2 {
			a := jobs.Acceptance{
				Job: jobs.Job{
					ID: jobs.NewID(jobs.KindJob, p), Document: jobs.NewID(jobs.KindDocument, p), Event: jobs.NewID(jobs.KindEvent, p),
					Delivery: jobs.NewID(jobs.KindDelivery, p), Tenant: tenantIn(p, partitions), Class: jobs.ClassHigh, Fingerprint: "fp",
				},
				Request: "fp", Nonce: "n", Most: 1,
			}
			if _, err := store.Accept(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}
	}
	jobstest.Eventually(t, "the queue ages", func() bool {
		got := gauges(t, c)
		return got[oldest] > 0.05 && got[turn] > 0.05 && got["platen_queue_age_seconds normal"] == 0
	})
	server.Kill()
	if got := gauges(t, c); !math.IsNaN(got[oldest]) || !math.IsNaN(got[turn]) {
		t.Errorf("without a store it is %v", got)
	}
}
