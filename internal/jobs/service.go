package jobs

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/seal"
)

// Service is what a client of Platen can do. All of its fields are required unless they say otherwise. Safe for
// concurrent use.
type Service struct {
	Store Store
	Queue Queue
	Blobs Blobs
	// Links is the same storage, where it makes addresses of its own; nil where it does not.
	Links   BlobLinker
	Watcher Watcher
	// Feed is what streams are made of. Nil where none are asked for.
	Feed   Feed
	Key    *seal.Key
	Logger *slog.Logger
	// Partitions is that of the store; 0 is 1.
	Partitions int
	// SecretConfigured says that the settings name the callback secrets of [DefaultTenant].
	SecretConfigured bool
	// CheckCallback says whether a callback URL may be called: nil, a refusal, or weather.
	CheckCallback func(ctx context.Context, url string) error
	// CheckPage says the same of the address of a page. Nil leaves it to the worker, whose guard judges each hop.
	CheckPage func(ctx context.Context, url string) error
	// Stopping, when it is closed, ends all waiting: the process is about to end. Nil is never.
	Stopping <-chan struct{}
	// Grace is how long the reconciler leaves the first dispatch to this process. Zero is 2 seconds.
	Grace time.Duration

	// PreviewPatience is how long a preview is waited for. Zero is 30 seconds.
	PreviewPatience time.Duration
	// PreviewLimit is how many of them this process waits for at once. Zero is 32.
	PreviewLimit int

	background sync.WaitGroup
	previewing atomic.Int32
	paces      paces
	slots      Slots
	defaults   defaultURLs
}

const (
	// maxInlineSpec is how large a spec may be to lie in its record; a larger one goes to the blob store.
	maxInlineSpec = 32 << 10
	defaultGrace  = 2 * time.Second
)

// Close waits for what the service still does in the background.
func (s *Service) Close() { s.background.Wait() }

// Job returns a job of a tenant. Another tenant's is [ErrJobNotFound].
func (s *Service) Job(ctx context.Context, tenant string, id ID) (Job, error) {
	j, err := s.Store.Job(ctx, id)
	if err == nil && j.Tenant != tenant {
		return Job{}, ErrJobNotFound
	}
	return j, err
}

// Jobs returns a page of a tenant's jobs. A document key that names nothing selects nothing.
func (s *Service) Jobs(ctx context.Context, f JobFilter, documentKey string) (Page[Job], error) {
	if documentKey != "" {
		d, err := s.Store.DocumentByKey(ctx, f.Tenant, documentKey)
		if fault.From(err) != nil && fault.From(err).Kind == fault.NotFound {
			return Page[Job]{Items: []Job{}}, nil
		}
		if err != nil {
			return Page[Job]{}, err
		}
		f.Document = d.ID
	}
	return s.Store.Jobs(ctx, f)
}

// Cancel ends a queued job, or asks a running one to end. [ErrJobFinished] when it has succeeded or failed.
func (s *Service) Cancel(ctx context.Context, tenant string, id ID) (Job, error) {
	if _, err := s.Job(ctx, tenant, id); err != nil {
		return Job{}, err
	}
	if _, err := s.Store.Cancel(ctx, id); err != nil {
		return Job{}, err
	}
	// Read anew: an attempt that was asked to end may have published in the meantime.
	j, err := s.Store.Job(ctx, id)
	if err == nil && (j.Status == Succeeded || j.Status == Failed) {
		return Job{}, ErrJobFinished.With("The job has %s and cannot be canceled.", j.Status).About("job_id", string(id)).About("document_id", string(j.Document))
	}
	return j, err
}

// recheck is how often a waiting request looks at its job when no change is told.
const recheck = 2 * time.Second

// Await returns a job as soon as done says so, and at the latest when ctx ends or the service is stopping: then as it is by
// then.
func (s *Service) Await(ctx context.Context, tenant string, id ID, done func(Job) bool) (Job, error) {
	changes, stop := s.Watcher.Watch(id)
	defer stop()
	tick := time.NewTicker(recheck)
	defer tick.Stop()
	for {
		j, err := s.Job(context.WithoutCancel(ctx), tenant, id)
		if err != nil || done(j) || ctx.Err() != nil {
			return j, err
		}
		select {
		case <-changes:
		case <-tick.C:
		case <-ctx.Done():
		case <-s.Stopping:
			return j, nil
		}
	}
}

// ring tells the queue of a task, and the store that the queue knows. Neither has to succeed: the reconciler sees to what
// was not rung.
func (s *Service) ring(ctx context.Context, t Task) {
	if _, err := s.Queue.Enqueue(ctx, t); err != nil {
		s.Logger.WarnContext(ctx, "task not enqueued, the reconciler will", slog.String("id", string(t.ID)), slog.String("error", err.Error()))
		return
	}
	s.background.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.grace())
		defer cancel()
		if err := s.Store.Dispatched(ctx, t); err != nil {
			s.Logger.WarnContext(ctx, "dispatch not noted", slog.String("id", string(t.ID)), slog.String("error", err.Error()))
		}
	})
}

func (s *Service) grace() time.Duration { return cmp.Or(s.Grace, defaultGrace) }
