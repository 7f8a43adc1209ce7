package redisstore_test

import (
	"context"
	"errors"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

func TestRandomSequencesFollowTheRules(t *testing.T) {
	t.Parallel()
	jobstest.TestModel(t, ground(t))
}

func TestNoSequenceLosesOrLendsAPlace(t *testing.T) {
	t.Parallel()
	jobstest.TestPlaces(t, ground(t))
}

// ground is a Redis of its own. What a crash would lose is not the question here, and without its file Redis is several
// times as fast.
func ground(t *testing.T) jobstest.Ground {
	t.Helper()
	rdb := redistest.Start(t, redistest.Config("appendonly no")).Client()
	return jobstest.Ground{
		Open: func(s jobstest.Settings) jobs.Store {
			return redisstore.New(rdb, redisstore.Options{
				PublicURL: "https://docs.example", JobRetention: s.JobRetention, DeadRetention: s.DeadRetention,
				HostLimit: s.HostLimit, HostPatience: s.HostPatience, HostPause: s.HostPause, UploadTime: s.UploadTime, OrphanAfter: s.OrphanAfter,
			})
		},
		Clear: func(ctx context.Context) error { return rdb.FlushDB(ctx).Err() },
		Count: func(ctx context.Context, kind string) (int, error) {
			names, err := rdb.Keys(ctx, "pl:{p0}:"+kind+":*").Result()
			return len(names), err
		},
		Length: func(ctx context.Context, index string) (int, error) {
			n, err := rdb.ZCard(ctx, "pl:{p0}:"+index).Result()
			return int(n), err
		},
		Owed: func(ctx context.Context) (int, error) {
			n, err := rdb.Get(ctx, "pl:{p0}:owed").Int()
			if errors.Is(err, redis.Nil) {
				return 0, nil
			}
			return n, err
		},
	}
}

func TestNoSequenceMiscountsABatch(t *testing.T) {
	t.Parallel()
	jobstest.TestBatches(t, ground(t))
}
