package callbacks

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

const (
	// maxWaits bounds a schedule, so that a typing error cannot make a delivery immortal.
	maxWaits = 100
	// maxHorizon bounds the sum of a schedule. Receivers remember event ids for 45 days and replays come up to 30 days
	// after a delivery died, so all attempts together, 100 times Retry-After included, must fit into 15.
	maxHorizon = 7 * 24 * time.Hour
	// jitter is the part by which a wait is changed at most, so that events that failed together do not return together.
	jitter = 0.2
)

// Schedule holds the waits between the attempts of a delivery: n waits are n+1 attempts. The nil Schedule is one
// attempt and no second one.
type Schedule []time.Duration

// DefaultSchedule is 1 s, 5 s, 25 s, 125 s and 625 s: six attempts within 13 minutes.
func DefaultSchedule() Schedule {
	return Schedule{time.Second, 5 * time.Second, 25 * time.Second, 125 * time.Second, 625 * time.Second}
}

// ParseSchedule reads the form of the configuration, Go durations separated by commas: "1s,5s,25s". The result is valid.
func ParseSchedule(text string) (Schedule, error) {
	var s Schedule
	for entry := range strings.SplitSeq(text, ",") {
		wait, err := time.ParseDuration(strings.TrimSpace(entry))
		if err != nil {
			return nil, fmt.Errorf("schedule: wait %d: %q is not a duration such as 5s or 2m", len(s)+1, entry)
		}
		s = append(s, wait)
	}
	return s, s.Validate()
}

// Validate reports the first thing that is wrong with s: no wait, more than 100 of them, one that is not positive,
// or a sum of more than seven days.
func (s Schedule) Validate() error {
	if len(s) == 0 {
		return errors.New("schedule: empty")
	}
	if len(s) > maxWaits {
		return fmt.Errorf("schedule: %d waits are more than %d", len(s), maxWaits)
	}
	var sum time.Duration
	for i, wait := range s {
		if wait <= 0 {
			return fmt.Errorf("schedule: wait %d: %s is not positive", i+1, wait)
		}
		if sum += min(wait, maxHorizon+1); sum > maxHorizon { // min: a sum of huge waits would overflow
			return fmt.Errorf("schedule: the waits add up to more than %s", maxHorizon)
		}
	}
	return nil
}

// String returns the form that [ParseSchedule] reads.
func (s Schedule) String() string {
	texts := make([]string, len(s))
	for i, wait := range s {
		texts[i] = wait.String()
	}
	return strings.Join(texts, ",")
}

// Attempts is how often a delivery is tried before it is dead.
func (s Schedule) Attempts() int { return len(s) + 1 }

// Horizon is how long all waits together take at most.
func (s Schedule) Horizon() time.Duration {
	var sum time.Duration
	for _, wait := range s {
		sum += wait
	}
	return time.Duration((1 + jitter) * float64(sum))
}

// Jittered returns how long to wait after the failed attempt number n, counted from 1, changed by up to a fifth in
// either direction. It is false when n was the last attempt. random returns numbers in [0,1), such as rand.Float64.
func (s Schedule) Jittered(n int, random func() float64) (time.Duration, bool) {
	if n < 1 || n > len(s) {
		return 0, false
	}
	factor := 1 - jitter + 2*jitter*random()
	return time.Duration(factor * float64(s[n-1])), true
}

// Next is Jittered, but never shorter than what the receiver asked for ([Attempt].RetryAfter).
func (s Schedule) Next(n int, retryAfter time.Duration, random func() float64) (time.Duration, bool) {
	wait, ok := s.Jittered(n, random)
	if !ok {
		return 0, false
	}
	return max(wait, min(retryAfter, MaxRetryAfter)), true
}
