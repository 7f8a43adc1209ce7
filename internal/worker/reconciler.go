package worker

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// Reconciler moves what stands still: it rings for what nobody rang for, takes attempts from dead workers, and sets right
// what the queue has lost. Every process runs one; all that it does is safe to do twice, so there is no leader.
type Reconciler struct {
	Store jobs.Store
	Queue jobs.Queue
	Rules jobs.Rules
	// Schedule holds the waits between attempts to deliver.
	Schedule []time.Duration
	// Lease is that of the workers. Attempts are taken away only after the store has answered for as long.
	Lease time.Duration
	// Tick is how often it looks, give or take a fifth. Zero is 250 ms.
	Tick    time.Duration
	Logger  *slog.Logger
	Metrics *Metrics

	trust trust
	lines map[jobs.Line]*lineState
}

// lineState is what a reconciler has noticed of a line.
type lineState struct {
	short  bool // the queue held less than it should at the last look
	pulled bool // and everything was rung for since
}

const (
	defaultTick = 250 * time.Millisecond
	// batch is how many records one look takes; what is left comes with the next.
	batch = 200
	// auditEvery is how many ticks pass between comparisons with the queue.
	auditEvery = 4
)

// Run looks again and again until ctx ends.
func (r *Reconciler) Run(ctx context.Context) error {
	r.lines = map[jobs.Line]*lineState{}
	for _, line := range jobs.Lines {
		r.lines[line] = &lineState{}
	}
	tick := cmp.Or(r.Tick, defaultTick)
	for n := 0; ; n++ {
		r.look(ctx, n)
		jitter := 0.8 + 0.4*rand.Float64() //nolint:gosec // spreads the load, guards nothing
		timer := time.NewTimer(time.Duration(float64(tick) * jitter))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil
		}
	}
}

// look does everything once. The reaper comes first and nothing keeps it from its next turn: what goes wrong in the queue
// must not leave dead workers' jobs running, and the rest has a third of a lease.
func (r *Reconciler) look(ctx context.Context, n int) {
	if err := r.reap(ctx); err != nil {
		r.trust.broken()
		r.complain(ctx, err)
		return // the store does not answer
	}
	ctx, cancel := context.WithTimeout(ctx, r.Lease/3)
	defer cancel()
	for _, line := range jobs.Lines {
		r.complain(ctx, r.relay(ctx, line))
		if n%auditEvery == 0 {
			r.complain(ctx, r.audit(ctx, line))
		}
	}
}

// complain logs what was left for the next look. That the time was up is no news.
func (r *Reconciler) complain(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		r.Logger.WarnContext(ctx, "reconciler did not finish", slog.String("error", err.Error()))
	}
}

// relay rings for what is due.
func (r *Reconciler) relay(ctx context.Context, line jobs.Line) error {
	due, err := r.Store.Due(ctx, line, batch) // on an error, of the partitions that have answered
	for _, t := range due.Tasks {
		if err := r.ring(ctx, t); err != nil {
			return err
		}
	}
	for _, o := range due.Overdue {
		if err := r.unknown(ctx, o); err != nil {
			return err
		}
	}
	return err
}

// ring enqueues a task and notes it. One that the queue holds where no worker will take it, or claims to hold while tasks are
// missing from it, is dispatched anew once it has been seen so twice.
func (r *Reconciler) ring(ctx context.Context, t jobs.Task) error {
	got, err := r.Queue.Enqueue(ctx, t)
	if err != nil {
		return err
	}
	if got == jobs.Rang || got == jobs.Waiting && !r.lines[t.Line].short {
		r.Metrics.repair("enqueued")
		return r.Store.Dispatched(ctx, t)
	}
	generation, err := r.Store.Orphaned(ctx, t)
	if err != nil || generation == 0 {
		return err
	}
	r.Metrics.repair("orphaned")
	r.Logger.InfoContext(ctx, "orphaned task dispatched anew", slog.String("id", string(t.ID)), slog.Int("generation", generation))
	t.Generation = generation
	if _, err := r.Queue.Enqueue(ctx, t); err != nil {
		return err
	}
	return r.Store.Dispatched(ctx, t)
}

