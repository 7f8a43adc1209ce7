// Package seal encrypts the secrets that Platen keeps: callback secrets, URLs and header values.
//
// A sealed text is a version byte, eight bytes that tell which key made it, and what AES-256-GCM makes of the plain text
// (nonce, ciphertext, tag). A text from before keys had names lacks the first nine bytes; it still opens.
package seal

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// KeySize is the length of a master key in bytes (AES-256).
const KeySize = 32

// version begins a sealed text that names its key.
const version = 0x01

// nameSize is how many bytes name a key in a sealed text. They are derived, and tell nothing of the key.
const nameSize = 8

// Key is the master key, and those before it that may still open and verify. It never prints itself. Safe for concurrent
// use.
type Key struct {
	keys []one // the current one first
}

// one is a single master key.
type one struct {
	name []byte
	aead cipher.AEAD
	link []byte
}

// ErrOpen says that a sealed text was made with another key, for another record, or was changed.
var ErrOpen = errors.New("sealed text does not open")

var errKeyText = errors.New("want the base64 of 32 bytes (openssl rand -base64 32)")

// ParseKey reads a master key: the standard base64 of 32 bytes.
func ParseKey(s string) (*Key, error) {
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil, errKeyText
	}
	return NewKey(raw)
}

// ParseKeys reads a list of master keys with commas between them. The first one is the current one, the others only open
// and verify.
func ParseKeys(list string) (*Key, error) {
	all := &Key{}
	for text := range strings.SplitSeq(list, ",") {
		k, err := ParseKey(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		all = all.Before(k)
	}
	return all, nil
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
	name, err := hkdf.Key(sha256.New, raw, nil, "platen key name", nameSize)
	if err != nil {
		return nil, err
	}
	link, err := hkdf.Key(sha256.New, raw, nil, "platen document links", KeySize)
	if err != nil {
		return nil, err
	}
	return &Key{keys: []one{{name: name, aead: aead, link: link}}}, nil
}

// Before returns a key that seals like k, and also opens and verifies what old can. An old key that k has already is left
// out.
func (k *Key) Before(old *Key) *Key {
	both := &Key{keys: append([]one(nil), k.keys...)}
	for _, o := range old.keys {
		if both.named(o.name) == nil {
			both.keys = append(both.keys, o)
		}
	}
	return both
}

// GenerateKey draws a master key and returns its text form, which [ParseKey] reads.
func GenerateKey() string {
	raw := make([]byte, KeySize)
	_, _ = rand.Read(raw) // never fails since Go 1.24
	return base64.StdEncoding.EncodeToString(raw)
}

// Seal encrypts plain with the current key for one record (AES-256-GCM, random nonce): only Open with the same record id
// opens it, so a sealed text copied to another record is worthless.
func (k *Key) Seal(record string, plain []byte) []byte {
	current := k.keys[0]
	return current.aead.Seal(current.head(), nil, plain, []byte(record)) //nolint:gosec // this AEAD draws the nonce by itself
}

// Open decrypts what Seal made for the record with any of the keys, or returns [ErrOpen].
func (k *Key) Open(record string, sealed []byte) ([]byte, error) {
	if o, text := k.maker(sealed); o != nil {
		if plain, err := o.aead.Open(nil, nil, text, []byte(record)); err == nil {
			return plain, nil
		}
	}
	// It names no key, or begins by chance as if it did.
	for _, o := range k.keys {
		if plain, err := o.aead.Open(nil, nil, sealed, []byte(record)); err == nil {
			return plain, nil
		}
	}
	return nil, ErrOpen
}

// Current reports whether a sealed text says that the current key made it. One that does not, does not need to be read to
// know that it is to be sealed anew.
func (k *Key) Current(sealed []byte) bool { return bytes.HasPrefix(sealed, k.keys[0].head()) }

// MAC authenticates a text with a key of its own, derived from the current master key (RFC 5869): for links that need
// no API key.
func (k *Key) MAC(text string) []byte { return k.keys[0].mac(text) }

// Verify reports whether any of the keys made the MAC of a text. Its time tells nothing of the right one.
func (k *Key) Verify(text string, mac []byte) bool {
	valid := false
	for _, o := range k.keys {
		valid = hmac.Equal(mac, o.mac(text)) || valid
	}
	return valid
}

// String keeps the key out of logs.
func (k *Key) String() string { return "set" }

// GoString keeps it out of %#v.
func (k *Key) GoString() string { return "set" }

// Name tells keys apart in a log; it says nothing of the key itself.
func (k *Key) Name() string { return hex.EncodeToString(k.keys[0].name) }

// maker is the key that a sealed text names, if it is ours, and the text behind the name.
func (k *Key) maker(sealed []byte) (*one, []byte) {
	if len(sealed) <= 1+nameSize || sealed[0] != version {
		return nil, nil
	}
	return k.named(sealed[1 : 1+nameSize]), sealed[1+nameSize:]
}

func (k *Key) named(name []byte) *one {
	for i := range k.keys {
		if bytes.Equal(k.keys[i].name, name) {
			return &k.keys[i]
		}
	}
	return nil
}

func (o one) head() []byte { return append([]byte{version}, o.name...) }

func (o one) mac(text string) []byte {
	m := hmac.New(sha256.New, o.link)
	m.Write([]byte(text))
	return m.Sum(nil)
}
