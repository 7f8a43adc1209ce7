package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/platen-render/platen/internal/blobs"
)

// Delete implements [blobs.Store]. In a bucket that keeps versions, an older one stays.
func (s *Store) Delete(ctx context.Context, name string) error {
	if err := errors.Join(blobs.CheckName(name), ctx.Err()); err != nil {
		return err
	}
	return classify(ctx, "delete", s.remove(ctx, name))
}

func (s *Store) remove(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, s.limits.call)
	defer cancel()
	if err := s.bucket.Delete(ctx, name); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return err
	}
	return nil
}

// DeletePrefix implements [blobs.Store].
func (s *Store) DeletePrefix(ctx context.Context, prefix string) error {
	if err := errors.Join(blobs.CheckName(prefix), ctx.Err()); err != nil {
		return err
	}
	return classify(ctx, "delete prefix", s.list(ctx, prefix+"/", func(o *blob.ListObject) error {
		return s.remove(ctx, o.Key)
	}))
}

// Walk implements [blobs.Store]. It asks for a thousand names at a time.
func (s *Store) Walk(ctx context.Context, prefix string, visit func(blobs.Info) error) error {
	if prefix != "" {
		if err := blobs.CheckName(prefix); err != nil {
			return err
		}
		prefix += "/"
	}
	return classify(ctx, "walk", s.walk(ctx, prefix, visit))
}

func (s *Store) walk(ctx context.Context, prefix string, visit func(blobs.Info) error) error {
	marked, err := s.marked(ctx)
	if err != nil {
		return err
	}
	if !marked {
		return errElsewhere
	}
	return s.list(ctx, prefix, func(o *blob.ListObject) error {
		ours := blobs.CheckName(o.Key) == nil // else it is the marker, or a stranger's
		if !ours {
			return nil
		}
		if err := visit(blobs.Info{Name: o.Key, Size: o.Size, ModTime: o.ModTime}); err != nil {
			return sourceError{err}
		}
		return nil
	})
}

// list visits all objects whose keys begin with prefix, in their order.
func (s *Store) list(ctx context.Context, prefix string, visit func(*blob.ListObject) error) error {
	objects := s.bucket.List(&blob.ListOptions{Prefix: prefix})
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		o, err := s.next(ctx, objects)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("list: %w", err)
		}
		if err := visit(o); err != nil {
			return err
		}
	}
}

func (s *Store) next(ctx context.Context, objects *blob.ListIterator) (*blob.ListObject, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limits.call)
	defer cancel()
	return objects.Next(ctx)
}
