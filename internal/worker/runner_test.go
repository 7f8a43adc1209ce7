package worker_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/rendertest"
	"github.com/platen-render/platen/internal/worker"
)

func TestAJobBecomesADocumentWithTheBytesItNames(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work(0)
	j := r.await(r.submit("<p>Invoice 7</p><!-- rendertest:pages=3 --><!-- rendertest:warn=resource_failed -->", true).ID, jobs.Succeeded)
	body, err := jobs.ReadBlob(t.Context(), r.blobs, j.Result.Blob)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(body)
	if j.Result.SHA256 != hex.EncodeToString(sum[:]) || j.Result.Bytes != int64(len(body)) || j.Result.Pages != 3 ||
		j.Result.Engine != "rendertest" || len(j.Warnings) != 1 || j.Result.Filename != string(j.Document)+".pdf" {
		t.Errorf("result %+v, warnings %+v", j.Result, j.Warnings)
	}
	if got := rendertest.Pages(t, body); got != 3 {
		t.Errorf("%d pages", got)
	}
}

func TestWhatGoesWrongInAnEngineFailsThatJobOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		order, code string
		attempts    int
	}{
		{"fail=page_failed", "page_failed", 1},
		{"panic", "page_failed", 1},
		{"fail_retryable=busy", "busy", 3},
		{"engine_lost", "engine_lost", 6},
	} {
		t.Run(c.order, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.work(0)
			r.reconcile()
			bad, good := r.submit("<!-- rendertest:"+c.order+" -->", true), r.submit("good", true)
			j := r.await(bad.ID, jobs.Failed)
			if j.Failure.Code != c.code || j.Attempt != c.attempts {
				t.Errorf("failed with %+v after %d attempts", j.Failure, j.Attempt)
			}
			r.await(good.ID, jobs.Succeeded)
		})
	}
}

func TestTheNextAttemptBeginsWhileTheLastOneIsRecorded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ends := make(chan func(), 2)
	runner := r.runner(r.health())
	room := true
	runner.Aside = func(end func()) bool {
		if room {
			ends <- end
		}
		return room
	}
	run := func(page string) jobs.Job {
		j := r.submit(page, false)
		if err := runner.Run(t.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}); err != nil {
			t.Fatal(err)
		}
		return r.job(j.ID)
	}
	good, bad := run("good"), run("<!-- rendertest:fail=page_failed -->")
	if good.Status != jobs.Running || bad.Status != jobs.Running {
		t.Errorf("they are %s and %s before they are recorded", good.Status, bad.Status)
	}
	room = false
	if j := run("there is no room beside"); j.Status != jobs.Succeeded {
		t.Errorf("it is %s", j.Status)
	}
	for range 2 {
		(<-ends)()
	}
	if g, b := r.job(good.ID), r.job(bad.ID); g.Status != jobs.Succeeded || b.Status != jobs.Failed {
		t.Errorf("they are %s and %s", g.Status, b.Status)
	}
}

func TestAPassingErrorIsTriedAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work(0)
	r.reconcile()
	j := r.await(r.submit("<!-- rendertest:engine_lost*2 --><!-- rendertest:fail_retryable=busy*2 -->", true).ID, jobs.Succeeded)
	if j.Attempt != 5 || j.Failure != nil {
		t.Errorf("%d attempts, failure %+v", j.Attempt, j.Failure)
	}
}

func TestAJobWhoseEngineDiedIsRenderedAlone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work(0)
	r.reconcile()
	j := r.await(r.submit("<!-- rendertest:fail_retryable=busy*1 --><!-- rendertest:alone -->", true).ID, jobs.Succeeded)
	if j.Attempt != 3 || j.EngineLost != 1 {
		t.Errorf("%d attempts, %d of them with the engine: an error that passes is no reason to be alone", j.Attempt, j.EngineLost)
	}
}

func TestAJobThatRanOutOfTimeIsRenderedAlone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work(0)
	r.reconcile()
	j := r.await(r.submit("<!-- rendertest:fail_retryable=render_timeout*1 --><!-- rendertest:alone -->", true).ID, jobs.Succeeded)
	if j.Attempt != 2 || j.EngineLost != 0 {
		t.Errorf("%d attempts, %d of them with the engine", j.Attempt, j.EngineLost)
	}
}

