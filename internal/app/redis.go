package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/jobs/redisstore"
)

// poolSpare is how many connections a process may have beyond its slots.
const poolSpare = 20

// readTimeout bounds one command. Every script may be run twice, so a repeated call after it is welcome.
const readTimeout = 2 * time.Second

// retries is how often a command is tried again.
const retries = 3

// reloadEvery is how soon a client hears of a promoted replica: a refused connection alone does not make it ask.
const reloadEvery = 2 * time.Second

// NewRedis makes a client for what PLATEN_REDIS_URL names, with the settings that the store counts on. Reads go to
// masters only. slots is how many connections may be in use at once, on a cluster to each of its nodes. The caller
// closes it.
func NewRedis(cfg config.Config, slots int) (redis.UniversalClient, error) {
	a, err := parseRedisURL(cfg.RedisURL)
	if err != nil {
		return nil, fmt.Errorf("PLATEN_REDIS_URL: %w", err)
	}
	if err := a.trust(cfg); err != nil {
		return nil, fmt.Errorf("PLATEN_REDIS_CA_FILE: %w", err)
	}
	client := a.client(slots + poolSpare)
	client.AddHook(slowdown{})
	return client, nil
}

// client leaves the client's own name out, which old servers do not know and users may have no right to give.
func (a redisAddress) client(pool int) redis.UniversalClient {
	quiet := &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	switch a.topology {
	case viaSentinel:
		return redis.NewFailoverClient(&redis.FailoverOptions{
			MasterName: a.master, SentinelAddrs: a.addrs, SentinelUsername: a.sentinelUser, SentinelPassword: a.sentinelPassword,
			Username: a.Username, Password: a.Password, DB: a.DB, TLSConfig: a.TLSConfig,
			ContextTimeoutEnabled: true, ReadTimeout: readTimeout, MaxRetries: retries, PoolSize: pool, DisableIdentity: true,
		})
	case clustered:
		return redis.NewClusterClient(&redis.ClusterOptions{
			Addrs: a.addrs, Username: a.Username, Password: a.Password, TLSConfig: a.TLSConfig,
			ContextTimeoutEnabled: true, ReadTimeout: readTimeout, MaxRedirects: retries, PoolSize: pool,
			ClusterStateReloadInterval: reloadEvery, MaintNotificationsConfig: quiet, DisableIdentity: true,
		})
	case single:
	}
	o := a.Options
	o.ContextTimeoutEnabled, o.ReadTimeout, o.MaxRetries, o.PoolSize = true, readTimeout, retries, pool
	o.MaintNotificationsConfig, o.DisableIdentity = quiet, true
	return redis.NewClient(o)
}

// checkStore waits for Redis to answer and refuses one that cannot keep the promises.
func checkStore(ctx context.Context, store *redisstore.Store, logger *slog.Logger) error {
	return untilAnswered(ctx, logger, func() error {
		warnings, err := store.Check(ctx)
		for _, w := range warnings {
			logger.WarnContext(ctx, "redis weakens a promise", slog.String("warning", w))
		}
		return err
	})
}

// untilAnswered repeats a call of the store while that does not answer: at the start of an installation Redis may come up last.
func untilAnswered(ctx context.Context, logger *slog.Logger, call func() error) error {
	for {
		err := call()
		if !isUnavailable(err) {
			return err
		}
		logger.WarnContext(ctx, "waiting for redis", slog.String("error", err.Error()))
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
