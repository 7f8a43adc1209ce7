package worker

// Bell tells a [Reconciler] that jobs may be handed out before its next look. It never blocks, and several rings may be heard as
// one. The zero Bell is never heard. Safe for concurrent use.
type Bell struct{ rung, ended chan struct{} }

// NewBell makes a bell.
func NewBell() Bell { return Bell{rung: make(chan struct{}, 1), ended: make(chan struct{}, 1)} }

// Ring rings because a job was taken, or may be ready again.
func (b Bell) Ring() { ring(b.rung) }

// Ended rings because a job has ended, which makes way for another one of a tenant that may have only so many at once.
func (b Bell) Ended() { ring(b.ended) }

func ring(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
