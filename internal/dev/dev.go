// Package dev is platen dev: a whole installation on one machine, for trying Platen out and for writing against it. It
// starts a private Redis, the API and a worker, the same programs that production runs, and starts again what dies.
package dev

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/redisd"
)

// Options of a run.
type Options struct {
	Getenv  func(string) string
	Environ []string  // what children inherit
	Stdout  io.Writer // for people
	Stderr  io.Writer // what went wrong
	// Signals are those that end ctx, the first included. Another one later ends the children at once; nil has none.
	Signals <-chan os.Signal
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
	ground.Go(func() error {
		d.farewell(ctx, base.Done())
		return nil
	})

	select {
	case socket := <-sockets:
		err = d.serve(ctx, base, socket)
	case <-base.Done():
	case <-ctx.Done():
	}
	stopBase() // Redis last: the others still use it while they stop
	return errors.Join(err, ground.Wait())
}

// oneCtrlC is how long signals are echoes of the first one: it is among them, and who starts us may pass on a copy.
const oneCtrlC = 500 * time.Millisecond

// farewell says what happens now that ctx has ended, and ends the children at once when it is asked a second time.
func (d *installation) farewell(ctx context.Context, over <-chan struct{}) {
	select {
	case <-ctx.Done():
		d.line("stopping; running jobs have up to %v, Ctrl-C again ends now", d.cfg.ShutdownTimeout)
	case <-over:
		return
	}
	for began := time.Now(); time.Since(began) < oneCtrlC; {
		select {
		case <-d.Signals:
		case <-over:
			return
		}
	}
	d.line("ending now")
	close(d.now)
}

// installation is a data folder with what belongs to it.
type installation struct {
	Options
	printer
	cfg    config.Config
	dir    string
	state  state // known once Redis answers
	logger *slog.Logger
	now    chan struct{} // closed when the children shall end at once
	ill    chan struct{} // has an entry when the worker takes no work and the demo does not know
}

func prepare(ctx context.Context, o Options) (*installation, error) {
	cfg, err := settle(ctx, o.Getenv)
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
	dir, err := filepath.Abs(cfg.DataDir)
	if err != nil {
		return nil, fmt.Errorf("PLATEN_DATA_DIR: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "blobs"), 0o700); err != nil {
		return nil, fmt.Errorf("PLATEN_DATA_DIR: %w", err)
	}
	if _, err := readState(dir); err != nil { // before anything is started; it is read again once the folder is ours
		return nil, err
	}
	return &installation{
		Options: o, printer: printer{o.Stdout}, cfg: cfg, dir: dir,
		logger: slog.New(slog.NewTextHandler(o.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		now:    make(chan struct{}), ill: make(chan struct{}, 1),
	}, nil
}

// serve runs API and worker until ctx ends, and the demo once both are ready.
func (d *installation) serve(ctx, base context.Context, socket string) error {
	work, stop := context.WithCancel(ctx)
	defer stop()
	context.AfterFunc(base, stop) // without Redis there is nothing to do
	// Who has the Redis has the folder: only now what is kept in it may change.
	if err := d.settleState(work, socket); err != nil {
		if work.Err() != nil {
			return nil // it was not to start any more
		}
		return err
	}
	env := d.environment(socket)
	group, work := errgroup.WithContext(work)
	written := sizeOf(d.log("worker"))
	for _, name := range []string{"api", "worker"} {
		c := child{
			name: name, path: filepath.Join(d.BinDir, name), env: env, log: d.log(name), logger: d.logger, now: d.now,
			grace: max(leastGrace, d.cfg.ShutdownTimeout+spareGrace),
		}
		group.Go(func() error { return c.run(work) })
	}
	group.Go(func() error {
		watchLog(work, d.log("worker"), written, d.workerSays)
		return nil
	})
	group.Go(func() error { return d.show(work) })
	return group.Wait()
}

// log is the file that gets what a child prints.
func (d *installation) log(name string) string { return filepath.Join(d.dir, name+".log") }

// workerSays shows what a person must know: a worker without a browser serves, and makes nothing.
func (d *installation) workerSays(l logLine) {
	switch l.Message {
	case takesNoWork:
		d.line("worker    takes no work: %s", l.Error)
		select {
		case d.ill <- struct{}{}:
		default: // that it is ill is known
		}
	case takesWorkAgain:
		select {
		case <-d.ill:
		default: // the demo knows, or is over
		}
		d.line("worker    takes work again")
	}
}

// environment is what API and worker are told: our own environment, then what this installation decides.
func (d *installation) environment(socket string) []string {
	allowed := loopback
	if d.cfg.AllowCallbacks != "" {
		allowed += "," + d.cfg.AllowCallbacks
	}
	return append(append([]string{}, d.Environ...),
		"PLATEN_ADDR="+d.cfg.Addr,
		"PLATEN_PUBLIC_URL="+d.cfg.PublicURL,
		"PLATEN_WORKER_ADDR="+d.cfg.WorkerAddr,
		"PLATEN_REDIS_URL=unix://"+socket,
		"PLATEN_REDIS_CA_FILE=",
		"PLATEN_REDIS_WAIT_REPLICAS=", // of another Redis than this one
		"PLATEN_BLOB_DIR="+filepath.Join(d.dir, "blobs"),
		"PLATEN_CACHE_DIR="+filepath.Join(d.dir, "cache"),
		"PLATEN_SECRET_KEY="+d.state.SecretKey,
		"PLATEN_ADMIN_KEY="+d.state.AdminKey,
		"PLATEN_DEV_KEY="+d.state.Key,
		"PLATEN_CALLBACK_SECRET="+d.state.CallbackSecret,
		"PLATEN_EGRESS_ALLOW_CALLBACKS="+allowed,
	)
}

// show waits until the API answers, prints what a user needs, and runs the demo.
func (d *installation) show(ctx context.Context) error {
	if err := d.awaitReady(ctx); err != nil {
		return nil //nolint:nilerr // ctx has ended: nobody reads on
	}
	d.banner()
	document := ""
	if d.Getenv("DEMO") != "0" {
		var err error
		if document, err = d.demo(ctx); err != nil && ctx.Err() == nil {
			d.line("demo      failed: %s", fault.Text(err))
			d.line("          logs: %s, %s", relative(d.log("api")), relative(d.log("worker")))
		}
	}
	if ctx.Err() == nil {
		d.usage(document)
	}
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
