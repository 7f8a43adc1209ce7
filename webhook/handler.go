package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Defaults of a [Handler].
const (
	defaultMaxBytes   = 64 << 10
	defaultRetryAfter = 5 * time.Second
)

// Handler receives callbacks over HTTP, either into an [Inbox] or, for tools, tests and receivers that remember events by
// themselves, straight into a function. It answers
//
//   - 204 when the event is durably in the inbox and will be worked on, new or not: the sender needs no more, and a
//     receiver that is slow or has trouble of its own uses up none of the sender's attempts. Without an inbox, when
//     Handle returned nil;
//   - 200 when the event was completed before: nothing is done;
//   - 400 when the body could not be read, or was signed but is not an event;
//   - 401 when headers, timestamp or signature are not right (the log says which, the sender is not told);
//   - 405 when the method is not POST;
//   - 409 when the inbox has another body under this id, which it records;
//   - 413 when the body is larger than MaxBytes, before anything is computed;
//   - 503 with Retry-After when the inbox could not keep the event, when Handle returned an error, or when there is no
//     usable secret to verify with.
//
// Set a ReadTimeout on the [http.Server]: the handler does not bound the time that a body takes to arrive.
// A Handler is safe for concurrent use as long as its fields are not changed.
type Handler struct {
	// Secrets are the ones accepted; during a rotation the old and the new one.
	Secrets []Secret
	// Inbox gets each verified event before it is acknowledged, and calls its own Handle afterwards.
	Inbox *Inbox
	// Handle is for a Handler without an Inbox; with both, or with neither, every event is answered 503. It is called
	// for each verified message before the answer, several at once, and for one event possibly again after it has
	// returned nil. Its context ends when the sender hangs up, which it does after 15 seconds.
	Handle func(ctx context.Context, event Event) error
	// Tolerance is as in [Options].
	Tolerance time.Duration
	// MaxBytes limits the body; zero means 64 KiB.
	MaxBytes int64
	// RetryAfter is what a failed delivery is told to wait at least, rounded up to seconds; zero means 5 s.
	RetryAfter time.Duration
	// Logger gets one record for each message that was refused; nil means none.
	Logger *slog.Logger

	mu     sync.Mutex
	counts Counts
}

// ServeHTTP answers one callback.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "Callbacks are sent with POST.", http.StatusMethodNotAllowed)
		return
	}
	receipt, err := h.receive(w, r)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	if !receipt.Known {
		h.count(func(c *Counts) *int64 { return &c.Accepted })
		w.WriteHeader(http.StatusNoContent)
		return
	}
	h.count(func(c *Counts) *int64 { return &c.Repeated })
	if receipt.Status == Completed {
		w.WriteHeader(http.StatusOK)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// receive returns what is known of the message now that it is safe, or one of the causes in refusals.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request) (Receipt, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, cmp.Or(h.MaxBytes, defaultMaxBytes)))
	if err != nil {
		return Receipt{}, unreadable(err)
	}
	event, err := Receive(h.Secrets, r.Header, body, Options{Tolerance: h.Tolerance})
	if err != nil {
		return Receipt{}, err
	}
	if (h.Inbox == nil) == (h.Handle == nil) {
		return Receipt{}, errSetup
	}
	if h.Inbox == nil {
		if err := h.Handle(r.Context(), event); err != nil {
			return Receipt{}, fmt.Errorf("%w: %w", errUnhandled, err)
		}
		return Receipt{Status: Completed}, nil
	}
	receipt, err := h.Inbox.accept(r.Context(), event.ID, body)
	switch {
	case err != nil:
		return Receipt{}, fmt.Errorf("%w: %w", errStorage, err)
	case receipt.Conflict:
		return Receipt{}, errConflict
	}
	return receipt, nil
}

func unreadable(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return fmt.Errorf("%w: %w", errTooLarge, err)
	}
	return fmt.Errorf("%w: %w", errUnreadable, err)
}

func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, cause error) {
	known := refusalOf(cause)
	h.count(known.counter)
	switch known.status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Standard-Webhooks") // RFC 9110, section 15.5.2, wants one
	case http.StatusServiceUnavailable:
		wait := cmp.Or(h.RetryAfter, defaultRetryAfter)
		w.Header().Set("Retry-After", strconv.FormatInt(max(1, int64((wait+time.Second-1)/time.Second)), 10))
	}
	if h.Logger != nil {
		h.Logger.WarnContext(r.Context(), "callback not accepted",
			slog.Int("status", known.status), slog.String("event_id", claimedID(r.Header)), slog.Any("error", cause))
	}
	http.Error(w, messages[known.status], known.status)
}

// claimedID is the event id for the log, or "" when the header is not even shaped like one: it may be a stranger's.
func claimedID(header http.Header) string {
	id := header.Get(HeaderID)
	if checkID(id) != nil {
		return ""
	}
	return id
}
