package queue_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/queue"
)

// moment is how long a test looks on to see that something does not happen.
const moment = 200 * time.Millisecond

// desk is a handler that says what it got and holds it until it is told how to end.
type desk struct {
	begun chan jobs.Task
	ends  chan error
	cause chan error // why the context ended of a task that was not told in time
}

func newDesk() *desk {
	return &desk{begun: make(chan jobs.Task, 16), ends: make(chan error, 16), cause: make(chan error, 16)}
}

func (d *desk) handle(ctx context.Context, t jobs.Task) error {
	d.begun <- t
	select {
	case err := <-d.ends:
		return err
	case <-ctx.Done():
		d.cause <- context.Cause(ctx)
		return nil
	case <-time.After(patience): // a broken server must not hold the test
		return errors.New("nobody told how to end")
	}
}

// gate is a gate that a test opens and closes.
type gate struct {
	asked chan struct{}        // the server wants to take work
	opens chan (chan struct{}) // what closes it again
}

func newGate() *gate {
	return &gate{asked: make(chan struct{}, 16), opens: make(chan chan struct{})}
}

func (g *gate) wait(ctx context.Context) <-chan struct{} {
	g.asked <- struct{}{}
	select {
	case closed := <-g.opens:
		return closed
	case <-ctx.Done():
		return nil
	}
}

// open lets the server take work until what it returns is closed.
func (g *gate) open() chan struct{} {
	closed := make(chan struct{})
	g.opens <- closed
	return closed
}

func TestATaskIsHandedOutAndRingsAnewOnceItHasEnded(t *testing.T) {
	t.Parallel()
	r, d := newRig(t), newDesk()
	r.serve(queue.Server{Slots: 1, Handler: d.handle})
	for range 2 {
		r.ring(task(1))
		if got := receive(t, "the task", d.begun); got != task(1) {
			t.Fatalf("got %+v", got)
		}
		if got, err := r.client.Enqueue(t.Context(), task(1)); err != nil || got != jobs.Detached {
			t.Errorf("at work: %s, %v", got, err)
		}
		d.ends <- nil
		eventually(t, "it has ended", func() bool { return r.size() == 0 })
	}
}

func TestNoMoreTasksAreAtWorkThanThereAreSlots(t *testing.T) {
	t.Parallel()
	r, d := newRig(t), newDesk()
	for i := range 3 {
		r.ring(task(i))
	}
	r.serve(queue.Server{Slots: 2, Handler: d.handle})
	receive(t, "the first task", d.begun)
	receive(t, "the second task", d.begun)
	if active, err := r.client.Active(t.Context(), jobs.RenderLine); err != nil || len(active) != 2 || r.size() != 3 {
		t.Errorf("%d at work of %d, %v", len(active), r.size(), err)
	}
	d.ends <- nil
	receive(t, "the third task", d.begun)
	d.ends <- nil
	d.ends <- nil
}

func TestAClosedGateStopsNewWorkAndAnOpenOneResumesIt(t *testing.T) {
	t.Parallel()
	r, d, g := newRig(t), newDesk(), newGate()
	r.ring(task(1))
	r.serve(queue.Server{Slots: 2, Handler: d.handle, Gate: g.wait})
	receive(t, "the server asks", g.asked)
	if r.slots() != 0 || len(d.begun) != 0 {
		t.Fatal("work is taken through a closed gate")
	}

	closed := g.open()
	receive(t, "a task through the open gate", d.begun)
	close(closed)
	receive(t, "the server asks again", g.asked)
	r.ring(task(2))
	select {
	case err := <-d.cause:
		t.Fatalf("the running task was canceled: %v", err)
	case <-d.begun:
		t.Fatal("work is taken through a gate that has closed")
	case <-time.After(moment):
	}

	// The first task still runs: it does not keep the other slot from working.
	g.open()
	if got := receive(t, "a task through the gate that has opened again", d.begun); got != task(2) {
		t.Errorf("got %+v", got)
	}
	r.ring(task(3))
	select {
	case got := <-d.begun:
		t.Fatalf("%+v is at work, a third one for two slots", got)
	case <-time.After(moment):
	}
	for range 3 {
		d.ends <- nil
	}
	receive(t, "the third task", d.begun)
}

func TestAServerBehindAClosedGateStopsWhenItIsTold(t *testing.T) {
	t.Parallel()
	r, d, g := newRig(t), newDesk(), newGate()
	stop := r.serve(queue.Server{Slots: 1, Handler: d.handle, Gate: g.wait})
	receive(t, "the server asks", g.asked)
	stop()
}

func TestAForeignTaskDoesNoHarm(t *testing.T) {
	t.Parallel()
	r, d := newRig(t), newDesk()
	foreign := asynq.NewClientFromRedisClient(r.rdb)
	for _, payload := range []string{"", "job_1", "job_1 x", `{"id":"job_1"}`} {
		if _, err := foreign.EnqueueContext(t.Context(), asynq.NewTask("mail", []byte(payload)), asynq.Queue(string(jobs.RenderLine))); err != nil {
			t.Fatal(err)
		}
	}
	r.ring(task(1))
	r.serve(queue.Server{Slots: 1, Handler: d.handle})
	if got := receive(t, "our task, behind the others", d.begun); got != task(1) {
		t.Errorf("got %+v", got)
	}
	d.ends <- nil
	// Neither are they kept for another try.
	eventually(t, "nothing is held", func() bool { return r.size() == 0 })
}

func TestAnErrorBringsTheTaskBackSoon(t *testing.T) {
	t.Parallel()
	r, d := newRig(t), newDesk()
	r.ring(task(1))
	r.serve(queue.Server{Slots: 1, Handler: d.handle})
	receive(t, "the task", d.begun)
	began := time.Now()
	d.ends <- errors.New("the store did not answer")
	receive(t, "the task again", d.begun)
	t.Logf("it was back after %v", time.Since(began))
	d.ends <- nil
	eventually(t, "it has ended", func() bool { return r.size() == 0 })
}

func TestRunningTasksMayEndWithinThePatience(t *testing.T) {
	t.Parallel()
	r, d := newRig(t), newDesk()
	r.ring(task(1))
	stop := r.serve(queue.Server{Slots: 2, Handler: d.handle, Patience: patience})
	receive(t, "the task", d.begun)
	stopped := make(chan struct{})
	go func() { defer close(stopped); stop() }()
	select {
	case <-stopped:
		t.Fatal("the server did not wait for the running task")
	case err := <-d.cause:
		t.Fatalf("the running task was canceled: %v", err)
	case <-time.After(moment):
	}
	d.ends <- nil
	receive(t, "the end of the server", stopped)
	r.ring(task(1)) // it has ended as it should, so that its id is free
}

func TestAfterThePatienceRunningTasksAreHandedBack(t *testing.T) {
	t.Parallel()
	r, d := newRig(t), newDesk()
	r.ring(task(1))
	const short = 50 * time.Millisecond
	stop := r.serve(queue.Server{Slots: 1, Handler: d.handle, Patience: short})
	receive(t, "the task", d.begun)
	began := time.Now()
	stop()
	if took := time.Since(began); took < short {
		t.Errorf("it was over after %v, before the patience", took)
	}
	if cause := receive(t, "the cause", d.cause); !errors.Is(cause, jobs.ErrShutdown) {
		t.Errorf("the cause is %v", cause)
	}
}
