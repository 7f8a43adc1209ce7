package worker_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/worker"
)

// inBlob accepts a job whose input is to be in the blob store, and is not yet.
func (r *rig) inBlob() (j jobs.Job, put func()) {
	r.Helper()
	a := newJob("default", 0)
	a.Job.SpecBlob, a.Grace = jobs.SpecBlob(a.Job.Tenant, a.Job.ID), time.Hour
	return r.accept(a, false), func() {
		r.Helper()
		if err := r.blobs.Put(r.Context(), a.Job.SpecBlob, strings.NewReader(string(r.spec("page")))); err != nil {
			r.Fatal(err)
		}
	}
}

// tried makes an attempt and returns the job after it.
func (r *rig) tried(runner *worker.Runner, id jobs.ID) jobs.Job {
	r.Helper()
	if err := runner.Run(r.Context(), jobs.Task{Line: jobs.RenderLine, ID: id, Generation: r.job(id).Generation}); err != nil {
		r.Fatal(err)
	}
	return r.job(id)
}

// count is a counter of a job as it is kept.
func (r *rig) count(id jobs.ID, counter string) string {
	r.Helper()
	v, err := r.rdb.HMGet(r.Context(), "pl:{p0}:job:"+string(id), counter).Result()
	if err != nil {
		r.Fatal(err)
	}
	text, _ := v[0].(string)
	return text
}

// No input is deleted before its job has ended: one that is not there may come back.
func TestAnInputThatIsNotThereIsTriedAgainAsTheStoragesTrouble(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	h := r.health()
	runner := r.runner(h)
	runner.Rules.Unexplained.Delays = nil
	j, put := r.inBlob()
	for n := 1; n <= 5; n++ {
		got := r.tried(runner, j.ID)
		if got.Status != jobs.Queued || got.Failure == nil || got.Failure.Code != blobs.ErrUnavailable.Code || !got.Failure.Retryable || h.Err() != nil {
			t.Fatalf("after attempt %d: %s, %+v, %v", n, got.Status, got.Failure, h.Err())
		}
	}
	if retries, unexplained := r.count(j.ID, "retries"), r.count(j.ID, "unexplained"); retries != "" || unexplained != "5" {
		t.Errorf("counted as retries %q, unexplained %q", retries, unexplained)
	}
	put()
	if got := r.tried(runner, j.ID); got.Status != jobs.Succeeded {
		t.Errorf("it is back: %s, %+v", got.Status, got.Failure)
	}
}

func TestAFolderThatIsAwayCostsNoJobAnAttemptThatCounts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	h := &worker.Health{Probe: r.blobs.Probe, Every: 20 * time.Millisecond, Logger: r.logger}
	r.start(h.Run)
	runner := r.runner(h)
	j, put := r.inBlob()
	put()
	small := r.submit("page", false) // its input is in the store, and its bytes have no place
	away := r.blobs.Dir + ".away"
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	move(r.blobs.Dir, away)
	for range 3 {
		for _, id := range []jobs.ID{j.ID, small.ID} {
			if got := r.tried(runner, id); got.Status != jobs.Queued || got.Failure.Code != blobs.ErrUnavailable.Code {
				t.Fatalf("%s, %+v", got.Status, got.Failure)
			}
			if counted := r.count(id, "retries") + r.count(id, "unexplained"); counted != "" {
				t.Errorf("counted %q", counted)
			}
		}
	}
	if h.Err() == nil {
		t.Error("the worker takes work")
	}
	move(away, r.blobs.Dir)
	jobstest.Eventually(t, "the worker is well", func() bool { return h.Err() == nil })
	for _, id := range []jobs.ID{j.ID, small.ID} {
		if got := r.tried(runner, id); got.Status != jobs.Succeeded {
			t.Errorf("%s, %+v", got.Status, got.Failure)
		}
	}
}

func TestAnInputThatIsNotThereIsNotForgottenForARerender(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.previews()
	s := r.service()
	j, put := r.inBlob()
	put()
	r.tried(r.runner(r.health()), j.ID)
	input := r.blobs.Dir + "/" + j.SpecBlob
	if err := os.Rename(input, input+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Rerender(t.Context(), "default", j.Document, false); !errors.Is(err, blobs.ErrUnavailable) {
		t.Errorf("not there: %v", err)
	}
	if err := os.Rename(input+".away", input); err != nil {
		t.Fatal(err)
	}
	if remade := r.rerender(s, j.Document, false); !remade.Identical {
		t.Errorf("back: %+v", remade)
	}
}
