package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/queue"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/urlguard"
	"github.com/platen-render/platen/internal/worker"
)

// Engine is a render engine that runs beside the worker; it may be several.
type Engine interface {
	render.Engine
	// Run keeps the engine ready until ctx ends, and returns when nothing of it is left.
	Run(ctx context.Context) error
	// Text returns the text of each page of a finished PDF, whichever engine made it.
	Text(ctx context.Context, pdf []byte) ([]string, error)
}

// NewEngine makes the engine of a worker: slots renders at once, everything outbound through the proxy.
type NewEngine func(ctx context.Context, cfg config.Config, slots int, proxyAddr string, logger *slog.Logger) (Engine, error)

// previewSlots is how many previews a worker renders beside its jobs. Somebody waits for them, and they are short; how much an
// engine does at once it decides by itself.
const previewSlots = 2

// Worker renders documents and delivers events until ctx ends; then it takes no more work, lets what runs go on for
// PLATEN_SHUTDOWN_TIMEOUT and hands back the rest.
func Worker(ctx context.Context, cfg config.Config, logger *slog.Logger, newEngine NewEngine, options ...Option) (err error) {
	slots := cfg.RenderSlots
	if slots == 0 {
		slots = runtime.GOMAXPROCS(0)
	}
	p, err := newParts(ctx, cfg, logger, slots+cfg.CallbackSlots+previewSlots, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()

	pages, err := p.pagePolicy()
	if err != nil {
		return err
	}
	deliverer, err := p.deliverer()
	if err != nil {
		return err
	}
	proxyListener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for the browser: %w", err)
	}
	proxy := urlguard.NewProxy(pages, urlguard.ProxyOptions{Logger: logger})
	engine, err := newEngine(ctx, cfg, slots, proxyListener.Addr().String(), logger)
	if err != nil {
		return errors.Join(fmt.Errorf("rendering engine: %w", err), proxyListener.Close())
	}

	health := &worker.Health{Logger: logger, Probe: func(ctx context.Context) error {
		return errors.Join(engine.Probe(ctx), p.blobs.Probe(ctx))
	}}
	metrics, signer, bell := worker.NewMetrics(p.registry), p.signer(), worker.NewBell()
	ends := &errgroup.Group{}
	ends.SetLimit(slots) // a store that does not answer holds up so many at most, and then the slots
	runner := &worker.Runner{
		Store: p.store, Cache: p.store, Health: health, Rules: jobs.DefaultRules(), Lease: cfg.Lease, Logger: logger, Metrics: metrics,
		Sign: signer.Ensure, Bell: bell,
		Aside: func(end func()) bool { return ends.TryGo(func() error { end(); return nil }) },
		Maker: &worker.Maker{Blobs: p.blobs, Compose: p.composer(pages, signer).Compose, Engine: engine, MaxBytes: cfg.MaxDocument, Text: engine.Text},
	}
	renders := &queue.Server{
		Redis: p.rdb, Lines: jobs.Weights(), Slots: slots, Handler: runner.Run, Logger: logger,
		Gate: health.Gate, Patience: cfg.ShutdownTimeout,
	}
	previewer := &worker.Previewer{Store: p.store, Maker: runner.Maker, Health: health, Logger: logger}
	previews := &queue.Server{
		Redis: p.rdb, Lines: map[jobs.Line]int{jobs.PreviewLine: 1}, Slots: previewSlots, Handler: previewer.Run, Logger: logger,
		Gate: health.Gate, Patience: cfg.ShutdownTimeout,
	}
	deliveries := &queue.Server{
		Redis: p.rdb, Lines: map[jobs.Line]int{jobs.CallbackLine: 1}, Slots: cfg.CallbackSlots, Handler: deliverer.Deliver, Logger: logger,
		Patience: cfg.ShutdownTimeout,
	}

	// What the work stands on outlives the work.
	base, stopBase := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBase()
	ground, base := errgroup.WithContext(base)
	ground.Go(func() error { return proxy.Run(base, proxyListener) })
	ground.Go(func() error { return engine.Run(base) })
	ground.Go(func() error { return health.Run(base) })
	ground.Go(func() error {
		return p.serveHealth(base, func() error { return errors.Join(stopping(ctx), health.Err()) })
	})
	p.housekeeping(base, ground, metrics, bell)

	work, stopWork := context.WithCancel(ctx)
	defer stopWork()
	context.AfterFunc(base, stopWork) // a part of the ground that failed ends the work
	lines, work := errgroup.WithContext(work)
	lines.Go(func() error { return errors.Join(renders.Run(work), ends.Wait()) })
	lines.Go(func() error { return previews.Run(work) })
	lines.Go(func() error { return deliveries.Run(work) })
	logger.InfoContext(ctx, "worker started", slog.Int("render_slots", slots), slog.Int("callback_slots", cfg.CallbackSlots))
	err = lines.Wait()
	stopBase()
	return errors.Join(err, ground.Wait())
}

func (p *parts) deliverer() (*callbacks.Deliverer, error) {
	policy, err := p.callbackPolicy()
	if err != nil {
		return nil, err
	}
	roots, err := p.callbackRoots()
	if err != nil {
		return nil, err
	}
	client := policy.Client(urlguard.Options{Timeout: p.cfg.CallbackTimeout, RootCAs: roots})
	return &callbacks.Deliverer{
		Store: p.store, Sender: &callbacks.Sender{Client: client, Deadline: p.cfg.CallbackTimeout},
		Schedule: p.schedule, Key: p.key, Logger: p.logger, Metrics: callbacks.NewMetrics(p.registry),
	}, nil
}
