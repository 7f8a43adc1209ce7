package receipts

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/platen-render/platen/api"
)

// ErrKeys refuses a file of public keys.
var ErrKeys = errors.New("want the JSON of GET /keys/signing, public keys in PEM, or the base64 of one")

// Keys are public keys by their ids.
type Keys map[string]ed25519.PublicKey

// ParseKeys reads public keys in any of the forms in which Platen gives them. The ids are computed, never read.
func ParseKeys(text []byte) (Keys, error) {
	text = bytes.TrimSpace(text)
	switch {
	case bytes.HasPrefix(text, []byte("{")):
		return keysOfJSON(text)
	case bytes.HasPrefix(text, []byte("-----BEGIN")):
		return keysOfPEM(text)
	}
	keys := Keys{}
	return keys, keys.add(string(text))
}

// keysOfJSON reads a list of keys, or one.
func keysOfJSON(text []byte) (Keys, error) {
	var list struct {
		api.SigningKey
		api.SigningKeyList
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKeys, err)
	}
	if list.PublicKey != "" {
		list.Data = append(list.Data, list.SigningKey)
	}
	keys := Keys{}
	for _, k := range list.Data {
		if err := keys.add(k.PublicKey); err != nil {
			return nil, err
		}
	}
	if len(keys) == 0 {
		return nil, ErrKeys
	}
	return keys, nil
}

func keysOfPEM(text []byte) (Keys, error) {
	keys := Keys{}
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrKeys, err)
		}
		key, ok := parsed.(ed25519.PublicKey)
		if !ok {
			return nil, fmt.Errorf("%w: a %T is none", ErrKeys, parsed)
		}
		keys[KeyID(key)] = key
	}
	if len(keys) == 0 || len(bytes.TrimSpace(text)) > 0 {
		return nil, ErrKeys
	}
	return keys, nil
}

// add takes the base64 of a key.
func (k Keys) add(text string) error {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != ed25519.PublicKeySize {
		return ErrKeys
	}
	k[KeyID(raw)] = raw
	return nil
}

// Verify reports whether any of the keys signed the receipt.
func (k Keys) Verify(s Signed) bool {
	key, ok := k[s.Signature.KeyID]
	return ok && s.Verify(key)
}

// PEM is a public key as OpenSSL reads it (RFC 8410).
func PEM(key ed25519.PublicKey) ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil, fmt.Errorf("encode key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), nil
}