// audit compares the queue with the store. Tasks that asynq calls active and nobody has claimed are looked at now. When the
// queue holds fewer tasks than were dispatched and are not claimed, twice in a row, it has lost some, and everything is
// rung for again, once.
func (r *Reconciler) audit(ctx context.Context, line jobs.Line) error {
	if err := r.Queue.Announce(ctx, line); err != nil {
		return err
	}
	before, err := r.Store.Outstanding(ctx, line)
	if err != nil {
		return err
	}
	held, err := r.held(ctx, line)
	if err != nil {
		return err
	}
	after, err := r.Store.Outstanding(ctx, line)
	if err != nil {
		return err
	}
	// Tasks come and go while we count; only what is missing from both counts is missing.
	state, missing := r.lines[line], held < min(before, after)
	if missing && state.short && !state.pulled {
		r.Metrics.repair("pulled")
		r.Logger.WarnContext(ctx, "queue has lost tasks, ringing for all", slog.String("line", string(line)),
			slog.Int("held", held), slog.Int("outstanding", after))
		if err := r.Store.PullAll(ctx, line); err != nil {
			return err
		}
		state.pulled = true
	}
	state.short, state.pulled = missing, state.pulled && missing
	return nil
}

// held counts the tasks of the queue that wait for a worker, or are with one that has not claimed them.
func (r *Reconciler) held(ctx context.Context, line jobs.Line) (int, error) {
	active, err := r.Queue.Active(ctx, line)
	if err != nil {
		return 0, err
	}
	unclaimed := 0
	if len(active) > 0 {
		if unclaimed, err = r.Store.PullForward(ctx, active); err != nil {
			return 0, err
		}
	}
	backlog, err := r.Queue.Backlog(ctx, line)
	return backlog + unclaimed, err
}

// reap takes attempts from workers that have not beaten for a lease. While the store was away no worker could beat, so it
// must have answered for a whole lease first.
func (r *Reconciler) reap(ctx context.Context) error {
	overdue, err := r.Store.Overdue(ctx, batch)
	if err != nil {
		return err
	}
	r.trust.answered(time.Now(), r.Lease)
	if !r.trust.holds(time.Now(), r.Lease) {
		return nil
	}
	for _, o := range overdue {
		then, err := r.Store.Fail(ctx, o.ID, o.Fence, jobs.FailureOf(jobs.ErrWorkerLost), r.Rules.Lost)
		if err != nil {
			return err
		}
		if then == jobs.StillAlive || then == jobs.FailLost {
			continue
		}
		r.Metrics.repair("reaped")
		r.Logger.WarnContext(ctx, "attempt taken from a lost worker", slog.String("job_id", string(o.ID)),
			slog.Int("attempt", o.Fence.Attempt), slog.String("then", string(then)))
	}
	return nil
}

// unknown ends an attempt to deliver whose worker died: whether the receiver has taken the event nobody knows.
func (r *Reconciler) unknown(ctx context.Context, o jobs.Overdue) error {
	if !r.trust.holds(time.Now(), r.Lease) {
		return nil
	}
	then, err := r.Store.FinishDelivery(ctx, o.ID, o.Fence, jobs.DeliveryEnd{
		Outcome: jobs.OutcomeUnknown, Schedule: r.Schedule, OnlyOverdue: true,
		Attempt: jobs.DeliveryAttempt{Outcome: jobs.OutcomeUnknown, Error: "worker_lost", Detail: "The worker died during the attempt."},
	})
	if err != nil {
		return err
	}
	if then == "lost" || then == "alive" {
		return nil
	}
	r.Metrics.repair("unknown_delivery")
	r.Logger.WarnContext(ctx, "attempt to deliver taken from a lost worker", slog.String("delivery_id", string(o.ID)),
		slog.String("then", string(then)))
	return nil
}

// trust is since when the store has answered without a break.
type trust struct{ since, last time.Time }

func (t *trust) broken() { *t = trust{} }

// answered notes an answer. A long silence of our own, stopped or starved, is a break too: nobody looked.
func (t *trust) answered(now time.Time, lease time.Duration) {
	if t.since.IsZero() || now.Sub(t.last) > lease {
		t.since = now
	}
	t.last = now
}

func (t *trust) holds(now time.Time, lease time.Duration) bool {
	return !t.since.IsZero() && now.Sub(t.last) <= lease && now.Sub(t.since) >= lease
}
