package jobs

import (
	"context"
	"sync"
	"time"
)

// Bounds of what a poller is asked to wait.
const (
	minRetryAfter = time.Second
	maxRetryAfter = 30 * time.Second
)

// paceFor is how long an estimate is trusted; it costs a few reads.
const paceFor = time.Second

// pace is the last estimate.
type pace struct {
	mu    sync.Mutex
	read  time.Time
	after time.Duration
}

// RetryAfter estimates when a look at a job is worth it: the work that waits × the median render time ÷ the slots of all
// workers, between 1 and 30 s. A store that does not answer makes it the longest.
func (s *Service) RetryAfter(ctx context.Context) time.Duration {
	s.pace.mu.Lock()
	defer s.pace.mu.Unlock()
	if time.Since(s.pace.read) > paceFor {
		s.pace.after, s.pace.read = s.estimate(ctx), time.Now()
	}
	return s.pace.after
}

func (s *Service) estimate(ctx context.Context) time.Duration {
	load, err := s.Load(ctx)
	if err != nil {
		return maxRetryAfter
	}
	slots, err := s.Queue.Slots(ctx, RenderLine)
	if err != nil {
		return maxRetryAfter
	}
	wait := time.Duration(load.Waiting) * load.Median / time.Duration(max(1, slots))
	// Whole seconds, rounded up: the header has no others.
	return min(max((wait+time.Second-1).Truncate(time.Second), minRetryAfter), maxRetryAfter)
}

// Load tells how much work waits, of all tenants.
func (s *Service) Load(ctx context.Context) (Load, error) { return s.Store.Load(ctx, renderClass) }
