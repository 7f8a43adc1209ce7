package queue

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// Handler works on a task. A nil error means that the task needs no more ringing, whatever became of the work; an error only
// that the store did not answer. It must see ctx end and return soon after.
type Handler func(ctx context.Context, t jobs.Task) error

// Server hands the tasks of one line to a handler.
type Server struct {
	Redis   redis.UniversalClient
	Line    jobs.Line
	Slots   int // tasks at once
	Handler Handler
	Logger  *slog.Logger
	// Gate, when not nil, blocks until work may be taken, or ctx ends, and returns a channel that is closed when
	// work must no longer be taken.
	Gate func(ctx context.Context) (closed <-chan struct{})
	// Patience is how long running tasks may go on after ctx has ended. Zero is until they end by themselves.
	Patience time.Duration
}

// How often asynq looks for work, and for tasks whose time has come. Idle servers cost Redis some 20 small commands a
// second each at this pace.
const (
	checkInterval   = 50 * time.Millisecond
	delayedInterval = 200 * time.Millisecond
	retryDelay      = time.Second
	// requeueTime is what asynq has to hand back what it holds; our handlers have returned by then.
	requeueTime = 2 * time.Second
)

// Run works until ctx ends: then no new task is taken, and running ones are waited for. They are told of it by the
// cause [jobs.ErrShutdown] of their context once Patience is over. Work is taken while the gate is open.
func (s *Server) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		var closed <-chan struct{}
		if s.Gate != nil {
			closed = s.Gate(ctx)
		}
		if ctx.Err() == nil {
			if err := s.session(ctx, closed); err != nil {
				return err
			}
		}
	}
	return nil
}

// session is one asynq server from start to end: asynq cannot resume what was stopped.
func (s *Server) session(ctx context.Context, closed <-chan struct{}) error {
	work, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(jobs.ErrShutdown)
	busy := newInFlight()
	server := asynq.NewServerFromRedisClient(s.Redis, asynq.Config{
		Concurrency:              s.Slots,
		Queues:                   map[string]int{string(s.Line): 1},
		TaskCheckInterval:        checkInterval,
		DelayedTaskCheckInterval: delayedInterval,
		ShutdownTimeout:          requeueTime,
		RetryDelayFunc:           func(int, error, *asynq.Task) time.Duration { return retryDelay },
		Logger:                   asynqLogger{s.Logger.With(slog.String("line", string(s.Line)))},
		LogLevel:                 asynq.WarnLevel,
	})
	handler := asynq.HandlerFunc(func(_ context.Context, task *asynq.Task) error {
		t, ok := decode(s.Line, task.Payload())
		if !ok {
			return fmt.Errorf("payload of %d bytes is not ours: %w", len(task.Payload()), asynq.SkipRetry)
		}
		// asynq's own context ends with its lease, which says nothing about ours.
		if !busy.begin() {
			return errStopping
		}
		defer busy.end()
		return s.Handler(work, t)
	})
	if err := server.Start(handler); err != nil {
		return fmt.Errorf("start queue server: %w", err)
	}
	select {
	case <-ctx.Done():
	case <-closed:
	}
	server.Stop()
	s.drain(ctx, busy, stop)
	server.Shutdown()
	return nil
}

// drain waits for running handlers. When the process ends they have Patience, then they are told to hand back.
func (s *Server) drain(ctx context.Context, busy *inFlight, stop context.CancelCauseFunc) {
	idle := busy.close()
	select {
	case <-idle:
		return
	case <-ctx.Done():
	}
	if s.Patience > 0 {
		timer := time.NewTimer(s.Patience)
		defer timer.Stop()
		select {
		case <-idle:
		case <-timer.C:
			stop(jobs.ErrShutdown)
		}
	}
	<-idle
}
