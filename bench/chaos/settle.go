package main

import (
	"context"
	"errors"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// settle waits until every job and every batch that a client was told of has ended and has reported it, or the time is up.
func (in *installation) settle(ctx context.Context) error {
	deadline := time.Now().Add(settleTimeout)
	for id := range in.told.jobs {
		for !in.settled(ctx, jobs.ID(id)) && time.Now().Before(deadline) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			pause(ctx, 50*time.Millisecond)
		}
	}
	for _, b := range in.told.batches {
		for !in.batchSettled(ctx, jobs.ID(b.id)) && time.Now().Before(deadline) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			pause(ctx, 50*time.Millisecond)
		}
	}
	in.report.Settled = time.Since(in.report.calm).Seconds()
	return nil
}

// settled is false while the store does not answer, too.
func (in *installation) settled(ctx context.Context, id jobs.ID) bool {
	j, err := in.store.Job(ctx, id)
	if errors.Is(err, jobs.ErrJobNotFound) {
		return true // lost: the judge will say so
	}
	if err != nil || !j.Status.Final() {
		return false
	}
	d, err := in.store.Delivery(ctx, j.Delivery)
	return err == nil && d.Status != jobs.DeliveryPending
}

// batchSettled is the same of a batch, and of all its jobs.
func (in *installation) batchSettled(ctx context.Context, id jobs.ID) bool {
	b, err := in.store.Batch(ctx, id)
	if errors.Is(err, jobs.ErrBatchNotFound) {
		return true // lost: the judge will say so
	}
	if err != nil || !b.Status.Final() {
		return false
	}
	if d, err := in.store.Delivery(ctx, b.Delivery); err != nil || d.Status == jobs.DeliveryPending {
		return false
	}
	for from := 0; from >= 0; {
		items, next, err := in.store.BatchItems(ctx, jobs.ItemFilter{Batch: id, From: from, Limit: 200})
		if err != nil {
			return false
		}
		for _, i := range items {
			if i.Job != "" && !in.settled(ctx, i.Job) {
				return false
			}
		}
		from = next
	}
	return true
}
