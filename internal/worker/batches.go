package worker

import (
	"context"
	"time"
)

// batchSteps bounds how far batches are carried on at one look: some thousand items.
const batchSteps = 25

// batches carries on what is under way with the batches of a partition: items become jobs, or end, in steps. Inputs that are copied, which
// may take long, leave half of the time to the rest.
func (w *watch) batches(ctx context.Context) error {
	if w.Remaker != nil {
		half := time.Now().Add(w.Lease / 6)
		for step := 0; step < batchSteps && time.Now().Before(half); step++ {
			more, err := w.Remaker.Remake(ctx, w.partition)
			if err != nil {
				w.complaints.note(ctx, err) // what was restaged goes on even so
			}
			if err != nil || !more {
				break
			}
		}
	}
	for range batchSteps {
		more, err := w.Store.Promote(ctx, w.partition)
		if err != nil || !more {
			return err
		}
	}
	return nil
}
