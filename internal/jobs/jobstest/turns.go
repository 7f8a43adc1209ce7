package jobstest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// handOut hands out up to limit ready jobs of each line, however many are out already.
func (b bench) handOut(partition, limit int, grace time.Duration) []jobs.Task {
	b.Helper()
	return b.handOutOf(partition, 1<<20, limit, grace).Tasks
}

func (b bench) handOutUpTo(partition, most, limit int) (tasks []jobs.Task, more bool) {
	b.Helper()
	got := b.handOutOf(partition, most, limit, time.Minute)
	return got.Tasks, got.More
}

func (b bench) handOutOf(partition, most, limit int, grace time.Duration) jobs.Handed {
	b.Helper()
	var quotas []jobs.Quota
	for _, line := range jobs.RenderLines {
		quotas = append(quotas, jobs.Quota{Line: line, Most: most, Limit: limit})
	}
	got, err := b.HandOut(b.Context(), partition, quotas, grace)
	if err != nil {
		b.Fatalf("hand out: %v", err)
	}
	return got
}

func ofClass(c jobs.Class) func(*jobs.Acceptance) {
	return func(a *jobs.Acceptance) { a.Job.Class = c }
}

// atMost is an acceptance that hands out while so few of its line are.
func atMost(n int) func(*jobs.Acceptance) { return func(a *jobs.Acceptance) { a.Most = n } }

// queued accepts jobs of a tenant, of which no more than two are handed out at once, and returns those that wait for a turn.
func (b bench) queued(n int, change ...func(*jobs.Acceptance)) (held []jobs.ID) {
	b.Helper()
	for range n {
		a := b.request(append(change, atMost(2))...)
		if got := b.accept(a); got.Held {
			held = append(held, got.Job)
		}
	}
	return held
}

func tasksOf(tasks []jobs.Task) (ids []jobs.ID) {
	for _, t := range tasks {
		ids = append(ids, t.ID)
	}
	return ids
}

// neighbor is a tenant of the same partition as the bench's, by its number.
func (b bench) neighbor(n int) string {
	for i := 0; ; i++ {
		name := fmt.Sprintf("neighbor-%d", i)
		if jobs.PartitionOf(name, b.partitions) != jobs.PartitionOf(b.tenant, b.partitions) {
			continue
		}
		if n--; n < 0 {
			return name
		}
	}
}

