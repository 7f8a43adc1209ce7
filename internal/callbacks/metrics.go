package callbacks

import "github.com/prometheus/client_golang/prometheus"

// Metrics of deliveries. The nil *Metrics counts nothing.
type Metrics struct {
	attempts *prometheus.CounterVec
	latency  prometheus.Histogram
}

// NewMetrics registers the metrics of deliveries.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	m := &Metrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "platen_delivery_attempts_total", Help: "Attempts to deliver an event, by outcome and error code.",
		}, []string{"outcome", "code"}),
		latency: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "platen_delivery_latency_seconds", Help: "Time until a receiver answered or an attempt failed.",
			Buckets: prometheus.ExponentialBuckets(0.005, 2, 13),
		}),
	}
	reg.MustRegister(m.attempts, m.latency)
	return m
}

func (m *Metrics) observe(a Attempt) {
	if m == nil {
		return
	}
	m.attempts.WithLabelValues(a.Outcome.String(), a.Code).Inc()
	m.latency.Observe(a.Latency.Seconds())
}
