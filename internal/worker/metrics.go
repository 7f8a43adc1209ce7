package worker

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics of a worker. The nil *Metrics counts nothing.
type Metrics struct {
	attempts *prometheus.CounterVec
	duration prometheus.Histogram
	engine   *prometheus.HistogramVec
	repaired *prometheus.CounterVec
	cached   *prometheus.CounterVec
	handed   prometheus.Counter
}

// NewMetrics registers the metrics of a worker.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	m := &Metrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "platen_attempts_total", Help: "Attempts to make a document, by outcome (succeeded, canceled, or a fault code).",
		}, []string{"outcome"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "platen_attempt_duration_seconds", Help: "Duration of attempts, from claim to outcome.",
			Buckets: prometheus.ExponentialBuckets(0.01, 2, 14),
		}),
		engine: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "platen_render_duration_seconds", Help: "Duration of renders, by engine: the part of an attempt that the engine takes.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 17),
		}, []string{"engine"}),
		repaired: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "platen_reconciled_total", Help: "What the reconciler put right: enqueued, orphaned, reaped, pulled, unknown_delivery.",
		}, []string{"action"}),
		cached: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "platen_cache_total", Help: "Jobs that allow the bytes of an equal document, by outcome: hit, miss, bypassed.",
		}, []string{"outcome"}),
	}
	m.handed = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "platen_jobs_handed_out_total", Help: "Jobs that waited for the turn of their tenant and were put into the queue by this process.",
	})
	reg.MustRegister(m.attempts, m.duration, m.engine, m.repaired, m.cached, m.handed)
	return m
}

func (m *Metrics) observe(err error, d time.Duration, made Made) {
	if m == nil {
		return
	}
	m.attempts.WithLabelValues(outcomeOf(err)).Inc()
	m.duration.Observe(d.Seconds())
	if made.Rendering > 0 && made.Result.Engine != "" {
		m.engine.WithLabelValues(made.Result.Engine).Observe(made.Rendering.Seconds())
	}
}

func (m *Metrics) repair(action string) {
	if m != nil {
		m.repaired.WithLabelValues(action).Inc()
	}
}

func (m *Metrics) handOut() {
	if m != nil {
		m.handed.Inc()
	}
}

func (m *Metrics) cache(outcome string) {
	if m != nil {
		m.cached.WithLabelValues(outcome).Inc()
	}
}
