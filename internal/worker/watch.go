package worker

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// watch is the part of a [Reconciler] that sees to one partition.
type watch struct {
	*Reconciler
	partition  int
	audits     map[jobs.Line]*audit
	complaints complaints
	trust      trust
	answers    atomic.Bool // at the last look
}

// look does everything once. The reaper comes first and nothing keeps it from its next turn: what goes wrong in the queue
// must not leave dead workers' jobs running, and the rest has a third of a lease.
func (w *watch) look(ctx context.Context) {
	err := w.reap(ctx)
	w.answers.Store(err == nil)
	if err != nil {
		w.trust.broken()
		w.complaints.note(ctx, err)
		return // the partition does not answer
	}
	ctx, cancel := context.WithTimeout(ctx, w.Lease/3)
	defer cancel()
	for _, line := range []jobs.Line{jobs.RenderLine, jobs.CallbackLine} {
		w.complaints.note(ctx, w.relay(ctx, line))
	}
	w.complaints.note(ctx, w.Store.ContinueReplays(ctx, w.partition))
	w.complaints.note(ctx, w.batches(ctx))
}

// reap takes attempts from workers that have not beaten for a lease. While the partition was away no worker could beat, so
// it must have answered for half a lease first: by then every attempt that lives has beaten again.
func (w *watch) reap(ctx context.Context) error {
	overdue, err := w.Store.Overdue(ctx, w.partition, batch)
	if err != nil {
		return err
	}
	w.trust.answered(time.Now(), w.Lease)
	if !w.trust.holds(time.Now(), w.Lease) {
		return nil
	}
	for _, o := range overdue {
		then, err := w.Store.Fail(ctx, o.ID, o.Fence, jobs.FailureOf(jobs.ErrWorkerLost), w.Rules.Lost)
		if err != nil {
			return err
		}
		if then == jobs.StillAlive || then == jobs.FailLost {
			continue
		}
		w.Metrics.repair("reaped")
		w.Logger.WarnContext(ctx, "attempt taken from a lost worker", slog.String("job_id", string(o.ID)),
			slog.Int("attempt", o.Fence.Attempt), slog.String("then", string(then)))
	}
	return nil
}

// relay rings for what is due.
func (w *watch) relay(ctx context.Context, line jobs.Line) error {
	due, err := w.Store.Due(ctx, w.partition, line, batch)
	if err != nil {
		return err
	}
	for tasks := range slices.Chunk(due.Tasks, ringChunk) {
		if err := w.ring(ctx, tasks); err != nil {
			return err
		}
	}
	for _, o := range due.Overdue {
		if err := w.unknown(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// ringChunk is how many tasks are noted at once: the more, the more of them other processes ring for in the meantime.
const ringChunk = 20

// ring enqueues tasks and notes those that the queue holds.
func (w *watch) ring(ctx context.Context, tasks []jobs.Task) error {
	var rung []jobs.Task
	var failed error
	for _, t := range tasks {
		var held bool
		if t, held, failed = w.enqueue(ctx, t); failed != nil {
			break
		}
		if held {
			rung = append(rung, t)
		}
	}
	return errors.Join(failed, w.Store.Dispatched(ctx, rung...))
}

// enqueue reports whether the queue holds a task now, perhaps as another generation of it. One that the queue holds where no worker will
// take it, or claims to hold while tasks are missing from it, is dispatched anew once it has been seen so twice.
func (w *watch) enqueue(ctx context.Context, t jobs.Task) (jobs.Task, bool, error) {
	got, err := w.Queue.Enqueue(ctx, t)
	if err != nil {
		return t, false, err
	}
	if got == jobs.Rang || got == jobs.Waiting && !w.audits[t.Line].short.Load() {
		w.Metrics.repair("enqueued")
		return t, true, nil
	}
	generation, err := w.Store.Orphaned(ctx, t)
	if err != nil || generation == 0 {
		return t, false, err
	}
	w.Metrics.repair("orphaned")
	w.Logger.InfoContext(ctx, "orphaned task dispatched anew", slog.String("id", string(t.ID)), slog.Int("generation", generation))
	t.Generation = generation
	_, err = w.Queue.Enqueue(ctx, t)
	return t, err == nil, err
}

// unknown ends an attempt to deliver whose worker died: whether the receiver has taken the event nobody knows.
func (w *watch) unknown(ctx context.Context, o jobs.Overdue) error {
	if !w.trust.holds(time.Now(), w.Lease) {
		return nil
	}
	then, err := w.Store.FinishDelivery(ctx, o.ID, o.Fence, jobs.DeliveryEnd{
		Outcome: jobs.OutcomeUnknown, Schedule: w.Schedule, OnlyOverdue: true,
		Attempt: jobs.DeliveryAttempt{Outcome: jobs.OutcomeUnknown, Error: "worker_lost", Detail: "The worker died during the attempt."},
	})
	if err != nil {
		return err
	}
	if then.Status == "lost" || then.Status == "alive" {
		return nil
	}
	w.Metrics.repair("unknown_delivery")
	w.Logger.WarnContext(ctx, "attempt to deliver taken from a lost worker", slog.String("delivery_id", string(o.ID)),
		slog.String("then", string(then.Status)))
	return nil
}

// trust is since when a partition has answered without a break.
type trust struct{ since, last time.Time }

func (t *trust) broken() { *t = trust{} }

// answered notes an answer. A long silence is a break too: we were stopped or starved, or the answer was late and no error. A
// lease has two thirds left when the next beat is due, so in a silence of less than half of one no attempt that lives loses it.
func (t *trust) answered(now time.Time, lease time.Duration) {
	if t.since.IsZero() || now.Sub(t.last) > lease/trustedAfter {
		t.since = now
	}
	t.last = now
}

func (t *trust) holds(now time.Time, lease time.Duration) bool {
	return !t.since.IsZero() && now.Sub(t.last) <= lease && now.Sub(t.since) >= lease/trustedAfter
}

// trustedAfter is for what share of a lease a partition must have answered: twice as long as an attempt that lives needs to beat.
const trustedAfter = 2
