package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/seal"
)

// installation is a private Redis, two APIs, two workers and a receiver.
type installation struct {
	options
	dir       string
	random    *rand.Rand
	redis     *process
	apis      []*process
	workers   []*process
	servers   []*client.Client
	wire      *wire
	receiver  *receiver
	rdb       *redis.Client // past the wire
	store     *redisstore.Store
	blobs     blobs.FileStore
	told      *told
	logs      []*os.File
	deathless sync.Mutex // held while something is down on purpose
	report    *report
}

const (
	apiKey         = "plt_01JZZZZZZZZZZZZZZZZZZZZZZZ_0123456789abcdef0123" //nolint:gosec // of an installation that lives for a minute
	callbackSecret = "a callback secret for the experiment"                //nolint:gosec // likewise
	startTimeout   = 30 * time.Second
	settleTimeout  = 3 * time.Minute
)

// experiment runs an installation for a while under faults, waits until it has settled, and judges.
func experiment(ctx context.Context, o options) (*report, error) {
	in := &installation{
		options: o, told: newTold(), report: &report{Seed: o.seed, Faults: map[string]int{}},
		random: rand.New(rand.NewPCG(uint64(o.seed), 1)), //nolint:gosec // repeatable, not secret
	}
	defer in.close()
	if err := in.open(ctx); err != nil {
		return nil, err
	}
	in.suffer(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	started := time.Now()
	if err := in.settle(ctx); err != nil {
		return nil, err
	}
	in.report.SettledSeconds = time.Since(started).Seconds()
	if err := in.judge(ctx); err != nil {
		return nil, err
	}
	return in.report, nil
}

// suffer lets clients submit while processes are killed and disturbed.
func (in *installation) suffer(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, in.duration)
	defer cancel()
	var group sync.WaitGroup
	for n := range in.clients {
		c := &customer{
			name: fmt.Sprintf("c%d", n), servers: in.servers, told: in.told, url: in.receiver.url,
			random: rand.New(rand.NewPCG(uint64(in.seed), uint64(100+n))), //nolint:gosec // repeatable, not secret
		}
		group.Go(func() { c.run(ctx) })
	}
	group.Go(func() { in.killAtRandom(ctx) })
	group.Go(func() { in.disturbAtRandom(ctx) })
	group.Wait()
}

func (in *installation) open(ctx context.Context) error {
	if err := in.folder(); err != nil {
		return err
	}
	if err := in.openRedis(ctx); err != nil {
		return err
	}
	var err error
	if in.receiver, err = newReceiver(ctx, callbackSecret, uint64(in.seed)); err != nil { //nolint:gosec // any number will do
		return err
	}
	return in.openProcesses(ctx)
}

func (in *installation) folder() (err error) {
	if in.keep != "" {
		in.dir, err = filepath.Abs(in.keep)
	} else {
		in.dir, err = os.MkdirTemp("", "chaos")
	}
	return errors.Join(err, os.MkdirAll(filepath.Join(in.dir, "once"), 0o700))
}

func (in *installation) openRedis(ctx context.Context) error {
	socket := filepath.Join(in.dir, "redis.sock")
	in.redis = &process{name: "redis", argv: []string{
		"redis-server", "--port", "0", "--unixsocket", socket, "--dir", in.dir, "--appendonly", "yes", "--appendfsync", "always",
		"--maxmemory-policy", "noeviction", "--save", "",
	}}
	if err := in.launch(in.redis); err != nil {
		return err
	}
	in.rdb = redis.NewClient(&redis.Options{Network: "unix", Addr: socket, MaxRetries: 10})
	in.store = redisstore.New(in.rdb, redisstore.Options{})
	in.blobs = blobs.FileStore{Dir: filepath.Join(in.dir, "blobs")}
	var err error
	in.wire, err = newWire(ctx, filepath.Join(in.dir, "wire.sock"), socket)
	return err
}

// launch starts a process with a log of its own.
func (in *installation) launch(p *process) error {
	log, err := logFile(in.dir, p.name)
	if err != nil {
		return err
	}
	in.logs = append(in.logs, log)
	p.log = log
	return p.start()
}

func (in *installation) openProcesses(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	secretKey := seal.GenerateKey()
	for n := range 2 {
		addr, err := freeAddr(ctx)
		if err != nil {
			return err
		}
		env := append(os.Environ(),
			"CHAOS_DIR="+in.dir, "PLATEN_ADDR="+addr, "PLATEN_WORKER_ADDR=off", "PLATEN_REDIS_URL=unix://"+filepath.Join(in.dir, "wire.sock"),
			"PLATEN_BLOB_DIR="+in.blobs.Dir, "PLATEN_SECRET_KEY="+secretKey, "PLATEN_DEV_KEY="+apiKey,
			"PLATEN_CALLBACK_SECRET="+callbackSecret, "PLATEN_EGRESS_ALLOW_CALLBACKS=127.0.0.0/8", "PLATEN_RENDER_SLOTS=4",
			"PLATEN_CALLBACK_TIMEOUT=2s", "PLATEN_CALLBACK_SCHEDULE=200ms,500ms,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s",
		)
		apiProcess := &process{name: fmt.Sprintf("api-%d", n), argv: in.program(self, "api"), env: env}
		workerProcess := &process{name: fmt.Sprintf("worker-%d", n), argv: in.program(self, "worker"), env: env}
		in.apis, in.workers = append(in.apis, apiProcess), append(in.workers, workerProcess)
		in.servers = append(in.servers, &client.Client{BaseURL: "http://" + addr, Key: apiKey, RetryFor: -1})
		if err := errors.Join(in.launch(apiProcess), in.launch(workerProcess)); err != nil {
			return err
		}
	}
	return in.awaitServers(ctx)
}

// program is how a process is run: this program with the test engine, or the real one.
func (in *installation) program(self, name string) []string {
	if in.engine == "chromium" {
		return []string{filepath.Join(in.bin, name)}
	}
	return []string{self, name}
}

func (in *installation) awaitServers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for _, s := range in.servers {
		for {
			_, err := s.JobPage(ctx, client.JobFilter{}, client.Page{})
			if err == nil {
				break
			}
			if ctx.Err() != nil {
				return fmt.Errorf("%s does not answer: %w", s.BaseURL, err)
			}
			pause(ctx, 50*time.Millisecond)
		}
	}
	return nil
}

func freeAddr(ctx context.Context) (string, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return ln.Addr().String(), ln.Close()
}

func (in *installation) close() {
	for _, p := range append(append([]*process{}, in.apis...), in.workers...) {
		p.signal(syscall.SIGCONT)
		p.stop()
	}
	if in.wire != nil {
		in.wire.close()
	}
	if in.receiver != nil {
		in.receiver.close()
	}
	if in.rdb != nil {
		_ = in.rdb.Close()
	}
	if in.redis != nil {
		in.redis.stop()
	}
	for _, log := range in.logs {
		_ = log.Close()
	}
	if in.keep == "" && in.dir != "" {
		if err := os.RemoveAll(in.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			logger().Warn("folder not removed", "error", err.Error()) //nolint:sloglint // one line of a tool
		}
	}
}
