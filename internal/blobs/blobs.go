// Package blobs keeps bytes under names: issued documents, their inputs, templates and assets. A blob is
// written once and never changes; publication is the store's business, not this package's.
//
// [Store] is the contract, blobstest is the same contract as a test suite, and [FileStore] keeps it on a
// local file system.
package blobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// Store is a place for blobs. Names follow [CheckName]; a bad one is ErrName from every method. A store that
// cannot do its work answers ErrFull or ErrUnavailable, and the error of a context that ended as it is.
// All methods may be called from many goroutines and processes at once. blobstest.TestStore checks all this.
type Store interface {
	// Put keeps everything r gives under name. When it returns nil the blob is complete and survives a
	// crash and a loss of power; after an error nobody can see a part of it. A blob that is already there with the
	// same bytes is a success, with other bytes ErrExists: whatever was put first stays. An error of r comes
	// back wrapped.
	Put(ctx context.Context, name string, r io.Reader) (Info, error)
	// Open gives the bytes of a blob and its Info, or ErrNotFound. The caller closes the reader.
	Open(ctx context.Context, name string) (io.ReadSeekCloser, Info, error)
	// Delete removes a blob for good. That there is none is fine. The name may be used again.
	Delete(ctx context.Context, name string) error
	// DeletePrefix deletes all blobs below prefix, which is a name too: "a/b" covers "a/b/c" but neither
	// "a/bc" nor "a/b" itself. A blob put meanwhile may or may not be deleted.
	DeletePrefix(ctx context.Context, prefix string) error
	// Walk calls visit for each blob below prefix, or for all with the prefix "", in the byte order of their names.
	// It stops at the first error of visit and returns it wrapped. Blobs that come or go meanwhile may be
	// seen or not; visit may delete.
	Walk(ctx context.Context, prefix string, visit func(Info) error) error
	// Probe does what Put does with a few bytes and removes them: nil means that a Put would have worked.
	Probe(ctx context.Context) error
}

// Info describes a blob.
type Info struct {
	Name   string
	Size   int64  // bytes
	SHA256 string // lower-case hex; only Put knows it
	// ModTime is when the blob was written, by the clock of the store; Put leaves it zero.
	ModTime time.Time
}

// Faults of a store.
var (
	ErrExists      = fault.New(fault.Conflict, "blob_exists", "Another blob has this name.")
	ErrNotFound    = fault.New(fault.NotFound, "blob_not_found", "There is no such blob.")
	ErrName        = fault.New(fault.Invalid, "blob_name_invalid", "The name of the blob is not allowed.")
	ErrFull        = fault.New(fault.Unavailable, "storage_full", "The storage is full.")
	ErrUnavailable = fault.New(fault.Unavailable, "storage_unavailable", "The storage does not work at the moment.")
)

// sourceError is an error of the reader given to Put: it says nothing about the storage.
type sourceError struct{ error }

func (e sourceError) Unwrap() error { return e.error }

// classify makes a fault of an error of the file system. Faults, errors of the caller's reader or visitor
// and the ends of contexts pass.
func classify(op string, err error) error {
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%s: %w", op, err)
	_, known := errors.AsType[*fault.Error](err)
	_, source := errors.AsType[sourceError](err)
	switch {
	case known, source, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ErrFull.Because(err)
	}
	return ErrUnavailable.Because(err)
}
