package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

func TestWhatARequestAsksForReachesTheWorker(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	got := r.specOf(r.submit(`{
		"url": "https://shop.example/invoice?n=7#print", "strict": true, "cache": {"max_age_seconds": 60},
		"wait_for": {"selector": "#done > b", "network_idle": true, "timeout_seconds": 5},
		"expect": {"pages": {"min": 1, "max": 3}, "contains": ["Total 7"], "not_contains": ["NaN", "undefined"], "max_bytes": 1000000}
	}`).ID)
	want := jobs.Spec{
		Kind: jobs.InputURL, Text: "https://shop.example/invoice?n=7#print", Engine: "auto", Output: render.DefaultOutput(),
		Timeout: got.Timeout, Strict: true, Cache: time.Minute,
		Wait:   render.Wait{Selector: "#done > b", NetworkIdle: true, Timeout: 5 * time.Second},
		Expect: render.Expect{MinPages: 1, MaxPages: 3, Contains: []string{"Total 7"}, NotContains: []string{"NaN", "undefined"}, MaxBytes: 1_000_000},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWhatARequestLeavesOutIsNotAskedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	got := r.specOf(r.submit(`{"html":"<p>","strict":false,"expect":{}}`).ID)
	want := jobs.Spec{Kind: jobs.InputHTML, Text: "<p>", Engine: "auto", Output: render.DefaultOutput(), Timeout: got.Timeout}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A host that cannot be looked up now may be there when a worker loads the page.
func TestAPageWhoseHostIsNotThereNowIsAccepted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if spec := r.specOf(r.submit(`{"url":"http://lost.example/"}`).ID); spec.Text != "http://lost.example/" {
		t.Errorf("got %+v", spec)
	}
}

func TestWhereAPageIsIsNotRepeatedAndWhyItIsRefusedOnlyLogged(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.post("/jobs", jsonBody(`{"url":"https://denied.example/?t0k3n"}`))
	refused(t, a, http.StatusUnprocessableEntity, api.CodeURLDenied)
	if body, logs := string(a.body), r.logs.String(); strings.Contains(body+logs, "t0k3n") ||
		strings.Contains(body, "10.0.0.7") || !strings.Contains(logs, "10.0.0.7") {
		t.Errorf("answered %s, logged %s", body, logs)
	}
}
