package bucket

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/platen-render/platen/internal/blobs"
)

// A large blob goes in parts. They are in memory while they are sent, so what an upload takes is at most
// (parallel + 1) parts, and what the library reads before it decides whether there will be parts at all.
const (
	partSize = 8 << 20
	parallel = 2
)

// contentType of all objects: whoever gives a link says what it is.
const contentType = "application/octet-stream"

var (
	errAltered = blobs.ErrUnavailable.With("The storage gives back other bytes than it was given.")
	errStalled = errors.New("nothing moved any more")
)

// Put implements [blobs.Store]. It reads back what it wrote before it says that it is kept.
func (s *Store) Put(ctx context.Context, name string, r io.Reader) (blobs.Info, error) {
	if err := blobs.CheckName(name); err != nil {
		return blobs.Info{}, err
	}
	limited, cancel := context.WithTimeout(ctx, s.limits.put)
	defer cancel()
	info, err := s.put(limited, name, r)
	if err != nil {
		return blobs.Info{}, classify(ctx, "put", err)
	}
	return info, nil
}

func (s *Store) put(ctx context.Context, name string, r io.Reader) (blobs.Info, error) {
	from := newSource(ctx, r, s.limits.stall)
	defer from.stop()
	err := s.create(ctx, name, from)
	if from.err != nil { // whatever became of the upload, it is incomplete
		return blobs.Info{}, from.err
	}
	if errors.Is(err, errTaken) {
		return s.compare(ctx, name, from)
	}
	if err != nil {
		return blobs.Info{}, err
	}
	return from.info(name), s.readBack(ctx, from.info(name))
}

// errTaken says that there is an object of this name already.
var errTaken = errors.New("the name is taken")

// create makes an object, or is errTaken. An object is there when all of it is, or not at all.
func (s *Store) create(ctx context.Context, name string, from *source) error {
	if s.blind {
		there, err := s.exists(ctx, name)
		if err != nil {
			return err
		}
		if there {
			return errTaken
		}
	}
	err := s.bucket.Upload(from.ctx, name, from, &blob.WriterOptions{
		ContentType: contentType, BufferSize: partSize, MaxConcurrency: parallel, IfNotExist: !s.blind, BeforeWrite: s.beforeWrite,
	})
	if err != nil && isTaken(err) {
		return fmt.Errorf("%w: %w", errTaken, err)
	}
	return err
}

// isTaken reports whether the server refused to replace an object. Two that come at once may both be told of a conflict.
func isTaken(err error) bool {
	code, status := gcerrors.Code(err), statusOf(err)
	return code == gcerrors.FailedPrecondition || code == gcerrors.AlreadyExists || status == 409 || status == 412
}

// compare decides about a name that is taken.
func (s *Store) compare(ctx context.Context, name string, from *source) (blobs.Info, error) {
	if _, err := io.Copy(io.Discard, from); err != nil { // the server may have refused before it had all
		return blobs.Info{}, from.err
	}
	want := from.info(name)
	got, err := s.digest(ctx, name)
	if err != nil { // one that is not there any more too: what r gave is gone
		return blobs.Info{}, fmt.Errorf("read the blob that is there: %w", err)
	}
	if got != want {
		return blobs.Info{}, blobs.ErrExists
	}
	return want, nil
}

// readBack decides whether the bytes that the bucket gives are those that it was given. What is not the same stays, since nobody
// points to it, and a server that replaces things may have put somebody else's blob there.
func (s *Store) readBack(ctx context.Context, want blobs.Info) error {
	got, err := s.digest(ctx, want.Name)
	if err != nil {
		return fmt.Errorf("read back: %w", err)
	}
	if got != want {
		return errAltered.Because(fmt.Errorf("%s has %d bytes with SHA-256 %s, not %d with %s", want.Name, got.Size, got.SHA256, want.Size, want.SHA256))
	}
	return nil
}

// digest reads a whole object.
func (s *Store) digest(ctx context.Context, name string) (blobs.Info, error) {
	r, err := s.reader(ctx, name)
	if err != nil {
		return blobs.Info{}, err
	}
	sum := sha256.New()
	n, err := io.Copy(sum, r)
	return blobs.Info{Name: name, Size: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, errors.Join(err, r.Close())
}

// source is what an upload reads: it knows what it gave, keeps the reader's error apart from the bucket's, and breaks the upload off
// when the reader fails, because a library may take the end of the bytes for the end of the blob, and when no more is asked for.
type source struct {
	ctx    context.Context //nolint:containedctx // it lives for one upload
	cancel context.CancelCauseFunc
	r      io.Reader
	sum    hash.Hash
	size   int64
	err    error

	patience time.Duration
	stalled  *time.Timer
}

func newSource(ctx context.Context, r io.Reader, patience time.Duration) *source {
	ctx, cancel := context.WithCancelCause(ctx)
	return &source{
		ctx: ctx, cancel: cancel, r: r, sum: sha256.New(), patience: patience,
		stalled: time.AfterFunc(patience, func() { cancel(errStalled) }),
	}
}

// Read implements io.Reader. While the reader itself takes its time nothing stands still.
func (s *source) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	s.stalled.Stop()
	n, err := s.r.Read(p)
	s.stalled.Reset(s.patience)
	s.sum.Write(p[:n])
	s.size += int64(n)
	if err != nil && err != io.EOF {
		s.err = sourceError{err}
		s.cancel(err)
	}
	return n, err
}

func (s *source) stop() {
	s.stalled.Stop()
	s.cancel(nil)
}

func (s *source) info(name string) blobs.Info {
	return blobs.Info{Name: name, Size: s.size, SHA256: hex.EncodeToString(s.sum.Sum(nil))}
}
