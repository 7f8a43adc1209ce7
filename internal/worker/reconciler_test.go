package worker_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/worker"
)

// fullDisk has no room.
type fullDisk struct{ files }

func (fullDisk) Put(context.Context, string, io.Reader) error { return blobs.ErrFull }

func TestAJobThatNobodyRangForIsDone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work(0)
	r.reconcile()
	r.await(r.submit("page", false).ID, jobs.Succeeded)
}

func TestALostWorkersJobIsDoneByAnotherAndUsesUpNoRetry(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit("<!-- rendertest:fail_retryable=busy*2 -->", true)
	// A worker that claims and dies; its task stays active in asynq, whose own recovery takes a minute and more.
	dead, die := context.WithCancel(t.Context())
	r.abandon(dead, j)
	die()
	r.work(0)
	r.reconcile()
	if got := r.await(j.ID, jobs.Succeeded); got.Attempt != 4 {
		t.Errorf("%d attempts, want the lost one, two failures and the last", got.Attempt)
	}
}

// abandon claims a job and never beats.
func (r *rig) abandon(ctx context.Context, j jobs.Job) {
	r.Helper()
	c, err := r.store.Claim(ctx, j.ID, j.Generation, "dead-worker", lease)
	if err != nil || c.Answer != jobs.ClaimOK {
		r.Fatalf("claim: %+v, %v", c, err)
	}
}

func TestAJobWhoseWorkerDiesEachTimeFailsInTheEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit("page", true)
	r.reconcile()
	for range jobs.DefaultRules().Lost.Limit + 1 {
		jobstest.Eventually(t, "the job waits", func() bool { return r.job(j.ID).Status == jobs.Queued })
		c, err := r.store.Claim(t.Context(), j.ID, r.job(j.ID).Generation, "dead-worker", time.Millisecond)
		if err != nil || c.Answer != jobs.ClaimOK {
			t.Fatalf("claim: %+v, %v", c, err)
		}
	}
	if got := r.await(j.ID, jobs.Failed); got.Failure.Code != jobs.ErrWorkerLost.Code {
		t.Errorf("failed with %+v", got.Failure)
	}
}

func TestAJobThatHasLostSeveralWorkersIsRenderedAlone(t *testing.T) {
	t.Parallel()
	for lost, want := range map[int]int{1: 1, 2: 0} { // lost workers, and then lost engines
		r := newRig(t)
		j := r.submit("<!-- rendertest:alone -->", true)
		stop := r.reconcile()
		for range lost {
			jobstest.Eventually(t, "the job waits", func() bool { return r.job(j.ID).Status == jobs.Queued })
			if c, err := r.store.Claim(t.Context(), j.ID, r.job(j.ID).Generation, "dead-worker", time.Millisecond); err != nil || c.Answer != jobs.ClaimOK {
				t.Fatalf("claim: %+v, %v", c, err)
			}
		}
		jobstest.Eventually(t, "the job waits", func() bool { return r.job(j.ID).Status == jobs.Queued })
		stop()
		r.work(0)
		r.reconcile()
		if got := r.await(j.ID, jobs.Succeeded); got.Lost != lost || got.EngineLost != want {
			t.Errorf("%d workers and %d engines were lost, want %d and %d", got.Lost, got.EngineLost, lost, want)
		}
	}
}

func TestATaskThatWasDeletedBehindOurBackIsRungForAgain(t *testing.T) {
	t.Parallel()
	for name, wipe := range map[string]string{"one task": "asynq:{render}:t:*", "everything": "asynq:*"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			var all []jobs.Job
			for range 5 {
				all = append(all, r.submit("page", true))
			}
			keys, err := r.rdb.Keys(t.Context(), wipe).Result()
			if err != nil || len(keys) == 0 {
				t.Fatalf("keys %v, %v", keys, err)
			}
			if name == "one task" {
				keys = append(keys[:1], "asynq:{render}:pending")
			}
			if err := r.rdb.Del(t.Context(), keys...).Err(); err != nil {
				t.Fatal(err)
			}
			r.work(0)
			r.reconcile()
			for _, j := range all {
				if got := r.await(j.ID, jobs.Succeeded); got.Attempt != 1 {
					t.Errorf("%d attempts", got.Attempt)
				}
			}
		})
	}
}

