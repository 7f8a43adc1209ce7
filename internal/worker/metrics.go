package worker

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics of a worker. The nil *Metrics counts nothing.
type Metrics struct {
	attempts *prometheus.CounterVec
	duration prometheus.Histogram
	repaired *prometheus.CounterVec
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
		repaired: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "platen_reconciled_total", Help: "What the reconciler put right: enqueued, orphaned, reaped, pulled, unknown_delivery.",
		}, []string{"action"}),
	}
	reg.MustRegister(m.attempts, m.duration, m.repaired)
	return m
}

func (m *Metrics) observe(err error, d time.Duration) {
	if m == nil {
		return
	}
	m.attempts.WithLabelValues(outcomeOf(err)).Inc()
	m.duration.Observe(d.Seconds())
}

func (m *Metrics) repair(action string) {
	if m != nil {
		m.repaired.WithLabelValues(action).Inc()
	}
}
