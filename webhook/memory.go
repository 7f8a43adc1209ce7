package webhook

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"sync"
	"time"
)

// MemoryStore is a [Store] for tests. Its entries end with the process, and so do events that were answered 204: in
// earnest use a [SQLStore]. The zero MemoryStore is empty and ready.
type MemoryStore struct {
	mu      sync.Mutex
	entries map[string]*memoryEntry
}

type memoryEntry struct {
	Message
	status             Status
	token              string
	attempts           int
	reason             string
	accepted, seen     time.Time
	due                time.Time // while it is open: the end of the wait or of the lease
	finished           time.Time // zero while it is open
	repeats, conflicts int64
}

// Accept implements [Store].
func (s *MemoryStore) Accept(_ context.Context, m Message) (Receipt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	e, known := s.entries[m.ID]
	if !known {
		m.Body = slices.Clone(m.Body)
		e = &memoryEntry{Message: m, status: Accepted, accepted: now, seen: now, due: now}
		if s.entries == nil {
			s.entries = map[string]*memoryEntry{}
		}
		s.entries[m.ID] = e
		return Receipt{Status: Accepted}, nil
	}
	e.seen = now
	if e.Fingerprint != m.Fingerprint {
		e.conflicts++
		return Receipt{Status: e.status, Known: true, Conflict: true}, nil
	}
	e.repeats++
	if e.status == Failed {
		e.reopen()
	}
	return Receipt{Status: e.status, Known: true}, nil
}

// Claim implements [Store].
func (s *MemoryStore) Claim(_ context.Context, lease time.Duration) (Claim, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	var next *memoryEntry
	for _, e := range s.entries {
		if e.finished.IsZero() && !e.due.After(now) && (next == nil || e.due.Before(next.due)) {
			next = e
		}
	}
	if next == nil {
		return Claim{}, false, nil
	}
	next.status, next.token, next.due = Processing, rand.Text(), now.Add(lease)
	next.attempts++
	return Claim{ID: next.ID, Token: next.token, Body: slices.Clone(next.Body), Attempt: next.attempts}, true, nil
}

// Extend implements [Store].
func (s *MemoryStore) Extend(_ context.Context, c Claim, lease time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[c.ID]
	if !e.heldBy(c) {
		return ErrLost
	}
	e.due = time.Now().Add(lease)
	return nil
}

// Finish implements [Store].
func (s *MemoryStore) Finish(_ context.Context, c Claim, o Outcome) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[c.ID]
	if !e.heldBy(c) {
		if e != nil && e.token == c.Token && e.status == Completed && o.Status == Completed {
			return nil
		}
		return ErrLost
	}
	e.status, e.reason = o.Status, o.Reason
	if o.Free {
		e.attempts--
	}
	if o.Status == Accepted {
		e.due = time.Now().Add(o.Wait)
		return nil
	}
	e.finished = time.Now()
	return nil
}

// Replay implements [Store].
func (s *MemoryStore) Replay(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[id]
	if e == nil || e.status != Failed {
		return ErrNotFailed
	}
	e.reopen()
	return nil
}

// Failures implements [Store].
func (s *MemoryStore) Failures(_ context.Context, limit int) ([]Failure, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var failures []Failure
	for _, e := range s.entries {
		if e.status == Failed {
			failures = append(failures, Failure{ID: e.ID, Reason: e.reason, Attempts: e.attempts, Accepted: e.accepted, Failed: e.finished})
		}
	}
	slices.SortFunc(failures, func(a, b Failure) int {
		return cmp.Or(a.Failed.Compare(b.Failed), cmp.Compare(a.ID, b.ID))
	})
	return failures[:min(limit, len(failures))], nil
}

// Stats implements [Store].
func (s *MemoryStore) Stats(context.Context) (Stats, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	var stats Stats
	for _, e := range s.entries {
		since := e.accepted
		if !e.finished.IsZero() {
			since = e.finished
		}
		c := stats.of(e.status)
		c.Entries++
		c.Oldest = max(c.Oldest, now.Sub(since))
		stats.Repeats += e.repeats
		stats.Conflicts += e.conflicts
	}
	return stats, nil
}

// Sweep implements [Store].
func (s *MemoryStore) Sweep(_ context.Context, retention time.Duration) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	oldest := time.Now().Add(-retention)
	var n int64
	for id, e := range s.entries {
		if !e.finished.IsZero() && e.finished.Before(oldest) && e.seen.Before(oldest) {
			delete(s.entries, id)
			n++
		}
	}
	return n, nil
}

// heldBy may be asked of no entry at all.
func (e *memoryEntry) heldBy(c Claim) bool {
	return e != nil && e.status == Processing && e.token == c.Token
}

func (e *memoryEntry) reopen() {
	e.status, e.attempts, e.due, e.finished = Accepted, 0, time.Now(), time.Time{}
}
