package webhook

// NotYet is what the function of an [Inbox] returns when it cannot act on the event so far, most often because its own
// record of the document is not committed yet. It is called again after a wait, and nothing is reported as an error
// unless that goes on until the attempts are used up. The cause is for the log and may be nil.
func NotYet(cause error) error { return &verdict{what: "not yet", cause: cause} }

// Reject is what the function of an [Inbox] returns when no further attempt can help: the entry is failed at once and
// kept for a replay. The cause is for the log and may be nil.
func Reject(cause error) error { return &verdict{what: "rejected", final: true, cause: cause} }

// verdict is an error that says whether another attempt makes sense.
type verdict struct {
	what  string
	final bool
	cause error
}

func (v *verdict) Error() string {
	if v.cause == nil {
		return v.what
	}
	return v.what + ": " + v.cause.Error()
}

func (v *verdict) Unwrap() error { return v.cause }
