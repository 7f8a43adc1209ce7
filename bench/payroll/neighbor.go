package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

const (
	singles = 100 // before the run, and at most as many while it goes on
	letter  = "<h1>Letter</h1><p>Of somebody else, who has one page to send.</p>"
	// quantile is the share of waits that are no longer than what is reported.
	quantile = 0.95
)

var errSingle = errors.New("a single job of the other tenant did not succeed")

// neighbor is another tenant, who submits one job after the other and has nothing to do with the run.
type neighbor struct {
	client *client.Client
	jobs   map[string]bool // what has succeeded
}

// newNeighbor gives a tenant a key.
func newNeighbor(ctx context.Context, url string) (*neighbor, error) {
	admin := &client.Client{BaseURL: url, Key: adminKey}
	tenant := "neighbor"
	made, err := admin.CreateKey(ctx, api.KeyRequest{Tenant: &tenant})
	if err != nil {
		return nil, fmt.Errorf("key of the other tenant: %w", err)
	}
	return &neighbor{client: &client.Client{BaseURL: url, Key: made.Token}, jobs: map[string]bool{}}, nil
}

// waits is how long most of the jobs waited for a worker, in ms, by the clock of Redis. It submits until there are enough of them or over is
// closed.
func (n *neighbor) waits(ctx context.Context, over <-chan struct{}) (float64, error) {
	var waits []time.Duration
	for len(waits) < singles {
		select {
		case <-over:
			return most(waits), nil
		default:
		}
		page := letter
		got, err := n.client.Submit(ctx, client.Submission{Request: api.JobRequest{HTML: &page}})
		if err != nil {
			return 0, err
		}
		j, err := n.client.Wait(ctx, got.Job.ID, nil)
		if err != nil {
			return 0, err
		}
		if j.Status != api.JobSucceeded || j.StartedAt == nil {
			return 0, fmt.Errorf("%w: %s is %s", errSingle, j.ID, j.Status)
		}
		n.jobs[j.ID] = true
		waits = append(waits, j.StartedAt.Sub(j.CreatedAt))
	}
	return most(waits), nil
}

// most is the quantile, in ms.
func most(waits []time.Duration) float64 {
	if len(waits) == 0 {
		return 0
	}
	slices.Sort(waits)
	return float64(waits[int(quantile*float64(len(waits)-1))].Microseconds()) / 1000
}