func TestAnAttemptEndsAtItsTimeLimit(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work(0)
	r.reconcile()
	spec, err := json.Marshal(jobs.Spec{
		Kind: jobs.InputHTML, Text: "<!-- rendertest:sleep=1h -->", Output: render.DefaultOutput(), Timeout: 50 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	if j := r.await(r.submitSpec(spec, true).ID, jobs.Failed); j.Failure.Code != render.ErrTimeout.Code || j.Attempt != 3 {
		t.Errorf("failed with %+v after %d attempts", j.Failure, j.Attempt)
	}
}

func TestARunningJobIsCanceled(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work(0)
	r.reconcile()
	j := r.submit("<!-- rendertest:sleep=1h -->", true)
	r.await(j.ID, jobs.Running)
	if _, err := r.store.Cancel(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	r.await(j.ID, jobs.Canceled)
}

func TestWithoutAnEngineNoWorkIsTakenAndNothingIsUsedUp(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.reconcile()
	h := r.health()
	j := r.submit("<!-- rendertest:unavailable*1 -->", true)
	// One attempt meets the wall before anybody knows of it.
	r.engine.SetDown(errors.New("no browser"))
	if err := r.runner(h).Run(t.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}); err != nil {
		t.Fatal(err)
	}
	if h.Err() == nil {
		t.Fatal("the worker is well without an engine")
	}
	gate, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	h.Gate(gate)
	if gate.Err() == nil {
		t.Fatal("the gate is open without an engine")
	}
	if j := r.job(j.ID); j.Status != jobs.Queued {
		t.Fatalf("job is %s", j.Status)
	}
	r.engine.SetDown(nil)
	jobstest.Eventually(t, "the worker is well again", func() bool { return h.Err() == nil })
	r.work(0)
	r.await(j.ID, jobs.Succeeded)
}

func TestAFullDiskIsNotTheJobsFault(t *testing.T) {
	t.Parallel()
	if rule := jobs.DefaultRules().For(errors.Join(errors.New("put"), jobs.ErrStoreFull)); rule.Counter == "infrastructure" {
		t.Error("a full Redis is not storage")
	}
	r := newRig(t)
	h := r.health()
	runner := r.runner(h)
	runner.Maker.Blobs = fullDisk{r.blobs}
	j := r.submit("page", true)
	if err := runner.Run(t.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}); err != nil {
		t.Fatal(err)
	}
	if j := r.job(j.ID); j.Status != jobs.Queued || j.Failure == nil || j.Failure.Code != "storage_full" {
		t.Errorf("job %+v", j)
	}
}

func TestAStoppingWorkerHandsBackAndUsesNothingUp(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	stop := r.work(time.Millisecond)
	j := r.submit("<!-- rendertest:sleep=1h -->", true)
	r.await(j.ID, jobs.Running)
	stop()
	got := r.job(j.ID)
	if got.Status != jobs.Queued || got.Generation != 2 {
		t.Errorf("job is %s, generation %d", got.Status, got.Generation)
	}
}

func TestAStoppingWorkerLetsRunningWorkEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	stop := r.work(jobstest.Patience)
	j := r.submit("<!-- rendertest:sleep=300ms -->", true)
	r.await(j.ID, jobs.Running)
	stop()
	if got := r.job(j.ID); got.Status != jobs.Succeeded || got.Attempt != 1 {
		t.Errorf("job is %s after %d attempts", got.Status, got.Attempt)
	}
}

func TestAResultIsPublishedThoughTheStoreWasAwayWhenItWasReady(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	stop := r.work(jobstest.Patience)
	j := r.submit("<!-- rendertest:sleep=300ms -->", true)
	jobstest.Eventually(t, "the render begins", func() bool { return r.engine.Renders() == 1 })
	r.server.Kill()
	defer stop()
	// The render ends while nobody answers.
	jobstest.Eventually(t, "the document is written", func() bool {
		found := false
		err := r.blobs.Walk(t.Context(), jobs.OutputPrefix(j.Tenant, j.Document), func(string, time.Time) error { found = true; return nil })
		return err == nil && found
	})
	r.server.Restart()
	if got := r.await(j.ID, jobs.Succeeded); got.Attempt != 1 {
		t.Errorf("%d attempts", got.Attempt)
	}
}

func TestAPanicWhileAPageIsComposedFailsThatJobOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work(0)
	r.reconcile()
	bad, good := r.submit("panic", true), r.submit("good", true)
	if j := r.await(bad.ID, jobs.Failed); j.Failure.Code != render.ErrPageFailed.Code {
		t.Errorf("failed with %+v", j.Failure)
	}
	r.await(good.ID, jobs.Succeeded)
}

