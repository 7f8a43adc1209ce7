package jobs_test

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/blobs/blobstest"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/queue"
	"github.com/platen-render/platen/internal/redistest"
	"github.com/platen-render/platen/internal/seal"
)

// files is a file store as the domain wants it.
type files struct{ blobs.FileStore }

func (f files) Put(ctx context.Context, name string, r io.Reader) error {
	_, err := f.FileStore.Put(ctx, name, r)
	return err
}

func (f files) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	r, _, err := f.FileStore.Open(ctx, name)
	return r, err
}

// rig is a service whose store and queue are on servers of their own, so that each can be away alone.
type rig struct {
	*jobs.Service
	t              *testing.T
	store, ringing *redistest.Server
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, store: redistest.Start(t), ringing: redistest.Start(t)}
	key, err := seal.ParseKey(seal.GenerateKey())
	if err != nil {
		t.Fatal(err)
	}
	r.Service = &jobs.Service{
		Store: redisstore.New(r.store.Client(), redisstore.Options{}), Queue: queue.NewClient(r.ringing.Client()),
		Blobs: files{blobstest.Folder(t)}, Key: key, Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
		CheckCallback: func(context.Context, string) error { return nil }, Grace: 100 * time.Millisecond,
	}
	t.Cleanup(r.Close)
	return r
}

// eventually polls until cond holds.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	const patience = 20 * time.Second
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !cond() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}
