package worker

import "context"

// batchSteps bounds how far batches are carried on at one look: some thousand items.
const batchSteps = 25

// batches carries on what is under way with the batches of a partition: items become jobs, or end, in steps.
func (w *watch) batches(ctx context.Context) error {
	if w.Remaker != nil {
		for range batchSteps {
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
