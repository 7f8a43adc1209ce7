package app

import (
	"context"
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/platen-render/platen/internal/jobs"
)

// ageGauges show how long jobs of a class wait.
var ageGauges = []struct {
	prometheus.Opts
	value func(jobs.QueueAge) time.Duration
}{
	{prometheus.Opts{Name: "platen_queue_age_seconds", Help: "How long the job has waited that could be taken for longest, by class."}, func(a jobs.QueueAge) time.Duration { return a.Oldest }},
	{prometheus.Opts{Name: "platen_queue_turn_seconds", Help: "How long the tenant has waited whose turn is next, by class."}, func(a jobs.QueueAge) time.Duration { return a.Turn }},
}

// queueAges is a collector of them, which asks the store once for each class and scrape.
type queueAges struct {
	ctx   context.Context //nolint:containedctx // a scrape brings none
	store jobs.Store
	descs []*prometheus.Desc
}

func newQueueAges(ctx context.Context, store jobs.Store) *queueAges {
	q := &queueAges{ctx: ctx, store: store}
	for _, g := range ageGauges {
		q.descs = append(q.descs, prometheus.NewDesc(g.Name, g.Help, []string{"class"}, nil))
	}
	return q
}

// Describe implements [prometheus.Collector].
func (q *queueAges) Describe(out chan<- *prometheus.Desc) {
	for _, d := range q.descs {
		out <- d
	}
}

// Collect implements [prometheus.Collector]. When a partition does not answer, nothing is known of the whole: NaN.
func (q *queueAges) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(q.ctx, loadTimeout)
	defer cancel()
	for _, class := range jobs.Classes {
		age, err := q.store.QueueAge(ctx, class)
		for i, g := range ageGauges {
			v := g.value(age).Seconds()
			if err != nil {
				v = math.NaN()
			}
			out <- prometheus.MustNewConstMetric(q.descs[i], prometheus.GaugeValue, v, class.Name())
		}
	}
}
