package jobs

import (
	"sync"
	"time"
)

// Away remembers which partitions did not answer lately: of many who ask, one at a time waits for an answer and the others are
// refused at once, and have their time for what lies elsewhere. The zero Away knows of none. Safe for concurrent use.
type Away struct {
	mu    sync.Mutex
	until map[int]time.Time // when the next one may ask
}

// awayFor is how long nobody asks a partition that did not answer.
const awayFor = time.Second

// Ask calls the store about something in a partition, unless that is away; then it returns [ErrStoreUnavailable].
// The call takes patience at most, and tells by its error whether the partition answers.
func (a *Away) Ask(partition int, patience time.Duration, call func() error) error {
	if !a.mayAsk(partition, patience) {
		return ErrStoreUnavailable
	}
	err := call()
	a.mu.Lock()
	defer a.mu.Unlock()
	if err == nil {
		delete(a.until, partition)
		return nil
	}
	if a.until == nil {
		a.until = map[int]time.Time{}
	}
	a.until[partition] = time.Now().Add(awayFor)
	return err
}

// mayAsk lets one through when the time has come.
func (a *Away) mayAsk(partition int, patience time.Duration) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	until, away := a.until[partition]
	if !away {
		return true
	}
	if time.Now().Before(until) {
		return false
	}
	a.until[partition] = time.Now().Add(patience)
	return true
}
