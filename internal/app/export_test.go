package app

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/platen-render/platen/internal/jobs"
)

// NewReporting is the collector of how deliveries stand.
func NewReporting(ctx context.Context, store jobs.Store) prometheus.Collector {
	return newReporting(ctx, store)
}
