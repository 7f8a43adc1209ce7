package jobs

import (
	"context"
	"sync"
	"sync/atomic"
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
	reading sync.Mutex // held by whoever estimates anew; nobody waits for it
	read    atomic.Pointer[time.Time]
	after   atomic.Int64
}

// RetryAfter estimates when a look at a job is worth it: the work that waits × the median render time ÷ the slots of all
// workers, between 1 and 30 s. A store that does not answer makes it the longest.
func (s *Service) RetryAfter(ctx context.Context) time.Duration {
	if read := s.pace.read.Load(); (read == nil || time.Since(*read) > paceFor) && s.pace.reading.TryLock() {
		defer s.pace.reading.Unlock()
		s.pace.after.Store(int64(s.estimate(ctx)))
		now := time.Now()
		s.pace.read.Store(&now)
	}
	return max(time.Duration(s.pace.after.Load()), minRetryAfter)
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
func (s *Service) Load(ctx context.Context) (Load, error) { return s.Store.Load(ctx, ClassNormal) }
