package redisstore

import (
	"sync"

	"github.com/platen-render/platen/internal/jobs"
)

// tail is the end of a partition's stream: how far this process has read, and who follows.
type tail struct {
	stream string

	mu        sync.Mutex
	begun     bool
	at        jobs.Position // of the last entry that was read
	following map[jobs.Topic]map[*subscription]bool
}

// last is how far the stream was read, and whether reading has begun.
func (t *tail) last() (jobs.Position, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.at, t.begun
}

// begin notes where reading begins. Who followed before that reads for himself what came in between.
func (t *tail) begin(at jobs.Position) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.at, t.begun = at, true
	t.cutAll()
}

func (t *tail) cut() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cutAll()
}

// tell hands entries to those who follow. One who does not take them in time is cut: he reads the stream for himself, as fast as he
// likes, so that nothing is kept for him here.
func (t *tail) tell(entries []entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range entries {
		for _, topic := range entries[i].topics() {
			for s := range t.following[topic] {
				if !s.offer(&entries[i].change) {
					t.remove(s)
					close(s.live)
				}
			}
		}
	}
	t.at = entries[len(entries)-1].change.At
}

// join lets a subscription take part that has read as far as the tail, or reports that it has not.
func (t *tail) join(s *subscription) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !s.known && (!t.begun || s.at != t.at) || t.begun && s.at.Before(t.at) {
		return false
	}
	if t.following[s.topic] == nil {
		t.following[s.topic] = map[*subscription]bool{}
	}
	t.following[s.topic][s] = true
	s.from, s.live = s.at, make(chan *jobs.Change, liveChanges)
	return true
}

func (t *tail) leave(s *subscription) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remove(s)
}

// settled is how far a subscription has read, when it has taken all that it was handed.
func (t *tail) settled(s *subscription) jobs.Position {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.following[s.topic][s] && len(s.live) == 0 && s.at.Before(t.at) {
		return t.at
	}
	return s.at
}

func (t *tail) remove(s *subscription) {
	delete(t.following[s.topic], s)
	if len(t.following[s.topic]) == 0 {
		delete(t.following, s.topic)
	}
}

func (t *tail) cutAll() {
	for _, some := range t.following {
		for s := range some {
			t.remove(s)
			close(s.live)
		}
	}
}
