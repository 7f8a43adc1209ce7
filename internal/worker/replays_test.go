package worker_test

import (
	"context"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/queue"
)

// settleDelivery claims a delivery and ends it.
func (r *rig) settleDelivery(ctx context.Context, t jobs.Task, outcome string) error {
	c, err := r.store.ClaimDelivery(ctx, t.ID, t.Generation, "me", time.Minute)
	if err != nil || c.Answer != jobs.ClaimOK {
		return err
	}
	_, err = r.store.FinishDelivery(ctx, t.ID, c.Delivery.Fence(), jobs.DeliveryEnd{Outcome: outcome, Health: jobs.HealthUp})
	return err
}

func TestAReplayOfManyIsCarriedOnByWhateverReconcilerRuns(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var all []jobs.ID
	for range 30 {
		a := newJob("default", 0)
		a.Job.Callback, a.Job.Sealed = &jobs.CallbackState{Host: "receiver"}, []byte("sealed")
		j := r.accept(a, false)
		if _, err := r.store.Cancel(t.Context(), j.ID); err != nil {
			t.Fatal(err)
		}
		d, err := r.store.Delivery(t.Context(), j.Delivery)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.settleDelivery(t.Context(), jobs.Task{ID: d.ID, Generation: d.Generation}, jobs.OutcomeDead); err != nil {
			t.Fatal(err)
		}
		all = append(all, j.Delivery)
	}
	order := jobs.ReplayOrder{
		ID: jobs.NewID(jobs.KindReplay, 0), Rate: 20, Filter: jobs.DeliveryFilter{Tenant: "default", Status: jobs.DeliveryDead},
	}
	if err := r.store.StartReplay(t.Context(), order); err != nil {
		t.Fatal(err)
	}
	server := &queue.Server{Redis: r.rdb, Lines: map[jobs.Line]int{jobs.CallbackLine: 1}, Slots: 4, Logger: r.logger, Handler: func(ctx context.Context, t jobs.Task) error {
		return r.settleDelivery(ctx, t, jobs.OutcomeDelivered)
	}}
	r.start(server.Run)
	replayed := func() int {
		run, err := r.store.ReplayRun(t.Context(), order.ID)
		if err != nil {
			t.Fatal(err)
		}
		return run.Replayed
	}
	began := time.Now()
	stop := r.reconcile()
	jobstest.Eventually(t, "a part is replayed", func() bool { return replayed() > 0 })
	stop() // and others go on
	r.reconcile()
	r.reconcile()
	jobstest.Eventually(t, "all are delivered", func() bool {
		page, err := r.store.DeliveryPage(t.Context(), jobs.DeliveryFilter{Tenant: "default", Status: jobs.DeliveryDelivered}, "", 100)
		return err == nil && len(page.Items) == len(all)
	})
	if took := time.Since(began); took < time.Second {
		t.Errorf("30 at 20 a second took %v", took)
	}
	for _, id := range all {
		if d, err := r.store.Delivery(t.Context(), id); err != nil || len(d.Replays) != 1 {
			t.Errorf("%s was replayed %d times, %v", id, len(d.Replays), err)
		}
	}
}
