package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/gc"
	"github.com/platen-render/platen/internal/jobs/redisstore"
)

// gcPool is how many connections to Redis the collector has: it asks one thing at a time.
const gcPool = 4

// OpenCollector makes what finds blobs that nobody points to, from the settings of a worker. It makes no folder and marks no bucket, and asks Redis
// once whether it is there. The caller calls done.
func OpenCollector(ctx context.Context, cfg config.Config, grace time.Duration) (c gc.Collector, done func() error, err error) {
	if err := errors.Join(required(cfg), CheckSettings(cfg)); err != nil {
		return gc.Collector{}, nil, err
	}
	rdb, err := NewRedis(cfg, gcPool)
	if err != nil {
		return gc.Collector{}, nil, err
	}
	kept, err := openBlobs(ctx, cfg)
	done = func() error { return errors.Join(kept.close(), rdb.Close()) }
	if err == nil {
		err = reach(ctx, rdb)
	}
	if err != nil {
		return gc.Collector{}, nil, errors.Join(err, done())
	}
	store := redisstore.New(rdb, redisstore.Options{Partitions: cfg.Partitions})
	return gc.Collector{Store: store, Blobs: kept.Store, Grace: grace}, done, nil
}

func reach(ctx context.Context, rdb redis.UniversalClient) error {
	if err := rdb.Ping(ctx).Err(); err != nil {
		return fmt.Errorf("PLATEN_REDIS_URL: %w", err)
	}
	return nil
}
