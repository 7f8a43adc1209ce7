package redisd

import "time"

// WithSilence returns a copy of s that waits only so long for a server that says nothing.
func (s Supervisor) WithSilence(d time.Duration) *Supervisor {
	s.silence = d
	return &s
}
