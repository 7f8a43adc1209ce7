package client

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/platen-render/platen/api"
)

// What can be wrong with a manifest.
var (
	// ErrManifest says that a text is no signed manifest.
	ErrManifest = errors.New("not a signed manifest")
	// ErrManifestKey says that none of the keys made the signature: it is another tenant's, or nobody's.
	ErrManifestKey = errors.New("none of the keys has signed the manifest")
	// ErrManifestAltered says that a manifest is not what was signed under the name of a key.
	ErrManifestAltered = errors.New("the manifest is not what was signed")
)

// ManifestJSON returns the signed manifest of a batch that has ended, as the server sends it. Keep it as it is: [CheckManifest] verifies it at
// any time, without a server. Errors: [api.CodeBatchPending], [api.CodeBatchNotFound].
func (c *Client) ManifestJSON(ctx context.Context, batch string) ([]byte, error) {
	path, err := segment("/batches/", batch, "/manifest")
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	_, err = c.pull(ctx, path, func() (io.Writer, error) {
		text.Reset()
		return &text, nil
	}, true)
	if err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// CheckManifest returns what a manifest says, once one of the keys is found to have signed it. The keys are those of [Client.SigningKeys], kept
// where the server is not: keys that come with a manifest prove nothing. White space does not count, the order of members and the escapes
// in strings do. It asks nobody. [ErrManifest], [ErrManifestKey], [ErrManifestAltered].
func CheckManifest(text []byte, keys []api.SigningKey) (api.Manifest, error) {
	var signed struct {
		Manifest  json.RawMessage `json:"manifest"`
		Signature api.Signature   `json:"signature"`
	}
	if err := json.Unmarshal(text, &signed); err != nil {
		return api.Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	if len(signed.Manifest) == 0 || signed.Signature.Value == "" {
		return api.Manifest{}, ErrManifest
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, signed.Manifest); err != nil {
		return api.Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	if err := verifyManifest(sha256.Sum256(compact.Bytes()), signed.Signature, keys); err != nil {
		return api.Manifest{}, err
	}
	var m api.Manifest
	if err := json.Unmarshal(signed.Manifest, &m); err != nil {
		return api.Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	return m, nil
}

// verifyManifest looks for the key that a signature names, by the key and not by what is said of it.
func verifyManifest(digest [sha256.Size]byte, signature api.Signature, keys []api.SigningKey) error {
	for _, k := range keys {
		raw, err := base64.StdEncoding.DecodeString(k.PublicKey)
		if err != nil || len(raw) != ed25519.PublicKeySize {
			return fmt.Errorf("%w: %q is no public key", ErrManifestKey, k.PublicKey)
		}
		if id := sha256.Sum256(raw); hex.EncodeToString(id[:8]) != signature.KeyID {
			continue
		}
		value, err := base64.StdEncoding.Strict().DecodeString(signature.Value)
		if err != nil || signature.Algorithm != "ed25519" || !ed25519.Verify(raw, []byte(api.ManifestSigned+hex.EncodeToString(digest[:])), value) {
			return ErrManifestAltered
		}
		return nil
	}
	return ErrManifestKey
}
