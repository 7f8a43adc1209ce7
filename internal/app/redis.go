package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/platen-render/platen/internal/jobs/redisstore"
)

// poolSpare is how many connections a process may have beyond its slots.
const poolSpare = 20

// readTimeout bounds one command. Every script may be run twice, so a repeated call after it is welcome.
const readTimeout = 2 * time.Second

// newRedis makes a client with the settings that the store counts on.
func newRedis(url string, slots int) (*redis.Client, error) {
	o, err := redis.ParseURL(url)
	if err != nil {
		return nil, fmt.Errorf("PLATEN_REDIS_URL: %w", err)
	}
	o.ContextTimeoutEnabled = true
	o.ReadTimeout = readTimeout
	o.MaxRetries = 3
	o.PoolSize = slots + poolSpare
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(o), nil
}

// checkStore waits for Redis to answer and refuses one that cannot keep the promises.
func checkStore(ctx context.Context, store *redisstore.Store, logger *slog.Logger) error {
	for {
		warnings, err := store.Check(ctx)
		if err == nil {
			for _, w := range warnings {
				logger.WarnContext(ctx, "redis weakens a promise", slog.String("warning", w))
			}
			return nil
		}
		if !isUnavailable(err) {
			return fmt.Errorf("check redis: %w", err)
		}
		logger.WarnContext(ctx, "waiting for redis", slog.String("error", err.Error()))
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
