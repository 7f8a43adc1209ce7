package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

func idsOf(list []api.Job) []string {
	ids := []string{}
	for _, j := range list {
		ids = append(ids, j.ID)
	}
	return ids
}

func TestListsAreNewestFirstAndInPages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var want []string
	for range 5 {
		j := r.submit(page)
		want = append([]string{j.ID}, want...)
		tick(t) // ids of one millisecond have no order
	}
	var got []string
	target := "/jobs?limit=2"
	for range 3 {
		list := read[api.JobList](t, r.get(target), http.StatusOK)
		got = append(got, idsOf(list.Data)...)
		if list.NextCursor == nil {
			break
		}
		target = "/jobs?limit=2&cursor=" + *list.NextCursor
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// tick waits for the next millisecond of the clock that ids are drawn by.
func tick(t *testing.T) {
	t.Helper()
	now := time.Now().UnixMilli()
	eventually(t, "a millisecond", func() bool { return time.Now().UnixMilli() > now })
}

func TestListsAreFiltered(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	failed := r.submit(keyed)
	r.fail(failed.ID)
	tick(t)
	queued := r.submit(keyed)
	tick(t)
	third := r.submit(page)
	at := func(j api.Job) string { return url.QueryEscape(j.CreatedAt.Format(time.RFC3339Nano)) }
	for query, want := range map[string][]string{
		"":                                      {third.ID, queued.ID, failed.ID},
		"?status=failed":                        {failed.ID},
		"?status=running":                       {},
		"?document_key=invoice:1":               {queued.ID, failed.ID},
		"?document_key=none":                    {},
		"?document_key=invoice:1&status=queued": {queued.ID},
		"?created_after=" + at(queued):          {third.ID, queued.ID}, // at or after
		"?created_before=" + at(queued):         {failed.ID},
		"?created_after=" + at(queued) + "&created_before=" + at(third): {queued.ID},
		"?created_before=1960-01-01T00:00:00Z":                          {},
		"?created_after=1960-01-01T00:00:00%2B01:00":                    {third.ID, queued.ID, failed.ID},
	} {
		list := read[api.JobList](t, r.get("/jobs"+query), http.StatusOK)
		if diff := cmp.Diff(want, idsOf(list.Data)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

func TestABadQueryIsRefusedAndNeverIgnored(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for target, detail := range map[string]string{
		"/jobs?state=queued":                             "state",
		"/jobs?status=done":                              "queued, running",
		"/jobs?status=":                                  "empty",
		"/jobs?status=queued&status=failed":              "twice",
		"/jobs?limit=0":                                  "1 to 200",
		"/jobs?limit=201":                                "1 to 200",
		"/jobs?limit=abc":                                "1 to 200",
		"/jobs?cursor=abc":                               "next_cursor",
		"/jobs?cursor=" + someDocument:                   "next_cursor",
		"/jobs?created_after=yesterday":                  "2026-03-02T09:15:00Z",
		"/jobs?created_before=2026-03-02":                "2026-03-02T09:15:00Z",
		"/jobs?document_key=" + strings.Repeat("x", 201): "200 bytes",
		"/jobs?limit=%zz":                                "well-formed",
		"/deliveries":                                    "status is required: pending, delivered or dead.",
		"/deliveries?status=alive":                       "status must be one of pending, delivered, dead.",
		"/deliveries?status=dead&type=ping":              "type must be one of job.succeeded",
		"/deliveries?status=dead&url_host=":              "url_host must not be empty",
		"/deliveries?status=dead&url_host=" + strings.Repeat("a", 2049): "at most 2048 bytes",
		"/deliveries?status=dead&created_after=now":                     "created_after must be a time",
		"/deliveries/replays?cursor=" + someJob:                         "next_cursor",
		"/jobs?acknowledged=true":                                       "acknowledged must be false.",
		"/deliveries?status=dead&limit=0":                               "1 to 200",
		"/deliveries?status=dead&cursor=" + someJob:                     "next_cursor",
	} {
		p := refused(t, r.get(target, wrong), http.StatusBadRequest, api.CodeQueryMalformed)
		if !strings.Contains(p.Detail, detail) {
			t.Errorf("%s: %s", target, p.Detail)
		}
	}
	for _, target := range []string{"/admin/keys?limit=0", "/admin/keys?cursor=x", "/admin/keys?tenant=default"} {
		refused(t, r.get(target, as(adminKey), wrong), http.StatusBadRequest, api.CodeQueryMalformed)
	}
}

func TestAQueuedJobIsCanceledAtOnceAndARunningOneIsAsked(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	queued := r.submit(page)
	for range 2 { // again is fine
		if j := read[api.Job](t, r.delete("/jobs/"+queued.ID), http.StatusOK); j.Status != api.JobCanceled || j.FinishedAt == nil {
			t.Errorf("got %+v", j)
		}
	}
	running := r.submit(page)
	claimed := r.claim(running.ID)
	a := r.delete("/jobs/" + running.ID)
	if j := read[api.Job](t, a, http.StatusAccepted); j.Status != api.JobRunning || a.header.Get("Retry-After") == "" {
		t.Errorf("got %+v", j)
	}
	pulse, err := r.store.Beat(t.Context(), claimed.ID, claimed.Fence(), time.Minute, 1)
	if err != nil || pulse != jobs.PulseCancel {
		t.Errorf("the worker is told %s, %v", pulse, err)
	}
}

func TestAFinishedJobCannotBeCanceled(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	succeeded, failed := r.submit(page), r.submit(page)
	r.issue(succeeded.ID, content)
	r.fail(failed.ID)
	for status, j := range map[string]api.Job{"succeeded": succeeded, "failed": failed} {
		p := refused(t, r.delete("/jobs/"+j.ID), http.StatusConflict, api.CodeJobFinished)
		if *p.JobID != j.ID || p.DocumentID == nil || *p.DocumentID != j.DocumentID || !strings.Contains(p.Detail, status) || p.Retryable {
			t.Errorf("%s: %+v", status, p)
		}
	}
}

func TestARetryIsANewJobForTheSameDocument(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	large := strings.Repeat("x", 40<<10)
	first := read[api.Job](t, r.post("/jobs", form(
		part{name: "job", text: `{"document_key":"k","metadata":{"a":1.10},"callback_url":"https://shop.example/","callback_secret":"sixteen letters!"}`},
		part{name: "html", text: large}, part{name: "file", file: "a.txt", text: "file"},
	)), http.StatusAccepted)
	r.fail(first.ID)

	a := r.post("/jobs/"+first.ID+"/retry", idempotencyKey("again"))
	second := read[api.Job](t, a, http.StatusAccepted)
	if second.ID == first.ID || second.DocumentID != first.DocumentID || a.header.Get("Location") != "/base/jobs/"+second.ID {
		t.Errorf("got %+v", second)
	}
	if string(second.Metadata) != `{"a":1.10}` || second.Callback == nil || second.Callback.URLHost != "shop.example" {
		t.Errorf("got %s", a.body)
	}
	if again := replayed(t, r.post("/jobs/"+first.ID+"/retry", idempotencyKey("again")), http.StatusAccepted); again.ID != second.ID {
		t.Errorf("got %s", again.ID)
	}
	got := r.specOf(second.ID)
	file, err := jobs.ReadBlob(t.Context(), r.blobs, got.Files[0].Blob)
	if got.Text != large || err != nil || string(file) != "file" || !strings.Contains(got.Files[0].Blob, second.ID) {
		t.Errorf("input: %d bytes, file %q at %s, %v", len(got.Text), file, got.Files[0].Blob, err)
	}
	r.issue(second.ID, content)
	if done := replayed(t, r.post("/jobs/"+first.ID+"/retry", idempotencyKey("again")), http.StatusOK); done.ID != second.ID {
		t.Errorf("got %s", done.ID)
	}
}

func TestWhatCannotBeRetried(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	retry := func(id string, options ...option) answer { return r.post("/jobs/"+id+"/retry", options...) }
	queued, succeeded, replaced, purged := r.submit(page), r.submit(page), r.submit(keyed), r.submit(page)
	r.issue(succeeded.ID, content)
	r.fail(replaced.ID)
	later := r.submit(keyed)
	r.fail(purged.ID)
	r.delete("/documents/" + purged.DocumentID)
	for reason, j := range map[string]api.Job{
		"The job is queued;": queued, "The job has succeeded;": succeeded, "a later one, " + later.ID + ".": replaced, "was purged.": purged,
	} {
		p := refused(t, retry(j.ID), http.StatusConflict, api.CodeJobNotRetryable)
		if *p.JobID != j.ID || *p.DocumentID != j.DocumentID || !strings.Contains(p.Detail, reason) {
			t.Errorf("%s: %+v", reason, p)
		}
	}

	gone := r.submit(`{"html":"` + strings.Repeat("x", 40<<10) + `"}`)
	r.fail(gone.ID)
	if err := r.blobs.DeletePrefix(t.Context(), jobs.InputPrefix("default", jobs.ID(gone.ID))); err != nil {
		t.Fatal(err)
	}
	if p := refused(t, retry(gone.ID), http.StatusServiceUnavailable, api.CodeStorageUnavailable); !p.Retryable {
		t.Errorf("%+v", p)
	}

	failed := r.submit(page, idempotencyKey("submit"))
	r.fail(failed.ID)
	refused(t, retry(failed.ID, idempotencyKey("submit")), http.StatusUnprocessableEntity, api.CodeIdempotencyKeyReused)
}

func TestABodyWhereThereIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(page)
	r.fail(j.ID)
	untold := func(req *http.Request) { req.ContentLength = -1 }
	for _, target := range []string{"/jobs/" + j.ID + "/retry", "/deliveries/dlv_01KCPDHS780EXAMPZE00000006/replay"} {
		p := refused(t, r.post(target, jsonBody(`{"timeout_seconds":9}`), wrong), http.StatusBadRequest, api.CodeBodyMalformed)
		if !strings.Contains(p.Detail, "no body") {
			t.Errorf("%s: %s", target, p.Detail)
		}
		refused(t, r.post(target, jsonBody(`{}`), untold, wrong), http.StatusBadRequest, api.CodeBodyMalformed)
	}
	if list := read[api.JobList](t, r.get("/jobs"), http.StatusOK); len(list.Data) != 1 {
		t.Errorf("%d jobs", len(list.Data))
	}
	read[api.Job](t, r.post("/jobs/"+j.ID+"/retry", untold), http.StatusAccepted) // a length that is not told may be 0
}

func TestARetryAsksTheGuardAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(`{"html":"<p>","callback_url":"https://shop.example/"}`)
	r.fail(j.ID)
	for _, tc := range []struct {
		url    string
		status int
		code   api.ErrorCode
	}{
		{"https://denied.example/", http.StatusUnprocessableEntity, api.CodeURLDenied},
		{"https://lost.example/", http.StatusServiceUnavailable, api.CodeCallbackHostUnresolved},
	} {
		r.guard.instead.Store(&tc.url) // what shop.example has become
		refused(t, r.post("/jobs/"+j.ID+"/retry"), tc.status, tc.code)
	}
	r.guard.instead.Store(nil)
	read[api.Job](t, r.post("/jobs/"+j.ID+"/retry"), http.StatusAccepted)
}

// deliver ends an attempt to deliver the event of a job.
func (r *rig) deliver(job string, end jobs.DeliveryEnd) jobs.ID {
	r.Helper()
	j, err := r.store.Job(r.Context(), jobs.ID(job))
	if err != nil {
		r.Fatal(err)
	}
	d, err := r.store.Delivery(r.Context(), j.Delivery)
	if err != nil {
		r.Fatal(err)
	}
	c, err := r.store.ClaimDelivery(r.Context(), d.ID, d.Generation, fmt.Sprint("owner", d.Attempt), time.Minute)
	if err != nil || c.Answer != jobs.ClaimOK {
		r.Fatalf("claim: %s, %v", c.Answer, err)
	}
	if end.Outcome == "" {
		return d.ID // it stays in flight
	}
	if _, err := r.store.FinishDelivery(r.Context(), d.ID, c.Delivery.Fence(), end); err != nil {
		r.Fatal(err)
	}
	return d.ID
}

// died is an attempt after which nothing is tried any more.
func died() jobs.DeliveryEnd {
	return jobs.DeliveryEnd{Outcome: jobs.OutcomeDead, Attempt: jobs.DeliveryAttempt{
		Outcome: jobs.OutcomeDead, Status: 410, Latency: 12 * time.Millisecond, Error: "gone", Detail: "The receiver answered 410.", Response: "bye",
	}}
}

const withCallback = `{"html":"<p>","callback_url":"https://shop.example/hook"}`

func TestADeliveryIsShownWithEachAttempt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(withCallback)
	target := "/jobs/" + j.ID + "/deliveries"
	if got := read[api.DeliveryList](t, r.get(target), http.StatusOK); len(got.Data) != 0 || got.NextCursor != nil {
		t.Errorf("before the end: %+v", got)
	}
	r.issue(j.ID, content)
	refused := jobs.DeliveryEnd{
		Outcome: jobs.OutcomeRetry, Schedule: []time.Duration{0, 0},
		Attempt: jobs.DeliveryAttempt{Outcome: jobs.OutcomeRetry, Latency: time.Millisecond, Error: "connection_refused", Detail: "The connection was refused."},
	}
	r.deliver(j.ID, refused)
	r.deliver(j.ID, jobs.DeliveryEnd{})

	got := read[api.DeliveryList](t, r.get(target), http.StatusOK).Data[0]
	if got.Status != api.DeliveryPending || got.Attempts != 2 || got.EventType != api.EventJobSucceeded || got.URLHost != "shop.example" ||
		*got.JobID != j.ID || *got.DocumentID != j.DocumentID || got.Ping || got.DiedAt != nil || len(got.Replays) != 0 || len(got.Log) != 2 {
		t.Fatalf("got %+v", got)
	}
	if first := got.Log[0]; *first.Outcome != api.AttemptFailed || first.StatusCode != nil || *first.Error != "The connection was refused." || *first.LatencyMS != 1 || first.Response != nil {
		t.Errorf("first attempt: %+v", first)
	}
	if running := got.Log[1]; running.Number != 2 || running.Outcome != nil || running.LatencyMS != nil || running.Error != nil {
		t.Errorf("attempt in flight: %+v", running)
	}
	if state := r.job(j.ID).Callback; state.Attempts != 2 || state.Status != api.DeliveryPending {
		t.Errorf("callback: %+v", state)
	}
}

func TestDeadLettersAreListedAndReplayed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var want []string
	for range 3 {
		j := r.submit(withCallback)
		r.issue(j.ID, content+j.ID)
		want = append([]string{string(r.deliver(j.ID, died()))}, want...)
		tick(t)
	}
	first := read[api.DeliveryList](t, r.get("/deliveries?status=dead&limit=2"), http.StatusOK)
	rest := read[api.DeliveryList](t, r.get("/deliveries?status=dead&limit=2&cursor="+*first.NextCursor), http.StatusOK)
	var got []string
	for _, d := range append(first.Data, rest.Data...) {
		got = append(got, d.ID)
		if end := d.Log[0]; d.Status != api.DeliveryDead || *end.Outcome != api.AttemptFailed || *end.StatusCode != 410 || *end.Response != "bye" {
			t.Errorf("got %+v", d)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || rest.NextCursor != nil {
		t.Errorf("(-want +got):\n%s", diff)
	}

	rang := r.rang.Load()
	replay := read[api.Delivery](t, r.post("/deliveries/"+want[0]+"/replay"), http.StatusAccepted)
	if replay.Status != api.DeliveryPending || replay.EventID != first.Data[0].EventID || replay.Attempts != 1 || r.rang.Load() != rang+1 {
		t.Errorf("got %+v", replay)
	}
	if left := read[api.DeliveryList](t, r.get("/deliveries?status=dead"), http.StatusOK); len(left.Data) != 2 {
		t.Errorf("%d are left", len(left.Data))
	}
}

func TestADeadLetterPastItsRetentionIsGone(t *testing.T) {
	t.Parallel()
	r := newRig(t, shortRetention, func(s *settings) { s.store.DeadRetention = 2 * time.Second })
	j := r.submit(withCallback)
	r.issue(j.ID, content)
	id := r.deliver(j.ID, died())
	r.clean(j.ID)
	refused(t, r.post("/deliveries/"+string(id)+"/replay"), http.StatusGone, api.CodeDeliveryGone)
}

func TestAJobThatFailsACheckShowsWhatWasNoticed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(`{"html":"<p>x</p>","strict":true}`)
	why := jobs.Failure{
		Code: render.PageBlank, Detail: "The job is strict, and there are warnings: page 2 is blank (page_blank).",
		Warnings: []render.Warning{{Code: render.PageBlank, Detail: "page 2 is blank"}, {Code: render.FontMissing, Detail: "Times"}},
	}
	claimed := r.claim(j.ID)
	rules := jobs.DefaultRules()
	if got, err := r.store.Fail(t.Context(), claimed.ID, claimed.Fence(), why, rules.Infrastructure); err != nil || got != jobs.WillRetry {
		t.Fatalf("%s, %v", got, err)
	}
	if got := r.job(j.ID); got.Status != api.JobQueued || len(got.Warnings) > 0 || got.Error != nil {
		t.Errorf("between two attempts: %+v", got)
	}
	claimed = r.claim(j.ID)
	if got, err := r.store.Fail(t.Context(), claimed.ID, claimed.Fence(), why, rules.Permanent); err != nil || got != jobs.HasFailed {
		t.Fatalf("%s, %v", got, err)
	}
	want := []api.Warning{{Code: render.PageBlank, Detail: "page 2 is blank"}, {Code: render.FontMissing, Detail: "Times"}}
	got := r.job(j.ID)
	if diff := cmp.Diff(want, got.Warnings); diff != "" || got.Error.Detail != why.Detail || got.Error.Code != "page_blank" {
		t.Errorf("%+v:\n%s", got.Error, diff)
	}
	if list := read[api.JobList](t, r.get("/jobs"), http.StatusOK); len(list.Data) != 1 || len(list.Data[0].Warnings) != 2 {
		t.Errorf("%+v", list.Data)
	}
}
