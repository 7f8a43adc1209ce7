package webhook

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of Standard Webhooks 1.0.0. HTTP does not mind their case.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp"
	HeaderSignature = "webhook-signature"
)

// MaxSignatures is how many entries the webhook-signature header may have; a message with more is refused unread.
const MaxSignatures = 32

// maxIDBytes bounds an id; ours have 30 bytes.
const maxIDBytes = 256

// maxTimestampDigits reaches the year 33658 and keeps time arithmetic far from overflow.
const maxTimestampDigits = 12

// ErrHeader says that one of the three headers is missing, repeated or malformed.
var ErrHeader = errors.New("webhook: bad header")

// Sign returns the three headers of one attempt to send body, signed with every secret in the order given: put
// the current one first and one that is being rotated out after it. Sign the very bytes that are sent. No secret or
// a zero one is an [ErrSecret]; a bad id or timestamp, or more than [MaxSignatures] secrets, an [ErrHeader].
func Sign(secrets []Secret, id string, timestamp time.Time, body []byte) (http.Header, error) {
	if len(secrets) == 0 {
		return nil, fmt.Errorf("%w: none given", ErrSecret)
	}
	if len(secrets) > MaxSignatures {
		return nil, fmt.Errorf("%w: more than %d signatures", ErrHeader, MaxSignatures)
	}
	entries := make([]string, len(secrets))
	for i, secret := range secrets {
		entry, err := secret.Sign(id, timestamp, body)
		if err != nil {
			return nil, err
		}
		entries[i] = entry
	}
	header := http.Header{}
	header.Set(HeaderID, id)
	header.Set(HeaderTimestamp, strconv.FormatInt(timestamp.Unix(), 10))
	header.Set(HeaderSignature, strings.Join(entries, " "))
	return header, nil
}

// message is what the headers say about a body, syntax checked.
type message struct {
	id         string
	seconds    string // exactly as received, for this is what was signed
	timestamp  time.Time
	signatures []string
}

func readMessage(header http.Header) (message, error) {
	id, err := single(header, HeaderID)
	if err != nil {
		return message{}, err
	}
	if err := checkID(id); err != nil {
		return message{}, err
	}
	seconds, err := single(header, HeaderTimestamp)
	if err != nil {
		return message{}, err
	}
	timestamp, err := parseTimestamp(seconds)
	if err != nil {
		return message{}, err
	}
	signatures, err := readSignatures(header)
	if err != nil {
		return message{}, err
	}
	return message{id, seconds, timestamp, signatures}, nil
}

// single returns the value of a header that must be there once: of two, a proxy and we could believe different ones.
func single(header http.Header, name string) (string, error) {
	values := header.Values(name)
	if len(values) != 1 {
		return "", fmt.Errorf("%w: %s is there %d times, not once", ErrHeader, name, len(values))
	}
	return values[0], nil
}

// readSignatures joins all lines of the header. A proxy that joins lines puts a comma between them (RFC 9110,
// section 5.3), which then stands at the end of an entry.
func readSignatures(header http.Header) ([]string, error) {
	var entries []string
	for _, line := range header.Values(HeaderSignature) {
		for entry := range strings.FieldsSeq(line) {
			if len(entries) == MaxSignatures {
				return nil, fmt.Errorf("%w: more than %d signatures", ErrHeader, MaxSignatures)
			}
			entries = append(entries, strings.TrimSuffix(entry, ","))
		}
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%w: no %s", ErrHeader, HeaderSignature)
	}
	return entries, nil
}

// checkID allows [A-Za-z0-9_-] only: a full stop would let the end of an id pass for the timestamp.
func checkID(id string) error {
	if id == "" || len(id) > maxIDBytes || strings.ContainsFunc(id, notInID) {
		return fmt.Errorf("%w: %s is not 1 to %d of A-Z, a-z, 0-9, _ and -", ErrHeader, HeaderID, maxIDBytes)
	}
	return nil
}

func notInID(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
		return false
	}
	return true
}

// parseTimestamp reads Unix seconds in their one spelling: digits, no sign, no leading zero, no fraction.
func parseTimestamp(text string) (time.Time, error) {
	seconds, err := strconv.ParseUint(text, 10, 63)
	if err != nil || len(text) > maxTimestampDigits || strconv.FormatUint(seconds, 10) != text {
		return time.Time{}, fmt.Errorf("%w: %s is not an integer of Unix seconds", ErrHeader, HeaderTimestamp)
	}
	return time.Unix(int64(seconds), 0), nil
}
