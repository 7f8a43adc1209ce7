package redisstore

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// Canary implements [jobs.Canaries].
func (s *Store) Canary(ctx context.Context, partition int) ([]byte, error) {
	v, err := s.rdb.Get(ctx, key(partition, "canary")).Bytes()
	if errors.Is(err, redis.Nil) {
		return nil, nil
	}
	return v, unavailable(err)
}

// SwapCanary implements [jobs.Canaries].
func (s *Store) SwapCanary(ctx context.Context, partition int, old, fresh []byte) ([]byte, error) {
	v, err := bare("swap_canary").Run(ctx, s.rdb, []string{key(partition, "canary")}, string(old), string(fresh)).Text()
	return []byte(v), unavailable(err)
}

// SomeTenant implements [jobs.Canaries].
func (s *Store) SomeTenant(ctx context.Context, partition int) (string, error) {
	if s.partition(jobs.DefaultTenant) == partition {
		if _, err := s.Tenant(ctx, jobs.DefaultTenant); !errors.Is(err, jobs.ErrTenantNotFound) {
			return jobs.DefaultTenant, err
		}
	}
	names, err := s.rdb.ZRange(ctx, key(partition, "tenants"), 0, 0).Result()
	if err := unavailable(err); err != nil || len(names) == 0 {
		return "", err
	}
	return names[0], nil
}
