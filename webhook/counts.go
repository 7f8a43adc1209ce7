package webhook

// Counts says how a [Handler] has answered since the process started, each reason apart: a wrong secret, a wrong clock and
// a database that is down want different people.
type Counts struct {
	Accepted   int64 // 204: new, and durable; without an inbox, handled
	Repeated   int64 // 204 or 200: in the inbox already
	Conflict   int64 // 409: in the inbox with another body
	Unreadable int64 // 400 or 413: a body that broke off or is too large
	Malformed  int64 // 401: an ErrHeader
	Stale      int64 // 401: an ErrStale
	Signature  int64 // 401: an ErrSignature
	NotEvent   int64 // 400: signed, but an ErrEvent
	Storage    int64 // 503: the inbox could not keep it
	Unhandled  int64 // 503: without an inbox, Handle returned an error
	Setup      int64 // 503: an ErrSecret, or not exactly one of Inbox and Handle
}

// Counts returns the counts so far.
func (h *Handler) Counts() Counts {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.counts
}

func (h *Handler) count(counter func(*Counts) *int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	*counter(&h.counts)++
}
