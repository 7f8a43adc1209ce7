package webhook

import (
	"context"
	"errors"
	"time"
)

// Status is where an entry of an inbox stands:
//
//	accepted ⇄ processing → completed
//	    ↑           ↓
//	    └──────── failed
//
// An entry goes back to accepted when its function is to be called again, and from failed by a replay.
type Status string

// The statuses of an entry.
const (
	Accepted   Status = "accepted"   // kept, and waiting for a worker
	Processing Status = "processing" // a worker has a lease on it
	Completed  Status = "completed"  // the function returned nil; it is not called for this event again
	Failed     Status = "failed"     // nobody works on it before a replay
)

// What a [Store] says besides errors of its own.
var (
	// ErrLost says that an entry is no longer this claim's: its lease ran out and another worker took it over, or it is
	// finished. Whatever was asked for has changed nothing.
	ErrLost = errors.New("webhook: the claim was lost")
	// ErrNotFailed says that no failed entry has this id.
	ErrNotFailed = errors.New("webhook: no such failed entry")
)

// Store keeps the entries of an [Inbox]. Each method is atomic and safe for concurrent use, by several processes too
// when the entries are shared by them. Time is the store's own: callers pass durations, never instants. Package
// inboxtest has the suite that every Store must pass. [SQLStore] and [MemoryStore] are the two of this package.
type Store interface {
	// Accept keeps a message, durably, before it returns, and answers what is known of its id. A known id with
	// another fingerprint is a conflict: it is recorded and changes nothing else. A repeated message opens a failed
	// entry again, as Replay does: the sender repeats what was accepted only when somebody asks it to.
	Accept(ctx context.Context, m Message) (Receipt, error)
	// Claim takes the open entry that has been due for longest: one that was accepted, whose wait is over, or whose
	// lease ran out. It becomes processing under a new token and a lease. False means that none is due.
	Claim(ctx context.Context, lease time.Duration) (Claim, bool, error)
	// Extend makes the lease end after the given time from now, or is an [ErrLost].
	Extend(ctx context.Context, c Claim, lease time.Duration) error
	// Finish ends a claim, or is an [ErrLost]. To complete what this very claim has completed already is no error.
	Finish(ctx context.Context, c Claim, o Outcome) error
	// Replay accepts a failed entry again, under its id and with the attempts counted anew, or is an [ErrNotFailed].
	Replay(ctx context.Context, id string) error
	// Failures lists failed entries, the oldest failure first, up to the limit.
	Failures(ctx context.Context, limit int) ([]Failure, error)
	// Stats counts the entries.
	Stats(ctx context.Context) (Stats, error)
	// Sweep deletes entries that are finished, and were last sent, longer ago than the retention. It returns how many.
	Sweep(ctx context.Context, retention time.Duration) (int64, error)
}

// Message is a verified event as it arrived.
type Message struct {
	ID          string // webhook-id
	Fingerprint string // of the body: two messages of one id with different fingerprints are a conflict
	Body        []byte
}

// Receipt is what a store knows of a message after accepting it.
type Receipt struct {
	Status   Status // of the entry, now
	Known    bool   // the id was there before
	Conflict bool   // it was, with another fingerprint
}

// Claim is one worker's right to an entry, for as long as its lease lasts. The token is the fence: each claim of an entry
// has another one.
type Claim struct {
	ID      string
	Token   string
	Body    []byte
	Attempt int // 1 for the first
}

// Outcome is how a claim ends.
type Outcome struct {
	Status Status        // Completed, Failed, or Accepted for another attempt
	Wait   time.Duration // before that attempt
	Reason string        // why there was no success; empty for Completed
	Free   bool          // the attempt is not counted
}

// Failure is a failed entry.
type Failure struct {
	ID       string
	Reason   string
	Attempts int
	Accepted time.Time // when it first arrived
	Failed   time.Time
}

// Stats counts the entries of an inbox, over all processes that share it. Finished entries count until the retention
// deletes them, and so do their repeats and conflicts.
type Stats struct {
	Accepted, Processing, Completed, Failed Count
	// Repeats counts messages that were known already; Conflicts those with another body under a known id.
	Repeats, Conflicts int64
}

// Pending counts what is yet to be finished: the accepted and the processing entries.
func (s Stats) Pending() Count {
	return Count{Entries: s.Accepted.Entries + s.Processing.Entries, Oldest: max(s.Accepted.Oldest, s.Processing.Oldest)}
}

// Count is the entries of one status.
type Count struct {
	Entries int64
	// Oldest is how long ago the oldest of them arrived, or for finished ones was finished. Zero when there is none.
	Oldest time.Duration
}

// of returns the count of one status, to be set.
func (s *Stats) of(status Status) *Count {
	switch status {
	case Accepted:
		return &s.Accepted
	case Processing:
		return &s.Processing
	case Completed:
		return &s.Completed
	default:
		return &s.Failed
	}
}
