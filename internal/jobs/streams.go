package jobs

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// Topic is what a stream is about: a job of a tenant, a batch of it, or with neither everything that it owns.
type Topic struct {
	Tenant     string
	Job, Batch ID
}

// Covers reports whether a stream of the topic has the change.
func (t Topic) Covers(c *Change) bool {
	return t.Tenant == c.Tenant && (t.Job == "" || t.Job == c.Job) && (t.Batch == "" || t.Batch == c.Batch)
}

// Change is something that happened to a job or, when Job is "", to a batch.
type Change struct {
	At                   Position
	Tenant               string
	Job, Document, Batch ID
	Status               string // a [Status] or a [BatchStatus]
	Attempt, Progress    int    // of a job
	Epoch                int    // of a batch
	Counts               map[ItemStatus]int
}

// ends reports whether nothing comes after the change in a stream of the topic.
func (c *Change) ends(t Topic) bool {
	switch {
	case t.Job != "":
		return Status(c.Status).Final()
	case t.Batch != "":
		return c.Job == "" && BatchStatus(c.Status).Final()
	}
	return false
}

// Feed is what has happened, in the order in which it did, and kept for a while.
type Feed interface {
	// Newest is the position of what has happened last to anything of a tenant. [ErrStoreUnavailable].
	Newest(ctx context.Context, tenant string) (Position, error)
	// Follow begins to tell what happened to a topic after a position. The caller closes it.
	Follow(topic Topic, after Position) Subscription
}

// Subscription tells what happens to a topic, without a gap and nothing twice. It is for one goroutine.
type Subscription interface {
	// Next waits for changes and returns those that are there, in their order. While the store does not answer it waits on. [ErrFeedGap]
	// when some are not kept any more, and what ctx ended with.
	Next(ctx context.Context) ([]*Change, error)
	// Kept is Next of what has happened already: it does not wait, and may return nothing. [ErrStoreUnavailable].
	Kept(ctx context.Context) ([]*Change, error)
	// Position is behind all that was returned, and as far on as nothing is known to have happened.
	Position() Position
	Close()
}

// ErrFeedGap says that the feed does not reach back to a position any more, or knows nothing of it.
var ErrFeedGap = errors.New("the feed does not reach back so far")

// ErrStreamOver says that a stream was read to its end before.
var ErrStreamOver = errors.New("the stream is over")

// Moment is one step of a [Stream]: a change, a snapshot, or with neither a break, after which a snapshot comes.
type Moment struct {
	At       Position // to go on from; zero with a break
	Change   *Change
	Snapshot *Snapshot
}

// Snapshot is how the subject of a stream stands.
type Snapshot struct {
	Job   *Job
	Batch *Batch
	// Tally counts a tenant's jobs by status.
	Tally map[Status]int
}

// Final reports whether nothing will happen to the subject any more.
func (s Snapshot) Final() bool {
	return s.Job != nil && s.Job.Status.Final() || s.Batch != nil && s.Batch.Status.Final()
}

// Stream is what happens to a topic: a snapshot first, unless it goes on from an earlier one. It is for one goroutine.
type Stream struct {
	service *Service
	topic   Topic
	sub     Subscription // nil before the first snapshot
	next    []Moment
	over    bool // behind next
}

// Stream begins a stream of what belongs to the tenant, from which the caller has read up to last, or nothing for "". The caller closes it.
// [ErrJobNotFound], [ErrBatchNotFound], and [ErrStreamOver] when the caller has read all that will ever be in it.
func (s *Service) Stream(ctx context.Context, t Topic, last string) (*Stream, error) {
	now, err := s.snapshot(ctx, t)
	if err != nil {
		return nil, err
	}
	st := &Stream{service: s, topic: t}
	if err := st.open(ctx, last, now); err != nil {
		st.Close()
		return nil, err
	}
	return st, nil
}

func (st *Stream) open(ctx context.Context, last string, now Snapshot) error {
	if last == "" {
		return st.begin(ctx)
	}
	at, ok := ParsePosition(last)
	if !ok {
		return st.begin(ctx, Moment{})
	}
	st.sub = st.service.Feed.Follow(st.topic, at)
	missed, err := st.sub.Kept(ctx)
	switch {
	case errors.Is(err, ErrFeedGap):
		return st.begin(ctx, Moment{})
	case err != nil:
		return err
	case now.Final():
		return st.finish(ctx, missed)
	}
	st.take(missed)
	return nil
}

// finish lines up all that was missed of what has ended: nothing else will come, whatever the last change says.
func (st *Stream) finish(ctx context.Context, missed []*Change) error {
	if len(missed) == 0 {
		return ErrStreamOver
	}
	for len(missed) > 0 && !st.over {
		st.take(missed)
		var err error
		if missed, err = st.sub.Kept(ctx); err != nil && !errors.Is(err, ErrFeedGap) {
			return err
		}
	}
	st.over = true
	return nil
}

// Next returns what comes next, and waits for it if need be: [io.EOF] behind the end, and what ctx ended with.
func (st *Stream) Next(ctx context.Context) ([]Moment, error) {
	if len(st.next) == 0 && !st.over {
		if err := st.wait(ctx); err != nil {
			return nil, err
		}
	}
	if len(st.next) == 0 {
		return nil, io.EOF
	}
	got := st.next
	st.next = nil
	return got, nil
}

// Position is where the caller can go on: behind all that Next has returned.
func (st *Stream) Position() Position {
	return st.sub.Position()
}

// Close ends the stream.
func (st *Stream) Close() {
	if st.sub != nil {
		st.sub.Close()
	}
}

func (st *Stream) wait(ctx context.Context) error {
	changes, err := st.sub.Next(ctx)
	if errors.Is(err, ErrFeedGap) {
		return st.restart(ctx)
	}
	st.take(changes)
	return err
}

// restart tells of a break and begins anew, as soon as the store answers.
func (st *Stream) restart(ctx context.Context) error {
	for {
		err := st.begin(ctx, Moment{})
		if err == nil || fault.From(err).Kind != fault.Unavailable {
			return err
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// take lines changes up, to the last one of the stream.
func (st *Stream) take(changes []*Change) {
	for _, c := range changes {
		st.next = append(st.next, Moment{At: c.At, Change: c})
		if c.ends(st.topic) {
			st.over = true
			return
		}
	}
}

// begin lines a snapshot up, and follows from a position noted before it was taken: so nothing is missed, and what happened in between
// may be told although the snapshot knows it.
func (st *Stream) begin(ctx context.Context, before ...Moment) error {
	at, err := st.service.Feed.Newest(ctx, st.topic.Tenant)
	if err != nil {
		return err
	}
	now, err := st.service.snapshot(ctx, st.topic)
	if err != nil {
		return err
	}
	st.Close()
	st.sub = st.service.Feed.Follow(st.topic, at)
	st.next = append(before, Moment{At: at, Snapshot: &now})
	st.over = now.Final()
	return nil
}

func (s *Service) snapshot(ctx context.Context, t Topic) (Snapshot, error) {
	switch {
	case t.Job != "":
		j, err := s.Job(ctx, t.Tenant, t.Job)
		return Snapshot{Job: &j}, err
	case t.Batch != "":
		b, err := s.Batch(ctx, t.Tenant, t.Batch)
		return Snapshot{Batch: &b}, err
	}
	tally, err := s.Store.Tally(ctx, t.Tenant)
	return Snapshot{Tally: tally}, err
}

// breath is how long a stream leaves a store alone that does not answer.
const breath = time.Second

func pause(ctx context.Context) error {
	timer := time.NewTimer(breath)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
