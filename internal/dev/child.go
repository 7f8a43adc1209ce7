package dev

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// child is a process that is started again when it dies.
type child struct {
	name   string
	path   string
	env    []string
	log    string // the file that gets what it prints
	logger *slog.Logger
	grace  time.Duration   // from being asked to end to being ended
	now    <-chan struct{} // closed when no grace is left
	trial  time.Duration   // who lives so long once has been able to start; zero is the constant
}

const (
	restartPause    = 200 * time.Millisecond
	restartPauseMax = 5 * time.Second
	steadyFor       = 10 * time.Second // after so long a death is a new one
	trial           = 2 * time.Second
	trials          = 3 // so many quick deaths, and it has never lived, mean that it never will
	leastGrace      = 45 * time.Second
	spareGrace      = 25 * time.Second // what the children take beyond PLATEN_SHUTDOWN_TIMEOUT
)

// run keeps the process running until ctx ends, then stops it and waits for it. A process that dies at once, time after
// time and from the first time on, is an error with the last lines of its log.
func (c child) run(ctx context.Context) error {
	out, err := os.OpenFile(c.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("log of %s: %w", c.name, err)
	}
	defer func() { _ = out.Close() }() // the child has its own descriptor
	if c.trial == 0 {
		c.trial = trial
	}
	lived, pause := false, restartPause
	for deaths := 1; ; deaths++ {
		started, written := time.Now(), sizeOf(c.log)
		err := c.once(ctx, out)
		if ctx.Err() != nil {
			return nil
		}
		life := time.Since(started)
		lived = lived || life >= c.trial
		if !lived && deaths == trials {
			return fmt.Errorf("%s does not start: %w; %s ends with\n%s", c.name, err, c.log, tail(c.log, written, tailLines))
		}
		if life > steadyFor {
			pause = restartPause
		}
		c.logger.WarnContext(ctx, "process ended, starting it again",
			slog.String("name", c.name), slog.Any("error", err), slog.String("log", c.log))
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil
		}
		pause = min(2*pause, restartPauseMax)
	}
}

// once runs the process to its end. It is in a process group of its own, so that Ctrl-C at the terminal reaches it by us
// alone, and it ends when we die: the kernel sees to it for the thread that started it, which therefore is kept.
func (c child) once(ctx context.Context, out io.Writer) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, c.path) //nolint:gosec // our own binary
	cmd.Env, cmd.Stdout, cmd.Stderr = c.env, out, out
	cmd.SysProcAttr = childAttributes()
	cmd.Cancel = func() error { return cmd.Process.Signal(terminate) }
	cmd.WaitDelay = c.grace
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", c.name, err)
	}
	defer c.hurry(cmd.Process)()
	if err := cmd.Wait(); err != nil {
		return err
	}
	return errors.New("ended by itself")
}

// hurry kills the process when no grace is left. The caller calls what it returns once the process has ended.
func (c child) hurry(process *os.Process) (ended func()) {
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-c.now:
			_ = process.Kill() // it may just have ended
		case <-over:
		}
	}()
	return func() {
		close(over)
		<-done
	}
}
