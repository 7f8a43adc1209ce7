// Package seal encrypts the secrets that Platen keeps: callback secrets, URLs and header values.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
)

// KeySize is the length of the master key in bytes (AES-256).
const KeySize = 32

// Key is the master key. It never prints itself. Safe for concurrent use.
type Key struct {
	aead cipher.AEAD
	link []byte
}

// ErrOpen says that a sealed text was made with another key, for another record, or was changed.
var ErrOpen = errors.New("sealed text does not open")

// ParseKey reads a master key: the standard base64 of 32 bytes.
func ParseKey(s string) (*Key, error) {
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil, errors.New("want the base64 of 32 bytes (openssl rand -base64 32)")
	}
	return NewKey(raw)
}

// NewKey makes a master key of 32 bytes.
func NewKey(raw []byte) (*Key, error) {
	if len(raw) != KeySize {
		return nil, fmt.Errorf("want 32 bytes, got %d (openssl rand -base64 32)", len(raw))
	}
	block, err := aes.NewCipher(raw)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	link, err := hkdf.Key(sha256.New, raw, nil, "platen document links", KeySize)
	if err != nil {
		return nil, err
	}
	return &Key{aead: aead, link: link}, nil
}

// GenerateKey draws a master key and returns its text form, which [ParseKey] reads.
func GenerateKey() string {
	raw := make([]byte, KeySize)
	_, _ = rand.Read(raw) // never fails since Go 1.24
	return base64.StdEncoding.EncodeToString(raw)
}

// Seal encrypts plain for one record (AES-256-GCM, random nonce): only Open with the same record id opens it, so a
// sealed text copied to another record is worthless.
func (k *Key) Seal(record string, plain []byte) []byte {
	return k.aead.Seal(nil, nil, plain, []byte(record)) //nolint:gosec // this AEAD draws the nonce by itself
}

// Open decrypts what Seal made for the record, or returns [ErrOpen].
func (k *Key) Open(record string, sealed []byte) ([]byte, error) {
	plain, err := k.aead.Open(nil, nil, sealed, []byte(record))
	if err != nil {
		return nil, ErrOpen
	}
	return plain, nil
}

// MAC authenticates a text with a key of its own, derived from the master key (RFC 5869): for links that need
// no API key.
func (k *Key) MAC(text string) []byte {
	m := hmac.New(sha256.New, k.link)
	m.Write([]byte(text))
	return m.Sum(nil)
}

// String keeps the key out of logs.
func (k *Key) String() string { return "set" }
