package worker

// Bell tells a [Reconciler] that jobs may be handed out before its next look. It never blocks, and several rings may be heard as
// one. The nil Bell is never heard. Safe for concurrent use.
type Bell chan struct{}

// NewBell makes a bell.
func NewBell() Bell { return make(Bell, 1) }

// Ring rings.
func (b Bell) Ring() {
	select {
	case b <- struct{}{}:
	default:
	}
}
