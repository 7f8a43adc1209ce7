package bucket

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gocloud.dev/blob"

	"github.com/platen-render/platen/internal/blobs"
)

// marker is an object that says that the place is ours. In another bucket, or another folder of the same one, everything would
// seem to be gone, and what is put there would be looked for elsewhere.
const marker = ".platen-blobs"

const markerText = "The place of the blobs of Platen. Without this object nothing is put here at a start. Keep it in copies.\n"

// errElsewhere is the fault of a place without the marker.
var errElsewhere = blobs.ErrUnavailable.With("The bucket of the blobs is not there, or it is another one.")

// ErrForeign is the fault of a place that holds something, but not the marker. Whoever wants Platen there all the same puts an
// object of the marker's name there.
var ErrForeign = blobs.ErrUnavailable.With("The bucket holds other things, and no %s. Name a folder in it, or put an object of this name there.", marker)

// Prepare marks a place in which there is nothing, and refuses one that holds something and is not marked. It finds out, too, whether the
// server keeps what it has when it is asked to. A process calls it once, at its start. It reports whether the place is a new one.
func (s *Store) Prepare(ctx context.Context) (fresh bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	fresh, err = s.prepare(ctx)
	return fresh, classify(ctx, "prepare", err)
}

func (s *Store) prepare(ctx context.Context) (fresh bool, err error) {
	marked, err := s.marked(ctx)
	if err != nil {
		return false, err
	}
	if !marked {
		if err := s.vacant(ctx); err != nil {
			return false, err
		}
		if err := s.mark(ctx); err != nil && !errors.Is(err, errTaken) {
			return false, err
		}
	}
	// The marker is there now: a server that makes it once more replaces things.
	s.blind = !errors.Is(s.mark(ctx), errTaken)
	return !marked, nil
}

// CreateOnly reports whether the server itself refuses to replace a blob. Where it does not, a look comes before each write, and two that
// write the same name at once may both succeed: nothing of ours does, because each attempt has a name of its own. Prepare finds it out.
func (s *Store) CreateOnly() bool { return !s.blind }

func (s *Store) mark(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.limits.call)
	defer cancel()
	return s.create(ctx, marker, strings.NewReader(markerText))
}

func (s *Store) marked(ctx context.Context) (bool, error) {
	there, err := s.exists(ctx, marker)
	if err != nil {
		return false, fmt.Errorf("look for %s: %w", marker, err)
	}
	return there, nil
}

var errEnough = errors.New("enough")

// vacant is nil when there is nothing, or nothing but what another process has just begun with.
func (s *Store) vacant(ctx context.Context) error {
	err := s.list(ctx, "", func(*blob.ListObject) error { return errEnough })
	if !errors.Is(err, errEnough) {
		return err
	}
	marked, err := s.marked(ctx)
	if err == nil && !marked {
		err = ErrForeign
	}
	return err
}

// probe is an object that is there only while somebody probes.
const probe = ".platen-probe"

// Probe implements [blobs.Store]. It looks for the marker first.
func (s *Store) Probe(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return classify(ctx, "probe", s.probe(ctx))
}

func (s *Store) probe(ctx context.Context) error {
	marked, err := s.marked(ctx)
	if err != nil {
		return err
	}
	if !marked {
		return errElsewhere
	}
	call, cancel := context.WithTimeout(ctx, s.limits.call)
	defer cancel()
	if err := s.bucket.WriteAll(call, probe, []byte("probe\n"), &blob.WriterOptions{ContentType: contentType}); err != nil {
		return err
	}
	return s.remove(ctx, probe)
}
