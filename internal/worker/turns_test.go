package worker_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/queue"
	"github.com/platen-render/platen/internal/redistest"
	"github.com/platen-render/platen/internal/worker"
)

// held accepts a job of the class of batches that waits for its tenant's turn, unless fewer than most are handed out.
func (r *rig) held(tenant string, most int) jobs.Job {
	r.Helper()
	a := newJob(tenant, jobs.PartitionOf(tenant, r.store.Partitions()))
	a.Job.Spec, a.Job.Class, a.Most = r.spec("page"), jobs.ClassBatch, most
	return r.accept(a, false)
}

func TestALongRowIsHandedOutBitByBitAndOthersAreServedMeanwhile(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const row, most = 60, 4 // two for each of two slots
	var all []jobs.Job
	for range row {
		all = append(all, r.held("payroll", most))
	}
	single := r.held("shop", most)
	r.reconcile()
	r.work(0)
	jobstest.Eventually(t, "the single job is done", func() bool {
		n, err := r.queue.Backlog(t.Context(), jobs.BatchLine)
		if err != nil || n > most {
			t.Fatalf("the queue holds %d tasks, %v", n, err)
		}
		return r.job(single.ID).Status == jobs.Succeeded
	})
	if last := r.job(all[row-1].ID); last.Status != jobs.Queued {
		t.Errorf("the last job of the row is %s before the single one", last.Status)
	}
	for _, j := range all {
		if got := r.await(j.ID, jobs.Succeeded); got.Attempt != 1 {
			t.Errorf("%d attempts", got.Attempt)
		}
	}
}

func TestTenantsOfAllPartitionsAreServedFromOneQueue(t *testing.T) {
	t.Parallel()
	const row, most, parts = 30, 4, 8
	r := newRigOn(t, redistest.Start(t).Client(), parts)
	var all []jobs.Job
	lasts := map[int]jobs.Job{} // by partition
	for n := 0; len(lasts) < 3; n++ {
		tenant := fmt.Sprint("tenant-", n)
		if _, there := lasts[jobs.PartitionOf(tenant, parts)]; there {
			continue
		}
		for range row {
			all = append(all, r.held(tenant, 1))
		}
		lasts[jobs.PartitionOf(tenant, parts)] = all[len(all)-1]
	}
	r.reconcile()
	r.work(0)
	jobstest.Eventually(t, "all rows are done", func() bool {
		// One process hands out no more than there is room for; one of each partition was handed out at its acceptance.
		if n, err := r.queue.Backlog(t.Context(), jobs.BatchLine); err != nil || n > most+len(lasts) {
			t.Fatalf("the queue holds %d tasks, %v", n, err)
		}
		for _, j := range lasts {
			if r.job(j.ID).Status != jobs.Succeeded {
				return false
			}
		}
		return true
	})
	for _, j := range all {
		r.await(j.ID, jobs.Succeeded)
	}
}

func TestABellHandsOutBeforeTheNextLook(t *testing.T) {
	t.Parallel()
	one := int64(1)
	for name, limit := range map[string]*int64{"a claim makes way": nil, "an end makes way": &one} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rowOnTheBell(newRig(t), limit)
		})
	}
}

// rowOnTheBell works on a row of a tenant that may have so many renders at once, between two looks of the reconciler.
func rowOnTheBell(r *rig, limit *int64) {
	r.Helper()
	if _, err := r.store.EnsureTenant(r.Context(), "payroll", []byte("sealed")); err != nil {
		r.Fatal(err)
	}
	if err := r.store.SetLimits(r.Context(), "payroll", map[jobs.Limit]*int64{jobs.LimitRenders: limit}); err != nil {
		r.Fatal(err)
	}
	bell := worker.NewBell()
	rec := &worker.Reconciler{Store: r.store, Queue: r.queue, Rules: rules(), Lease: time.Minute, Tick: 10 * time.Second, Logger: r.logger, Bell: bell}
	const row = 40
	var last jobs.Job
	for range row {
		last = r.held("payroll", 2)
	}
	h := r.health()
	runner := r.runner(h)
	runner.Bell = bell
	server := &queue.Server{Redis: r.rdb, Lines: jobs.Weights(), Slots: 1, Handler: runner.Run, Logger: r.logger, Gate: h.Gate, Patience: time.Second}
	r.start(server.Run)
	r.start(rec.Run)
	began := time.Now()
	r.await(last.ID, jobs.Succeeded)
	if took := time.Since(began); took > 15*time.Second {
		r.Errorf("a row of %d took %v: it was handed out at each look only", row, took)
	}
}

func TestWhatTheQueueHoldsIsNotedBeforeItIsLookedFor(t *testing.T) {
	t.Parallel()
	const grace = 2 * time.Second
	for range 5 { // a busy machine may be late, but not each time
		if took := untilNoted(newRig(t)); took < grace {
			return
		}
	}
	t.Error("never noted before it was due")
}

// untilNoted is how long it takes until the store knows what of a row was handed out.
func untilNoted(r *rig) time.Duration {
	r.Helper()
	for range 5 {
		r.held("payroll", 1) // the first one is handed out at once, and not rung for
	}
	began := time.Now()
	r.reconcile()
	jobstest.Eventually(r, "what was handed out is noted", func() bool {
		n, err := r.store.Outstanding(r.Context(), 0, jobs.BatchLine)
		return err == nil && n > 1 // the relay has noted the first one
	})
	return time.Since(began)
}

func TestWhatAnOlderBuildHasQueuedIsDone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	// An older build puts each job into out and into the queue, and knows nothing of hands.
	j := r.submit("page", true)
	if n, err := r.rdb.Del(t.Context(), "pl:{p0}:handed:render", "pl:{p0}:hands:default").Result(); err != nil || n != 2 {
		t.Fatalf("%d sets, %v", n, err)
	}
	lost := r.submit("page", false) // and of this one it has not rung
	if n, err := r.rdb.Del(t.Context(), "pl:{p0}:handed:render", "pl:{p0}:hands:default").Result(); err != nil || n != 2 {
		t.Fatalf("%d sets, %v", n, err)
	}
	r.reconcile()
	r.work(0)
	for _, id := range []jobs.ID{j.ID, lost.ID} {
		if got := r.await(id, jobs.Succeeded); got.Attempt != 1 {
			t.Errorf("%d attempts", got.Attempt)
		}
	}
}
