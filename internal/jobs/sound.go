package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/platen-render/platen/internal/fault"
)

// Faults of bytes that a record points to, and that the storage does not give. A mount may come back, a backup may be put in place.
var (
	ErrDamaged = fault.New(fault.Unavailable, "storage_unavailable", "The storage has other bytes than were put there.")
	ErrMissing = fault.New(fault.Unavailable, "storage_unavailable", "The storage does not have what was put there.")
)

// lacking reports whether an error says that the storage answers, and that it does not have the bytes, or has others. [ErrMissing] and [ErrDamaged]
// have the code of a storage that does not answer, so that errors.Is takes the one for the other.
func lacking(err error) bool {
	f, ok := errors.AsType[*fault.Error](err)
	return ok && (f == ErrDamaged || f.Code == ErrMissing.Code && isNotFound(f.Err))
}

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

// ReadBlob reads a whole blob that there must be: [ErrMissing] when there is none.
func ReadBlob(ctx context.Context, blobs Blobs, name string) ([]byte, error) {
	r, err := OpenBlob(ctx, blobs, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // nothing was written
	return io.ReadAll(r)
}

// ReadSound reads a whole blob of a hex SHA-256 that there must be: [ErrMissing] when there is none.
func ReadSound(ctx context.Context, blobs Blobs, name, sha256sum string) ([]byte, error) {
	r, err := OpenBlob(ctx, blobs, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // nothing was written
	return io.ReadAll(Sound(r, sha256sum))
}

// OpenBlob opens a blob that there must be: [ErrMissing] when there is none. The caller closes it.
func OpenBlob(ctx context.Context, blobs Blobs, name string) (io.ReadSeekCloser, error) {
	r, err := blobs.Open(ctx, name)
	if isNotFound(err) {
		return nil, ErrMissing.Because(fmt.Errorf("%s: %w", name, err))
	}
	return r, err
}

func isNotFound(err error) bool {
	f := fault.From(err)
	return f != nil && f.Kind == fault.NotFound
}
