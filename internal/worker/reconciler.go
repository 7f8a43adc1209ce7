package worker

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// Reconciler moves what stands still: it rings for what nobody rang for, takes attempts from dead workers, sets right
// what the queue has lost, hands out ready jobs, and carries on the replays of many deliveries. Every process runs one; all that it
// does is safe to do twice, so there is no leader.
type Reconciler struct {
	Store jobs.Store
	Queue jobs.Queue
	Rules jobs.Rules
	// Schedule holds the waits between attempts to deliver.
	Schedule []time.Duration
	// Lease is that of the workers. Attempts are taken away only after their partition has answered for half
	// of it.
	Lease time.Duration
	// Remaker makes jobs anew from inputs that are kept. Nil leaves that to other processes.
	Remaker *jobs.Remaker
	// Tick is how often it looks at each partition, give or take a fifth. Zero is 250 ms.
	Tick time.Duration
	// Bell is rung when jobs may be handed out before the next look; the zero Bell is never.
	Bell    Bell
	Logger  *slog.Logger
	Metrics *Metrics
}

const (
	defaultTick = 250 * time.Millisecond
	// batch is how many records one look takes; what is left comes with the next.
	batch = 200
	// auditEvery is how many ticks pass between comparisons with the queue.
	auditEvery = 4
)

// Run looks again and again until ctx ends. Each partition is looked at by itself: one that does not answer costs the
// others neither time nor trust. So are the lines of the queue.
func (r *Reconciler) Run(ctx context.Context) error {
	tick := cmp.Or(r.Tick, defaultTick)
	audits := map[jobs.Line]*audit{}
	for _, line := range jobs.Lines {
		audits[line] = &audit{Reconciler: r, line: line, complaints: r.complaints(slog.String("line", string(line)))}
	}
	watches := make([]*watch, r.Store.Partitions())
	for p := range watches {
		watches[p] = &watch{Reconciler: r, partition: p, audits: audits, complaints: r.complaints(slog.Int("partition", p))}
	}
	var group sync.WaitGroup
	for _, w := range watches {
		group.Go(func() { every(ctx, tick, w.look) })
	}
	for _, a := range audits {
		a.watches = watches
		group.Go(func() { every(ctx, auditEvery*tick, a.look) })
	}
	turns := &turns{Reconciler: r, watches: watches, some: map[int]jobs.Handed{}, complaints: r.complaints(slog.String("line", "turns"))}
	group.Go(func() { turns.run(ctx, tick) })
	group.Wait()
	return nil
}

// every does something again and again, at times that differ from those of other processes.
func every(ctx context.Context, tick time.Duration, do func(context.Context)) {
	for {
		do(ctx)
		timer := time.NewTimer(jittered(tick))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}

// jittered is a time that differs from a tick by a fifth of it at most.
func jittered(tick time.Duration) time.Duration {
	return time.Duration(float64(tick) * (0.8 + 0.4*rand.Float64())) //nolint:gosec // spreads the load, guards nothing
}

func (r *Reconciler) complaints(about slog.Attr) complaints {
	return complaints{logger: r.Logger, about: about, pause: r.Lease}
}

// complaints logs what was left for the next look, and not at each look again.
type complaints struct {
	logger *slog.Logger
	about  slog.Attr
	pause  time.Duration
	last   time.Time
}

// note logs an error. That the time was up is no news.
func (c *complaints) note(ctx context.Context, err error) {
	if err == nil || ctx.Err() != nil || !c.last.IsZero() && time.Since(c.last) < c.pause {
		return
	}
	c.last = time.Now()
	c.logger.WarnContext(ctx, "reconciler did not finish", c.about, slog.String("error", err.Error()))
}
