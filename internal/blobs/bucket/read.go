package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/platen-render/platen/internal/blobs"
)

// resumes is how many times in a row a read may break off without having given a byte.
const resumes = 3

// Open implements [blobs.Store]. The reader fetches what is read, from where it is read, and goes on where a connection broke
// off. It ends with ctx.
func (s *Store) Open(ctx context.Context, name string) (io.ReadSeekCloser, blobs.Info, error) {
	if err := errors.Join(blobs.CheckName(name), ctx.Err()); err != nil {
		return nil, blobs.Info{}, err
	}
	r, err := s.reader(ctx, name)
	if gcerrors.Code(err) == gcerrors.NotFound {
		err = s.absent(ctx, err)
	}
	if err != nil {
		return nil, blobs.Info{}, classify(ctx, "open", err)
	}
	return r, blobs.Info{Name: name, Size: r.size, ModTime: r.modTime}, nil
}

// absent tells a blob that is not there from a bucket that is not there, or is another one.
func (s *Store) absent(ctx context.Context, cause error) error {
	marked, err := s.marked(ctx)
	if err != nil {
		return err
	}
	if !marked {
		return errElsewhere.Because(cause)
	}
	return blobs.ErrNotFound.Because(cause)
}

func (s *Store) exists(ctx context.Context, name string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limits.call)
	defer cancel()
	return s.bucket.Exists(ctx, name)
}

func (s *Store) reader(ctx context.Context, name string) (*reader, error) {
	call, cancel := context.WithTimeout(ctx, s.limits.call)
	defer cancel()
	a, err := s.bucket.Attributes(call, name)
	if err != nil {
		return nil, err
	}
	return &reader{ctx: ctx, bucket: s.bucket, name: name, size: a.Size, modTime: a.ModTime, patience: s.limits.stall}, nil
}

// reader reads one object. An object never changes, so that it may be read in several goes.
type reader struct {
	ctx      context.Context //nolint:containedctx // it lives as long as the reader
	bucket   *blob.Bucket
	name     string
	size     int64
	modTime  time.Time
	offset   int64
	patience time.Duration

	body     *blob.Reader // nil when nothing is under way
	at       int64        // where body is
	cancel   context.CancelFunc
	stalled  *time.Timer
	failures int
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	for r.offset < r.size && len(p) > 0 {
		n, err := r.read(p)
		if err != nil {
			r.drop()
		}
		if n > 0 {
			r.failures = 0
			return n, nil
		}
		if err == nil {
			continue
		}
		r.failures++
		if r.failures > resumes || r.ctx.Err() != nil || gcerrors.Code(err) == gcerrors.NotFound {
			return 0, classify(r.ctx, "read", err)
		}
		_ = pause(r.ctx, r.failures) // an end of ctx is met at once
	}
	if len(p) == 0 {
		return 0, nil
	}
	return 0, io.EOF
}

// read reads once, from where the offset is.
func (r *reader) read(p []byte) (int, error) {
	if r.at != r.offset {
		r.drop()
	}
	if r.body == nil {
		if err := r.fetch(); err != nil {
			return 0, err
		}
	}
	r.stalled.Reset(r.patience)
	n, err := r.body.Read(p[:min(int64(len(p)), r.size-r.offset)])
	r.stalled.Stop()
	r.offset += int64(n)
	r.at = r.offset
	if errors.Is(err, io.EOF) && r.offset < r.size {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (r *reader) fetch() error {
	ctx, cancel := context.WithCancel(r.ctx)
	stalled := time.AfterFunc(r.patience, cancel)
	body, err := r.bucket.NewRangeReader(ctx, r.name, r.offset, -1, nil)
	if err != nil {
		stalled.Stop()
		cancel()
		return err
	}
	r.body, r.at, r.cancel, r.stalled = body, r.offset, cancel, stalled
	return nil
}

// drop ends what is under way.
func (r *reader) drop() {
	if r.body == nil {
		return
	}
	r.stalled.Stop()
	r.cancel()
	_ = r.body.Close() // nobody wants the rest
	r.body = nil
}

// Seek implements io.Seeker.
func (r *reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += r.offset
	case io.SeekEnd:
		offset += r.size
	default:
		return 0, fmt.Errorf("seek: there is no whence %d", whence)
	}
	if offset < 0 {
		return 0, errors.New("seek: before the beginning")
	}
	r.offset = offset
	return offset, nil
}

// Close implements io.Closer.
func (r *reader) Close() error {
	r.drop()
	return nil
}
