package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
)

// installation is a private Redis, two APIs, two workers and a receiver.
type installation struct {
	options
	dir      string
	host     *host
	redis    *deployment
	rdb      redis.UniversalClient // as the processes reach it, but past the wire
	admin    redis.UniversalClient // with all rights
	store    *redisstore.Store
	blobs    blobs.FileStore
	apis     []*process
	workers  []*process
	tenants  []tenant
	receiver *receiver
	attempts *attempts
	told     *told
	logs     []*os.File
	report   *report
}

const (
	startTimeout  = 30 * time.Second
	settleTimeout = 3 * time.Minute
)

// experiment runs an installation for a while under faults, waits until it has settled, and judges.
func experiment(ctx context.Context, o options) (_ *report, err error) {
	in := &installation{options: o, told: newTold(), report: newReport(o)}
	defer func() { err = errors.Join(err, in.close(ctx)) }()
	if err := in.open(ctx); err != nil {
		return nil, err
	}
	watching, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { in.attempts.watch(watching) })
	err = errors.Join(in.suffer(ctx), in.settle(ctx))
	stop()
	group.Wait()
	if err = errors.Join(err, ctx.Err()); err != nil {
		return nil, err
	}
	in.report.recovered(in.attempts.percentile(0.95))
	return in.report, in.judge(ctx)
}

// suffer lets clients submit while processes are killed and disturbed.
func (in *installation) suffer(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, in.duration)
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	for n, t := range in.tenants {
		c := &customer{
			name: fmt.Sprintf("c%d", n), servers: t.servers, told: in.told, url: in.receiver.url,
			pages: pagesFor[in.engine], idle: engines[in.engine].idle, random: in.random(uint64(100 + n)),
		}
		group.Go(func() error { c.run(ctx); return nil })
		k := &clerk{
			name: c.name, servers: t.servers, told: in.told, url: c.url, pages: c.pages, idle: c.idle, random: in.random(uint64(200 + n)),
			http: http.Client{Timeout: answerWithin},
		}
		group.Go(func() error { k.run(ctx); return nil })
	}
	group.Go(func() error { return in.killAtRandom(ctx) })
	group.Go(func() error { in.disturbAtRandom(ctx); return nil })
	return group.Wait()
}

// random makes a source of choices for one goroutine.
func (in *installation) random(stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(in.seed), stream)) //nolint:gosec // repeatable, not secret
}

func (in *installation) open(ctx context.Context) error {
	if err := in.folder(); err != nil {
		return err
	}
	if err := in.openRedis(ctx); err != nil {
		return err
	}
	if err := in.openProcesses(ctx); err != nil {
		return err
	}
	secrets, err := in.openTenants(ctx)
	if err != nil {
		return err
	}
	in.receiver, err = newReceiver(ctx, secrets, in.random(3))
	return err
}

func (in *installation) folder() (err error) {
	if in.keep != "" {
		in.dir, err = filepath.Abs(in.keep)
	} else {
		in.dir, err = os.MkdirTemp("", "chaos")
	}
	for _, name := range []string{onceDir, heldDir, wallsDir} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(in.dir, name), 0o700))
	}
	return err
}

func (in *installation) openRedis(ctx context.Context) error {
	acl, err := documentedACL(in.docs)
	if err != nil {
		return err
	}
	in.host = &host{ctx: ctx, dir: in.dir}
	if err := in.host.try(func() { in.redis = topologies[in.topology](in.host, acl) }); err != nil {
		return err
	}
	if in.admin, _, err = in.redis.connect(in.redis.past); err != nil {
		return err
	}
	rdb, cfg, err := in.redis.connect(in.redis.env["PLATEN_REDIS_URL"])
	if err != nil {
		return err
	}
	in.rdb, in.store = rdb, redisstore.New(rdb, redisstore.Options{Partitions: cfg.Partitions})
	in.blobs = blobs.FileStore{Dir: filepath.Join(in.dir, "blobs")}
	in.attempts = &attempts{dir: filepath.Join(in.dir, heldDir), store: in.store, pending: map[jobs.ID]loss{}}
	return nil
}

// close ends everything by its pid. What was canceled is not waited for.
func (in *installation) close(ctx context.Context) error {
	in.stopProcesses(ctx.Err() != nil)
	if in.receiver != nil {
		in.receiver.close()
	}
	var err error
	for _, rdb := range []redis.UniversalClient{in.rdb, in.admin} {
		if rdb != nil {
			err = errors.Join(err, rdb.Close())
		}
	}
	if in.keep != "" && in.redis != nil {
		err = errors.Join(err, in.redis.keepLogs(in.dir))
	}
	if in.host != nil {
		err = errors.Join(err, in.host.close())
	}
	for _, log := range in.logs {
		err = errors.Join(err, log.Close())
	}
	if in.keep == "" {
		err = errors.Join(err, removeAll(in.dir))
	}
	return err
}
