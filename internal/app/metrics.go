package app

import (
	"context"
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/platen-render/platen/internal/jobs"
)

// loadTimeout bounds what a scrape may ask of the store.
const loadTimeout = 2 * time.Second

// watchLoad exports how much waits: the number that tells an operator to start more workers. A store that does not answer
// shows as NaN, not as zero.
func (p *parts) watchLoad(ctx context.Context, service *jobs.Service) {
	p.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "platen_jobs_waiting", Help: "Queued and running jobs of all tenants.",
	}, func() float64 {
		ctx, cancel := context.WithTimeout(ctx, loadTimeout)
		defer cancel()
		load, err := service.Load(ctx)
		if err != nil {
			return math.NaN()
		}
		return float64(load.Waiting)
	}))
}
