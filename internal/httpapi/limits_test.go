package httpapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// limit changes limits of a tenant.
func (r *rig) limit(tenant, limits string) api.Tenant {
	r.Helper()
	a := r.do(http.MethodPatch, "/admin/tenants/"+tenant, as(adminKey), jsonBody(`{"limits":`+limits+`}`))
	return read[api.Tenant](r, a, http.StatusOK)
}

// limited reads a refusal by a limit.
func limited(tb testing.TB, a answer, limit string, value int64) api.Problem {
	tb.Helper()
	p := refused(tb, a, http.StatusTooManyRequests, api.CodeLimitReached)
	if p.Limit == nil || *p.Limit != limit || p.LimitValue == nil || *p.LimitValue != value || !p.Retryable {
		tb.Errorf("got %s", a.body)
	}
	if wait, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || wait < 1 {
		tb.Errorf("Retry-After is %q", a.header.Get("Retry-After"))
	}
	return p
}

func TestLimitsAreSetOneByOneAndTakenAway(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.createKey(`{"tenant":"shop"}`)
	want := api.TenantLimits{StoredVersions: new(int64(jobs.DefaultVersions))}
	if got := read[api.Tenant](t, r.get("/admin/tenants/shop", as(adminKey)), http.StatusOK); cmp.Diff(want, got.Limits) != "" {
		t.Errorf("at first %+v", got.Limits)
	}
	r.limit("shop", `{"requests_per_second":50,"request_burst":100,"concurrent_renders":4,"queued_jobs":10000,"batch_items":100000,"stored_bytes":50000000000}`)
	got := r.limit("shop", `{"queued_jobs":null,"stored_versions":0}`)
	want = api.TenantLimits{
		RequestsPerSecond: new(int64(50)), RequestBurst: new(int64(100)), ConcurrentRenders: new(int64(4)), BatchItems: new(int64(100_000)),
		StoredBytes: new(int64(50_000_000_000)), StoredVersions: new(int64(0)),
	}
	if diff := cmp.Diff(want, got.Limits); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := r.limit("shop", `{}`); cmp.Diff(want, got.Limits) != "" {
		t.Errorf("no change gave %+v", got.Limits)
	}
	a := r.do(http.MethodPatch, "/admin/tenants/shop", as(adminKey), jsonBody(`{"callback_url":"https://shop.example/hook","limits":{"stored_versions":null}}`))
	both := read[api.Tenant](t, a, http.StatusOK)
	want.StoredVersions = new(int64(jobs.DefaultVersions))
	if diff := cmp.Diff(want, both.Limits); diff != "" || *both.CallbackURLHost != "shop.example" {
		t.Errorf("%s %v", diff, *both.CallbackURLHost)
	}
	list := read[api.TenantList](t, r.get("/admin/tenants", as(adminKey)), http.StatusOK)
	if diff := cmp.Diff(want, list.Data[1].Limits); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	nobody := r.do(http.MethodPatch, "/admin/tenants/nobody", as(adminKey), jsonBody(`{"limits":{"queued_jobs":1}}`))
	refused(t, nobody, http.StatusNotFound, api.CodeTenantNotFound)
}

func TestTheBoundsOfLimitsAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	patch := func(body string, options ...option) answer {
		return r.do(http.MethodPatch, "/admin/tenants/default", append(options, as(adminKey), jsonBody(body))...)
	}
	for _, b := range jobs.LimitBounds {
		for _, value := range []int64{b.Min, b.Max} {
			r.limit("default", fmt.Sprintf(`{%q:%d}`, b.Limit, value))
		}
		for _, value := range []int64{b.Min - 1, b.Max + 1} {
			p := refused(t, patch(fmt.Sprintf(`{"limits":{%q:%d}}`, b.Limit, value), wrong), http.StatusUnprocessableEntity, api.CodeFieldInvalid)
			if p.Errors[0].Pointer != "/limits/"+string(b.Limit) {
				t.Errorf("got %+v", p)
			}
		}
	}
	p := refused(t, patch(`{"limits":{"a/b":1,"queued_jobs":"many","batch_items":1.5},"callback_url":"https://x.example/"}`, wrong), http.StatusUnprocessableEntity, api.CodeFieldInvalid)
	want := map[string]api.ErrorCode{"/limits/a~1b": api.CodeFieldUnknown, "/limits/queued_jobs": api.CodeFieldInvalid, "/limits/batch_items": api.CodeFieldInvalid}
	if diff := cmp.Diff(want, pointers(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	refused(t, patch(`{"limits":null}`, wrong), http.StatusUnprocessableEntity, api.CodeFieldInvalid)
	if got := read[api.Tenant](t, r.get("/admin/tenants/default", as(adminKey)), http.StatusOK); got.CallbackURLHost != nil {
		t.Errorf("half of a refused change was made: %+v", got)
	}
}

func TestALimitRefusesWhatIsNewAndNothingElse(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const page = `{"html":"<p>Hi","document_key":"d"}`
	first := r.submit(page, header("Idempotency-Key", "k"))
	failed := r.submit(`{"html":"<p>1"}`)
	r.fail(failed.ID)
	batch := r.submitBatch(ndjson(append([]string{`{"webhook_events":["batch.completed"]}`}, slips(1)...)...), header("Idempotency-Key", "b"))
	r.promote()
	r.fail(r.batchItems(batch.ID, "")[0].Job.ID)
	r.limit("default", `{"stored_bytes":0}`)
	rang := r.rang.Load()
	for _, a := range []answer{
		r.post("/jobs", jsonBody(`{"html":"<p>2","document_key":"e"}`), header("Idempotency-Key", "new")),
		r.post("/jobs/" + failed.ID + "/retry"),
		r.post("/batches", ndjson(append([]string{`{}`}, slips(1)...)...)),
		r.post("/batches/" + batch.ID + "/retry"),
		r.put("/templates/t", jsonBody(`{"html":"<p>Hi"}`)),
		r.put("/assets/a.svg", body("image/svg+xml", svg)),
	} {
		limited(t, a, "stored_bytes", 0)
	}
	for name, a := range map[string]answer{
		"an idempotency key": r.post("/jobs", jsonBody(page), header("Idempotency-Key", "k")),
		"a document key":     r.post("/jobs", jsonBody(page), header("Idempotency-Key", "another")),
	} {
		if job := read[api.Job](t, a, http.StatusAccepted); job.ID != first.ID || a.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%s: %s", name, a.body)
		}
	}
	again := ndjson(append([]string{`{"webhook_events":["batch.completed"]}`}, slips(1)...)...)
	if a := r.post("/batches", again, header("Idempotency-Key", "b")); a.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("a batch again: %d %s", a.status, a.body)
	}
	if got := r.rang.Load(); got != rang {
		t.Errorf("%d tasks for refused work", got-rang)
	}
	if names := r.blobNames(""); strings.Contains(strings.Join(names, " "), "/assets/") {
		t.Errorf("bytes of what was refused: %q", names)
	}
	r.limit("default", `{"stored_bytes":null}`) // and no restart
	r.submit(`{"html":"<p>2","document_key":"e"}`, header("Idempotency-Key", "new"))
	read[api.Job](t, r.post("/jobs/"+failed.ID+"/retry"), http.StatusAccepted)
}

func TestTheRateOfRequestsSaysExactlyWhenTheNextOnePasses(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.limit("default", `{"requests_per_second":1,"request_burst":2}`)
	a := r.post("/jobs", jsonBody(`{"html":"<p>1"}`))
	for passed := 1; a.status == http.StatusAccepted && passed < 50; passed++ { // a busy machine may be slower than the rate
		a = r.post("/jobs", jsonBody(`{"html":"<p>1"}`))
	}
	limited(t, a, "requests_per_second", 1)
	if got := a.header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After is %q", got)
	}
	<-time.After(time.Second)
	r.submit(`{"html":"<p>3"}`)
}

func TestARenderThatIsWaitedForIsARequest(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.putTemplate(`,"sample":{"number":"INV-1"}`)
	job := r.submit(`{"html":"<p>Hi"}`)
	r.issue(job.ID, "the bytes")
	r.previews(func(jobs.PreviewOrder) (string, *jobs.Failure) { return "the bytes", nil })
	for _, target := range []string{invoicePreview, "/documents/" + job.DocumentID + "/rerender"} {
		if a := r.post(target); a.status != http.StatusOK {
			t.Fatalf("%d: %s", a.status, a.body)
		}
		r.limit("default", `{"requests_per_second":1,"request_burst":1}`)
		r.spend("default")
		limited(t, r.post(target), "requests_per_second", 1)
		r.limit("default", `{"requests_per_second":null}`)
	}
}

