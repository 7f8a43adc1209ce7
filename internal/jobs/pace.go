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

// estimateFor is how long an estimate is trusted; it costs a few reads.
const estimateFor = time.Second

// estimate is a number that is read anew now and then, by one caller at a time; nobody waits for it.
type estimate struct {
	reading sync.Mutex
	read    atomic.Pointer[time.Time]
	value   atomic.Int64
}

// get returns the last reading, or a new one. Before the first one has ended it is 0.
func (e *estimate) get(read func() int64) int64 {
	if at := e.read.Load(); (at == nil || time.Since(*at) > estimateFor) && e.reading.TryLock() {
		defer e.reading.Unlock()
		e.value.Store(read())
		now := time.Now()
		e.read.Store(&now)
	}
	return e.value.Load()
}

// Slots knows how many jobs all workers can do at once. The zero value knows nothing yet. Safe for concurrent use.
type Slots struct{ estimate }

// handedPerSlot is how many jobs of a line the queue holds for each slot: one is claimed while the next one is on its way.
const handedPerSlot = 2

// Most is how many jobs of a line may be handed out and not claimed: two for each slot, and at least two, so that a worker that
// begins finds some. A queue that does not answer, or has not heard of any worker lately, changes nothing.
func (s *Slots) Most(ctx context.Context, q Queue) int {
	return handedPerSlot * int(max(1, s.get(func() int64 {
		n, err := q.Slots(ctx, RenderLine)
		if err != nil || n == 0 {
			return s.value.Load()
		}
		return int64(n)
	})))
}

// paces are the last estimates of when a look at a job is worth it, by the class of the job.
type paces struct{ high, normal, low, batch estimate }

func (p *paces) of(class Class) *estimate {
	switch class {
	case ClassHigh:
		return &p.high
	case ClassLow:
		return &p.low
	case ClassBatch:
		return &p.batch
	case ClassNormal:
	}
	return &p.normal
}

// RetryAfter estimates when a look at a job of a class is worth it: the work of the class that waits and all that runs × the median
// render time ÷ the slots of all workers, between 1 and 30 s. A store that does not answer makes it the longest.
func (s *Service) RetryAfter(ctx context.Context, class Class) time.Duration {
	after := s.paces.of(class).get(func() int64 { return int64(s.estimate(ctx, class)) })
	return max(time.Duration(after), minRetryAfter)
}

func (s *Service) estimate(ctx context.Context, class Class) time.Duration {
	load, err := s.Load(ctx, class)
	if err != nil {
		return maxRetryAfter
	}
	slots, err := s.Queue.Slots(ctx, class.Line())
	if err != nil {
		return maxRetryAfter
	}
	wait := time.Duration(load.Waiting+load.Running) * load.Median / time.Duration(max(1, slots))
	// Whole seconds, rounded up: the header has no others.
	return min(max((wait+time.Second-1).Truncate(time.Second), minRetryAfter), maxRetryAfter)
}

// Load tells how much work of a class waits, of all tenants.
func (s *Service) Load(ctx context.Context, class Class) (Load, error) {
	return s.Store.Load(ctx, class)
}
