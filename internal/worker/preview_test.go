package worker_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/queue"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/worker"
)

// service is what the API has of a rig.
func (r *rig) service() *jobs.Service {
	r.Helper()
	feed := redisstore.NewFeed(r.rdb, 1, r.logger)
	r.start(feed.Run)
	s := &jobs.Service{Store: r.store, Queue: r.queue, Blobs: r.blobs, Watcher: feed, Logger: r.logger, PreviewPatience: jobstest.Patience}
	r.Cleanup(s.Close)
	return s
}

// previews starts a worker with two slots for previews.
func (r *rig) previews() (stop func()) {
	r.Helper()
	h := r.health()
	previewer := &worker.Previewer{Store: r.store, Maker: r.runner(h).Maker, Health: h, Logger: r.logger}
	server := &queue.Server{
		Redis: r.rdb, Lines: map[jobs.Line]int{jobs.PreviewLine: 1}, Slots: 2, Handler: previewer.Run, Logger: r.logger, Gate: h.Gate, Patience: time.Millisecond,
	}
	return r.start(server.Run)
}

func pageSpec(page string) jobs.Spec {
	return jobs.Spec{Kind: jobs.InputHTML, Text: page, Output: render.DefaultOutput(), Timeout: jobstest.Patience}
}

// preview is one that must succeed; it returns the bytes and what is known of them.
func (r *rig) preview(s *jobs.Service, page string) ([]byte, *jobs.Preview) {
	r.Helper()
	p, err := s.Preview(r.Context(), "default", pageSpec(page), 0)
	if err != nil {
		r.Fatal(err)
	}
	content, err := io.ReadAll(p.Content)
	if err := errors.Join(err, p.Close()); err != nil {
		r.Fatal(err)
	}
	return content, p
}

// previewFails is a preview that must fail with a code.
func (r *rig) previewFails(ctx context.Context, s *jobs.Service, page, code string) *fault.Error {
	r.Helper()
	_, err := s.Preview(ctx, "default", pageSpec(page), 4096)
	f := fault.From(err)
	if f == nil || f.Code != code {
		r.Fatalf("got %v, want %s", err, code)
	}
	return f
}

// remains are the keys that are there beside the feed, asynq's lists of what is served and the statistics, and the blobs.
func (r *rig) remains() []string {
	r.Helper()
	keys, err := r.rdb.Keys(r.Context(), "*").Result()
	if err != nil {
		r.Fatal(err)
	}
	keys = slices.DeleteFunc(keys, func(k string) bool {
		return k == "pl:{p0}:feed" || k == "asynq:queues" || strings.HasPrefix(k, "asynq:servers") || strings.HasPrefix(k, "asynq:workers") ||
			strings.Contains(k, ":processed") || strings.Contains(k, ":failed")
	})
	err = r.blobs.Walk(r.Context(), "", func(name string, _ time.Time) error {
		keys = append(keys, name)
		return nil
	})
	if err != nil {
		r.Fatal(err)
	}
	return keys
}

func (r *rig) leavesNothing() {
	r.Helper()
	jobstest.Eventually(r, "nothing is left", func() bool { return len(r.remains()) == 0 })
}

func TestAPreviewHasTheBytesOfAJobAndLeavesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.previews()
	s := r.service()
	page := "<p>seen <!-- rendertest:pages=3 --><!-- rendertest:warn=glyph_missing -->" + strings.Repeat("<b>long</b>", 10_000) // more than a record takes
	content, p := r.preview(s, page)
	r.leavesNothing()
	if p.Result.Pages != 3 || p.Result.Engine != "rendertest" || p.Result.Bytes != int64(len(content)) || len(p.Warnings) != 1 || p.Result.Made == nil {
		t.Errorf("result %+v, warnings %v", p.Result, p.Warnings)
	}
	r.work(time.Second)
	j := r.await(r.submit(page, true).ID, jobs.Succeeded)
	if j.Result.SHA256 != p.Result.SHA256 {
		t.Error("the job has other bytes")
	}
}

func TestAPreviewFailsAsItsJobWould(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.previews()
	s := r.service()
	for page, want := range map[string]struct {
		code string
		kind fault.Kind
	}{
		"<!-- rendertest:fail=page_failed -->":                   {"page_failed", fault.Invalid},
		"<!-- rendertest:panic -->":                              {"page_failed", fault.Invalid},
		"panic":                                                  {"page_failed", fault.Invalid},
		"<!-- rendertest:engine_lost -->":                        {"engine_lost", fault.Unavailable},
		"<p>" + strings.Repeat("<i>x</i>", 2000):                 {"document_too_large", fault.Invalid},
		"<!-- rendertest:unavailable -->":                        {"engine_unavailable", fault.Unavailable},
		"<!-- rendertest:fail_retryable=storage_unavailable -->": {"storage_unavailable", fault.Unavailable},
	} {
		if f := r.previewFails(t.Context(), s, page, want.code); f.Kind != want.kind {
			t.Errorf("%s: kind %d, want %d", want.code, f.Kind, want.kind)
		}
	}
	r.leavesNothing()
}

func TestWithoutAWorkerAPreviewEndsInTimeAndItsTaskIsTakenBack(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	s := r.service()
	s.PreviewPatience = 200 * time.Millisecond
	if f := r.previewFails(t.Context(), s, "<p>nobody", "preview_timeout"); !f.Retryable() {
		t.Error("it is not retryable")
	}
	r.leavesNothing()
}

