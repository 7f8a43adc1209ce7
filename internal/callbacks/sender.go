package callbacks

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/platen-render/platen/webhook"
)

const (
	// DefaultDeadline bounds one attempt, from the look-up of the host to the end of the answer's body.
	DefaultDeadline = 15 * time.Second
	// leaseMargin is what an attempt may need beyond its deadline, for recording it.
	leaseMargin      = 5 * time.Second
	defaultUserAgent = "Platen"
)

// Sender makes attempts. It is safe for concurrent use.
type Sender struct {
	// Client reaches the network and must be a guarded one (urlguard). Its transport is used; its time limit,
	// cookies and opinion on redirects are not. Required.
	Client *http.Client
	// Deadline bounds one attempt; zero means [DefaultDeadline].
	Deadline time.Duration
	// UserAgent names us to receivers; empty means "Platen".
	UserAgent string
}

// Lease is how long an attempt may be in somebody's hands before it must be taken for lost.
func (s *Sender) Lease() time.Duration { return s.deadline() + leaseMargin }

func (s *Sender) deadline() time.Duration { return cmp.Or(s.Deadline, DefaultDeadline) }

// Send makes exactly one attempt and returns within the deadline. It never sleeps, and always has an answer: a failure
// of the network is an outcome, not an error. When ctx ends first, the outcome is Retry with the code "interrupted"
// (or "timeout", if ctx had a deadline of its own).
func (s *Sender) Send(ctx context.Context, msg Message) Attempt {
	ctx, cancel := context.WithTimeout(ctx, s.deadline())
	defer cancel()
	began, started := time.Now(), msg.Clock.Now()
	a := s.attempt(ctx, msg, started)
	a.Started, a.Latency = started, time.Since(began)
	return a
}

func (s *Sender) attempt(ctx context.Context, msg Message, now time.Time) Attempt {
	var handshakeFailed atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, noteHandshake(&handshakeFailed))
	req, verdict, err := s.request(ctx, msg, now)
	if err != nil {
		return Attempt{Verdict: verdict, Err: err}
	}
	res, err := s.client().Do(req)
	if err != nil {
		err = withoutURL(err)
		if handshakeFailed.Load() {
			err = fmt.Errorf("%w: %w", errTLS, err)
		}
		return failed(ctx, Attempt{}, err)
	}
	defer res.Body.Close()

	a := Attempt{Verdict: JudgeStatus(res.StatusCode), Status: res.StatusCode}
	a.RetryAfter = RetryAfter(res.StatusCode, res.Header, msg.Clock.Now())
	a.Response, err = readResponse(res)
	if err != nil && a.Outcome == Delivered {
		return failed(ctx, a, err) // a broken answer may be a broken receiver
	}
	a.Err = err
	return a
}

// failed completes an attempt that got no answer, or only a part of one.
func failed(ctx context.Context, a Attempt, err error) Attempt {
	if ended := ctx.Err(); ended != nil && !errors.Is(err, ended) {
		err = fmt.Errorf("%w: %w", ended, err) // the error itself may be the cause that ctx was ended with
	}
	a.Verdict, a.Err = JudgeError(err), err
	return a
}

// withoutURL leaves out what the client adds to an error: the URL may hold a token.
func withoutURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

// client is the given one, deprived of everything that would make more than one plain request of a request.
func (s *Sender) client() *http.Client {
	client := *s.Client
	client.Jar = nil
	client.Timeout = 0 // the context bounds it
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

// request makes the signed request. On an error the verdict says what it means.
func (s *Sender) request(ctx context.Context, msg Message, now time.Time) (*http.Request, Verdict, error) {
	signed, err := webhook.Sign(msg.Secrets, msg.ID, now, msg.Body)
	if err != nil {
		return nil, Verdict{Retry, "signing_failed", "The event could not be signed."}, fmt.Errorf("sign: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, msg.URL, bytes.NewReader(msg.Body))
	if err != nil {
		return nil, Verdict{Dead, "url_invalid", "The URL is not valid."}, errors.New("parse url") // the cause quotes the URL
	}
	for name, value := range msg.Headers {
		req.Header.Set(name, value)
	}
	maps.Copy(req.Header, signed)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept-Encoding", "identity") // a transport that asks by itself also inflates by itself
	req.Header.Set("User-Agent", cmp.Or(s.UserAgent, defaultUserAgent))
	if isReplayable(req.Header) {
		req.GetBody = nil
	}
	return req, Verdict{}, nil
}

// isReplayable reports a header that net/http takes for leave to send a POST again after the first one reached the
// receiver. Without GetBody it cannot.
func isReplayable(header http.Header) bool {
	return header.Get("Idempotency-Key") != "" || header.Get("X-Idempotency-Key") != ""
}

func noteHandshake(failed *atomic.Bool) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
		if err != nil {
			failed.Store(true)
		}
	}}
}
