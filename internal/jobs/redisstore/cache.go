package redisstore

import (
	"context"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// Remember implements [jobs.Caching].
func (s *Store) Remember(ctx context.Context, tenant, key string, c jobs.Cached) error {
	_, err := s.run(ctx, s.scripts.remember, s.partition(tenant), tenant, key, string(c.Document), encode(c), jobs.CacheRetention.Milliseconds())
	return err
}

// Cached implements [jobs.Caching].
func (s *Store) Cached(ctx context.Context, tenant, key string, maxAge time.Duration) (jobs.Cached, bool, error) {
	v, err := s.word(ctx, s.scripts.cached, s.partition(tenant), tenant, key, maxAge.Milliseconds())
	var c jobs.Cached
	found := fields{"cached": v}.decode("cached", &c)
	return c, found, err
}
