package httpapi

import (
	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

func jobChange(c *jobs.Change) api.JobChange {
	return api.JobChange{
		JobID: string(c.Job), DocumentID: string(c.Document), BatchID: orNil(string(c.Batch)),
		Status: api.JobStatus(c.Status), Attempt: c.Attempt, Progress: c.Progress,
	}
}

func batchChange(c *jobs.Change) api.BatchChange {
	pending := c.Counts[jobs.ItemWaiting] + c.Counts[jobs.ItemQueued] + c.Counts[jobs.ItemRunning]
	items := 0
	for _, n := range c.Counts {
		items += n
	}
	return api.BatchChange{
		BatchID: string(c.Batch), Status: api.BatchStatus(c.Status), Sequence: c.Epoch, Items: items,
		Progress: (items - pending) * 100 / max(1, items), Counts: api.BatchCounts{
			Waiting: c.Counts[jobs.ItemWaiting], Queued: c.Counts[jobs.ItemQueued], Running: c.Counts[jobs.ItemRunning],
			Succeeded: c.Counts[jobs.ItemSucceeded], Reused: c.Counts[jobs.ItemReused],
			Failed: c.Counts[jobs.ItemFailed], Canceled: c.Counts[jobs.ItemCanceled],
		},
	}
}
