package webhook

import (
	"crypto/hmac"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// DefaultTolerance is how far the timestamp of a message may lie from now, in both directions.
const DefaultTolerance = 5 * time.Minute

// Why a message with well-formed headers is refused.
var (
	// ErrStale says that the timestamp is too old or too far in the future: a replayed message, or a wrong clock.
	ErrStale = errors.New("webhook: timestamp outside the tolerance")
	// ErrSignature says that no signature is one of ours.
	ErrSignature = errors.New("webhook: no matching signature")
)

// Options change how a message is verified. The zero Options are the ones to use.
type Options struct {
	// Tolerance is how far the timestamp may lie from now, in both directions; zero means [DefaultTolerance]. A
	// negative one refuses every message.
	Tolerance time.Duration
	// Now is the time to compare with; zero means the clock. Set it to verify a message that was kept.
	Now time.Time
}

func (o Options) stale(timestamp time.Time) bool {
	tolerance := o.Tolerance
	if tolerance == 0 {
		tolerance = DefaultTolerance
	}
	now := o.Now
	if now.IsZero() {
		now = time.Now()
	}
	return now.Sub(timestamp).Abs() > tolerance
}

// Verify reports nil when one of the secrets signed the body together with its webhook-id and webhook-timestamp.
// Limit the body before you read it, and parse it only afterwards. The error is one of:
//
//   - [ErrSecret]: there is no secret to verify with, which is the receiver's mistake;
//   - [ErrHeader]: a header is missing, repeated or malformed, or has too many signatures;
//   - [ErrStale]: the timestamp lies outside the tolerance;
//   - [ErrSignature]: nothing matches. Entries of unknown versions are skipped.
//
// Tell the sender none of this but "refused". Signatures are compared in constant time.
func Verify(secrets []Secret, header http.Header, body []byte, opts Options) error {
	_, err := verify(secrets, header, body, opts)
	return err
}

// Receive verifies like [Verify] and then parses the body. What is signed but not an event is an [ErrEvent].
func Receive(secrets []Secret, header http.Header, body []byte, opts Options) (Event, error) {
	id, err := verify(secrets, header, body, opts)
	if err != nil {
		return Event{}, err
	}
	return parseEvent(id, body)
}

func verify(secrets []Secret, header http.Header, body []byte, opts Options) (id string, err error) {
	if len(secrets) == 0 {
		return "", fmt.Errorf("%w: none given", ErrSecret)
	}
	msg, err := readMessage(header)
	if err != nil {
		return "", err
	}
	if opts.stale(msg.timestamp) {
		return "", ErrStale
	}
	for _, secret := range secrets {
		if secret.IsZero() {
			return "", fmt.Errorf("%w: empty", ErrSecret)
		}
		if msg.signedBy(secret, body) {
			return msg.id, nil
		}
	}
	return "", ErrSignature
}

// signedBy compares the encoded texts, so that a signature has one spelling only.
func (m message) signedBy(secret Secret, body []byte) bool {
	want := []byte(secret.sign(m.id, m.seconds, body))
	for _, entry := range m.signatures {
		if hmac.Equal([]byte(entry), want) {
			return true
		}
	}
	return false
}
