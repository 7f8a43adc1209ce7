package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

func TestThePriorityOfAJobIsItsClassAndNoPartOfItsIdentity(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for priority, want := range map[string]jobs.Class{
		``: jobs.ClassNormal, `,"priority":"normal"`: jobs.ClassNormal, `,"priority":"high"`: jobs.ClassHigh, `,"priority":"low"`: jobs.ClassLow,
	} {
		made := read[api.Job](t, r.post("/jobs", jsonBody(`{"html":"<p>"`+priority+`}`)), http.StatusAccepted)
		j, err := r.store.Job(t.Context(), jobs.ID(made.ID))
		if err != nil || j.Class != want || made.Priority != api.Priority(want.Name()) {
			t.Errorf("%s: the class is %q, want %q, shown as %q, %v", priority, j.Class, want, made.Priority, err)
		}
	}
	first := read[api.Job](t, r.post("/jobs", jsonBody(`{"html":"<p>","document_key":"k"}`)), http.StatusAccepted)
	again := r.post("/jobs", jsonBody(`{"html":"<p>","document_key":"k","priority":"high"}`))
	if got := read[api.Job](t, again, http.StatusAccepted); got.ID != first.ID {
		t.Errorf("another job answers: %+v", got)
	}
}

func TestTheJobsOfABatchSaySo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(ndjson(append([]string{`{}`}, slips(1)...)...))
	r.promote()
	item := r.batchItems(b.ID, "")[0]
	if j := read[api.Job](t, r.get("/jobs/"+item.Job.ID), http.StatusOK); j.Priority != api.PriorityBatch {
		t.Errorf("its priority is %q", j.Priority)
	}
}
