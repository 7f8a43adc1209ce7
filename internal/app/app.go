// Package app wires the parts into processes: cmd/api, cmd/worker, platen dev and the fault harness all run what stands
// here, so that nothing works in one of them only.
package app

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/queue"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/internal/settings"
	"github.com/platen-render/platen/internal/telemetry"
	"github.com/platen-render/platen/internal/urlguard"
	"github.com/platen-render/platen/internal/worker"
)

// parts are what every process has.
type parts struct {
	cfg      config.Config
	logger   *slog.Logger
	rdb      redis.UniversalClient
	store    *redisstore.Store
	queue    *queue.Client
	blobs    blobStore
	key      *seal.Key
	schedule callbacks.Schedule
	registry *prometheus.Registry
}

// Option changes the wiring of a process, for the fault harness.
type Option func(*parts)

// WithBlobs puts something between a process and its blob store.
func WithBlobs(wrap func(blobs.Store) blobs.Store) Option {
	return func(p *parts) { p.blobs.Store = wrap(p.blobs.Store) }
}

// newParts makes them, and waits until Redis answers. The caller closes them.
func newParts(ctx context.Context, cfg config.Config, logger *slog.Logger, slots int, options []Option) (*parts, error) {
	if err := errors.Join(required(cfg), CheckSettings(cfg)); err != nil {
		return nil, err
	}
	key, err := settings.MasterKey(cfg.SecretKey, cfg.SecretKeyOld)
	if err != nil {
		return nil, err
	}
	schedule, err := callbacks.ParseSchedule(cfg.CallbackSchedule)
	if err != nil {
		return nil, fmt.Errorf("PLATEN_CALLBACK_SCHEDULE: %w", err)
	}
	redis.SetLogger(redisLogger{logger})
	rdb, err := NewRedis(cfg, slots)
	if err != nil {
		return nil, err
	}
	store := redisstore.New(rdb, redisstore.Options{
		Partitions: cfg.Partitions, PublicURL: cfg.PublicURL, JobRetention: cfg.JobRetention, DeadRetention: cfg.DeadRetention,
		MaxQueueAge: cfg.MaxQueueAge, WaitReplicas: cfg.WaitReplicas, HostLimit: cfg.CallbackHostLimit, HostPatience: schedule.Horizon(),
	})
	if err := checkStore(ctx, store, logger); err != nil {
		return nil, errors.Join(fmt.Errorf("check redis: %w", err), rdb.Close())
	}
	if err := checkMasterKey(ctx, store, cfg.Partitions, key, logger); err != nil {
		return nil, errors.Join(err, rdb.Close())
	}
	kept, err := openBlobs(ctx, cfg)
	if err == nil {
		err = prepareBlobs(ctx, kept, cfg.BlobDir, store, logger)
	}
	if err != nil {
		return nil, errors.Join(err, kept.close(), rdb.Close())
	}
	p := &parts{
		cfg: cfg, logger: logger, rdb: rdb, store: store, queue: queue.NewClient(rdb),
		blobs: kept, key: key, schedule: schedule, registry: telemetry.NewRegistry(),
	}
	for _, change := range options {
		change(p)
	}
	return p, nil
}

func (p *parts) close() error { return errors.Join(p.blobs.close(), p.rdb.Close()) }

// housekeeping starts what every process does beside its own work.
func (p *parts) housekeeping(ctx context.Context, group *errgroup.Group, metrics *worker.Metrics, bell worker.Bell) {
	reconciler := &worker.Reconciler{
		Store: p.store, Queue: p.queue, Rules: jobs.DefaultRules(), Schedule: p.schedule, Lease: p.cfg.Lease,
		Bell: bell, Logger: p.logger, Metrics: metrics, Remaker: jobs.NewRemaker(p.store, p.blobs, p.key, p.logger),
	}
	janitor := &worker.Janitor{Store: p.store, Blobs: p.blobs, Logger: p.logger}
	group.Go(func() error { return reconciler.Run(ctx) })
	group.Go(func() error { return janitor.Run(ctx) })
}

// callbackPolicy says which receivers may be called.
func (p *parts) callbackPolicy() (urlguard.Policy, error) {
	rules, err := urlguard.ParseRules(p.cfg.AllowCallbacks)
	if err != nil {
		return urlguard.Policy{}, fmt.Errorf("PLATEN_EGRESS_ALLOW_CALLBACKS: %w", err)
	}
	p.logAllowed("callbacks", rules)
	return urlguard.Policy{AllowHTTP: p.cfg.CallbackHTTP, Allow: rules}, nil
}

// pagePolicy says what documents may load: anything public, plain http included, and what the operator lists.
func (p *parts) pagePolicy() (urlguard.Policy, error) {
	rules, err := urlguard.ParseRules(p.cfg.AllowPages)
	if err != nil {
		return urlguard.Policy{}, fmt.Errorf("PLATEN_EGRESS_ALLOW_PAGES: %w", err)
	}
	p.logAllowed("pages", rules)
	return urlguard.Policy{AllowHTTP: true, Allow: rules}, nil
}

// logAllowed says at start what is allowed beyond the public addresses, since a forgotten exception is a hole.
func (p *parts) logAllowed(what string, rules []urlguard.Rule) {
	for _, r := range rules {
		p.logger.Info("private addresses may be called", slog.String("for", what), slog.String("rule", r.String()))
	}
}

// callbackRoots are the system's certificates and the operator's, or nil for the system's alone.
func (p *parts) callbackRoots() (*x509.CertPool, error) {
	if p.cfg.CallbackCAFile == "" {
		return nil, nil //nolint:nilnil // nil is the system's pool
	}
	pem, err := os.ReadFile(p.cfg.CallbackCAFile)
	if err != nil {
		return nil, fmt.Errorf("PLATEN_CALLBACK_CA_FILE: %w", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("system certificates: %w", err)
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, errors.New("PLATEN_CALLBACK_CA_FILE: no PEM certificate in it")
	}
	return roots, nil
}

func isUnavailable(err error) bool {
	f := fault.From(err)
	return f != nil && f.Kind == fault.Unavailable
}

// redisLogger passes on what go-redis has to say.
type redisLogger struct{ logger *slog.Logger }

func (l redisLogger) Printf(ctx context.Context, format string, v ...any) {
	l.logger.DebugContext(ctx, "redis client", slog.String("message", fmt.Sprintf(format, v...)))
}