func TestAPreviewWhoseWorkerDiedIsTriedByNoOther(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	s := r.service()
	s.PreviewPatience = time.Second
	// A worker that takes it and is gone.
	var dead sync.Map
	stop := r.start((&queue.Server{
		Redis: r.rdb, Lines: map[jobs.Line]int{jobs.PreviewLine: 1}, Slots: 1, Logger: r.logger,
		Handler: func(ctx context.Context, task jobs.Task) error {
			claim, err := r.store.ClaimPreview(ctx, task.ID, "dead")
			dead.Store(task.ID, claim.OK)
			return errors.Join(err, jobs.ErrStoreUnavailable) // asynq gives the task to another one, as it does after a crash
		},
	}).Run)
	done := make(chan *fault.Error, 1)
	go func() {
		_, err := s.Preview(t.Context(), "default", pageSpec("<p>poison"), 0)
		done <- fault.From(err)
	}()
	var id jobs.ID
	jobstest.Eventually(t, "the first worker has it", func() bool {
		dead.Range(func(k, ok any) bool { id = k.(jobs.ID); return !ok.(bool) })
		return id != ""
	})
	stop()
	r.previews()
	if f := <-done; f == nil || f.Code != "preview_timeout" {
		t.Errorf("got %v", f)
	}
	if n := r.engine.Renders(); n != 0 {
		t.Errorf("%d renders of a page that killed a worker", n)
	}
	r.preview(s, "<p>the next one")
	r.leavesNothing()
}

func TestAPreviewThatNobodyWaitsForFreesItsSlot(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.previews()
	s := r.service()
	for range 2 { // all slots
		ctx, leave := context.WithCancel(t.Context())
		began := r.engine.Renders()
		done := make(chan error, 1)
		go func() {
			_, err := s.Preview(ctx, "default", pageSpec("<!-- rendertest:sleep=1h -->"), 0)
			done <- err
		}()
		jobstest.Eventually(t, "it is rendered", func() bool { return r.engine.Renders() > began })
		leave()
		if err := <-done; !errors.Is(err, jobs.ErrPreviewTimeout) {
			t.Errorf("got %v", err)
		}
	}
	r.preview(s, "<p>in a slot that is free again")
	r.leavesNothing()
}

func TestAPreviewIsToldThatItsWorkerStops(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	stop := r.previews()
	s := r.service()
	done := make(chan error, 1)
	go func() {
		_, err := s.Preview(t.Context(), "default", pageSpec("<!-- rendertest:sleep=1h -->"), 0)
		done <- err
	}()
	jobstest.Eventually(t, "it is rendered", func() bool { return r.engine.Renders() > 0 })
	began := time.Now()
	stop()
	if err := <-done; !errors.Is(err, jobs.ErrPreviewTimeout) || time.Since(began) > jobstest.Patience/2 {
		t.Errorf("got %v after %v", err, time.Since(began))
	}
	r.leavesNothing()
}

func TestManyPreviewsAtOnceAreAnsweredAndTooManyRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.previews()
	s := r.service()
	s.PreviewLimit = 20
	var group sync.WaitGroup
	sums := make([]string, s.PreviewLimit)
	for i := range sums {
		group.Go(func() {
			p, err := s.Preview(t.Context(), "default", pageSpec("<p>number "+strings.Repeat("i", i+1)), 0)
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Close()
			content, err := io.ReadAll(p.Content)
			if err != nil || !bytes.Contains(content, []byte(" "+strings.Repeat("i", i+1)+")")) {
				t.Errorf("%d has another page, %v", i, err)
			}
			sums[i] = p.Result.SHA256
		})
	}
	group.Wait()
	slices.Sort(sums)
	if len(slices.Compact(sums)) != s.PreviewLimit {
		t.Error("two have the same bytes")
	}
	r.leavesNothing()

	s.PreviewLimit = 1
	ctx, leave := context.WithCancel(t.Context())
	began := r.engine.Renders()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = s.Preview(ctx, "default", pageSpec("<!-- rendertest:sleep=1h -->"), 0)
	}()
	jobstest.Eventually(t, "one is waited for", func() bool { return r.engine.Renders() > began })
	if f := r.previewFails(t.Context(), s, "<p>one too many", "preview_busy"); !f.Retryable() {
		t.Error("it is not retryable")
	}
	leave()
	<-done
	r.preview(s, "<p>and again")
}

func TestTheJanitorRemovesWhatDeadProcessesLeftOfPreviews(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	old, young := jobs.NewID(jobs.KindPreview, 0), jobs.NewID(jobs.KindPreview, 0)
	for _, id := range []jobs.ID{old, young} {
		for _, name := range []string{jobs.PreviewOrderBlob("default", id), jobs.PreviewBlob("default", id, render.PDF)} {
			if err := r.blobs.Put(t.Context(), name, strings.NewReader("x")); err != nil {
				t.Fatal(err)
			}
		}
	}
	past := time.Now().Add(-61 * time.Minute)
	for _, name := range []string{jobs.PreviewOrderBlob("default", old), jobs.PreviewBlob("default", old, render.PDF)} {
		if err := os.Chtimes(filepath.Join(r.blobs.Dir, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	removed, err := (&worker.Janitor{Store: r.store, Blobs: r.blobs, Logger: r.logger}).WalkBlobs(t.Context())
	if err != nil || removed != 2 {
		t.Errorf("removed %d, %v", removed, err)
	}
	for _, name := range r.remains() {
		if !strings.Contains(name, string(young)) {
			t.Errorf("%s is left", name)
		}
	}
}