func testTurns(t *testing.T, open opener) {
	t.Helper()
	t.Run("a job is handed out at once while few are and none of its tenant waits", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		for n, want := range []bool{false, false, true, true} {
			a := b.request(atMost(2))
			got := b.accept(a)
			if got.Held != want {
				t.Errorf("job %d: held %v", n, got.Held)
			}
			if again := b.accept(a); again != got {
				t.Errorf("job %d: the same call again gave %+v, want %+v", n, again, got)
			}
		}
		// There is room in another line.
		if got := b.accept(b.request(atMost(2), ofClass(jobs.ClassHigh))); got.Held {
			t.Error("a job of another class is held")
		}
		// Whoever has none waiting still waits behind nobody of its own, but not before those that are handed out.
		if got := b.accept(b.request(atMost(2), withTenant(b.neighbor(0)))); !got.Held {
			t.Error("one more than may be handed out at once")
		}
		if got := b.accept(b.request(atMost(3), withTenant(b.neighbor(1)))); got.Held {
			t.Error("there is room and it is held")
		}
		if got := b.accept(b.request(atMost(9))); !got.Held {
			t.Error("a job has overtaken others of its tenant")
		}
	})
	t.Run("each class is a line of its own", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		for _, class := range jobs.Classes {
			j := b.submit(dueNow, ofClass(class))
			b.wantTasks(b.due(jobs.RenderLine).Tasks, j.ID)
			task := jobs.Task{Line: class.Line(), ID: j.ID, Generation: 1}
			if got := b.due(jobs.RenderLine).Tasks[0]; got != task {
				t.Errorf("task %+v, want %+v", got, task)
			}
			b.dispatched(task)
			for _, line := range jobs.RenderLines {
				want := 0
				if line == class.Line() {
					want = 1
				}
				b.outstanding(line, want)
			}
			b.start(j.ID, lease)
			b.outstanding(class.Line(), 0)
		}
	})
	t.Run("tenants take turns, and of each the oldest job comes first", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		p, one, two := jobs.PartitionOf(b.tenant, b.partitions), withTenant(b.neighbor(0)), withTenant(b.neighbor(1))
		own := b.queued(8)
		first, second := b.queued(3, one), b.queued(1, two)
		if len(own) != 6 || len(first) != 3 || len(second) != 1 {
			t.Fatalf("held %d, %d and %d", len(own), len(first), len(second))
		}
		want := []jobs.ID{own[0], first[0], second[0], own[1], first[1], own[2], first[2], own[3], own[4], own[5]}
		tasks, more := b.handOutUpTo(p, 100, 4)
		if !more {
			t.Error("no more are ready")
		}
		rest, more := b.handOutUpTo(p, 100, 100)
		if more {
			t.Error("more are ready")
		}
		if got := tasksOf(append(tasks, rest...)); !slices.Equal(got, want) {
			t.Errorf("handed out %v, want %v", got, want)
		}
		if d := b.due(jobs.RenderLine); len(d.Tasks) != 0 {
			t.Errorf("due inside their grace: %+v", d)
		}
	})
	t.Run("no more are handed out than may be, until one is claimed", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		p := jobs.PartitionOf(b.tenant, b.partitions)
		held := b.queued(6)
		if tasks, more := b.handOutUpTo(p, 2, 100); len(tasks) != 0 || !more {
			t.Fatalf("handed out %v, more %v", tasks, more)
		}
		tasks, _ := b.handOutUpTo(p, 3, 100)
		b.wantTasks(tasks, held[0])
		b.start(held[0], lease)
		tasks, _ = b.handOutUpTo(p, 3, 100)
		b.wantTasks(tasks, held[1])
		if status, err := b.Cancel(t.Context(), held[1]); err != nil || status != jobs.Canceled {
			t.Fatalf("cancel: %s, %v", status, err)
		}
		if status, err := b.Cancel(t.Context(), held[2]); err != nil || status != jobs.Canceled {
			t.Fatalf("cancel: %s, %v", status, err)
		}
		tasks, _ = b.handOutUpTo(p, 3, 100)
		b.wantTasks(tasks, held[3]) // the one between ended while it waited
		b.wantWaiting(jobs.ClassNormal, 3)
	})
	t.Run("a job that nobody took to the queue is due once its grace is over", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		p := jobs.PartitionOf(b.tenant, b.partitions)
		held := b.queued(3)
		b.wantTasks(b.handOut(p, 10, time.Millisecond), held[0])
		Eventually(t, "it is due", func() bool { return len(b.due(jobs.RenderLine).Tasks) == 1 })
	})
	t.Run("a job that is tried again comes first of those of its tenant, however long they have waited", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		p := jobs.PartitionOf(b.tenant, b.partitions)
		broken, lost := b.submit(), b.submit()
		f := b.start(broken.ID, lease)
		b.start(lost.ID, time.Millisecond)
		held := b.queued(4)
		b.wantTasks(b.handOut(p, 1, time.Minute), held[0])
		Eventually(t, "the lease is over", func() bool { return len(b.overdue()) == 1 })
		b.fail(lost.ID, b.overdue()[0].Fence, jobs.Rule{Counter: "lost", Limit: 9, OnlyOverdue: true})
		b.wantTasks(b.handOut(p, 1, time.Minute), lost.ID)
		b.fail(broken.ID, f, jobs.Rule{Counter: "retries", Limit: 9})
		b.wantTasks(b.handOut(p, 2, time.Minute), broken.ID, held[1])
	})
	t.Run("a job whose next attempt is due waits for its turn, and comes first then", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		p := jobs.PartitionOf(b.tenant, b.partitions)
		retried := b.submit()
		f := b.start(retried.ID, lease)
		held := b.queued(4)
		if got := b.fail(retried.ID, f, jobs.Rule{Counter: "retries", Limit: 9, Delays: []time.Duration{time.Millisecond}}); got != jobs.WillRetry {
			t.Fatalf("fail: %s", got)
		}
		Eventually(t, "it is ready", func() bool {
			if d, err := b.Due(t.Context(), p, jobs.RenderLine, 100); err != nil || len(d.Tasks) != 0 {
				t.Fatalf("due %+v, %v", d, err)
			}
			load, err := b.Load(t.Context(), jobs.ClassNormal)
			return err == nil && load.Waiting == 5
		})
		tasks := b.handOut(p, 3, time.Minute)
		b.wantTasks(tasks, retried.ID, held[0], held[1])
		if tasks[0].Generation != 2 {
			t.Errorf("task %+v", tasks[0])
		}
	})
	t.Run("a tenant that has as many at work as it may have is passed over", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		p, one := jobs.PartitionOf(b.tenant, b.partitions), int64(1)
		if _, err := b.EnsureTenant(t.Context(), b.tenant, []byte("sealed")); err != nil {
			t.Fatal(err)
		}
		if err := b.SetLimits(t.Context(), b.tenant, map[jobs.Limit]*int64{jobs.LimitRenders: &one}); err != nil {
			t.Fatal(err)
		}
		first := b.submit()
		own, others := b.queued(3), b.queued(7, withTenant(b.neighbor(0)))
		if len(own) != 3 || len(others) != 6 {
			t.Fatalf("held %d and %d", len(own), len(others))
		}
		b.wantTasks(b.handOut(p, 100, time.Minute), others...)
		f := b.start(first.ID, lease)
		if got := b.handOutOf(p, 100, 100, time.Minute); len(got.Tasks) != 0 || !got.More || !got.Limited {
			t.Fatalf("handed out %+v", got)
		}
		b.complete(first.ID, f)
		b.wantTasks(b.handOut(p, 100, time.Minute), own[0])
	})
	t.Run("a claim takes a job wherever it waits", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		held := b.queued(4)
		b.issue(held[0]) // its task is of another time: the queue has kept it
		b.wantTasks(b.handOut(jobs.PartitionOf(b.tenant, b.partitions), 10, time.Minute), held[1])
		b.wantWaiting(jobs.ClassNormal, 3)
	})
}

func (b bench) wantTasks(tasks []jobs.Task, want ...jobs.ID) {
	b.Helper()
	if got := tasksOf(tasks); !slices.Equal(got, want) {
		b.Fatalf("handed out %v, want %v", got, want)
	}
}

func (b bench) wantWaiting(class jobs.Class, want int) {
	b.Helper()
	load, err := b.Load(b.Context(), class)
	if err != nil || load.Waiting != want {
		b.Fatalf("load %+v, %v; want %d waiting", load, err, want)
	}
}
