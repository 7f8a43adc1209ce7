package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"

	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/httpapi"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/settings"
	"github.com/platen-render/platen/internal/worker"
)

// apiPool is how many connections to Redis an API has for requests.
const apiPool = 64

// API serves HTTP until ctx ends and running requests have.
func API(ctx context.Context, cfg config.Config, logger *slog.Logger, options ...Option) (err error) {
	p, err := newParts(ctx, cfg, logger, apiPool, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	policy, err := p.callbackPolicy()
	if err != nil {
		return err
	}
	pages, err := p.pagePolicy()
	if err != nil {
		return err
	}
	blocking, err := NewRedis(cfg, cfg.Partitions+redisstore.FeedConnections)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, blocking.Close()) }()
	feed := redisstore.NewFeed(blocking, cfg.Partitions, logger)

	service := &jobs.Service{
		Store: p.store, Queue: p.queue, Blobs: p.blobs, Links: p.blobs.links, Watcher: feed, Feed: feed, Key: p.key, Logger: logger, Partitions: cfg.Partitions,
		Stopping: ctx.Done(), SecretConfigured: cfg.CallbackSecret != "",
		CheckCallback: func(ctx context.Context, url string) error {
			_, err := policy.Check(ctx, url)
			return err
		},
		CheckPage: func(ctx context.Context, url string) error {
			_, err := pages.Check(ctx, url)
			return err
		},
	}
	defer service.Close()
	if err := untilAnswered(ctx, logger, func() error { return p.install(ctx, service) }); err != nil {
		return err
	}
	p.watchLoad(ctx, service)
	p.registry.MustRegister(newQueueAges(ctx, service.Store))
	p.registry.MustRegister(newReporting(ctx, p.store))
	server := httpapi.New(httpapi.Options{ //nolint:contextcheck // requests bring their own contexts
		Service: service, PublicURL: cfg.PublicURL, AdminKey: cfg.AdminKey, MaxBody: cfg.MaxBody, MaxDocument: cfg.MaxDocument,
		Streams:        httpapi.StreamOptions{Max: cfg.MaxStreams},
		DefaultTimeout: cfg.RenderTimeout, MaxTimeout: cfg.RenderTimeoutMax,
		Ready: []httpapi.Check{
			{Name: "redis", Probe: p.store.Ping},
			{Name: "blobs", Probe: p.blobs.Probe},
			{Name: "running", Probe: func(context.Context) error { return stopping(ctx) }},
		},
		Gatherer: p.registry, Registerer: p.registry, Logger: logger,
	})
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.Addr)
	if err != nil {
		return fmt.Errorf("PLATEN_ADDR: %w", err)
	}
	group, ctx := errgroup.WithContext(ctx)
	defer context.AfterFunc(ctx, server.EndStreams)()
	group.Go(func() error { return serve(ctx, ln, server) })
	group.Go(func() error { return feed.Run(ctx) })
	p.housekeeping(ctx, group, worker.NewMetrics(p.registry), worker.Bell{})
	logger.InfoContext(ctx, "api started", slog.String("addr", ln.Addr().String()), slog.String("public_url", cfg.PublicURL))
	return group.Wait()
}

// install puts what the environment names into the store: the callback secrets of the default tenant, and a key for
// development.
func (p *parts) install(ctx context.Context, service *jobs.Service) error {
	if p.cfg.CallbackSecret != "" {
		if err := p.installSecrets(ctx, service); err != nil {
			return fmt.Errorf("PLATEN_CALLBACK_SECRET: %w", err)
		}
	}
	if p.cfg.DevKey != "" {
		if p.cfg.CallbackSecret == "" { // a tenant without a secret could report nothing
			return errors.New("PLATEN_DEV_KEY: needs PLATEN_CALLBACK_SECRET")
		}
		if err := service.InstallKey(ctx, jobs.DefaultTenant, p.cfg.DevKey); err != nil {
			return fmt.Errorf("PLATEN_DEV_KEY: %w", err)
		}
	}
	return nil
}

func (p *parts) installSecrets(ctx context.Context, service *jobs.Service) error {
	secrets, err := settings.CallbackSecrets(p.cfg.CallbackSecret)
	if err != nil {
		return err
	}
	texts := make([]string, len(secrets))
	for i, secret := range secrets {
		texts[i] = secret.Reveal()
	}
	return service.SetCallbackSecrets(ctx, jobs.DefaultTenant, texts...)
}