func TestATaskThatAsynqHoldsForADeadWorkerIsDispatchedAnew(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit("page", true)
	// What a worker leaves that dies between taking the task and claiming the job.
	if err := r.rdb.LMove(t.Context(), "asynq:{render}:pending", "asynq:{render}:active", "RIGHT", "LEFT").Err(); err != nil {
		t.Fatal(err)
	}
	if err := r.rdb.HSet(t.Context(), "asynq:{render}:t:job:"+string(j.ID)+":1", "state", "active").Err(); err != nil {
		t.Fatal(err)
	}
	r.work(0)
	r.reconcile()
	if got := r.await(j.ID, jobs.Succeeded); got.Generation != 2 || got.Attempt != 1 {
		t.Errorf("generation %d, attempt %d", got.Generation, got.Attempt)
	}
}

func TestATaskThatAWorkerWithAWrongClockLeftForLaterIsDispatchedAnew(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit("page", true)
	// What a worker leaves whose clock is ten minutes ahead, which did not reach the store, and dies.
	task := "job:" + string(j.ID) + ":1"
	if err := r.rdb.LRem(t.Context(), "asynq:{render}:pending", 1, task).Err(); err != nil {
		t.Fatal(err)
	}
	later := redis.Z{Score: float64(time.Now().Add(10 * time.Minute).Unix()), Member: task}
	if err := r.rdb.ZAdd(t.Context(), "asynq:{render}:retry", later).Err(); err != nil {
		t.Fatal(err)
	}
	if err := r.rdb.HSet(t.Context(), "asynq:{render}:t:"+task, "state", "retry").Err(); err != nil {
		t.Fatal(err)
	}
	r.work(0)
	r.reconcile()
	if got := r.await(j.ID, jobs.Succeeded); got.Generation != 2 || got.Attempt != 1 {
		t.Errorf("generation %d, attempt %d", got.Generation, got.Attempt)
	}
}

