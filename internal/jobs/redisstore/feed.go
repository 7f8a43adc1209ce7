package redisstore

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

const (
	// feedBlock is how long one read waits; it bounds how long Run takes to end.
	feedBlock = time.Second
	// feedPage is how many entries one read takes.
	feedPage = 256
)

// FeedConnections is how many connections a [Feed] uses beside one for each partition: so many reads of what was missed go on at once.
const FeedConnections = 8

// Feed tells waiting requests that a job has changed, or that a preview was answered, and streams what has happened. It reads each
// partition's stream once, however many wait. Whoever only watches may miss a change while Redis is away, and looks again now and then;
// whoever follows misses nothing that the stream still has. Implements [jobs.Watcher] and [jobs.Feed]. Safe for concurrent use.
type Feed struct {
	rdb        redis.UniversalClient // blocked most of the time, so a client of its own
	partitions []*tail
	reads      chan struct{} // a place for each read of what was missed
	logger     *slog.Logger

	mu      sync.Mutex
	waiting map[jobs.ID]map[chan struct{}]bool
}

var (
	_ jobs.Watcher = (*Feed)(nil)
	_ jobs.Feed    = (*Feed)(nil)
)

// NewFeed makes a feed on a client of its own, which the caller keeps and closes; it has a connection for each partition, and
// [FeedConnections] more.
func NewFeed(rdb redis.UniversalClient, partitions int, logger *slog.Logger) *Feed {
	f := &Feed{rdb: rdb, logger: logger, reads: make(chan struct{}, FeedConnections), waiting: map[jobs.ID]map[chan struct{}]bool{}}
	for p := range max(1, partitions) {
		f.partitions = append(f.partitions, &tail{stream: key(p, "feed"), following: map[jobs.Topic]map[*subscription]bool{}})
	}
	return f
}

// Watch implements [jobs.Watcher]. Changes that come while one is not yet taken are one.
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

// Newest implements [jobs.Feed].
func (f *Feed) Newest(ctx context.Context, tenant string) (jobs.Position, error) {
	if err := f.reading(ctx); err != nil {
		return jobs.Position{}, err
	}
	defer func() { <-f.reads }()
	return f.newest(ctx, f.of(tenant).stream)
}

// Follow implements [jobs.Feed].
func (f *Feed) Follow(topic jobs.Topic, after jobs.Position) jobs.Subscription {
	return &subscription{feed: f, tail: f.of(topic.Tenant), topic: topic, at: after}
}

// of is the partition of a tenant.
func (f *Feed) of(tenant string) *tail {
	return f.partitions[jobs.PartitionOf(tenant, len(f.partitions))]
}

// Run reads until ctx ends.
func (f *Feed) Run(ctx context.Context) error {
	var group sync.WaitGroup
	for _, t := range f.partitions {
		group.Go(func() { f.read(ctx, t) })
	}
	group.Wait()
	return nil
}

func (f *Feed) read(ctx context.Context, t *tail) {
	for ctx.Err() == nil {
		if err := f.step(ctx, t); err != nil && ctx.Err() == nil {
			f.logger.WarnContext(ctx, "feed is not readable", slog.String("error", err.Error()))
			wait(ctx, feedBlock)
		}
	}
}

// step reads what comes next in a partition. At first it only notes where the stream ends: reading from "$" would lose what comes
// between two reads.
func (f *Feed) step(ctx context.Context, t *tail) error {
	last, begun := t.last()
	if !begun {
		newest, err := f.newest(ctx, t.stream)
		if err == nil {
			t.begin(newest)
		}
		return err
	}
	got, err := f.after(ctx, t.stream, last, feedPage, feedBlock)
	if err != nil || len(got) == 0 {
		return err
	}
	oldest, err := f.after(ctx, t.stream, jobs.Position{}, 1, -1)
	if err != nil {
		return err
	}
	if len(oldest) == 0 || last.Before(oldest[0].change.At) {
		t.cut() // this process was away for long; whoever follows sees for himself whether he has missed anything
	}
	t.tell(got)
	f.wake(got)
	return nil
}

// newest is the position of the last entry. A stream has one from then on: where it begins must be known, to tell it from one whose
// beginning is gone.
func (f *Feed) newest(ctx context.Context, stream string) (jobs.Position, error) {
	last, err := f.rdb.XRevRangeN(ctx, stream, "+", "-", 1).Result()
	if err != nil {
		return jobs.Position{}, unavailable(err)
	}
	if len(last) > 0 {
		return entryFrom(last[0]).change.At, nil
	}
	id, err := f.rdb.XAdd(ctx, &redis.XAddArgs{Stream: stream, Values: []string{"begin", ""}}).Result()
	at, _ := jobs.ParsePosition(id)
	return at, unavailable(err)
}

// after reads at most limit entries behind a position. It waits for one unless block is negative.
func (f *Feed) after(ctx context.Context, stream string, at jobs.Position, limit int64, block time.Duration) ([]entry, error) {
	args := &redis.XReadArgs{Streams: []string{stream}, ID: at.String(), Count: limit, Block: block}
	answer, err := f.rdb.XRead(ctx, args).Result()
	if err != nil || len(answer) == 0 {
		return nil, unavailable(err) // nothing came: redis.Nil is no error
	}
	entries := make([]entry, len(answer[0].Messages))
	for i, m := range answer[0].Messages {
		entries[i] = entryFrom(m)
	}
	return entries, nil
}

// reading waits for a place among the reads of what was missed.
func (f *Feed) reading(ctx context.Context) error {
	select {
	case f.reads <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wake tells those who watch.
func (f *Feed) wake(entries []entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range entries {
		for ch := range f.waiting[e.subject()] {
			select {
			case ch <- struct{}{}:
			default:
			}
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
