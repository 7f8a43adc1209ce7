package redisstore_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// stagedBatch stages a batch of so many items of 2 KiB, each as change leaves it.
func stagedBatch(b *testing.B, store *redisstore.Store, run string, n int, change func(*jobs.Job)) jobs.ID {
	b.Helper()
	o := jobs.BatchOrder{
		ID: jobs.NewID(jobs.KindBatch, 0), Tenant: "default", Request: "fp", Event: jobs.NewID(jobs.KindEvent, 0),
		Delivery: jobs.NewID(jobs.KindDelivery, 0), Events: []string{jobs.EventBatchCompleted},
	}
	if _, err := store.BeginBatch(b.Context(), o); err != nil {
		b.Fatal(err)
	}
	for first := 0; first < n; first += jobs.MaxStaged {
		items := make([]jobs.StagedItem, min(jobs.MaxStaged, n-first))
		for i := range items {
			items[i] = jobs.StagedItem{Index: first + i, Job: jobs.Job{
				ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Tenant: "default", Class: jobs.ClassBatch,
				Spec: make([]byte, 2<<10), Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0),
				DocumentKey: fmt.Sprintf("%s:%d", run, first+i), Fingerprint: "fp", Batch: o.ID, Reports: []string{},
			}}
			change(&items[i].Job)
		}
		if _, err := store.StageItems(b.Context(), o.ID, items); err != nil {
			b.Fatal(err)
		}
	}
	return o.ID
}

// The costs of an item of a batch, in time that Redis is busy: to be staged, and to become a job. A step of promotions is what others
// wait for.
func BenchmarkBatchItem(b *testing.B) {
	rdb := redistest.Start(b).Client()
	store := redisstore.New(rdb, redisstore.Options{PublicURL: "https://docs.example"})
	const items = 5000
	var staging, promoting float64
	runs, steps := 0, 0
	for b.Loop() {
		runs++
		began := busy(b, rdb)
		id := stagedBatch(b, store, fmt.Sprint(runs), items, func(*jobs.Job) {})
		staging += busy(b, rdb) - began
		if got, err := store.SealBatch(b.Context(), id, items, "digest"); err != nil || got != jobs.SealDone {
			b.Fatal(got, err)
		}
		began = busy(b, rdb)
		for more := true; more; steps++ {
			var err error
			if more, err = store.Promote(b.Context(), 0); err != nil {
				b.Fatal(err)
			}
		}
		promoting += busy(b, rdb) - began
	}
	b.ReportMetric(staging/float64(runs*items)*1e6, "µs/staged")
	b.ReportMetric(promoting/float64(runs*items)*1e6, "µs/promoted")
	b.ReportMetric(promoting/float64(steps)*1e3, "ms/step")
}

// busy is how many seconds of a processor a Redis has used.
func busy(b *testing.B, rdb *redis.Client) float64 {
	b.Helper()
	info, err := rdb.InfoMap(b.Context(), "cpu").Result()
	if err != nil {
		b.Fatal(err)
	}
	var total float64
	for _, name := range []string{"used_cpu_user", "used_cpu_sys"} {
		seconds, err := strconv.ParseFloat(info["CPU"][name], 64)
		if err != nil {
			b.Fatal(err)
		}
		total += seconds
	}
	return total
}
