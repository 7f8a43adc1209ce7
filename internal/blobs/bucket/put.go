package bucket

import (
	"bytes"
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

// small is up to where a blob is kept in memory while it is written, so that it can be written again.
const small = 4 << 20

// tries is how many times a small blob is written when the server speaks of a conflict and there is nothing.
const tries = 5

func (s *Store) put(ctx context.Context, name string, r io.Reader) (blobs.Info, error) {
	from := &source{r: r, sum: sha256.New()}
	head, err := io.ReadAll(io.LimitReader(from, small))
	if err != nil {
		return blobs.Info{}, err
	}
	if len(head) == small {
		return s.putOnce(ctx, name, from, io.MultiReader(bytes.NewReader(head), from))
	}
	for try := 1; ; try++ {
		info, err := s.putOnce(ctx, name, from, bytes.NewReader(head))
		if !errors.Is(err, errVanished) || try == tries {
			return info, err
		}
		if err := pause(ctx, try); err != nil {
			return blobs.Info{}, err
		}
	}
}

// putOnce writes body, which gives what from has given and what it has left.
func (s *Store) putOnce(ctx context.Context, name string, from *source, body io.Reader) (blobs.Info, error) {
	err := s.create(ctx, name, body)
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

var (
	// errTaken says that there is an object of this name already.
	errTaken = errors.New("the name is taken")
	// errVanished says that a name was taken, and then by nothing.
	errVanished = errors.New("a name was taken, and there is nothing")
)

// create makes an object, or is errTaken. An object is there when all of it is, or not at all.
func (s *Store) create(ctx context.Context, name string, body io.Reader) error {
	if s.blind {
		there, err := s.exists(ctx, name)
		if err != nil {
			return err
		}
		if there {
			return errTaken
		}
	}
	from, ctx := watch(ctx, body, s.limits.stall)
	defer from.stop()
	err := s.bucket.Upload(ctx, name, from, &blob.WriterOptions{
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
	if gcerrors.Code(err) == gcerrors.NotFound {
		return blobs.Info{}, fmt.Errorf("%w: %w", errVanished, err)
	}
	if err != nil {
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

// source is what a blob is made of. It knows what it gave, and keeps its reader's error apart from the bucket's.
type source struct {
	r    io.Reader
	sum  hash.Hash
	size int64
	err  error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.sum.Write(p[:n])
	s.size += int64(n)
	if err != nil && err != io.EOF {
		s.err = sourceError{err}
		err = s.err
	}
	return n, err
}

func (s *source) info(name string) blobs.Info {
	return blobs.Info{Name: name, Size: s.size, SHA256: hex.EncodeToString(s.sum.Sum(nil))}
}

// watched is what an upload reads. It breaks the upload off when no more is asked for, and when there is an error: a library may take
// the end of the bytes for the end of the blob.
type watched struct {
	ctx      context.Context //nolint:containedctx // it lives for one upload
	cancel   context.CancelCauseFunc
	r        io.Reader
	patience time.Duration
	stalled  *time.Timer
}

// watch also returns the context of the upload. The caller stops it.
func watch(ctx context.Context, r io.Reader, patience time.Duration) (*watched, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	return &watched{ctx, cancel, r, patience, time.AfterFunc(patience, func() { cancel(errStalled) })}, ctx
}

// Read implements io.Reader. While the reader itself takes its time nothing stands still.
func (w *watched) Read(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	w.stalled.Stop()
	n, err := w.r.Read(p)
	w.stalled.Reset(w.patience)
	if err != nil && err != io.EOF {
		w.cancel(err)
	}
	return n, err
}

func (w *watched) stop() {
	w.stalled.Stop()
	w.cancel(nil)
}

// pause waits a moment before the next go, longer each time, or until ctx ends.
func pause(ctx context.Context, failures int) error {
	select {
	case <-time.After(time.Duration(failures) * 100 * time.Millisecond):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
