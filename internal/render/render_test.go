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

func TestChosenPagesKeepTheirNumbers(t *testing.T) {
	t.Parallel()
	o := render.Output{Pages: []render.PageRange{{First: 2, Last: 3}, {First: 5, Last: 5}, {First: 8}}}
	var numbers []int
	for page := 1; page <= 10; page++ {
		if o.Chosen(page) {
			numbers = append(numbers, page)
			if got := o.Number(len(numbers)); got != page {
				t.Errorf("page %d of the document is %d, want %d", len(numbers), got, page)
			}
		}
	}
	if d := cmp.Diff([]int{2, 3, 5, 8, 9, 10}, numbers); d != "" {
		t.Error(d)
	}
	if all := (render.Output{}); !all.Chosen(7) || all.Number(7) != 7 {
		t.Error("without ranges not all are chosen, as they are")
	}
}
