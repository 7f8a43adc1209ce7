package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Bounds of a secret: bytes behind "whsec_", characters of a plain text.
const (
	minKeyBytes  = 24
	maxKeyBytes  = 64
	newKeyBytes  = 32
	minTextChars = 16
	maxTextChars = 256
)

const (
	symmetricPrefix = "whsec_"
	version         = "v1"
)

// ErrSecret says that a secret is missing, too short, too long or malformed. It never quotes the secret.
var ErrSecret = errors.New("webhook: unusable secret")

// Secret is a key that signs and verifies. Make one with [ParseSecret] or [NewSecret]; the zero Secret signs
// and verifies nothing. It prints and logs as "[redacted]". A Secret is immutable and safe for concurrent use.
type Secret struct {
	// A closure, because fmt does not ask String about unexported fields of a struct, and for some verbs follows
	// even a pointer there. Nothing looks into a closure.
	key func() key
}

type key struct {
	text  string
	bytes []byte
}

func seal(text string, bytes []byte) Secret {
	return Secret{func() key { return key{text, bytes} }}
}

// ParseSecret reads a secret: "whsec_" and standard base64 of 24 to 64 bytes, or a plain text of 16 to 256 characters
// whose bytes are the key. A plain text has no control characters and no white space at its ends: a line feed
// left over from a file would be a different key. Every other text is an [ErrSecret].
func ParseSecret(text string) (Secret, error) {
	if encoded, ok := strings.CutPrefix(text, symmetricPrefix); ok {
		return parseEncoded(text, encoded)
	}
	if strings.HasPrefix(text, "whsk_") || strings.HasPrefix(text, "whpk_") {
		return Secret{}, fmt.Errorf("%w: ed25519 keys (whsk_, whpk_) are not supported", ErrSecret)
	}
	if n := utf8.RuneCountInString(text); n < minTextChars || n > maxTextChars {
		return Secret{}, fmt.Errorf("%w: a plain text has %d to %d characters, not %d", ErrSecret, minTextChars, maxTextChars, n)
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) || strings.TrimSpace(text) != text {
		return Secret{}, fmt.Errorf("%w: a plain text is UTF-8 without control characters and without white space at its ends", ErrSecret)
	}
	return seal(text, []byte(text)), nil
}

func parseEncoded(text, encoded string) (Secret, error) {
	// The decoder skips line breaks, which would give one key many spellings.
	if strings.ContainsAny(encoded, "\r\n") {
		return Secret{}, fmt.Errorf("%w: line break after whsec_", ErrSecret)
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil {
		// The decoder's error says where, which would be of no use, and the text itself must not be shown.
		return Secret{}, fmt.Errorf("%w: what follows whsec_ is not standard base64 with padding", ErrSecret)
	}
	if len(raw) < minKeyBytes || len(raw) > maxKeyBytes {
		return Secret{}, fmt.Errorf("%w: whsec_ holds %d to %d bytes, not %d", ErrSecret, minKeyBytes, maxKeyBytes, len(raw))
	}
	return seal(text, raw), nil
}

// NewSecret makes a secret of 32 random bytes, in its whsec_ form.
func NewSecret() Secret {
	raw := make([]byte, newKeyBytes)
	_, _ = rand.Read(raw) // never fails: it ends the process instead
	return seal(symmetricPrefix+base64.StdEncoding.EncodeToString(raw), raw)
}

// Reveal returns the text of the secret, as it was parsed or made, for storing it encrypted or showing it once.
// The zero Secret reveals "".
func (s Secret) Reveal() string {
	if s.key == nil {
		return ""
	}
	return s.key().text
}

// IsZero reports whether s is the zero Secret, which cannot sign.
func (s Secret) IsZero() bool { return s.key == nil }

// Equal reports in constant time whether both secrets are the same key, however it was written.
func (s Secret) Equal(other Secret) bool {
	if s.key == nil || other.key == nil {
		return s.IsZero() == other.IsZero()
	}
	return hmac.Equal(s.key().bytes, other.key().bytes)
}

// String returns "[redacted]", or "[unset]" for the zero Secret.
func (s Secret) String() string {
	if s.key == nil {
		return "[unset]"
	}
	return "[redacted]"
}

// GoString returns the same as String, for the verb %#v.
func (s Secret) GoString() string { return s.String() }

// LogValue returns the same as String, for slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Sign returns one entry of the webhook-signature header, "v1," and the base64 of the HMAC-SHA256 over the id, the Unix
// seconds of the timestamp and the body. It refuses an id outside of [A-Za-z0-9_-] and a timestamp before 1970
// ([ErrHeader]), and the zero Secret ([ErrSecret]).
func (s Secret) Sign(id string, timestamp time.Time, body []byte) (string, error) {
	if s.key == nil {
		return "", fmt.Errorf("%w: empty", ErrSecret)
	}
	if err := checkID(id); err != nil {
		return "", err
	}
	seconds := strconv.FormatInt(timestamp.Unix(), 10)
	if _, err := parseTimestamp(seconds); err != nil {
		return "", err
	}
	return s.sign(id, seconds, body), nil
}

func (s Secret) sign(id, seconds string, body []byte) string {
	mac := hmac.New(sha256.New, s.key().bytes)
	_, _ = io.WriteString(mac, id+"."+seconds+".") // a hash never fails to write
	_, _ = mac.Write(body)
	return version + "," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
