package app

import (
	"context"
	"errors"
	"log/slog"

	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/internal/settings"
)

// checkMasterKey waits for Redis to answer and refuses to start with a key that does not open what is stored.
func checkMasterKey(ctx context.Context, store *redisstore.Store, partitions int, key *seal.Key, logger *slog.Logger) error {
	return untilAnswered(ctx, logger, func() error {
		away, err := jobs.CheckMasterKey(ctx, store, partitions, key)
		if err == nil && away > 0 {
			logger.WarnContext(ctx, "master key not checked everywhere", slog.Int("partitions_away", away))
		}
		return err
	})
}

// TryMasterKey does what API and worker do about the master key at their start: [jobs.ErrMasterKey] when neither
// PLATEN_SECRET_KEY nor PLATEN_SECRET_KEY_OLD opens what is stored. It waits for Redis until ctx ends.
func TryMasterKey(ctx context.Context, cfg config.Config, logger *slog.Logger) (err error) {
	key, err := settings.MasterKey(cfg.SecretKey, cfg.SecretKeyOld)
	if err != nil {
		return err
	}
	rdb, err := NewRedis(cfg, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rdb.Close()) }()
	store := redisstore.New(rdb, redisstore.Options{Partitions: cfg.Partitions})
	return checkMasterKey(ctx, store, cfg.Partitions, key, logger)
}
