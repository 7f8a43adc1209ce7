package queue_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/queue"
	"github.com/platen-render/platen/internal/redistest"
)

// patience bounds what a test waits for.
const patience = 20 * time.Second

func task(n int) jobs.Task {
	return jobs.Task{Line: jobs.RenderLine, ID: jobs.ID(fmt.Sprintf("job_%d", n)), Generation: 1}
}

// rig is a queue on a Redis of its own.
type rig struct {
	*testing.T
	redis  *redistest.Server
	rdb    *redis.Client
	client *queue.Client
}

func newRig(t *testing.T) *rig {
	t.Helper()
	server := redistest.Start(t)
	rdb := server.Client()
	return &rig{T: t, redis: server, rdb: rdb, client: queue.NewClient(rdb)}
}

// serve runs a server until stop is called or the test ends; stop waits for it.
func (r *rig) serve(s queue.Server) (stop func()) {
	r.Helper()
	s.Redis, s.Logger = r.rdb, slog.New(slog.NewTextHandler(r.Output(), nil))
	if s.Lines == nil {
		s.Lines = map[jobs.Line]int{jobs.RenderLine: 1}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() {
		if err := s.Run(ctx); err != nil {
			r.Errorf("run: %v", err)
		}
	})
	stop = sync.OnceFunc(func() { cancel(); group.Wait() })
	r.Cleanup(stop)
	return stop
}

// ring enqueues a task that the queue must take.
func (r *rig) ring(t jobs.Task) {
	r.Helper()
	if got, err := r.client.Enqueue(r.Context(), t); err != nil || got != jobs.Rang {
		r.Fatalf("enqueue %s: %s, %v", t.ID, got, err)
	}
}

// size is how many tasks the render line holds, those at work included.
func (r *rig) size() int {
	r.Helper()
	n, err := r.client.Backlog(r.Context(), jobs.RenderLine)
	if err != nil {
		r.Fatal(err)
	}
	active, err := r.client.Active(r.Context(), jobs.RenderLine)
	if err != nil {
		r.Fatal(err)
	}
	return n + len(active)
}

// slots is how many tasks of the render line can be worked on.
func (r *rig) slots() int {
	r.Helper()
	n, err := r.client.Slots(r.Context(), jobs.RenderLine)
	if err != nil {
		r.Fatal(err)
	}
	return n
}

// move puts a pending task where asynq keeps those of another state.
func (r *rig) move(t jobs.Task, state asynq.TaskState) {
	r.Helper()
	const prefix = "asynq:{render}:"
	id := fmt.Sprintf("job:%s:%d", t.ID, t.Generation)
	_, err := r.rdb.Pipelined(r.Context(), func(p redis.Pipeliner) error {
		p.LRem(r.Context(), prefix+"pending", 1, id)
		if state == asynq.TaskStateActive {
			p.LPush(r.Context(), prefix+"active", id)
		} else {
			p.ZAdd(r.Context(), prefix+state.String(), redis.Z{Score: float64(time.Now().Add(time.Hour).Unix()), Member: id})
		}
		p.HSet(r.Context(), prefix+"t:"+id, "state", state.String())
		return nil
	})
	if err != nil {
		r.Fatal(err)
	}
}

// eventually polls until cond holds.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !cond() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// receive takes from a channel within the patience of a test.
func receive[T any](t *testing.T, what string, ch <-chan T) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(patience):
		t.Fatalf("not within %v: %s", patience, what)
		panic("unreachable")
	}
}
