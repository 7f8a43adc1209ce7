package jobs

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// ItemsDigest is the digest of the items of a batch: the SHA-256 of their fingerprints in their order, with line feeds between. The zero
// value is that of none.
type ItemsDigest struct {
	hash hash.Hash
	n    int
}

// Add adds the next item.
func (d *ItemsDigest) Add(f Fingerprint) {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	if d.n > 0 {
		_, _ = d.hash.Write([]byte{'\n'}) // never fails
	}
	_, _ = d.hash.Write([]byte(f))
	d.n++
}

// Len is how many items were added.
func (d *ItemsDigest) Len() int { return d.n }

// Sum is the digest so far, in hex.
func (d *ItemsDigest) Sum() string {
	if d.hash == nil {
		return Digest(nil)
	}
	return hex.EncodeToString(d.hash.Sum(nil))
}
