// Package worker carries jobs from claim to end, and sees to what stands still.
package worker

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"
)

// Health says whether this worker can make documents at all: its engine starts and its storage takes bytes. While it
// cannot, no work is taken, since every job would meet the same wall. The zero value is well once Probe is set.
type Health struct {
	// Probe reports whether all is well: nil, or why not.
	Probe func(ctx context.Context) error
	// Every is how often an ill worker is probed. Zero is one second.
	Every  time.Duration
	Logger *slog.Logger

	mu     sync.Mutex
	err    error
	told   bool          // that err is there was logged
	change chan struct{} // closed when err changes between nil and not
}

const (
	defaultProbeEvery = time.Second
	probeTimeout      = 30 * time.Second
)

// Err is why the worker takes no work, or nil.
func (h *Health) Err() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.err
}

// Meet says that something met a wall: no work is taken until a probe succeeds. It probes at once and reports whether the
// wall is still there.
func (h *Health) Meet(ctx context.Context, err error) bool {
	h.set(err)
	h.check(ctx)
	return h.Err() != nil
}

func (h *Health) set(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	turned := (h.err == nil) != (err == nil)
	h.err = err
	if !turned {
		return
	}
	if h.change != nil {
		close(h.change)
	}
	h.change = make(chan struct{})
}

// state returns a channel that is closed when the worker falls ill or gets well, and why it is ill.
func (h *Health) state() (change <-chan struct{}, ill error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.change == nil {
		h.change = make(chan struct{})
	}
	return h.change, h.err
}

// Gate blocks while the worker is ill, or until ctx ends. The channel it returns is closed when the worker falls ill.
func (h *Health) Gate(ctx context.Context) (closed <-chan struct{}) {
	for {
		change, err := h.state()
		if err == nil {
			return change
		}
		select {
		case <-change:
		case <-ctx.Done():
			return change
		}
	}
}

// Run probes at once, and again while the worker is ill, until ctx ends.
func (h *Health) Run(ctx context.Context) error {
	h.check(ctx)
	tick := time.NewTicker(cmp.Or(h.Every, defaultProbeEvery))
	defer tick.Stop()
	for {
		change, err := h.state()
		if err == nil {
			select {
			case <-change:
			case <-ctx.Done():
				return nil
			}
			continue
		}
		select {
		case <-tick.C:
			h.check(ctx)
		case <-ctx.Done():
			return nil
		}
	}
}

func (h *Health) check(ctx context.Context) {
	probe, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	err := h.Probe(probe)
	if ctx.Err() != nil {
		return
	}
	h.set(err)
	if !h.tell(err != nil) {
		return
	}
	if err == nil {
		h.Logger.InfoContext(ctx, "worker takes work again")
		return
	}
	h.Logger.ErrorContext(ctx, "worker takes no work", slog.String("error", err.Error()))
}

// tell notes that the worker is known to be ill or well, and reports whether that is news. Who met the wall first, an attempt or a
// probe, makes no difference.
func (h *Health) tell(ill bool) (news bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	news = h.told != ill
	h.told = ill
	return news
}
