package main

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
)

const (
	// recoverWithin is how soon, at the 95th percentile, an attempt of a killed worker is followed by the next one.
	recoverWithin = 12 * time.Second
	// enoughRecoveries is how many tell something about a percentile.
	enoughRecoveries = 20
	lookEvery        = 25 * time.Millisecond
)

// attempts measures how soon the attempts of a killed worker are followed by others. Each process leaves a file for every attempt
// whose document it begins to store, with the numbers that fence it: job and attempt. When it is killed, those that the
// store still calls running are the ones that it took along.
type attempts struct {
	dir   string // a folder for each worker
	store *redisstore.Store

	mu      sync.Mutex
	pending map[jobs.ID]loss
	took    []time.Duration
}

// loss is an attempt that a worker took along.
type loss struct {
	attempt int
	died    time.Time
}

// takeHeld returns the attempts that a dead worker has begun, and forgets them.
func (a *attempts) takeHeld(worker string) (map[jobs.ID]int, error) {
	dir := filepath.Join(a.dir, worker)
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	held := map[jobs.ID]int{}
	for _, f := range files {
		job, number, _ := strings.Cut(f.Name(), ".")
		attempt, err := strconv.Atoi(number)
		if err != nil {
			return nil, err
		}
		held[jobs.ID(job)] = max(held[jobs.ID(job)], attempt)
	}
	return held, os.RemoveAll(dir)
}

// lost notes those of the attempts that still run. When the store does not answer nothing can be said of them. How soon those of batches go
// on depends on what all others want, of whose renders theirs are the smallest share.
func (a *attempts) lost(ctx context.Context, held map[jobs.ID]int, died time.Time) {
	for id, attempt := range held {
		j, err := a.store.Job(ctx, id)
		if err != nil || j.Status != jobs.Running || j.Attempt != attempt || j.Class == jobs.ClassBatch {
			continue
		}
		a.mu.Lock()
		a.pending[id] = loss{attempt, died}
		a.mu.Unlock()
	}
}

// watch looks for the next attempts until ctx ends.
func (a *attempts) watch(ctx context.Context) {
	for ctx.Err() == nil {
		for id, l := range a.waiting() {
			j, err := a.store.Job(ctx, id)
			if err == nil {
				a.note(id, l, j)
			}
		}
		pause(ctx, lookEvery)
	}
}

func (a *attempts) waiting() map[jobs.ID]loss {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.pending)
}

// note takes down that the next attempt has begun, or that none will: the job was canceled meanwhile.
func (a *attempts) note(id jobs.ID, l loss, j jobs.Job) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.pending[id] != l: // it was lost again
	case j.Attempt > l.attempt:
		a.took = append(a.took, time.Since(l.died))
		delete(a.pending, id)
	case j.Status.Final():
		delete(a.pending, id)
	}
}

// percentile returns how long a share of the recoveries took at most, and how many there were.
func (a *attempts) percentile(share float64) (time.Duration, int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := len(a.took)
	if n == 0 {
		return 0, 0
	}
	slices.Sort(a.took)
	return a.took[min(n-1, int(share*float64(n)))], n
}
