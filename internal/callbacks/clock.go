package callbacks

import "time"

// Clock goes on from an instant that somebody else's clock showed, by the time that has passed here since. The zero Clock is
// that of this machine, which may be wrong. Safe for concurrent use.
type Clock struct{ shown, seen time.Time }

// ClockAt is a clock that shows an instant now.
func ClockAt(instant time.Time) Clock { return Clock{shown: instant, seen: time.Now()} }

// Now is the time. What has passed is measured on the monotonic clock, which nobody sets.
func (c Clock) Now() time.Time {
	if c.seen.IsZero() {
		return time.Now()
	}
	return c.shown.Add(time.Since(c.seen))
}
