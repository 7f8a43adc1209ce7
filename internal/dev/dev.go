// Package dev is platen dev: a whole installation on one machine, for trying Platen out and for writing against it. It
// starts a private Redis, the API and a worker, the same programs that production runs, and starts again what dies.
package dev

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/redisd"
)

// Options of a run.
type Options struct {
	Getenv  func(string) string
	Environ []string  // what children inherit
	Stdout  io.Writer // for people
	Stderr  io.Writer // what went wrong
	// BinDir holds the programs api and worker. Empty is the folder of this program.
	BinDir string
}

// loopback is what callbacks may reach in development, besides what the environment allows.
const loopback = "localhost,127.0.0.0/8,[::1]"

// Run starts everything, shows once what Platen is for, and serves until ctx ends; then it stops all that it started.
func Run(ctx context.Context, o Options) error {
	d, err := prepare(ctx, o)
	if err != nil {
		return err
	}
	base, stopBase := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBase()
	ground, base := errgroup.WithContext(base)
	sockets := make(chan string, 1)
	redis := redisd.Supervisor{Dir: filepath.Join(d.dir, "redis"), Logger: d.logger}
	ground.Go(func() error { return redis.Run(base, func(socket string) { sockets <- socket }) })

	select {
	case socket := <-sockets:
		err = d.serve(ctx, base, socket)
	case <-base.Done():
	case <-ctx.Done():
	}
	stopBase() // Redis last: the others still use it while they stop
	return errors.Join(err, ground.Wait())
}

// installation is a data folder with what belongs to it.
type installation struct {
	Options
	cfg    config.Config
	dir    string
	state  state
	logger *slog.Logger
}

func prepare(ctx context.Context, o Options) (*installation, error) {
	cfg, err := config.Load(o.Getenv)
	if err != nil {
		return nil, err
	}
	if o.BinDir == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find this program: %w", err)
		}
		o.BinDir = filepath.Dir(self)
	}
	for _, name := range []string{"api", "worker"} {
		if _, err := os.Stat(filepath.Join(o.BinDir, name)); err != nil {
			return nil, fmt.Errorf("the program %q is not beside this one; make build builds both: %w", name, err)
		}
	}
	if err := checkFree(ctx, cfg.Addr); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(cfg.DataDir)
	if err != nil {
		return nil, fmt.Errorf("PLATEN_DATA_DIR: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "blobs"), 0o700); err != nil {
		return nil, fmt.Errorf("PLATEN_DATA_DIR: %w", err)
	}
	given := state{URL: localURL(cfg), Key: cfg.DevKey, CallbackSecret: cfg.CallbackSecret, SecretKey: cfg.SecretKey, AdminKey: cfg.AdminKey}
	s, err := loadState(dir, given)
	if err != nil {
		return nil, err
	}
	return &installation{Options: o, cfg: cfg, dir: dir, state: s, logger: slog.New(slog.NewTextHandler(o.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))}, nil
}

// checkFree says of a busy port which setting names another one.
func checkFree(ctx context.Context, addr string) error {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s, set PLATEN_ADDR to another address: %w", addr, err)
	}
	return ln.Close()
}

// serve runs API and worker until ctx ends, and the demo once both are ready.
func (d *installation) serve(ctx, base context.Context, socket string) error {
	env := d.environment(socket)
	work, stop := context.WithCancel(ctx)
	defer stop()
	context.AfterFunc(base, stop) // without Redis there is nothing to do
	group, work := errgroup.WithContext(work)
	for _, name := range []string{"api", "worker"} {
		c := child{
			name: name, path: filepath.Join(d.BinDir, name), env: env, log: filepath.Join(d.dir, name+".log"), logger: d.logger,
		}
		group.Go(func() error { return c.run(work) })
	}
	group.Go(func() error { return d.show(work) })
	return group.Wait()
}

// environment is what API and worker are told: our own environment, then what this installation decides.
func (d *installation) environment(socket string) []string {
	workerAddr := d.Getenv("PLATEN_WORKER_ADDR")
	if workerAddr == "" {
		workerAddr = "off" // two installations on one machine need no second port each
	}
	allowed := loopback
	if d.cfg.AllowCallbacks != "" {
		allowed += "," + d.cfg.AllowCallbacks
	}
	return append(append([]string{}, d.Environ...),
		"PLATEN_ADDR="+d.cfg.Addr,
		"PLATEN_PUBLIC_URL="+d.cfg.PublicURL,
		"PLATEN_WORKER_ADDR="+workerAddr,
		"PLATEN_REDIS_URL=unix://"+socket,
		"PLATEN_BLOB_DIR="+filepath.Join(d.dir, "blobs"),
		"PLATEN_SECRET_KEY="+d.state.SecretKey,
		"PLATEN_ADMIN_KEY="+d.state.AdminKey,
		"PLATEN_DEV_KEY="+d.state.Key,
		"PLATEN_CALLBACK_SECRET="+d.state.CallbackSecret,
		"PLATEN_EGRESS_ALLOW_CALLBACKS="+allowed,
	)
}

// localURL is where this machine reaches the API, whatever its public name.
func localURL(cfg config.Config) string {
	host, port, err := net.SplitHostPort(cfg.Addr)
	if err != nil {
		return cfg.PublicURL
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// show waits until the API answers, prints what a user needs, and runs the demo.
func (d *installation) show(ctx context.Context) error {
	if err := d.awaitReady(ctx); err != nil {
		return nil //nolint:nilerr // ctx has ended: nobody reads on
	}
	p := printer{d.Stdout}
	p.banner(d)
	if d.Getenv("DEMO") != "0" {
		if err := d.demo(ctx, p); err != nil && ctx.Err() == nil {
			p.line("demo      failed: %v", err)
			p.line("          logs: %s, %s", filepath.Join(d.dir, "api.log"), filepath.Join(d.dir, "worker.log"))
		}
	}
	p.usage(d)
	return nil
}

const readyEvery = 50 * time.Millisecond

// awaitReady polls /readyz until it is green.
func (d *installation) awaitReady(ctx context.Context) error {
	tick := time.NewTicker(readyEvery)
	defer tick.Stop()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, localURL(d.cfg)+"/readyz", http.NoBody)
		if err != nil {
			return err
		}
		res, err := http.DefaultTransport.RoundTrip(req)
		if err == nil {
			_ = res.Body.Close() // nothing of it was read
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
