package client

import (
	"context"

	"github.com/platen-render/platen/api"
)

// WaitBatch waits until each item of a batch has ended, and returns the batch: Counts tell how many failed. Progress, when
// not nil, is told the batch as it is first seen and then at most once a second while it changes, the end included, always from this
// goroutine.
//
// WaitBatch ends early as [Client.Wait] does, and returns the batch as last seen then.
func (c *Client) WaitBatch(ctx context.Context, id string, progress func(api.Batch)) (api.Batch, error) {
	path, err := segment("/batches/", id, "")
	if err != nil {
		return api.Batch{}, err
	}
	poll := poll[api.Batch]{path: path}
	// A batch changes with each of its items, so the next change is there already.
	return poll.until(ctx, c, pollEvery, func(b api.Batch) bool { return BatchTerminal(b.Status) }, progress)
}
