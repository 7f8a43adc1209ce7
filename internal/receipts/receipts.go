// Package receipts signs and verifies receipts: Ed25519 (RFC 8032) over a line that names the format and the canonical JSON of
// the receipt (RFC 8785). It knows no store and no network, so that a receipt can be verified anywhere. Manifests of batches, which may be
// long, are signed by their digest.
package receipts

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/strictjson"
)

// Algorithm is the only one there is.
const Algorithm = "ed25519"

// Signed is a receipt as it was signed, member for member: one of a later version may have more of them than [api.Receipt].
type Signed struct {
	Receipt   json.RawMessage `json:"receipt"`
	Signature api.Signature   `json:"signature"`
}

// KeyID names a public key: the first 16 hex digits of its SHA-256.
func KeyID(key ed25519.PublicKey) string {
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:8])
}

// Sign makes a signed receipt, whose receipt is in its canonical form. The same receipt and key give the same bytes.
func Sign(r api.Receipt, key ed25519.PrivateKey) (Signed, error) {
	raw, err := json.Marshal(r)
	if err != nil {
		return Signed{}, fmt.Errorf("encode receipt: %w", err)
	}
	canonical, err := strictjson.Canonical(raw)
	if err != nil {
		return Signed{}, fmt.Errorf("canonical receipt: %w", err)
	}
	return Signed{Receipt: canonical, Signature: sign(signedText(canonical), key)}, nil
}

// SignManifest signs a manifest, of whose canonical form (RFC 8785) this is the SHA-256.
func SignManifest(digest [sha256.Size]byte, key ed25519.PrivateKey) api.Signature {
	return sign([]byte(api.ManifestSigned+hex.EncodeToString(digest[:])), key)
}

func sign(text []byte, key ed25519.PrivateKey) api.Signature {
	public, _ := key.Public().(ed25519.PublicKey) // it is always one
	return api.Signature{Algorithm: Algorithm, KeyID: KeyID(public), Value: base64.StdEncoding.EncodeToString(ed25519.Sign(key, text))}
}

// Verify reports whether a key made the signature over exactly this receipt, however its JSON is spaced and ordered.
func (s Signed) Verify(key ed25519.PublicKey) bool {
	canonical, err := strictjson.Canonical(s.Receipt)
	if err != nil || s.Signature.Algorithm != Algorithm || s.Signature.KeyID != KeyID(key) {
		return false
	}
	value, err := base64.StdEncoding.Strict().DecodeString(s.Signature.Value)
	return err == nil && ed25519.Verify(key, signedText(canonical), value)
}

// Says reads what the receipt says. What this version does not know is left out.
func (s Signed) Says() (api.Receipt, error) {
	var r api.Receipt
	if err := json.Unmarshal(s.Receipt, &r); err != nil {
		return r, fmt.Errorf("read receipt: %w", err)
	}
	return r, nil
}

func signedText(canonical []byte) []byte { return append([]byte(api.ReceiptSigned), canonical...) }
