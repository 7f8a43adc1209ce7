package redisstore_test

import (
	"context"

	"github.com/platen-render/platen/internal/jobs"
)

// uploaded is a batch of one item that is not sealed, which the replica may lack.
func (s scene) uploaded(change ...func(*jobs.BatchOrder)) jobs.ID {
	s.Helper()
	o := jobs.BatchOrder{
		ID: jobs.NewID(jobs.KindBatch, 0), Tenant: jobs.DefaultTenant, Request: "fp",
		Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0),
	}
	for _, c := range change {
		c(&o)
	}
	if _, err := s.hasty.BeginBatch(s.Context(), o); err != nil {
		s.Fatal(err)
	}
	j := newJob().Job
	j.Batch, j.Class = o.ID, jobs.ClassBatch
	if _, err := s.hasty.StageItems(s.Context(), o.ID, []jobs.StagedItem{{Job: j}}); err != nil {
		s.Fatal(err)
	}
	return o.ID
}

// sealed is one whose item has become a job.
func (s scene) sealed(change ...func(*jobs.BatchOrder)) (id, job jobs.ID) {
	s.Helper()
	id = s.uploaded(change...)
	if got, err := s.hasty.SealBatch(s.Context(), id, 1, "digest"); err != nil || got != jobs.SealDone {
		s.Fatalf("seal: %s, %v", got, err)
	}
	for more := true; more; {
		var err error
		if more, err = s.hasty.Promote(s.Context(), 0); err != nil {
			s.Fatal(err)
		}
	}
	items, _, err := s.hasty.BatchItems(s.Context(), jobs.ItemFilter{Batch: id, Limit: 1})
	if err != nil || len(items) != 1 || items[0].Job == "" {
		s.Fatalf("items: %+v, %v", items, err)
	}
	return id, items[0].Job
}

// failed is one whose item has failed.
func (s scene) failed(change ...func(*jobs.BatchOrder)) jobs.ID {
	s.Helper()
	id, job := s.sealed(change...)
	c, err := s.hasty.Claim(s.Context(), job, 1, "me", lease)
	if err != nil {
		s.Fatal(err)
	}
	if _, err := s.hasty.Fail(s.Context(), job, c.Job.Fence(), jobs.Failure{Code: "c"}, jobs.DefaultRules().Permanent); err != nil {
		s.Fatal(err)
	}
	return id
}

// failedWithCallback is one that reports, with its delivery.
func (s scene) failedWithCallback(sealed string) (id, delivery jobs.ID) {
	s.Helper()
	id = s.failed(func(o *jobs.BatchOrder) {
		o.Sealed, o.Host, o.Events, delivery = []byte(sealed), "receiver.example", []string{jobs.EventBatchCompleted}, o.Delivery
	})
	return id, delivery
}

// batchPromises are those about batches.
func (s scene) batchPromises() []promise {
	s.Helper()
	uploaded, ended := s.uploaded(), s.failed()
	sealed, _ := s.sealed()
	retry := jobs.BatchRetry{Batch: s.failed(), Key: "k", Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0)}
	return []promise{
		{"seal", func(ctx context.Context) error { _, err := s.waiting.SealBatch(ctx, uploaded, 1, "digest"); return err }, "batch_id", uploaded},
		{"cancel of a batch", func(ctx context.Context) error { return s.waiting.CancelBatch(ctx, sealed) }, "batch_id", sealed},
		{"retry of a batch", func(ctx context.Context) error { _, err := s.waiting.RetryBatch(ctx, retry); return err }, "batch_id", retry.Batch},
		{"batch that has ended", func(ctx context.Context) error { _, err := s.waiting.Batch(ctx, ended); return err }, "batch_id", ended},
		{"items that have ended", func(ctx context.Context) error {
			_, _, err := s.waiting.BatchItems(ctx, jobs.ItemFilter{Batch: ended, Limit: 9})
			return err
		}, "batch_id", ended},
	}
}
