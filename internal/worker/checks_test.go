package worker_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/render"
)

func TestADocumentThatIsNotAsExpectedIsNotIssued(t *testing.T) {
	t.Parallel()
	const page = "<p>one <!-- rendertest:pages=3 --><!-- rendertest:warn=" + render.PageBlank + " -->"
	for code, want := range map[string]jobs.Spec{
		"expect_pages":     {Expect: render.Expect{MaxPages: 2}},
		"expect_max_bytes": {Expect: render.Expect{MaxBytes: 10}},
		render.PageBlank:   {Strict: true},
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			want.Kind, want.Text, want.Output, want.Timeout = jobs.InputHTML, page, render.DefaultOutput(), jobstest.Patience
			raw, err := json.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			j := r.submitSpec(raw, false)
			if err := r.runner(r.health()).Run(t.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}); err != nil {
				t.Fatal(err)
			}
			j = r.await(j.ID, jobs.Failed)
			if j.Failure.Code != code || j.Failure.Retryable || j.Attempt != 1 || j.Failure.Engine == "" {
				t.Errorf("failure %+v after %d attempts", j.Failure, j.Attempt)
			}
			if w := j.Failure.Warnings; len(w) != 1 || w[0].Code != render.PageBlank || w[0].Detail == "" {
				t.Errorf("warnings %+v", w)
			}
			if err := r.blobs.Walk(t.Context(), "", func(name string, _ time.Time) error {
				t.Errorf("%s is left", name)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// What reads a document may come across a defect of its own, with other jobs beside it.
func TestAPanicOverTheTextOfADocumentIsTheEndOfThatJobOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	raw, err := json.Marshal(jobs.Spec{
		Kind: jobs.InputHTML, Text: "<p>one", Output: render.DefaultOutput(), Timeout: jobstest.Patience, Expect: render.Expect{Contains: []string{"one"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	j := r.submitSpec(raw, false)
	runner := r.runner(r.health())
	runner.Maker.Text = func(context.Context, []byte) ([]string, error) { panic("reading") }
	if err := runner.Run(t.Context(), jobs.Task{Line: jobs.RenderLine, ID: j.ID, Generation: 1}); err != nil {
		t.Fatal(err)
	}
	if j = r.await(j.ID, jobs.Failed); j.Failure.Code != render.ErrPageFailed.Code {
		t.Errorf("failure %+v", j.Failure)
	}
}
