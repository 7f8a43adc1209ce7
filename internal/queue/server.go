package queue

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// Handler works on a task. A nil error means that the task needs no more ringing, whatever became of the work; an error only
// that the store did not answer. It must see ctx end and return soon after.
type Handler func(ctx context.Context, t jobs.Task) error

// Server hands the tasks of one or more lines to a handler.
type Server struct {
	Redis redis.UniversalClient
	// Lines are those served, each with how often it is asked first, compared with the others. None starves.
	Lines   map[jobs.Line]int
	Slots   int // tasks at once, of all lines
	Handler Handler
	Logger  *slog.Logger
	// Gate, when not nil, blocks until work may be taken, or ctx ends, and returns a channel that is closed when
	// work must no longer be taken.
	Gate func(ctx context.Context) (closed <-chan struct{})
	// Patience is how long running tasks may go on after ctx has ended. Zero is until they end by themselves.
	Patience time.Duration
}

// How often asynq looks for work, and for tasks whose time has come. An idle server costs Redis some 30 small commands a second for
// each line at this pace.
const (
	checkInterval   = 50 * time.Millisecond
	delayedInterval = 200 * time.Millisecond
	retryDelay      = time.Second
	// neverRequeue keeps asynq from handing out what still runs: its own shutdown waits for our handlers, which end in time.
	neverRequeue = 24 * time.Hour
)

// Run works until ctx ends: then no new task is taken, and running ones are waited for. They are told of it by the
// cause [jobs.ErrShutdown] of their context once Patience is over. Work is taken while the gate is open; what runs goes on
// behind a closed one.
func (s *Server) Run(ctx context.Context) error {
	work, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(jobs.ErrShutdown)
	d := &desk{server: s, work: work, stopping: ctx.Done(), busy: newInFlight(), slots: make(chan struct{}, s.Slots)}
	var ending sync.WaitGroup
	for ctx.Err() == nil {
		var closed <-chan struct{}
		if s.Gate != nil {
			closed = s.Gate(ctx)
		}
		if ctx.Err() != nil {
			break
		}
		session := s.newSession()
		if err := session.Start(asynq.HandlerFunc(d.take)); err != nil {
			return fmt.Errorf("start queue server: %w", err)
		}
		select {
		case <-ctx.Done():
		case <-closed:
		}
		session.Stop()
		ending.Go(session.Shutdown) // waits for what it has handed out
	}
	s.drain(d.busy, stop)
	ending.Wait()
	return nil
}

// newSession is an asynq server: asynq cannot resume what was stopped.
func (s *Server) newSession() *asynq.Server {
	queues := map[string]int{}
	for line, weight := range s.Lines {
		queues[queueOf(line)] = weight
	}
	return asynq.NewServerFromRedisClient(newLooks(notes{s.Redis}, slices.Collect(maps.Keys(queues))), asynq.Config{
		Concurrency:              s.Slots,
		Queues:                   queues,
		TaskCheckInterval:        checkInterval,
		DelayedTaskCheckInterval: delayedInterval,
		ShutdownTimeout:          neverRequeue,
		RetryDelayFunc:           func(int, error, *asynq.Task) time.Duration { return retryDelay },
		Logger:                   asynqLogger{s.Logger.With(slog.String("line", s.names()))},
		LogLevel:                 asynq.WarnLevel,
	})
}

// names are those of the lines.
func (s *Server) names() string {
	var names []string
	for line := range s.Lines {
		names = append(names, string(line))
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// drain waits for running handlers, for as long as Patience says; then they are told to hand back.
func (s *Server) drain(busy *inFlight, stop context.CancelCauseFunc) {
	idle := busy.close()
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

// desk is where the tasks of all sessions of a server come to.
type desk struct {
	server   *Server
	work     context.Context // of every task; it outlives asynq's
	stopping <-chan struct{}
	busy     *inFlight
	slots    chan struct{} // tasks of an ended session still hold theirs
}

// take works on a task. asynq's own context ends with its lease, which says nothing about ours.
func (d *desk) take(_ context.Context, task *asynq.Task) error {
	line := jobs.Line(task.Type())
	t, ok := decode(line, task.Payload())
	if _, served := d.server.Lines[line]; !served || !ok {
		return fmt.Errorf("payload of %d bytes is not ours: %w", len(task.Payload()), asynq.SkipRetry)
	}
	if !d.busy.begin() {
		return errStopping
	}
	defer d.busy.end()
	select {
	case d.slots <- struct{}{}:
	case <-d.stopping:
		return errStopping
	}
	defer func() { <-d.slots }()
	return d.server.Handler(d.work, t) //nolint:contextcheck // asynq's ends with its lease
}
