package queue_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hibiken/asynq"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/queue"
)

func lineTask(line jobs.Line, n int) jobs.Task {
	t := task(n)
	t.Line = line
	return t
}

func TestOneServerServesAllLinesOfJobsAndNoneStarves(t *testing.T) {
	t.Parallel()
	r, d := newRig(t), newDesk()
	// A row of high priority that the server cannot come to the end of before it has had a look at the others.
	const row = 300
	for n := range row {
		r.ring(lineTask(jobs.HighLine, n))
	}
	others := []jobs.Line{jobs.RenderLine, jobs.LowLine, jobs.BatchLine}
	for i, line := range others {
		r.ring(lineTask(line, row+i))
	}
	r.serve(queue.Server{Slots: 1, Handler: d.handle, Lines: jobs.Weights()})
	high, seen := 0, map[jobs.Line]jobs.Task{}
	for len(seen) < len(others) {
		got := receive(t, "the next task", d.begun)
		if got.Line == jobs.HighLine {
			high++
		} else {
			seen[got.Line] = got
		}
		d.ends <- nil
	}
	for i, line := range others {
		if seen[line] != lineTask(line, row+i) {
			t.Errorf("line %s: %+v", line, seen[line])
		}
	}
	if high == row {
		t.Error("the others came after all of high priority")
	}
}

func TestTheQueuesOfJobsLieInOneSlotOfACluster(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for i, line := range jobs.RenderLines {
		r.ring(lineTask(line, i))
		if n, err := r.client.Backlog(t.Context(), line); err != nil || n != 1 {
			t.Errorf("%s: %d tasks, %v", line, n, err)
		}
	}
	keys, err := r.rdb.Keys(t.Context(), "asynq:{*").Result()
	if err != nil || len(keys) != 2*len(jobs.RenderLines) {
		t.Fatalf("keys %v, %v", keys, err)
	}
	for _, key := range keys {
		if tag, _, _ := strings.Cut(strings.TrimPrefix(key, "asynq:{"), "}"); tag != string(jobs.RenderLine) {
			t.Errorf("%s has the hash tag %q", key, tag)
		}
	}
}

func TestATaskOfAnotherKindIsNotServed(t *testing.T) {
	t.Parallel()
	r, d := newRig(t), newDesk()
	foreign := asynq.NewClientFromRedisClient(r.rdb)
	if _, err := foreign.EnqueueContext(t.Context(), asynq.NewTask(string(jobs.CallbackLine), []byte("job_1 1")), asynq.Queue(string(jobs.RenderLine))); err != nil {
		t.Fatal(err)
	}
	r.ring(task(1))
	r.serve(queue.Server{Slots: 1, Handler: d.handle, Lines: jobs.Weights()})
	if got := receive(t, "our task, behind the other", d.begun); got != task(1) {
		t.Errorf("got %+v", got)
	}
	d.ends <- nil
	eventually(t, "nothing is held", func() bool { return r.size() == 0 })
}

func TestAQueueWithoutTasksIsNotAskedForOne(t *testing.T) {
	t.Parallel()
	r, d := newRig(t), newDesk()
	const tasks = 10
	for n := range tasks {
		r.ring(lineTask(jobs.BatchLine, n))
	}
	r.serve(queue.Server{Slots: 1, Handler: d.handle, Lines: jobs.Weights()})
	for range tasks {
		receive(t, "the next task", d.begun)
		d.ends <- nil
	}
	r.ring(lineTask(jobs.HighLine, tasks)) // those that were empty are looked at again
	receive(t, "a task of another line", d.begun)
	d.ends <- nil
	stats, err := r.rdb.InfoMap(t.Context(), "commandstats").Result()
	if err != nil {
		t.Fatal(err)
	}
	asked, _, _ := strings.Cut(stats["Commandstats"]["cmdstat_rpoplpush"], ",")
	if want := fmt.Sprintf("calls=%d", tasks+1); asked != want {
		t.Errorf("%s, want %s", asked, want)
	}
}
