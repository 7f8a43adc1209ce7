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
}

const (
	restartPause    = 200 * time.Millisecond
	restartPauseMax = 5 * time.Second
	steadyFor       = 10 * time.Second // after so long a death is a new one
	stopTimeout     = 45 * time.Second // longer than the children's own
)

// run keeps the process running until ctx ends, then stops it and waits for it.
func (c child) run(ctx context.Context) error {
	out, err := os.OpenFile(c.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("log of %s: %w", c.name, err)
	}
	defer func() { _ = out.Close() }() // the child has its own descriptor
	pause := restartPause
	for {
		started := time.Now()
		err := c.once(ctx, out)
		if ctx.Err() != nil {
			return nil
		}
		if time.Since(started) > steadyFor {
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
	cmd.WaitDelay = stopTimeout
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", c.name, err)
	}
	if err := cmd.Wait(); err != nil {
		return err
	}
	return errors.New("ended by itself")
}
