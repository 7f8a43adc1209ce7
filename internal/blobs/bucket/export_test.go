package bucket

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// Impatient makes a store give up after d when nothing moves, and after ten times that in any case.
func (s *Store) Impatient(d time.Duration) {
	s.limits = limits{call: 10 * d, stall: d, put: 10 * d}
}

// SweepBefore sweeps uploads that were begun before an instant.
func (s *Store) SweepBefore(ctx context.Context, before time.Time) (int, error) {
	var client *s3.Client
	s.bucket.As(&client)
	return s.sweep(ctx, client, before)
}

// PartSize is from where on a blob goes in parts.
const PartSize = partSize
