package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"
)

// host is what redistest and rendertest need of a test, outside of one: they start and check the real programs, and say what
// went wrong by ending the test. Here it ends [host.try], which returns an error. Cleanups run in close.
type host struct {
	testing.TB // nil: what is not overridden is not called

	ctx context.Context //nolint:containedctx // as a test has one
	dir string          // exists already

	mu       sync.Mutex
	err      error
	cleanups []func()
}

// try calls f, which may call what wants a test. After the first failure it returns that one always.
func (h *host) try(f func()) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f() // does not return if it fails
	}()
	<-done
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.err
}

// close runs the cleanups, the last one first.
func (h *host) close() error {
	return h.try(func() {
		for _, f := range h.takeCleanups() {
			defer f()
		}
	})
}

func (h *host) takeCleanups() []func() {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := h.cleanups
	h.cleanups, h.err = nil, nil // what went wrong before was returned before
	return all
}

func (h *host) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err == nil {
		h.err = err
	}
}

func (*host) Helper()                    {}
func (h *host) Context() context.Context { return h.ctx }
func (h *host) TempDir() string          { return h.dir }

// Cleanup keeps f for close.
func (h *host) Cleanup(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cleanups = append(h.cleanups, f)
}

// Errorf makes try return an error, and goes on.
func (h *host) Errorf(format string, args ...any) { h.fail(fmt.Errorf(format, args...)) }

// Fatalf ends try with an error.
func (h *host) Fatalf(format string, args ...any) {
	h.fail(fmt.Errorf(format, args...))
	runtime.Goexit()
}

// Fatal ends try with an error.
func (h *host) Fatal(args ...any) {
	h.fail(errors.New(fmt.Sprint(args...)))
	runtime.Goexit()
}

// removeAll removes a folder that may be gone.
func removeAll(dir string) error {
	if dir == "" {
		return nil
	}
	return os.RemoveAll(dir)
}
