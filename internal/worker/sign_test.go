package worker_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/receipts"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/internal/worker"
)

func (r *rig) signer() *jobs.Signer {
	r.Helper()
	key, err := seal.ParseKey(seal.GenerateKey())
	if err != nil {
		r.Fatal(err)
	}
	if _, err := r.store.EnsureTenant(r.Context(), jobs.DefaultTenant, nil); err != nil {
		r.Fatal(err)
	}
	return &jobs.Signer{Store: r.store, Key: key, Logger: r.logger}
}

func (r *rig) document(id jobs.ID) jobs.Document {
	r.Helper()
	d, err := r.store.Document(r.Context(), id)
	if err != nil {
		r.Fatal(err)
	}
	return d
}

func TestAWorkerSignsWhatItHasIssued(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	signer := r.signer()
	runner := r.runner(r.health())
	runner.Sign = signer.Ensure
	j := r.submit("page", true)
	if err := runner.Run(t.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}); err != nil {
		t.Fatal(err)
	}
	d := r.document(j.Document)
	if d.Status != jobs.Issued || d.Receipt == nil {
		t.Fatalf("document %+v", d)
	}
	signed, err := signer.Receipt(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := signer.SigningKeys(t.Context(), jobs.DefaultTenant)
	if err != nil || len(keys) != 1 || !(receipts.Keys{keys[0].ID: keys[0].Public}).Verify(signed) {
		t.Fatalf("not signed by %+v, %v", keys, err)
	}
	says, err := signed.Says()
	if err != nil || says.SHA256 != d.Result.SHA256 || says.Attempts == nil || *says.Attempts != 1 || says.IssueNumber != 1 {
		t.Errorf("the receipt says %+v, %v", says, err)
	}
}

func TestAReceiptThatCannotBeMadeFailsNoJob(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	runner := r.runner(r.health())
	j, slow := r.submit("page", true), r.submit("page", true)
	runner.Sign = func(ctx context.Context, id jobs.ID) error {
		if id == j.Document {
			return errors.New("no key")
		}
		<-ctx.Done() // a store that does not answer is not waited for without end
		return context.Cause(ctx)
	}
	for _, id := range []jobs.ID{j.ID, slow.ID} {
		began := time.Now()
		if err := runner.Run(t.Context(), jobs.Task{Line: jobs.RenderLine, ID: id, Generation: 1}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("it took %v", took)
		}
	}
	for _, d := range []jobs.Document{r.document(j.Document), r.document(slow.Document)} {
		if d.Status != jobs.Issued || d.Receipt != nil || d.Made == nil {
			t.Errorf("document %+v", d)
		}
	}
}

func TestTheJanitorRemovesInputsBeforeTheirRecords(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := newJob(jobs.DefaultTenant, 0)
	a.Job.SpecBlob, a.Job.InputRetention = jobs.SpecBlob(a.Job.Tenant, a.Job.ID), time.Millisecond
	file := jobs.FileBlob(a.Job.Tenant, a.Job.ID, strings.Repeat("0", 64))
	for _, name := range []string{a.Job.SpecBlob, file} {
		if err := r.blobs.Put(t.Context(), name, strings.NewReader(string(r.spec("page")))); err != nil {
			t.Fatal(err)
		}
	}
	j := r.accept(a, true)
	janitor := &worker.Janitor{Store: r.store, Blobs: r.blobs, Logger: r.logger}
	if err := janitor.Clean(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.runner(r.health()).Run(t.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}); err != nil {
		t.Fatal(err)
	}
	r.await(j.ID, jobs.Succeeded) // its input was there
	jobstest.Eventually(t, "the input goes", func() bool {
		if err := janitor.Clean(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{a.Job.SpecBlob, file} {
			if rd, err := r.blobs.Open(t.Context(), name); err == nil {
				_ = rd.Close()
				return false
			}
		}
		return true
	})
	if got := r.job(j.ID); got.Status != jobs.Succeeded || got.SpecBlob != "" {
		t.Errorf("job %+v", got)
	}
	if _, err := jobs.LoadSpec(t.Context(), r.blobs, r.job(j.ID)); !errors.Is(err, jobs.ErrInputPurged) {
		t.Errorf("got %v", err)
	}
	d := r.document(j.Document)
	rd, err := r.blobs.Open(t.Context(), d.Result.Blob)
	if err != nil {
		t.Fatalf("the bytes went too: %v", err)
	}
	_ = rd.Close()
}
