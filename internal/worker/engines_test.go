package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/auto"
	"github.com/platen-render/platen/internal/render/rendertest"
	"github.com/platen-render/platen/internal/worker"
)

// native is an engine that does not draw every page.
func native() *rendertest.Engine { return &rendertest.Engine{Name: render.Native, Subset: true} }

// try makes one attempt of a job for a page that asks for an engine.
func (r *rig) try(h *worker.Health, engine render.Engine, wish, page string) jobs.Job {
	r.Helper()
	spec, err := json.Marshal(jobs.Spec{
		Kind: jobs.InputHTML, Text: page, Engine: wish, Output: render.DefaultOutput(), Timeout: jobstest.Patience,
	})
	if err != nil {
		r.Fatal(err)
	}
	j := r.submitSpec(spec, false)
	runner := r.runner(h)
	runner.Maker.Engine = engine
	if err := runner.Run(r.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}); err != nil {
		r.Fatal(err)
	}
	return r.job(j.ID)
}

const outside = "<p>two <!-- rendertest:outside=columns -->"

func TestTheEngineAndWhyItWasChosenStandInTheJob(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	h := r.health()
	both := &auto.Engine{Native: native(), Browser: &rendertest.Engine{Name: render.Chromium}}
	for _, c := range []struct{ wish, page, engine, reason string }{
		{"auto", "<p>plain", "native", ""},
		{"auto", outside, "chromium", "`columns`"},
		{"", outside, "chromium", "`columns`"}, // a record of a version that had one engine
		{"chromium", "<p>plain", "chromium", ""},
		{"native", "<p>plain", "native", ""},
	} {
		j := r.try(h, both, c.wish, c.page)
		if j.Status != jobs.Succeeded || j.Result.Engine != c.engine || j.Result.Reason != c.reason {
			t.Errorf("%q, %s: %s, result %+v", c.wish, c.page, j.Status, j.Result)
		}
	}
	j := r.try(h, both, "native", outside)
	if f := j.Failure; j.Status != jobs.Failed || f.Code != "outside_native_subset" || f.Retryable || f.Engine != "native" || !strings.Contains(f.Detail, "`columns`") {
		t.Errorf("%s, failure %+v", j.Status, f)
	}
	j = r.try(h, both, "auto", outside+"<!-- rendertest:fail=page_failed -->")
	if f := j.Failure; j.Status != jobs.Failed || f.Engine != "chromium" || f.Reason != "`columns`" {
		t.Errorf("%s, failure %+v", j.Status, f)
	}
}

func TestAWorkerWithoutABrowserIsWellAndLeavesJobsThatNeedOneToOthers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	alone := &auto.Engine{Native: native()}
	h := &worker.Health{Probe: alone.Probe, Logger: r.logger}
	change := h.Gate(t.Context())
	for _, wish := range []string{"auto", "chromium"} {
		j := r.try(h, alone, wish, outside)
		if f := j.Failure; j.Status != jobs.Queued || f.Code != "engine_unavailable" || !f.Retryable || !strings.Contains(f.Detail, "browser") {
			t.Errorf("%s: %s, failure %+v", wish, j.Status, f)
		}
	}
	select {
	case <-change:
		t.Error("a page that needs a browser made the worker ill")
	default:
	}
	if j := r.try(h, alone, "auto", "<p>plain"); j.Status != jobs.Succeeded || j.Result.Engine != "native" {
		t.Errorf("%s, result %+v", j.Status, j.Result)
	}
	if rule := jobs.DefaultRules().Unexplained; rule.Limit < 1 || len(rule.Delays) == 0 {
		t.Errorf("such a job is not tried again elsewhere: %+v", rule)
	}
}

func TestAnIllWorkerSaysSoWhoeverMetTheWallFirst(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var wall error
	h := &worker.Health{
		Probe: func(context.Context) error { return wall }, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}
	count := func(message string) int { return strings.Count(log.String(), message) }
	if h.Meet(t.Context(), errors.New("it was a moment")) || count("takes") != 0 {
		t.Errorf("a wall that is gone at once: %s", &log)
	}
	wall = errors.New("no browser")
	for range 2 {
		if !h.Meet(t.Context(), wall) || count("worker takes no work") != 1 {
			t.Errorf("a wall that stays: %s", &log)
		}
	}
	wall = nil
	if h.Meet(t.Context(), errors.New("again")) || count("worker takes work again") != 1 {
		t.Errorf("a wall that is gone: %s", &log)
	}
}