func TestBlobsThatBelongToNothingAreRemoved(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work(0)
	won := r.await(r.submit("page", true).ID, jobs.Succeeded)
	running := r.submit("page", false)
	r.abandon(t.Context(), running)
	running = r.job(running.ID)

	unknownJob, unknownDocument := jobs.NewID(jobs.KindJob, 0), jobs.NewID(jobs.KindDocument, 0)
	loser := won
	loser.Attempt, loser.Owner = 7, "loser"
	stranger := jobs.Job{ID: unknownJob, Document: unknownDocument, Tenant: "default", Attempt: 1, Owner: "x"}
	forgotten := jobs.Job{ID: unknownJob, Document: won.Document, Tenant: "default", Attempt: 1, Owner: "x"}
	kept := map[string]bool{
		won.Result.Blob:                                 true, // the winner
		jobs.OutputBlob(running, "pdf"):                 true, // its job still runs
		jobs.OutputBlob(stranger, "pdf"):                true, // an unknown document: perhaps Redis is an older backup
		jobs.SpecBlob("default", running.ID):            true,
		"default/somebody-elses":                        true,
		jobs.OutputBlob(loser, "pdf"):                   false,
		jobs.OutputBlob(forgotten, "pdf"):               false,
		jobs.SpecBlob("default", unknownJob):            false,
		jobs.FileBlob("default", unknownJob, "0123abc"): false,
	}
	for name := range kept {
		if name == won.Result.Blob {
			continue
		}
		if err := r.blobs.Put(t.Context(), name, strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
	}
	walk := func(grace time.Duration) int {
		j := &worker.Janitor{Store: r.store, Blobs: r.blobs, Logger: r.logger, Grace: grace}
		n, err := j.WalkBlobs(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := walk(time.Hour); n != 1 {
		t.Errorf("%d removed at once, want the loser alone", n)
	}
	if n := walk(time.Nanosecond); n != 3 {
		t.Errorf("%d removed later, want 3", n)
	}
	for name, want := range kept {
		r, err := r.blobs.Open(t.Context(), name)
		if (err == nil) != want {
			t.Errorf("%s: kept %v, want %v", name, err == nil, want)
		}
		if err == nil {
			_ = r.Close()
		}
	}
}

func TestTheJanitorRemovesInputAndBytesWithTheirRecords(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work(0)
	j := r.await(r.submit("page", true).ID, jobs.Succeeded)
	input := jobs.SpecBlob("default", j.ID)
	if err := r.blobs.Put(t.Context(), input, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if err := r.rdb.ZAdd(t.Context(), "pl:{p0}:ret", zero(string(j.ID))).Err(); err != nil {
		t.Fatal(err)
	}
	if err := r.rdb.ZAdd(t.Context(), "pl:{p0}:exp", zero(string(j.Document))).Err(); err != nil {
		t.Fatal(err)
	}
	janitor := &worker.Janitor{Store: r.store, Blobs: r.blobs, Logger: r.logger, Every: 20 * time.Millisecond}
	r.start(janitor.Run)
	for _, name := range []string{input, j.Result.Blob} {
		jobstest.Eventually(t, name+" goes", func() bool {
			rd, err := r.blobs.Open(t.Context(), name)
			if err == nil {
				_ = rd.Close()
			}
			return err != nil
		})
	}
}

// A store that stands still for less than its clients wait is late, and nobody sees an error.
func TestAStoreThatAnswersLateCostsNoLivingAttempt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work(time.Millisecond)
	r.reconcile()
	j := r.submit("<!-- rendertest:sleep=1h -->", true)
	r.await(j.ID, jobs.Running)
	for range 5 {
		<-time.After(lease * 6 / 5) // time to win trust, and to beat
		r.server.Pause()
		<-time.After(lease * 17 / 20)
		r.server.Resume()
	}
	<-time.After(lease * 6 / 5)
	if got := r.job(j.ID); got.Attempt != 1 || got.Status != jobs.Running {
		t.Errorf("the job is %s after %d attempts", got.Status, got.Attempt)
	}
}

func TestTheReaperNeedsNothingOfTheQueue(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit("page", false)
	r.abandon(t.Context(), j)
	rec := &worker.Reconciler{
		Store: r.store, Queue: brokenQueue{r.queue}, Rules: rules(), Lease: lease, Tick: 30 * time.Millisecond, Logger: r.logger,
	}
	r.start(rec.Run)
	jobstest.Eventually(t, "the job is taken from the lost worker", func() bool { return r.job(j.ID).Status == jobs.Queued })
}

// brokenQueue cannot say how much it holds.
type brokenQueue struct{ jobs.Queue }

func (brokenQueue) Backlog(context.Context, jobs.Line) (int, error) {
	return 0, jobs.ErrStoreUnavailable
}

func TestALossIsNoticedWhileAsMuchIsAtWork(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for range 2 {
		r.submit("<!-- rendertest:sleep=1h -->", true)
	}
	r.work(time.Millisecond) // two slots, both taken
	jobstest.Eventually(t, "both are at work", func() bool {
		page, err := r.store.Jobs(t.Context(), jobs.JobFilter{Tenant: "default", Status: jobs.Running, Limit: 10})
		return err == nil && len(page.Items) == 2
	})
	lost := []jobs.Job{r.submit("page", true), r.submit("page", true)}
	for _, j := range lost {
		if err := r.rdb.LRem(t.Context(), "asynq:{render}:pending", 0, "job:"+string(j.ID)+":1").Err(); err != nil {
			t.Fatal(err)
		}
		if err := r.rdb.Del(t.Context(), "asynq:{render}:t:job:"+string(j.ID)+":1").Err(); err != nil {
			t.Fatal(err)
		}
	}
	r.reconcile()
	jobstest.Eventually(t, "both are rung for again", func() bool {
		n, err := r.rdb.LLen(t.Context(), "asynq:{render}:pending").Result()
		return err == nil && n == 2
	})
}

func TestABlobThatCannotBeReadEndsItsJobAndStopsNobody(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	h := r.health()
	runner := r.runner(h)
	runner.Rules.Unexplained.Limit, runner.Rules.Unexplained.Delays = 3, nil
	runner.Maker.Blobs = unreadable{r.blobs}
	j := r.submit("", false)
	if err := r.rdb.HDel(t.Context(), "pl:{p0}:job:"+string(j.ID), "spec").Err(); err != nil {
		t.Fatal(err)
	}
	if err := r.rdb.HSet(t.Context(), "pl:{p0}:job:"+string(j.ID), "spec_blob", "somewhere").Err(); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 4; n++ {
		if err := runner.Run(t.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: n}); err != nil {
			t.Fatal(err)
		}
		if h.Err() != nil {
			t.Fatal("the worker takes no more work")
		}
	}
	if got := r.job(j.ID); got.Status != jobs.Failed || got.Failure.Code != blobs.ErrUnavailable.Code {
		t.Errorf("job is %s: %+v", got.Status, got.Failure)
	}
}

// unreadable is a disk with a bad spot.
type unreadable struct{ files }

func (unreadable) Open(context.Context, string) (io.ReadSeekCloser, error) {
	return nil, blobs.ErrUnavailable
}
