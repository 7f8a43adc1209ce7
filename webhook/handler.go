package webhook

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"
)

// Defaults of a [Handler].
const (
	defaultMaxBytes   = 64 << 10
	defaultRetryAfter = 5 * time.Second
)

// Handler receives callbacks over HTTP. It answers
//
//   - 204 when Handle returned nil: the event is done and does not come again;
//   - 400 when the body could not be read, or was signed but is not an event;
//   - 401 when headers, timestamp or signature are not right (the log says which, the sender is not told);
//   - 405 when the method is not POST;
//   - 413 when the body is larger than MaxBytes, before anything is computed;
//   - 503 with Retry-After when Handle returned an error, or when there is no usable secret to verify with.
//
// Set a ReadTimeout on the [http.Server]: the handler does not bound the time that a body takes to arrive.
// A Handler is safe for concurrent use as long as its fields are not changed.
type Handler struct {
	// Secrets are the ones accepted; during a rotation the old and the new one.
	Secrets []Secret
	// Handle is called for each verified message, several at once, and for one event possibly again after it has
	// returned nil. Its context ends when the sender hangs up, which it does after 15 seconds.
	Handle func(ctx context.Context, event Event) error
	// Tolerance is as in [Options].
	Tolerance time.Duration
	// MaxBytes limits the body; zero means 64 KiB.
	MaxBytes int64
	// RetryAfter is what a failed delivery is told to wait at least, rounded up to seconds; zero means 5 s.
	RetryAfter time.Duration
	// Logger gets one record for each message that was not answered 204; nil means none.
	Logger *slog.Logger
}

// ServeHTTP answers one callback.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "Callbacks are sent with POST.", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, cmp.Or(h.MaxBytes, defaultMaxBytes)))
	if err != nil {
		h.refuse(w, r, unreadable(err), err)
		return
	}
	event, err := Receive(h.Secrets, r.Header, body, Options{Tolerance: h.Tolerance})
	if err != nil {
		h.refuse(w, r, unacceptable(err), err)
		return
	}
	if err := h.Handle(r.Context(), event); err != nil {
		h.refuse(w, r, http.StatusServiceUnavailable, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func unreadable(err error) (status int) {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

func unacceptable(err error) (status int) {
	switch {
	case errors.Is(err, ErrEvent):
		return http.StatusBadRequest
	case errors.Is(err, ErrSecret):
		return http.StatusServiceUnavailable // our own mistake: the sender should keep the event
	default:
		return http.StatusUnauthorized
	}
}

// refusals are all that the sender is told: a forger must not learn how far he got.
var refusals = map[int]string{
	http.StatusBadRequest:            "The body is not an event.",
	http.StatusUnauthorized:          "The signature is not accepted.",
	http.StatusRequestEntityTooLarge: "The body is too large.",
	http.StatusServiceUnavailable:    "The event was not processed. Send it again later.",
}

func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, status int, cause error) {
	switch status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Standard-Webhooks") // RFC 9110, section 15.5.2, wants one
	case http.StatusServiceUnavailable:
		wait := cmp.Or(h.RetryAfter, defaultRetryAfter)
		w.Header().Set("Retry-After", strconv.FormatInt(max(1, int64((wait+time.Second-1)/time.Second)), 10))
	}
	if h.Logger != nil {
		h.Logger.WarnContext(r.Context(), "callback not accepted",
			slog.Int("status", status), slog.String("event_id", claimedID(r.Header)), slog.Any("error", cause))
	}
	http.Error(w, refusals[status], status)
}

// claimedID is the event id for the log, or "" when the header is not even shaped like one: it may be a stranger's.
func claimedID(header http.Header) string {
	id := header.Get(HeaderID)
	if checkID(id) != nil {
		return ""
	}
	return id
}
