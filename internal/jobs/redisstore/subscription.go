package redisstore

import (
	"context"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// liveChanges is how many changes are kept for a subscription that takes part before it must read for itself.
const liveChanges = 64

// subscription implements [jobs.Subscription]. It reads the stream page by page until it is as far as the tail, then takes part there.
type subscription struct {
	feed  *Feed
	tail  *tail
	topic jobs.Topic
	at    jobs.Position     // behind all that was returned
	known bool              // the stream has been as far as that
	from  jobs.Position     // what at was when it took part
	live  chan *jobs.Change // nil unless it takes part; closed by the tail when it is cut
}

// offer hands a change over, and reports whether there was room.
func (s *subscription) offer(c *jobs.Change) bool {
	if !s.from.Before(c.At) {
		return true // it had read further than the tail when it joined
	}
	select {
	case s.live <- c:
		return true
	default:
		return false
	}
}

// Next implements [jobs.Subscription].
func (s *subscription) Next(ctx context.Context) ([]*jobs.Change, error) {
	for {
		got, err := s.Kept(ctx)
		switch {
		case len(got) > 0:
			return got, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && fault.From(err).Kind == fault.Unavailable:
			wait(ctx, feedBlock)
			continue
		case err != nil:
			return nil, err
		}
		select {
		case c, ok := <-s.live:
			if !ok {
				s.live = nil
				continue
			}
			return s.taken(c), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// taken is a change with those that are there already.
func (s *subscription) taken(c *jobs.Change) []*jobs.Change {
	got := []*jobs.Change{c}
	for len(s.live) > 0 {
		got = append(got, <-s.live)
	}
	s.at = got[len(got)-1].At
	return got
}

// Kept implements [jobs.Subscription].
func (s *subscription) Kept(ctx context.Context) ([]*jobs.Change, error) {
	for s.live == nil && !s.tail.join(s) {
		got, err := s.page(ctx)
		if err != nil || len(got) > 0 {
			return got, err
		}
	}
	return nil, nil
}

// page reads entries behind the position, finds the changes of the topic among them, and moves on.
func (s *subscription) page(ctx context.Context) ([]*jobs.Change, error) {
	if err := s.feed.reading(ctx); err != nil {
		return nil, err
	}
	defer func() { <-s.feed.reads }()
	tail, _ := s.tail.last() // before the stream is read, which has at least as much
	entries, err := s.feed.after(ctx, s.tail.stream, s.at, feedPage, -1)
	if err != nil {
		return nil, err
	}
	if err := s.verify(ctx, entries); err != nil {
		return nil, err
	}
	var got []*jobs.Change
	for i := range entries {
		if c := &entries[i].change; s.topic.Covers(c) && c.Tenant != "" {
			got = append(got, c)
		}
	}
	if len(entries) > 0 {
		s.at = entries[len(entries)-1].change.At
	}
	if len(entries) < feedPage && s.at.Before(tail) {
		s.at = tail
	}
	return got, nil
}

// verify returns [jobs.ErrFeedGap] unless the entries are all that came behind the position. The oldest one is looked for after they
// were read: what is there now was there then.
func (s *subscription) verify(ctx context.Context, entries []entry) error {
	oldest, err := s.feed.after(ctx, s.tail.stream, jobs.Position{}, 1, -1)
	if err != nil {
		return err
	}
	if len(oldest) == 0 || s.at.Before(oldest[0].change.At) {
		return jobs.ErrFeedGap
	}
	if len(entries) == 0 {
		newest, err := s.feed.newest(ctx, s.tail.stream)
		if err != nil {
			return err
		}
		if newest.Before(s.at) {
			return jobs.ErrFeedGap // a position that never was, or that was lost
		}
	}
	s.known = true
	return nil
}

// Position implements [jobs.Subscription].
func (s *subscription) Position() jobs.Position {
	s.at = s.tail.settled(s)
	return s.at
}

// Close implements [jobs.Subscription].
func (s *subscription) Close() { s.tail.leave(s) }