// spend takes all requests of a tenant that may come at once.
func (r *rig) spend(tenant string) {
	r.Helper()
	for {
		err := r.store.Charge(r.Context(), tenant)
		if errors.Is(err, jobs.ErrLimitReached) {
			return
		}
		if err != nil {
			r.Fatal(err)
		}
	}
}

func TestManyAtOnceAreLetPassUpToTheLimit(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.limit("default", `{"queued_jobs":5}`)
	var taken, refused, other atomic.Int64
	var together sync.WaitGroup
	for i := range 40 {
		together.Go(func() {
			// Every key comes twice, so that of half of them an earlier job answers.
			a := r.post("/jobs", jsonBody(fmt.Sprintf(`{"html":"<p>%d"}`, i/2)), header("Idempotency-Key", fmt.Sprint(i/2)))
			switch {
			case a.status == http.StatusAccepted && a.header.Get("Idempotency-Replayed") != "true":
				taken.Add(1)
			case a.status == http.StatusTooManyRequests:
				refused.Add(1)
			case a.status != http.StatusAccepted:
				other.Add(1)
			}
		})
	}
	together.Wait()
	if taken.Load() != 5 || other.Load() != 0 {
		t.Errorf("%d taken, %d refused, %d others", taken.Load(), refused.Load(), other.Load())
	}
	p := limited(t, r.post("/jobs", jsonBody(`{"html":"<p>more"}`)), "queued_jobs", 5)
	if p.Detail != "The tenant may have 5 jobs that are queued." {
		t.Errorf("it says %q", p.Detail)
	}
	usage := read[api.Tenant](t, r.get("/admin/tenants/default", as(adminKey)), http.StatusOK).Usage
	if diff := cmp.Diff(api.TenantUsage{QueuedJobs: 5}, usage); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	r.createKey(`{"tenant":"shop"}`)
	shop := r.newKey("shop", jobs.ScopeWrite)
	r.submit(`{"html":"<p>of another tenant"}`, as(shop))
}

func TestABatchHasSoManyItems(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.limit("default", `{"batch_items":3}`)
	lines := append([]string{`{}`}, slips(4)...)
	limited(t, r.post("/batches", ndjson(lines...)), "batch_items", 3)
	limited(t, r.post("/batches", ndjson(lines...), header("Idempotency-Key", "k")), "batch_items", 3)
	r.submit(`{"html":"<p>0","document_key":"d:0"}`) // nothing of it stays reserved
	r.submitBatch(ndjson(lines[:4]...), header("Idempotency-Key", "fits"))
	r.limit("default", `{"batch_items":4}`)
	r.submitBatch(ndjson(lines...), header("Idempotency-Key", "k"))
}

func TestWorkThatWaitsTooLongRefusesMore(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *settings) { s.store.MaxQueueAge = 200 * time.Millisecond })
	first := r.submit(`{"html":"<p>first"}`, header("Idempotency-Key", "k"))
	var last answer
	eventually(t, "the queue is too old", func() bool { // nobody takes any of them
		last = r.post("/jobs", jsonBody(`{"html":"<p>more"}`))
		return last.status != http.StatusAccepted
	})
	p := refused(t, last, http.StatusServiceUnavailable, api.CodeOverloaded)
	if !p.Retryable || last.header.Get("Retry-After") != "30" || p.Limit != nil {
		t.Errorf("got %s", last.body)
	}
	again := r.post("/jobs", jsonBody(`{"html":"<p>first"}`), header("Idempotency-Key", "k"))
	if job := read[api.Job](t, again, http.StatusAccepted); job.ID != first.ID {
		t.Errorf("a replay got %s", again.body)
	}
	r.submitBatch(ndjson(append([]string{`{}`}, slips(1)...)...))
	r.limit("default", `{"stored_bytes":0}`)
	limited(t, r.put("/templates/t", jsonBody(`{"html":"<p>Hi"}`)), "stored_bytes", 0)
	metrics := string(r.get("/metrics", as("")).body)
	for _, want := range []string{
		`platen_refusals_total{reason="overloaded"} 1`, `platen_refusals_total{reason="stored_bytes"} 1`,
		`platen_refusals_total{reason="queued_jobs"} 0`, `platen_refusals_total{reason="store_full"} 0`,
	} {
		if !strings.Contains(metrics, want+"\n") {
			t.Errorf("the metrics do not have %s", want)
		}
	}
}
