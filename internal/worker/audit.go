package worker

import (
	"context"
	"log/slog"
	"sync/atomic"

	"github.com/platen-render/platen/internal/jobs"
)

// audit is the part of a [Reconciler] that compares a line of the queue with the store.
type audit struct {
	*Reconciler
	line       jobs.Line
	watches    []*watch
	complaints complaints
	short      atomic.Bool // the queue held less than it should at the last look
	pulled     bool        // and everything was rung for since
}

func (a *audit) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, a.Lease/3)
	defer cancel()
	a.complaints.note(ctx, a.compare(ctx))
}

// compare looks now at tasks that asynq calls active and nobody has claimed. When the queue holds fewer tasks than were
// dispatched and are not claimed, twice in a row, it has lost some, and everything is rung for again, once.
//
// Partitions that do not answer are left out, and what the queue holds of them counts as held: so a loss may be noticed later,
// and none is seen where there is none.
func (a *audit) compare(ctx context.Context) error {
	partitions := a.answering()
	before, err := a.outstanding(ctx, partitions)
	if err != nil {
		return err
	}
	if before == 0 { // what the store does not know to be dispatched is due when its grace is over
		a.short.Store(false)
		a.pulled = false
		return nil
	}
	if err := a.Queue.Announce(ctx, a.line); err != nil {
		return err
	}
	held, err := a.held(ctx, partitions)
	if err != nil {
		return err
	}
	after, err := a.outstanding(ctx, partitions)
	if err != nil {
		return err
	}
	// Tasks come and go while we count; only what is missing from both counts is missing.
	missing := held < min(before, after)
	if missing && a.short.Load() && !a.pulled {
		a.Metrics.repair("pulled")
		a.Logger.WarnContext(ctx, "queue has lost tasks, ringing for all", slog.String("line", string(a.line)),
			slog.Int("held", held), slog.Int("outstanding", after))
		for p := range partitions {
			if err := a.Store.PullAll(ctx, p, a.line); err != nil {
				return err
			}
		}
		a.pulled = true
	}
	a.short.Store(missing)
	a.pulled = a.pulled && missing
	return nil
}

// answering are the partitions that answered when last looked at.
func (a *audit) answering() map[int]bool {
	partitions := map[int]bool{}
	for _, w := range a.watches {
		if w.answers.Load() {
			partitions[w.partition] = true
		}
	}
	return partitions
}

func (a *audit) outstanding(ctx context.Context, partitions map[int]bool) (int, error) {
	total := 0
	for p := range partitions {
		n, err := a.Store.Outstanding(ctx, p, a.line)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// held counts the tasks of the queue that wait for a worker, or are with one that has not claimed them.
func (a *audit) held(ctx context.Context, partitions map[int]bool) (int, error) {
	active, err := a.Queue.Active(ctx, a.line)
	if err != nil {
		return 0, err
	}
	var known []jobs.Task
	for _, t := range active {
		if partitions[t.ID.Partition()] {
			known = append(known, t)
		}
	}
	unclaimed := 0
	if len(known) > 0 {
		if unclaimed, err = a.Store.PullForward(ctx, known); err != nil {
			return 0, err
		}
	}
	backlog, err := a.Queue.Backlog(ctx, a.line)
	return backlog + unclaimed + len(active) - len(known), err
}
