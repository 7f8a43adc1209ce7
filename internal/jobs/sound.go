package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"

	"github.com/platen-render/platen/internal/fault"
)

// ErrDamaged says that the storage has other bytes than were put there. A backup may bring them back.
var ErrDamaged = fault.New(fault.Unavailable, "storage_unavailable", "The storage has other bytes than were put there.")

// Sound reads what r gives, and ends with [ErrDamaged] instead of io.EOF unless all of it has a hex SHA-256. So a copy that is made
// of it is either the bytes that were meant or none.
func Sound(r io.Reader, sha256sum string) io.Reader {
	return &sound{from: r, want: sha256sum, hash: sha256.New()}
}

type sound struct {
	from io.Reader
	want string
	hash hash.Hash
}

// Read implements io.Reader.
func (s *sound) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	s.hash.Write(p[:n])
	if errors.Is(err, io.EOF) && hex.EncodeToString(s.hash.Sum(nil)) != s.want {
		return n, ErrDamaged
	}
	return n, err //nolint:wrapcheck // io.EOF must be bare
}

// ReadSound reads a whole blob of a hex SHA-256.
func ReadSound(ctx context.Context, blobs Blobs, name, sha256sum string) ([]byte, error) {
	r, err := blobs.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // nothing was written
	return io.ReadAll(Sound(r, sha256sum))
}
