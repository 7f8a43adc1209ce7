package app

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/platen-render/platen/internal/jobs"
)

// NewQueueAges is the collector of how long jobs wait.
func NewQueueAges(ctx context.Context, store jobs.Store) prometheus.Collector {
	return newQueueAges(ctx, store)
}

// NewReporting is the collector of how deliveries stand.
func NewReporting(ctx context.Context, store jobs.Store) prometheus.Collector {
	return newReporting(ctx, store)
}
