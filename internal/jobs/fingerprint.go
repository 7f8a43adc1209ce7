package jobs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/strictjson"
)

// Fingerprint tells two payloads apart: the hex SHA-256 of a canonical form.
type Fingerprint string

// fingerprinted are the members of a request that decide which document is made. What only says how to report,
// how soon, or how long to keep is not among them. A member that was not given is absent from the canonical form,
// so a later version that knows more members computes the same fingerprint for an old payload.
var fingerprinted = []string{
	"data", "document_key", "engine", "expect", "html", "markdown", "output", "strict", "template", "url", "wait_for",
}

// FingerprintRequest computes the fingerprint of a request from its members as they were sent and the files that
// came with it: member order and string escapes as RFC 8785, number tokens verbatim. testdata/fingerprints.json
// holds vectors that must never change.
func FingerprintRequest(members map[string]json.RawMessage, files []File) (Fingerprint, error) {
	payload := map[string]json.RawMessage{}
	for _, name := range fingerprinted {
		if raw, ok := members[name]; ok {
			payload[name] = raw
		}
	}
	if len(files) > 0 {
		payload["files"] = canonicalFiles(files)
	}
	canonical, err := strictjson.Canonical(strictjson.Object(payload))
	if err != nil {
		return "", err
	}
	return digest(canonical), nil
}

// FingerprintBatch computes the fingerprint of a batch without its items from the members of the request as they were sent.
func FingerprintBatch(members map[string]json.RawMessage) (Fingerprint, error) {
	payload := map[string]json.RawMessage{}
	for _, name := range []string{"defaults", "expect_keys"} {
		if raw, ok := members[name]; ok {
			payload[name] = raw
		}
	}
	canonical, err := strictjson.Canonical(strictjson.Object(payload))
	if err != nil {
		return "", err
	}
	return digest(append([]byte("batch"), canonical...)), nil
}

// FingerprintRetry is the fingerprint of asking for a retry of a job.
func FingerprintRetry(job ID) Fingerprint { return digest([]byte("retry" + string(job))) }

// canonicalFiles is an object of name → SHA-256, so the order in which files were sent does not count.
func canonicalFiles(files []File) json.RawMessage {
	sums := map[string]string{}
	for _, f := range files {
		sums[f.Name] = f.SHA256
	}
	raw, _ := json.Marshal(sums) // a map of strings always encodes
	return raw
}

func digest(b []byte) Fingerprint { return Fingerprint(Digest(b)) }

// Digest is the hex SHA-256 of bytes, as records and receipts have it.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// MaxIdempotencyKey is the length in bytes that an idempotency key may have.
const MaxIdempotencyKey = 255

// ErrIdempotencyKey refuses an Idempotency-Key header.
var ErrIdempotencyKey = fault.New(fault.Malformed, "idempotency_key_invalid",
	"Idempotency-Key must be 1 to 255 printable ASCII characters.")

// CheckIdempotencyKey refuses a key that is empty, longer than 255 bytes or not printable ASCII.
func CheckIdempotencyKey(key string) error {
	bad := func(c byte) bool { return c < 0x20 || c > 0x7e }
	if key == "" || len(key) > MaxIdempotencyKey || slices.ContainsFunc([]byte(key), bad) {
		return ErrIdempotencyKey
	}
	return nil
}
