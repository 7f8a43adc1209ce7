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
		Progress: 100 * (items - pending) / max(1, items), Counts: batchCounts(c.Counts),
	}
}

func batchCounts(counts map[jobs.ItemStatus]int) api.BatchCounts {
	return api.BatchCounts{
		Waiting: counts[jobs.ItemWaiting], Queued: counts[jobs.ItemQueued], Running: counts[jobs.ItemRunning],
		Succeeded: counts[jobs.ItemSucceeded], Reused: counts[jobs.ItemReused],
		Failed: counts[jobs.ItemFailed], Canceled: counts[jobs.ItemCanceled],
	}
}
