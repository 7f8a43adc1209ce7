package worker

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// handGrace is how long a job that was handed out may take to the queue before it is looked for there.
const handGrace = 2 * time.Second

// turns is the part of a [Reconciler] that hands out ready jobs: so many that no worker waits for one, and so few that whoever
// comes next is soon served.
//
// In each partition the store itself sees to it that no more are handed out than may be. Over several of them the queue's own backlog is
// the measure, which others may look at in the same moment: then up to that many more are handed out, for each partition and each
// process, and no more until they are claimed.
type turns struct {
	*Reconciler
	watches    []*watch
	complaints complaints
	slots      jobs.Slots
	some       map[int]jobs.Handed // what was left in a partition at the last look
	rung       []jobs.Task         // that the queue holds since the last tick
}

// run looks at each tick at all partitions, and at each ring of the bell at those that had more jobs.
func (t *turns) run(ctx context.Context, tick time.Duration) {
	for {
		t.note(ctx)
		t.look(ctx, t.answering())
		if !t.listen(ctx, tick) {
			return
		}
	}
}

// listen waits for the next tick and meanwhile answers the bell. It reports whether ctx goes on.
func (t *turns) listen(ctx context.Context, tick time.Duration) bool {
	timer := time.NewTimer(jittered(tick))
	defer timer.Stop()
	for {
		select {
		case <-t.Bell.rung:
			t.look(ctx, t.ready(func(left jobs.Handed) bool { return left.More }))
		case <-t.Bell.ended:
			t.look(ctx, t.ready(func(left jobs.Handed) bool { return left.More && left.Limited }))
		case <-timer.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

// ready are the partitions that had more jobs than could be handed out when last looked at, of those that are wanted.
func (t *turns) ready(wanted func(left jobs.Handed) bool) []int {
	var partitions []int
	for p, left := range t.some {
		if wanted(left) && t.watches[p].answers.Load() {
			partitions = append(partitions, p)
		}
	}
	return partitions
}

// answering are the partitions that answered when last looked at.
func (t *turns) answering() []int {
	var partitions []int
	for _, w := range t.watches {
		if w.answers.Load() {
			partitions = append(partitions, w.partition)
		}
	}
	return partitions
}

func (t *turns) look(ctx context.Context, partitions []int) {
	if len(partitions) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, t.Lease/3)
	defer cancel()
	t.complaints.note(ctx, t.handOut(ctx, partitions))
}

// handOut hands out what there is room for: in each partition a part of it, in an order that favors none, and then what is left.
func (t *turns) handOut(ctx context.Context, partitions []int) error {
	quotas, err := t.quotas(ctx)
	if err != nil {
		return err
	}
	for _, p := range partitions {
		delete(t.some, p)
	}
	swap := func(i, j int) { partitions[i], partitions[j] = partitions[j], partitions[i] }
	rand.Shuffle(len(partitions), swap) //nolint:gosec // favors nobody, guards nothing
	var errs []error
	for _, share := range slices.Compact([]int{len(partitions), 1}) {
		for _, p := range partitions {
			errs = append(errs, t.of(ctx, p, quotas, share))
		}
	}
	return errors.Join(errs...)
}

// quotas are what there is room for. In one partition the store knows best.
func (t *turns) quotas(ctx context.Context) ([]jobs.Quota, error) {
	most := t.slots.Most(ctx, t.Queue)
	var quotas []jobs.Quota
	for _, line := range jobs.RenderLines {
		q := jobs.Quota{Line: line, Most: most, Limit: most}
		if len(t.watches) > 1 {
			backlog, err := t.Queue.Backlog(ctx, line)
			if err != nil {
				return nil, err
			}
			q.Limit = max(0, most-backlog)
		}
		quotas = append(quotas, q)
	}
	return quotas, nil
}

// of hands out jobs of a partition, and takes them off the quotas.
func (t *turns) of(ctx context.Context, partition int, quotas []jobs.Quota, share int) error {
	part := slices.Clone(quotas)
	for i, q := range part {
		part[i].Limit = (q.Limit + share - 1) / share
	}
	got, err := t.Store.HandOut(ctx, partition, part, handGrace)
	if err != nil {
		return err
	}
	t.some[partition] = jobs.Handed{More: got.More, Limited: got.Limited || t.some[partition].Limited}
	for _, task := range got.Tasks {
		i := slices.IndexFunc(quotas, func(q jobs.Quota) bool { return q.Line == task.Line })
		quotas[i].Limit--
		if err := t.enqueue(ctx, task); err != nil {
			return err
		}
	}
	return nil
}

// enqueue puts a task into the queue. One that it holds already where no worker would take it is found once its grace is over.
func (t *turns) enqueue(ctx context.Context, task jobs.Task) error {
	got, err := t.Queue.Enqueue(ctx, task)
	if err != nil || got == jobs.Detached {
		return err
	}
	t.Metrics.handOut()
	t.rung = append(t.rung, task)
	return nil
}

// note tells the store what the queue holds, before the grace of that is over. Most of it has been claimed by then.
func (t *turns) note(ctx context.Context) {
	if len(t.rung) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, t.Lease/3)
	defer cancel()
	t.complaints.note(ctx, t.Store.Dispatched(ctx, t.rung...))
	t.rung = nil
}
