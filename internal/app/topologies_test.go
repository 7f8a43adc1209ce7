package app_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

// slots is what a process has at once.
const slots = 8

// connect makes a client as the processes do.
func connect(tb testing.TB, cfg config.Config) redis.UniversalClient {
	tb.Helper()
	client, err := app.NewRedis(cfg, slots)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = client.Close() })
	return client
}

// contract runs the contract on one deployment: every test has a corner of its own in it.
func contract(t *testing.T, cfg config.Config) {
	t.Helper()
	jobstest.TestStore(t, cfg.Partitions, func(t *testing.T, s jobstest.Settings) jobs.Store {
		t.Helper()
		rdb := connect(t, cfg)
		corner("pl:" + rand.Text() + ":").of(rdb)
		return redisstore.New(rdb, redisstore.Options{
			PublicURL: "https://docs.example", JobRetention: s.JobRetention, DeadRetention: s.DeadRetention,
			OrphanAfter: s.OrphanAfter, HostLimit: s.HostLimit, HostPatience: s.HostPatience, HostPause: s.HostPause, UploadTime: s.UploadTime, MaxQueueAge: s.MaxQueueAge,
			Partitions: cfg.Partitions, WaitReplicas: cfg.WaitReplicas,
		})
	})
}

// corner begins the names of all keys that a client uses instead of "pl:". Scripts have their names from their keys. The
// hash tags stay, and with them the slots.
type corner string

func (c corner) of(rdb redis.UniversalClient) {
	rdb.AddHook(c)
	if cluster, ok := rdb.(*redis.ClusterClient); ok {
		cluster.OnNewNode(func(node *redis.Client) { node.AddHook(c) })
	}
}

func (c corner) rename(cmds ...redis.Cmder) {
	for _, cmd := range cmds {
		for i, arg := range cmd.Args() {
			name, _ := arg.(string)
			if rest, ok := strings.CutPrefix(name, "pl:"); ok && !strings.HasPrefix(name, string(c)) {
				cmd.Args()[i] = string(c) + rest
			}
		}
	}
}

func (corner) DialHook(next redis.DialHook) redis.DialHook { return next }

func (c corner) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error { c.rename(cmd); return next(ctx, cmd) }
}

func (c corner) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error { c.rename(cmds...); return next(ctx, cmds) }
}

func TestTheContractHoldsOverTCP(t *testing.T) {
	t.Parallel()
	contract(t, config.Config{Partitions: 1, RedisURL: redistest.Start(t, redistest.TCP()).URL()})
}

func TestTheContractHoldsOverAUnixSocket(t *testing.T) {
	t.Parallel()
	contract(t, config.Config{Partitions: 1, RedisURL: redistest.Start(t).URL()})
}

//nolint:tparallel // One thing after the other: the contract, a failover, the contract.
func TestTheContractHoldsOverSentinelAndAfterAFailover(t *testing.T) {
	t.Parallel()
	s := redistest.StartSentinel(t, asPlaten(t))
	cfg := config.Config{Partitions: 1, RedisURL: loggedIn(s.URL()) + "/0", WaitReplicas: 1}
	rdb := connect(t, cfg)
	t.Run("before, waiting for the replica", func(t *testing.T) { contract(t, cfg) })
	s.Failover()
	answers(t, rdb, 1)
	carry(t, rdb)
	follow(t, rdb, cfg.Partitions)
	cfg.WaitReplicas = 0
	t.Run("after", func(t *testing.T) { contract(t, cfg) })
}

//nolint:tparallel // One thing after the other: the contract, a failover, the contract.
func TestTheContractHoldsOnAClusterAndAfterAFailover(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, asPlaten(t))
	cfg := config.Config{Partitions: 16, RedisURL: loggedIn(c.URL()), WaitReplicas: 1}
	rdb := connect(t, cfg)
	t.Run("before, waiting for replicas", func(t *testing.T) { contract(t, cfg) })
	c.Failover(1)
	answers(t, rdb, cfg.Partitions)
	carry(t, rdb)
	follow(t, rdb, cfg.Partitions)
	cfg.WaitReplicas = 0
	t.Run("after", func(t *testing.T) { contract(t, cfg) })
}

// answers waits until every partition takes writes, as after a failover.
func answers(t *testing.T, rdb redis.UniversalClient, partitions int) {
	t.Helper()
	store := redisstore.New(rdb, redisstore.Options{Partitions: partitions})
	began := time.Now()
	for p := range partitions {
		a := jobs.Acceptance{Job: jobs.Job{
			ID: jobs.NewID(jobs.KindJob, p), Document: jobs.NewID(jobs.KindDocument, p), Tenant: tenantIn(p, partitions),
		}}
		jobstest.Eventually(t, "a partition takes writes", func() bool {
			_, err := store.Accept(t.Context(), a)
			return err == nil
		})
	}
	t.Logf("every partition takes writes %v after the failover", time.Since(began).Round(time.Millisecond))
}

// tenantIn is a tenant that lies in a partition.
func tenantIn(partition, partitions int) string {
	for n := 0; ; n++ {
		if name := fmt.Sprint("tenant-", n); jobs.PartitionOf(name, partitions) == partition {
			return name
		}
	}
}
