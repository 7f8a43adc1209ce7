package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
)

func prefer(value string) option { return header("Prefer", value) }

// later runs a step while a request is waiting for it. There is no telling when the request has begun to wait, and
// none is needed: it must see the step before, after and in between.
func later(t *testing.T, step func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-time.After(30 * time.Millisecond)
		step()
	}()
	t.Cleanup(func() { <-done })
}

func TestASubmitThatWaitsIsAnsweredWhenTheJobIsTerminal(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		end  func(r *rig, id string)
		want api.JobStatus
	}{
		"succeeded": {func(r *rig, id string) { r.issue(id, "%PDF") }, api.JobSucceeded},
		"failed":    {func(r *rig, id string) { r.fail(id) }, api.JobFailed},
	} {
		r := newRig(t, followed)
		later(t, func() {
			eventually(t, "the job is there", func() bool { return r.rang.Load() == 1 })
			list := read[api.JobList](t, r.get("/jobs"), http.StatusOK)
			tc.end(r, list.Data[0].ID)
		})
		a := r.post("/jobs", jsonBody(page), prefer("respond-async, wait=20"))
		j := read[api.Job](t, a, http.StatusOK)
		if j.Status != tc.want || a.header.Get("Preference-Applied") != "wait=20" || a.header.Get("Location") == "" || a.header.Get("Idempotency-Replayed") != "" {
			t.Errorf("%s: %v %s", name, a.header, a.body)
		}
	}
}

func TestASecondCallerWaitsForTheFirstOnesJob(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed)
	first := r.submit(page, idempotencyKey("k"))
	later(t, func() { r.issue(first.ID, "%PDF") })
	if j := replayed(t, r.post("/jobs", jsonBody(page), idempotencyKey("k"), prefer("wait=20")), http.StatusOK); j.ID != first.ID || j.Result == nil {
		t.Errorf("got %+v", j)
	}
}

func TestAWaitThatRunsOutIsA202(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.post("/jobs", jsonBody(page), prefer("wait=1"))
	read[api.Job](t, a, http.StatusAccepted)
	if a.header.Get("Preference-Applied") != "wait=1" || a.header.Get("Retry-After") == "" {
		t.Errorf("headers: %v", a.header)
	}
}

func TestPreferencesAreReadAsRFC7240Says(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(page)
	r.fail(j.ID) // terminal, so nothing waits
	for value, want := range map[string]string{
		"wait=5":                          "wait=5",
		"WAIT = 5":                        "wait=5",
		`wait="5"`:                        "wait=5",
		"wait=5; foo=bar":                 "wait=5",
		"handling=strict, wait=5, wait=6": "wait=5",
		"wait=31":                         "wait=30",
		"wait=2147483647":                 "wait=30",
		"wait":                            "",
		"wait=":                           "",
		"wait=-1":                         "",
		"wait=x":                          "",
		"wait=1.5":                        "",
		"waiting=5":                       "",
		"respond-async":                   "",
	} {
		a := r.get("/jobs/"+j.ID, prefer(value))
		if got := a.header.Get("Preference-Applied"); a.status != http.StatusOK || got != want {
			t.Errorf("%s: %d, applied %q, want %q", value, a.status, got, want)
		}
	}
}

func TestAJobsETagChangesWithIt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(page)
	a := r.get("/jobs/" + j.ID)
	tag := a.header.Get("ETag")
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After while the job is queued")
	}
	for _, known := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
		if got := r.get("/jobs/"+j.ID, header("If-None-Match", known)); got.status != http.StatusNotModified || got.header.Get("ETag") != tag {
			t.Errorf("%s: %d", known, got.status)
		}
	}
	r.fail(j.ID)
	b := r.get("/jobs/"+j.ID, header("If-None-Match", tag))
	failed := read[api.Job](t, b, http.StatusOK)
	if b.header.Get("ETag") == tag || b.header.Get("Retry-After") != "" || failed.Error.Code != api.JobErrorRenderTimeout || failed.Error.RequestID == "" {
		t.Errorf("%v %s", b.header, b.body)
	}
}

func TestAWaitWithAnETagEndsAtTheFirstChange(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed)
	j := r.submit(page)
	tag := r.get("/jobs/" + j.ID).header.Get("ETag")
	later(t, func() { r.claim(j.ID) })
	a := r.get("/jobs/"+j.ID, header("If-None-Match", tag), prefer("wait=20"))
	if got := read[api.Job](t, a, http.StatusOK); got.Status != api.JobRunning || a.header.Get("Preference-Applied") != "wait=20" {
		t.Errorf("got %+v", got)
	}
	unchanged := r.get("/jobs/"+j.ID, header("If-None-Match", a.header.Get("ETag")), prefer("wait=1"))
	if unchanged.status != http.StatusNotModified {
		t.Errorf("got %d", unchanged.status)
	}
}

func TestATerminalJobThatIsKnownIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(page)
	r.fail(j.ID)
	tag := r.get("/jobs/" + j.ID).header.Get("ETag")
	begin := time.Now()
	a := r.get("/jobs/"+j.ID, header("If-None-Match", tag), prefer("wait=20"))
	if took := time.Since(begin); a.status != http.StatusNotModified || took > 10*time.Second {
		t.Errorf("%d after %v", a.status, took)
	}
}

func TestAWaitWithoutAnETagEndsWhenTheJobIsTerminal(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed)
	j := r.submit(page)
	later(t, func() { r.complete(r.claim(j.ID), "%PDF") })
	if got := read[api.Job](t, r.get("/jobs/"+j.ID, prefer("wait=20")), http.StatusOK); got.Status != api.JobSucceeded {
		t.Errorf("got %+v", got)
	}
}
