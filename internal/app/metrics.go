package app

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/platen-render/platen/internal/jobs"
)

// loadTimeout bounds what a scrape may ask of the store.
const loadTimeout = 2 * time.Second

// watchLoad exports how much waits: the number that tells an operator to start more workers. A store that does not answer
// shows as NaN, not as zero.
func (p *parts) watchLoad(ctx context.Context, service *jobs.Service) {
	gauge := func(opts prometheus.GaugeOpts, class jobs.Class, value func(jobs.Load) int) {
		p.registry.MustRegister(prometheus.NewGaugeFunc(opts, func() float64 {
			ctx, cancel := context.WithTimeout(ctx, loadTimeout)
			defer cancel()
			load, err := service.Load(ctx, class)
			if err != nil {
				return math.NaN()
			}
			return float64(value(load))
		}))
	}
	for _, class := range jobs.Classes {
		gauge(prometheus.GaugeOpts{
			Name: "platen_jobs_waiting", Help: "Jobs of all tenants that wait for a worker, by class.",
			ConstLabels: prometheus.Labels{"class": class.Name()},
		}, class, func(l jobs.Load) int { return l.Waiting })
	}
	gauge(prometheus.GaugeOpts{Name: "platen_jobs_running", Help: "Running jobs of all tenants."}, jobs.ClassNormal,
		func(l jobs.Load) int { return l.Running })
}

// reportingGauges show how the deliveries of all partitions stand.
var reportingGauges = []struct {
	prometheus.Opts
	value func(jobs.Reporting) float64
}{
	{prometheus.Opts{Name: "platen_dead_letters", Help: "Dead letters that can be replayed."}, func(r jobs.Reporting) float64 { return float64(r.Dead) }},
	{prometheus.Opts{Name: "platen_dead_letter_oldest_seconds", Help: "How long the oldest of them has been dead."}, func(r jobs.Reporting) float64 { return r.OldestDead.Seconds() }},
	{prometheus.Opts{Name: "platen_deliveries_parked", Help: "Due deliveries that wait for a place of their host."}, func(r jobs.Reporting) float64 { return float64(r.Parked) }},
	{prometheus.Opts{Name: "platen_callback_hosts_down", Help: "Hosts that do not answer and that deliveries wait for, counted in each partition."}, func(r jobs.Reporting) float64 { return float64(r.HostsDown) }},
}

// endedCounter is kept by the store: whoever runs the step that ends a delivery need not have tried it, nor be a worker.
var endedCounter = prometheus.Opts{Name: "platen_deliveries_ended_total", Help: "Deliveries that ended, by status and, when dead, why."}

// reporting is a collector of both, which asks the store once for a scrape.
type reporting struct {
	ctx   context.Context //nolint:containedctx // a scrape brings none
	store jobs.Store
	descs []*prometheus.Desc
	ended *prometheus.Desc
}

func newReporting(ctx context.Context, store jobs.Store) *reporting {
	r := &reporting{ctx: ctx, store: store}
	r.ended = prometheus.NewDesc(endedCounter.Name, endedCounter.Help, []string{"status", "reason"}, nil)
	for _, g := range reportingGauges {
		r.descs = append(r.descs, prometheus.NewDesc(g.Name, g.Help, nil, nil))
	}
	return r
}

// Describe implements [prometheus.Collector].
func (r *reporting) Describe(out chan<- *prometheus.Desc) {
	for _, d := range r.descs {
		out <- d
	}
	out <- r.ended
}

// Collect implements [prometheus.Collector]. When a partition does not answer, nothing is known of the whole: gauges are NaN, and the
// counter, which may not fall, is left out.
func (r *reporting) Collect(out chan<- prometheus.Metric) {
	total, err := r.total()
	for i, g := range reportingGauges {
		v := g.value(total)
		if err != nil {
			v = math.NaN()
		}
		out <- prometheus.MustNewConstMetric(r.descs[i], prometheus.GaugeValue, v)
	}
	if err == nil {
		r.collectEnded(out, total.Ended)
	}
}

// collectEnded has each series from the beginning: one that appears with its first count does not rise for Prometheus.
func (r *reporting) collectEnded(out chan<- prometheus.Metric, ended map[jobs.Ending]int) {
	count := func(status jobs.DeliveryStatus, how jobs.Ending, reason string) {
		out <- prometheus.MustNewConstMetric(r.ended, prometheus.CounterValue, float64(ended[how]), string(status), reason)
	}
	count(jobs.DeliveryDelivered, jobs.EndedDelivered, "")
	for _, how := range jobs.Deaths() {
		count(jobs.DeliveryDead, how, string(how))
	}
}

func (r *reporting) total() (jobs.Reporting, error) {
	ctx, cancel := context.WithTimeout(r.ctx, loadTimeout)
	defer cancel()
	all, errs := make([]jobs.Reporting, r.store.Partitions()), make([]error, r.store.Partitions())
	var group sync.WaitGroup
	for p := range all {
		group.Go(func() { all[p], errs[p] = r.store.Reporting(ctx, p) })
	}
	group.Wait()
	total := jobs.Reporting{Ended: map[jobs.Ending]int{}}
	for _, one := range all {
		total.Dead += one.Dead
		total.Parked += one.Parked
		total.HostsDown += one.HostsDown
		total.OldestDead = max(total.OldestDead, one.OldestDead)
		for how, n := range one.Ended {
			total.Ended[how] += n
		}
	}
	return total, errors.Join(errs...)
}
