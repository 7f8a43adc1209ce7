package redisstore

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// feedBlock is how long one read waits; it bounds how long Run takes to end.
const feedBlock = time.Second

// Feed tells waiting requests that a job has changed, or that a preview was answered. It reads each partition's stream once, however many wait. It may
// miss a change while Redis is away: whoever waits looks again now and then.
type Feed struct {
	rdb        redis.UniversalClient // blocked most of the time, so a client of its own
	partitions int
	logger     *slog.Logger

	mu      sync.Mutex
	waiting map[jobs.ID]map[chan struct{}]bool
}

// NewFeed makes a feed on a client of its own, which the caller keeps and closes.
func NewFeed(rdb redis.UniversalClient, partitions int, logger *slog.Logger) *Feed {
	return &Feed{rdb: rdb, partitions: max(1, partitions), logger: logger, waiting: map[jobs.ID]map[chan struct{}]bool{}}
}

// Watch returns a channel that receives after each change of a job, and a function that ends it. Changes that come while
// one is not yet taken are one.
func (f *Feed) Watch(id jobs.ID) (changes <-chan struct{}, stop func()) {
	ch := make(chan struct{}, 1)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.waiting[id] == nil {
		f.waiting[id] = map[chan struct{}]bool{}
	}
	f.waiting[id][ch] = true
	return ch, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.waiting[id], ch)
		if len(f.waiting[id]) == 0 {
			delete(f.waiting, id)
		}
	}
}

// Run reads until ctx ends.
func (f *Feed) Run(ctx context.Context) error {
	var group sync.WaitGroup
	for p := range f.partitions {
		group.Go(func() { f.follow(ctx, key(p, "feed")) })
	}
	group.Wait()
	return nil
}

func (f *Feed) follow(ctx context.Context, stream string) {
	last := f.end(ctx, stream)
	for ctx.Err() == nil {
		answer, err := f.rdb.XRead(ctx, &redis.XReadArgs{Streams: []string{stream}, ID: last, Block: feedBlock, Count: 1000}).Result()
		if err != nil && !errors.Is(err, redis.Nil) && ctx.Err() == nil {
			f.logger.WarnContext(ctx, "feed is not readable", slog.String("error", err.Error()))
			wait(ctx, feedBlock)
		}
		for _, s := range answer {
			for _, m := range s.Messages {
				last = m.ID
				f.tell(subject(m.Values))
			}
		}
	}
}

// end is the id of the newest entry. Reading from "$" would lose what comes between two reads.
func (f *Feed) end(ctx context.Context, stream string) string {
	newest, err := f.rdb.XRevRangeN(ctx, stream, "+", "-", 1).Result()
	if err != nil || len(newest) == 0 {
		return "0-0"
	}
	return newest[0].ID
}

// subject is the job, or the preview, that an entry is about.
func subject(entry map[string]any) jobs.ID {
	for _, kind := range []string{"job", "preview"} {
		if id, ok := entry[kind].(string); ok {
			return jobs.ID(id)
		}
	}
	return ""
}

func (f *Feed) tell(id jobs.ID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for ch := range f.waiting[id] {
		select {
		case ch <- struct{}{}:
		default:
		}
	}
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
