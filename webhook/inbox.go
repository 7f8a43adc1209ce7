package webhook

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// Defaults of an [Inbox].
const (
	// DefaultLease is how long a worker that was killed holds its entry.
	DefaultLease = 30 * time.Second
	// DefaultRetention is longer than the sender's retries and its 30 days for replays together, so that an event is
	// recognized for as long as it can come again.
	DefaultRetention = 45 * 24 * time.Hour

	defaultWorkers = 4
	defaultPoll    = time.Second
	sweepEvery     = time.Hour
)

// DefaultWaits returns the waits between the attempts of an [Inbox]: 16 attempts within 28 hours.
func DefaultWaits() []time.Duration {
	return []time.Duration{
		time.Second, 2 * time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second,
		time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute,
		time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 12 * time.Hour,
	}
}

// errInbox is a mistake in the program.
var errInbox = errors.New("webhook: an Inbox needs a Store and a Handle")

// Inbox keeps events durably before they are acknowledged, and works on them afterwards. A [Handler] puts events into it;
// [Inbox.Work] takes them out. Any number of processes may share the entries of one store, and each of them may run both,
// or only one. An Inbox is safe for concurrent use as long as its fields are not changed.
type Inbox struct {
	// Store has the entries.
	Store Store
	// Handle is called for each event until it returns nil, by one worker at a time. Its context ends when Work is told
	// to end, or when the lease is lost: then another worker may be at the same event. A panic counts as an error.
	//
	// nil completes the entry. [NotYet] and any other error have it called again after a wait, until the attempts are
	// used up and the entry is failed; [Reject] fails it at once.
	//
	// What Handle does may be done again when the process dies before the entry is completed: let it be harmless, or do
	// it in [SQLStore.Once].
	Handle func(ctx context.Context, event Event) error
	// Workers is how many events Work handles at a time; zero means 4.
	Workers int
	// Lease is how long an entry belongs to a worker that gives no sign of life. While Handle runs the lease is extended
	// three times within its length. Zero means [DefaultLease].
	Lease time.Duration
	// Poll is how often Work looks for entries that another process accepted, and those whose wait is over. Those that
	// this process accepts are worked on at once. Zero means 1 s.
	Poll time.Duration
	// Waits are those between one attempt and the next, so there is one attempt more. Nil means [DefaultWaits]. They
	// are not jittered: Workers bounds how many entries that are due at one moment are handled together.
	Waits []time.Duration
	// Retention is how long finished entries are kept, the failed ones too, counted from when they were finished or
	// last sent. It must be longer than the sender may send an event again. Zero means [DefaultRetention].
	Retention time.Duration
	// Logger gets a record for each attempt; nil means none.
	Logger *slog.Logger

	wakeOnce sync.Once
	wake     chan struct{}

	mu     sync.Mutex
	counts InboxCounts
}

// InboxCounts counts what the workers of one process have met since it started. What is in the store is in [Stats].
type InboxCounts struct {
	Completed int64 // attempts that returned nil and completed their entry
	NotYet    int64 // attempts that returned NotYet
	Errors    int64 // attempts that returned another error, or panicked
	Lost      int64 // attempts whose entry was taken over or finished meanwhile
	Storage   int64 // operations of the store that failed
}

// Counts returns the counts so far.
func (i *Inbox) Counts() InboxCounts {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.counts
}

func (i *Inbox) count(field func(*InboxCounts) *int64) {
	i.mu.Lock()
	defer i.mu.Unlock()
	*field(&i.counts)++
}

// Work handles events until ctx ends, and returns nil when the functions that it called have returned. It survives
// failures of the store. An entry whose function was interrupted by the end of ctx is left to the next worker at once.
func (i *Inbox) Work(ctx context.Context) error {
	if i.Store == nil || i.Handle == nil {
		return errInbox
	}
	var group sync.WaitGroup
	group.Go(func() { i.sweep(ctx) })
	slots := make(chan struct{}, cmp.Or(i.Workers, defaultWorkers))
	for ctx.Err() == nil {
		slots <- struct{}{}
		claimed := time.Now() // before the store begins to count the lease
		claim, found := i.claim(ctx)
		if !found {
			<-slots
			i.rest(ctx)
			continue
		}
		group.Go(func() {
			defer func() { <-slots }()
			i.attempt(ctx, claim, claimed)
		})
	}
	group.Wait()
	return nil
}

// claim asks the store. The end of Work does not interrupt it: the store might have claimed an entry all the same, which
// would then wait for a lease that nobody knows of.
func (i *Inbox) claim(ctx context.Context) (Claim, bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), i.lease())
	defer cancel()
	claim, found, err := i.Store.Claim(ctx, i.lease())
	if err != nil {
		i.storageFailed(ctx, "claim", err)
	}
	return claim, found && err == nil
}

// rest waits for the next look at the store.
func (i *Inbox) rest(ctx context.Context) {
	timer := time.NewTimer(cmp.Or(i.Poll, defaultPoll))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-i.woken():
	}
}

func (i *Inbox) sweep(ctx context.Context) {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		n, err := i.Store.Sweep(ctx, cmp.Or(i.Retention, DefaultRetention))
		switch {
		case err != nil && ctx.Err() == nil:
			i.storageFailed(ctx, "sweep", err)
		case n > 0:
			i.log().InfoContext(ctx, "inbox entries past their retention deleted", slog.Int64("entries", n))
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// accept is what a Handler does with a verified message.
func (i *Inbox) accept(ctx context.Context, id string, body []byte) (Receipt, error) {
	if i.Store == nil {
		return Receipt{}, errInbox
	}
	sum := sha256.Sum256(body)
	receipt, err := i.Store.Accept(ctx, Message{ID: id, Fingerprint: hex.EncodeToString(sum[:]), Body: body})
	if err == nil {
		i.rouse()
	}
	return receipt, err
}

// Stats counts the entries of the store by status, with the age of the oldest of each.
func (i *Inbox) Stats(ctx context.Context) (Stats, error) { return i.Store.Stats(ctx) }

// Failures lists failed entries, the oldest failure first, up to the limit.
func (i *Inbox) Failures(ctx context.Context, limit int) ([]Failure, error) {
	return i.Store.Failures(ctx, limit)
}

// Replay has a failed entry handled again, under its own id, with all its attempts before it. It is an [ErrNotFailed] for
// any other id, so that nothing that was done is done again.
func (i *Inbox) Replay(ctx context.Context, id string) error {
	err := i.Store.Replay(ctx, id)
	if err == nil {
		i.rouse()
	}
	return err
}

// rouse ends one rest of Work, or the next one.
func (i *Inbox) rouse() {
	select {
	case i.woken() <- struct{}{}:
	default: // it will look anyway
	}
}

func (i *Inbox) woken() chan struct{} {
	i.wakeOnce.Do(func() { i.wake = make(chan struct{}, 1) })
	return i.wake
}

func (i *Inbox) lease() time.Duration { return cmp.Or(i.Lease, DefaultLease) }

func (i *Inbox) waits() []time.Duration {
	if i.Waits == nil {
		return DefaultWaits()
	}
	return i.Waits
}

func (i *Inbox) log() *slog.Logger {
	if i.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return i.Logger
}

func (i *Inbox) storageFailed(ctx context.Context, operation string, err error) {
	i.count(func(c *InboxCounts) *int64 { return &c.Storage })
	i.log().ErrorContext(ctx, "inbox storage failed", slog.String("operation", operation), slog.Any("error", err))
}
