package queue_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hibiken/asynq"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/queue"
)

// states are those of a task, whether a worker will get it and whether it counts as held.
var states = []struct {
	state asynq.TaskState
	ring  jobs.Enqueued
	held  bool
}{
	{asynq.TaskStatePending, jobs.Waiting, true},
	{asynq.TaskStateScheduled, jobs.Detached, true},
	{asynq.TaskStateRetry, jobs.Detached, true},
	{asynq.TaskStateActive, jobs.Detached, true},
	{asynq.TaskStateArchived, jobs.Detached, false},
	{asynq.TaskStateCompleted, jobs.Detached, false},
}

func TestASecondRingSaysWhereTheTaskIs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	held := 0
	for i, test := range states {
		r.ring(task(i))
		if test.state != asynq.TaskStatePending {
			r.move(task(i), test.state)
		}
		if got, err := r.client.Enqueue(t.Context(), task(i)); err != nil || got != test.ring {
			t.Errorf("%s: %s, %v, want %s", test.state, got, err, test.ring)
		}
		if test.held {
			held++
		}
		if got := r.size(); got != held {
			t.Errorf("with one more %s: size %d, want %d", test.state, got, held)
		}
	}
}

func TestATaskIsTakenBackUnlessItIsAtWork(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if err := r.client.Withdraw(t.Context(), task(99)); err != nil {
		t.Errorf("of a line that nobody rang: %v", err)
	}
	for i, test := range states {
		r.ring(task(i))
		if test.state != asynq.TaskStatePending {
			r.move(task(i), test.state)
		}
		if err := r.client.Withdraw(t.Context(), task(i)); err != nil {
			t.Errorf("%s: %v", test.state, err)
		}
		want := jobs.Rang
		if test.state == asynq.TaskStateActive {
			want = jobs.Detached
		}
		if got, err := r.client.Enqueue(t.Context(), task(i)); err != nil || got != want {
			t.Errorf("%s: rings %s, %v, want %s", test.state, got, err, want)
		}
		if err := r.client.Withdraw(t.Context(), task(i)); err != nil {
			t.Errorf("%s: %v", test.state, err)
		}
	}
	if got := r.size(); got != 1 { // the one at work
		t.Errorf("size %d", got)
	}
}

func TestAnotherGenerationIsAnotherTask(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first, second := task(1), task(1)
	second.Generation = 2
	r.ring(first)
	r.move(first, asynq.TaskStateArchived)
	r.ring(second)
	if got := r.size(); got != 1 {
		t.Errorf("size %d, want the second alone", got)
	}
}

func TestActiveListsOurTasksOfOneLine(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if got, err := r.client.Active(t.Context(), jobs.RenderLine); err != nil || len(got) != 0 {
		t.Fatalf("of a line that nobody rang: %v, %v", got, err)
	}
	const many = 201 // more than one page of the inspector
	want := map[jobs.Task]bool{}
	for i := range many {
		r.ring(task(i))
		r.move(task(i), asynq.TaskStateActive)
		want[task(i)] = true
	}
	r.ring(task(many)) // pending
	callback := jobs.Task{Line: jobs.CallbackLine, ID: "dlv_1", Generation: 7}
	r.ring(callback)

	active, err := r.client.Active(t.Context(), jobs.RenderLine)
	if err != nil {
		t.Fatal(err)
	}
	got := map[jobs.Task]bool{}
	for _, a := range active {
		got[a] = true
	}
	if diff := cmp.Diff(want, got); diff != "" || len(active) != many {
		t.Errorf("%d tasks, %s", len(active), diff)
	}
}

func TestSlotsAreThoseOfAllServersOfTheLine(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if got := r.slots(); got != 0 {
		t.Errorf("%d slots without a server", got)
	}
	none := func(context.Context, jobs.Task) error { return nil }
	r.serve(queue.Server{Slots: 2, Handler: none})
	stop := r.serve(queue.Server{Slots: 3, Handler: none})
	r.serve(queue.Server{Slots: 7, Handler: none, Lines: map[jobs.Line]int{jobs.CallbackLine: 1}})
	eventually(t, "2 + 3 slots", func() bool { return r.slots() == 5 })
	stop()
	if got := r.slots(); got != 2 {
		t.Errorf("%d slots once a server has stopped, want 2", got)
	}
}

func TestALineIsKnownAgainAfterAWipe(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.ring(task(1))
	if err := r.rdb.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	r.ring(task(1)) // by the same client, which has named the line before
	if err := r.client.Announce(t.Context(), jobs.RenderLine); err != nil {
		t.Fatal(err)
	}
	if got := r.size(); got != 1 {
		t.Errorf("size %d, want 1", got)
	}
}

func TestAStoreThatIsAwayIsSaidSo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.redis.Kill()
	calls := map[string]func() error{
		"enqueue":  func() error { _, err := r.client.Enqueue(t.Context(), task(1)); return err },
		"slots":    func() error { _, err := r.client.Slots(t.Context(), jobs.RenderLine); return err },
		"active":   func() error { _, err := r.client.Active(t.Context(), jobs.RenderLine); return err },
		"backlog":  func() error { _, err := r.client.Backlog(t.Context(), jobs.RenderLine); return err },
		"withdraw": func() error { return r.client.Withdraw(t.Context(), task(1)) },
		"announce": func() error { return r.client.Announce(t.Context(), jobs.RenderLine) },
	}
	var group sync.WaitGroup
	for name, call := range calls {
		group.Go(func() { // each tries for a while
			if err := call(); !errors.Is(err, jobs.ErrStoreUnavailable) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	group.Wait()
}
