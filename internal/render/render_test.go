package render_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render"
)

func TestAResourceIsWarnedOfOnce(t *testing.T) {
	t.Parallel()
	step := []render.Warning{{Code: "resource_missing", Detail: "logo.png: the job has no file of this name"}}
	engine := []render.Warning{
		{Code: "resource_failed", Detail: "logo.png: could not be loaded"},
		{Code: "resource_failed", Detail: "https://a.example/x: could not be loaded"},
		{Code: "resource_unfinished", Detail: "https://a.example/x: was not loaded in time"},
	}
	want := append(step[:1:1], engine[1:]...)
	if d := cmp.Diff(want, render.MergeWarnings(step, engine)); d != "" {
		t.Error(d)
	}
}
