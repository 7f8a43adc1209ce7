package redisstore

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// Tally implements [jobs.Intake].
func (s *Store) Tally(ctx context.Context, tenant string) (map[jobs.Status]int, error) {
	counts := make([]*redis.IntCmd, len(jobs.Statuses))
	_, err := s.rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for i, status := range jobs.Statuses {
			counts[i] = pipe.ZCard(ctx, key(s.partition(tenant), "idx:", tenant, string(status)))
		}
		return nil
	})
	tally := map[jobs.Status]int{}
	for i, status := range jobs.Statuses {
		tally[status] = int(counts[i].Val())
	}
	return tally, unavailable(err)
}
