package callbacks

import (
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/platen-render/platen/webhook"
)

// Message is one event on its way to one URL.
type Message struct {
	URL string
	// ID is the event's: the same over retries and replays.
	ID string
	// Body is sent and signed byte for byte. It was frozen when the event was made.
	Body []byte
	// Secrets all sign, the current one first. Without one nothing is sent.
	Secrets []webhook.Secret
	// Headers are the tenant's own. They passed [ValidateHeaders]; ours win over them in any case.
	Headers map[string]string
	// Clock says when it is signed, and from when a date in an answer counts.
	Clock Clock
}

// LogValue shows the event and the host, for the path may hold a token and the headers a password.
func (m Message) LogValue() slog.Value {
	host := ""
	if u, err := url.Parse(m.URL); err == nil {
		host = u.Host
	}
	return slog.GroupValue(slog.String("event_id", m.ID), slog.String("host", host), slog.Int("headers", len(m.Headers)))
}

// Attempt is what became of one try.
type Attempt struct {
	Verdict
	Started time.Time // by the clock of the message
	Latency time.Duration
	// Status is the HTTP status, or 0 when there was no answer.
	Status int
	// Response is the beginning of the answer's body: valid UTF-8, at most 1 KiB.
	Response string
	// RetryAfter is what the receiver asked to wait at least, within an hour; 0 when it did not.
	RetryAfter time.Duration
	// Err is the exact cause, for the log only. It may name addresses.
	Err error
}

// Gone reports whether the receiver said that its URL is no more, so that later events need not try it.
func (a Attempt) Gone() bool { return a.Status == http.StatusGone }

// LogValue shows everything but the response.
func (a Attempt) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.String("outcome", a.Outcome.String()), slog.Int("status", a.Status), slog.Int64("latency_ms", a.Latency.Milliseconds()),
	}
	if a.Code != "" {
		attrs = append(attrs, slog.String("error_code", a.Code))
	}
	if a.Err != nil {
		attrs = append(attrs, slog.String("error", a.Err.Error()))
	}
	return slog.GroupValue(attrs...)
}