// lostAnswer is a store whose first answer to Complete does not arrive.
type lostAnswer struct {
	jobs.Lifecycle
	lost *atomic.Bool
}

func (s lostAnswer) Complete(ctx context.Context, id jobs.ID, f jobs.Fence, r jobs.Result, w []render.Warning) (jobs.Completion, error) {
	answer, err := s.Lifecycle.Complete(ctx, id, f, r, w)
	if s.lost.CompareAndSwap(false, true) {
		return "", jobs.ErrStoreUnavailable
	}
	return answer, err
}

func TestALostAnswerToCompleteIsAskedForAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	runner := r.runner(r.health())
	runner.Store = lostAnswer{r.store, &atomic.Bool{}}
	j := r.submit("page", true)
	if err := runner.Run(t.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}); err != nil {
		t.Fatal(err)
	}
	got := r.job(j.ID)
	d, err := r.store.Document(t.Context(), j.Document)
	if err != nil || got.Status != jobs.Succeeded || d.Number != 1 || d.Sequence != 1 {
		t.Errorf("job %s, document %+v, %v", got.Status, d, err)
	}
	if _, err := jobs.ReadBlob(t.Context(), r.blobs, d.Result.Blob); err != nil {
		t.Errorf("the winner's bytes are gone: %v", err)
	}
}

// slowDisk takes longer than a lease to open anything.
type slowDisk struct{ files }

func (s slowDisk) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	select {
	case <-time.After(lease + lease/2):
	case <-ctx.Done():
	}
	return s.files.Open(ctx, name)
}

func TestAJobIsNotLostWhileItsInputIsRead(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.reconcile()
	j := r.submit("page", false)
	raw, err := r.rdb.HGet(t.Context(), "pl:{p0}:job:"+string(j.ID), "spec").Result()
	if err != nil {
		t.Fatal(err)
	}
	blob := jobs.SpecBlob("default", j.ID)
	if err := r.blobs.Put(t.Context(), blob, strings.NewReader(raw)); err != nil {
		t.Fatal(err)
	}
	if err := r.rdb.HSet(t.Context(), "pl:{p0}:job:"+string(j.ID), "spec_blob", blob).Err(); err != nil {
		t.Fatal(err)
	}
	runner := r.runner(r.health())
	runner.Maker.Blobs = slowDisk{r.blobs}
	if err := runner.Run(t.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}); err != nil {
		t.Fatal(err)
	}
	if got := r.job(j.ID); got.Status != jobs.Succeeded || got.Attempt != 1 {
		t.Errorf("job is %s after %d attempts", got.Status, got.Attempt)
	}
}

// clock is the time of Redis, by which leases end.
func (r *rig) clock(ctx context.Context) time.Time {
	r.Helper()
	now, err := r.rdb.Time(ctx).Result()
	if err != nil {
		r.Fatal(err)
	}
	return now
}

// A storage that is away may keep a probe waiting for longer than a lease.
func TestAnAttemptThatMetAWallIsNotLostWhileTheWallIsLookedAt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.engine.SetDown(errors.New("no browser"))
	h := &worker.Health{Every: time.Hour, Logger: r.logger, Probe: func(ctx context.Context) error {
		end := r.clock(ctx).Add(3 * lease)
		jobstest.Eventually(t, "leases go by", func() bool { return r.clock(ctx).After(end) })
		return r.engine.Probe(ctx)
	}}
	r.reconcile()
	j := r.submit("good", false)
	if err := r.runner(h).Run(t.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}); err != nil {
		t.Fatal(err)
	}
	if got := r.job(j.ID); got.Lost != 0 || got.Failure == nil || got.Failure.Code != render.ErrEngineUnavailable.Code {
		t.Errorf("lost %d times, %+v", got.Lost, got.Failure)
	}
}

func TestAPanicBesideTheQueueHarmsNobody(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	runner := r.runner(r.health())
	runner.Sign = func(context.Context, jobs.ID) error { panic("signing") }
	ended := make(chan struct{})
	runner.Aside = func(end func()) bool {
		go func() { end(); close(ended) }()
		return true
	}
	j := r.submit("good", false)
	if err := runner.Run(t.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}); err != nil {
		t.Fatal(err)
	}
	<-ended
	if got := r.job(j.ID); got.Status != jobs.Succeeded {
		t.Errorf("it is %s", got.Status)
	}
}
