package jobs_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/jobs"
)

// forgetful is a storage in which something happens before a blob is opened.
type forgetful struct {
	jobs.Blobs
	before func()
}

func (f forgetful) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	f.before()
	return f.Blobs.Open(ctx, name)
}

func TestARetrySaysWhetherItsInputWasForgottenOrIsNotThere(t *testing.T) {
	t.Parallel()
	large, file := submission(strings.Repeat("x", 1<<16)), submission("<img src=a>")
	file.Uploads = []jobs.Upload{{File: jobs.File{Name: "a", SHA256: strings.Repeat("0", 64)}, Body: []byte("a")}}
	for name, s := range map[string]jobs.Submission{"a large spec": large, "a file": file} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			j := r.submit(s)
			if _, err := r.Cancel(t.Context(), jobs.DefaultTenant, j.ID); err != nil {
				t.Fatal(err)
			}
			retry := func(want error) {
				t.Helper()
				if _, err := r.Retry(t.Context(), jobs.DefaultTenant, j.ID, "", ""); !errors.Is(err, want) {
					t.Errorf("got %v, want %v", err, want)
				}
			}
			if err := r.Blobs.DeletePrefix(t.Context(), jobs.InputPrefix(j.Tenant, j.ID)); err != nil {
				t.Fatal(err)
			}
			retry(jobs.ErrMissing)
			r.Blobs = forgetful{r.Blobs, func() {
				if _, err := r.Store.Purge(t.Context(), j.Document); err != nil {
					t.Error(err)
				}
			}}
			retry(jobs.ErrInputPurged) // it was forgotten while it was read
		})
	}
}
