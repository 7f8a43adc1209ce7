// Package redisd gives a development machine its Redis: a private redis-server that keeps its data in one
// folder and listens on a socket only its owner can open. Production brings a Redis of its own.
//
// Two locks make it safe, both flock(2), so that the kernel releases them however a process ends:
//
//   - "lock" is held by the [Supervisor]: one at a time for each folder.
//   - "server.lock" is inherited by redis-server and held until it is dead. While it is held no second server
//     is started, not even when the first has not opened its socket yet: two servers on the same append-only
//     file would destroy it.
//
// A Redis is touched only when it holds server.lock, runs as the same user and says that its data lies in the folder.
package redisd

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

const (
	firstDelay = 100 * time.Millisecond
	lastDelay  = 5 * time.Second
	steady     = 10 * time.Second // a server that lived so long starts the delays anew
	grace      = 10 * time.Second // from SIGTERM to SIGKILL
	silence    = 10 * time.Second // without any answer from a server that should be there
)

// Faults of a supervisor.
var (
	ErrInUse   = fault.New(fault.Conflict, "data_dir_in_use", "The data folder is in use, most likely by another platen dev.")
	ErrForeign = fault.New(fault.Conflict, "redis_foreign", "A Redis that is not ours answers in the data folder.")
	ErrMissing = fault.New(fault.Unavailable, "redis_missing",
		"redis-server was not found. Install it with: apt-get install redis-server")
	ErrStart  = fault.New(fault.Unavailable, "redis_start_failed", "redis-server did not start.")
	ErrSilent = fault.New(fault.Unavailable, "redis_silent", "The redis-server in the data folder does not answer.")
)

// Supervisor runs a redis-server.
type Supervisor struct {
	// Dir holds the data, the locks, redis.conf (written anew at each start), redis.log and redis.sock. It is
	// made when missing. A path too long for a socket puts the socket into a folder of its own under [os.TempDir].
	Dir string
	// Path is the program; empty means redis-server in PATH.
	Path   string
	Logger *slog.Logger

	silence time.Duration // zero is the constant
}

// Run keeps a redis-server running until ctx ends, stops it then, and returns nil when it is gone. It calls
// ready once, with the absolute path of the socket, when the server has loaded its data and answers. A server that a
// killed supervisor left in Dir is adopted. A server that dies later is started again, with delays that
// grow; the path of the socket stays the same.
//
// Errors come before ready: ErrInUse when another supervisor has Dir, ErrMissing without the program,
// ErrForeign and ErrSilent about what is in Dir already, ErrStart when the server ends before it answers.
func (s *Supervisor) Run(ctx context.Context, ready func(socket string)) error {
	home, err := openFolder(s.Dir)
	if err != nil {
		return err
	}
	lock, err := home.claim()
	if err != nil {
		return err
	}
	defer lock.Close()
	defer home.close()
	return s.keep(ctx, home, ready)
}

// keep starts one server after the other.
func (s *Supervisor) keep(ctx context.Context, home folder, ready func(socket string)) error {
	announced := false
	up := func() {
		if !announced {
			announced = true
			ready(home.socket)
		}
	}
	for delay := firstDelay; ; delay = min(2*delay, lastDelay) {
		began := time.Now()
		err := s.serve(ctx, home, up)
		if ended(ctx) {
			return nil
		}
		if !announced {
			return err
		}
		if time.Since(began) > steady {
			delay = firstDelay
		}
		s.Logger.ErrorContext(ctx, "redis ended", slog.Any("error", err), slog.Duration("restart_in", delay))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(delay):
		}
	}
}

// ended reports whether whatever happened, happened because we are asked to end.
func ended(ctx context.Context) bool { return ctx.Err() != nil }

// serve is the life of one server, found or made. When it returns that server is gone.
func (s *Supervisor) serve(ctx context.Context, home folder, up func()) error {
	srv, err := s.acquire(ctx, home)
	if err != nil {
		return err
	}
	defer srv.stop()
	if err := s.await(ctx, home, srv); err != nil {
		return err
	}
	s.Logger.InfoContext(ctx, "redis ready", slog.Int("pid", srv.process.Pid), slog.Bool("adopted", srv.adopted),
		slog.String("socket", home.socket))
	up()
	select {
	case <-srv.done:
		return errEnded
	case <-ctx.Done():
		return ctx.Err()
	}
}

// acquire adopts the server that holds server.lock, or starts one when nobody does. The holder may be just
// starting, or just ending: so it asks both questions until one of them has an answer.
func (s *Supervisor) acquire(ctx context.Context, home folder) (*server, error) {
	quiet := time.NewTimer(s.patience())
	defer quiet.Stop()
	for {
		lock, err := tryLock(home.file("server.lock"))
		if err == nil {
			return s.start(ctx, home, lock)
		}
		if !errors.Is(err, errHeld) {
			return nil, err
		}
		srv, err := adopt(ctx, home)
		if err == nil || errors.Is(err, ErrForeign) {
			return srv, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-quiet.C:
			return nil, ErrSilent.With("The redis-server in %s does not answer at %s.", home.dir, home.socket).Because(err)
		case <-time.After(pollEvery):
		}
	}
}

// await waits for PONG. Loading may take as long as it takes; saying nothing at all may not.
func (s *Supervisor) await(ctx context.Context, home folder, srv *server) error {
	quiet := time.NewTimer(s.patience())
	defer quiet.Stop()
	for {
		answer, err := ask(ctx, home.socket, "PING")
		if err == nil && slices.Equal(answer, []string{"PONG"}) {
			return nil
		}
		if refused(err) { // LOADING
			quiet.Reset(s.patience())
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-srv.done:
			return ErrStart.With("redis-server did not start; see %s.", home.file("redis.log")).Because(errEnded)
		case <-quiet.C:
			return ErrSilent.Because(err)
		case <-time.After(pollEvery):
		}
	}
}

func (s *Supervisor) patience() time.Duration {
	if s.silence > 0 {
		return s.silence
	}
	return silence
}
