package httpapi_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// work carries the jobs of a batch to their ends: as the items of the numbers say, failed, the others issued.
func (r *rig) work(batch string, failed ...int) {
	r.Helper()
	fails := map[int]bool{}
	for _, n := range failed {
		fails[n] = true
	}
	for _, item := range r.batchItems(batch, "&status=queued") {
		if fails[item.Index] {
			r.fail(item.Job.ID)
		} else {
			r.issue(item.Job.ID, "content of "+item.Job.ID)
		}
	}
}

// again makes the jobs of what is tried again, as the reconciler does.
func (r *rig) again() {
	r.Helper()
	r.promote() // what was mended comes first
	remaker := jobs.NewRemaker(r.store, r.blobs, r.service.Key, slog.New(slog.DiscardHandler))
	for more := true; more; {
		var err error
		if more, err = remaker.Remake(r.Context(), 0); err != nil {
			r.Fatal(err)
		}
	}
	r.promote()
}

func TestOnlyWhatFailedIsTriedAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(ndjson(append([]string{`{}`}, slips(10)...)...))
	r.promote()
	refused(t, r.post("/batches/"+b.ID+"/retry"), http.StatusConflict, api.CodeBatchPending)
	r.work(b.ID, 3, 7)
	before := r.batchItems(b.ID, "&status=failed")
	got := r.batch(b.ID)
	want := api.BatchError{Code: "render_timeout", Count: 2, Index: got.Errors[0].Index, Detail: "Too slow."}
	if got.Status != api.BatchCompleted || got.Counts.Succeeded != 8 || got.Counts.Failed != 2 || got.Progress != 100 || cmp.Diff([]api.BatchError{want}, got.Errors) != "" || got.FinishedAt == nil {
		t.Fatalf("got %+v", got)
	}
	if len(before) != 2 || before[0].Index != 3 || before[0].Error == nil || before[0].Error.Code != "render_timeout" {
		t.Fatalf("got %+v", before)
	}

	first := r.post("/batches/"+b.ID+"/retry", header("Idempotency-Key", "again"))
	if got := read[api.Batch](t, first, http.StatusAccepted); got.Sequence != 2 || got.Counts.Failed != 0 || got.Counts.Waiting != 2 || first.header.Get("Location") == "" {
		t.Errorf("got %+v", got)
	}
	if a := r.post("/batches/"+b.ID+"/retry", header("Idempotency-Key", "again")); read[api.Batch](t, a, http.StatusAccepted).Sequence != 2 || a.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("got %d %s", a.status, a.body)
	}
	p := refused(t, r.post("/batches/"+b.ID+"/retry", header("Idempotency-Key", "other")), http.StatusConflict, api.CodeBatchPending)
	if p.BatchID == nil || *p.BatchID != b.ID || !p.Retryable {
		t.Errorf("got %+v", p)
	}
	r.again()
	r.work(b.ID)
	if got := r.batch(b.ID); got.Status != api.BatchCompleted || got.Counts.Succeeded != 10 {
		t.Errorf("got %+v", got)
	}
	after := r.batchItems(b.ID, "")
	if *after[3].DocumentID != *before[0].DocumentID || after[3].Job.ID == before[0].Job.ID {
		t.Errorf("got %+v", after[3])
	}
	a := r.post("/batches/"+b.ID+"/retry", header("Idempotency-Key", "again"))
	if read[api.Batch](t, a, http.StatusOK).Sequence != 2 || a.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("got %d %s", a.status, a.body)
	}
	refused(t, r.post("/batches/"+b.ID+"/retry"), http.StatusConflict, api.CodeBatchNothingFailed)
}

// A body whose length nobody tells is none only if it is empty: a mending must not be taken for a plain retry.
func TestARetryReadsABodyOfUntoldLength(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(ndjson(append([]string{`{}`}, slips(2)...)...))
	r.promote()
	r.work(b.ID, 1)
	untold := func(req *http.Request) {
		req.ContentLength = -1
		if req.Body == nil || req.Body == http.NoBody {
			req.Body = io.NopCloser(strings.NewReader(""))
		}
	}
	retry, untyped := "/batches/"+b.ID+"/retry", func(req *http.Request) { req.Header.Del("Content-Type") }
	refused(t, r.post(retry, jsonBody(`{"items":[{"index":1,"html":"new"}]}`), untold, untyped, wrong), http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported)
	refused(t, r.post(retry, jsonBody(`{"items":[{"index":0,"html":"new"}]}`), untold), http.StatusUnprocessableEntity, api.CodeBatchRefused)
	if got := read[api.Batch](t, r.post(retry, untold), http.StatusAccepted); got.Sequence != 2 {
		t.Errorf("got %+v", got)
	}
}

func TestFailedItemsAreMended(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(ndjson(append([]string{`{}`}, slips(6)...)...))
	r.promote()
	r.work(b.ID, 1, 4, 5)
	before := r.batchItems(b.ID, "")
	retry := "/batches/" + b.ID + "/retry"
	p := refused(t, r.post(retry, ndjson(`{"defaults":{"engine":"native"}}`,
		`{"index":0,"html":"new"}`,
		`{"index":1,"document_key":"other","html":"new"}`,
		`{"index":99,"html":"new"}`,
		`{"html":"new"}`,
		`{"index":4,"html":""}`,
		`{"index":5,"html":"new"}`,
		`{"index":5,"html":"newer"}`,
		`[1]`,
	), wrong), http.StatusUnprocessableEntity, api.CodeBatchRefused)
	want := map[string]api.ErrorCode{
		"/items/0/index": api.CodeFieldInvalid, "/items/1/document_key": api.CodeFieldInvalid, "/items/2/index": api.CodeFieldInvalid,
		"/items/3/index": api.CodeFieldMissing, "/items/4/html": api.CodeFieldInvalid, "/items/6/index": api.CodeFieldDuplicate, "/items/7": api.CodeFieldInvalid,
	}
	if diff := cmp.Diff(want, pointers(p)); diff != "" || *p.ErrorCount != 7 {
		t.Errorf("%d, %s", *p.ErrorCount, diff)
	}
	refused(t, r.post(retry, jsonBody(`{"items":`), wrong), http.StatusBadRequest, api.CodeBodyMalformed)
	refused(t, r.post(retry, body("text/csv", "1,2"), wrong), http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported)
	refused(t, r.post(retry, ndjson(`{"items":[]}`, `{"index":1,"html":"new"}`), wrong), http.StatusUnprocessableEntity, api.CodeFieldInvalid)
	refused(t, r.post(retry, ndjson(`{"defaults":{"html":"`+strings.Repeat("x", api.MaxBatchHeaderBytes)+`"}}`)), http.StatusRequestEntityTooLarge, api.CodeBodyTooLarge)
	if got := r.batch(b.ID); got.Sequence != 1 || got.Counts.Failed != 3 {
		t.Errorf("got %+v", got)
	}

	mended := jsonBody(`{"defaults":{"engine":"native"},"items":[{"index":4,"html":"<p>mended"},{"index":1,"document_key":"d:1","html":"<p>mended"}]}`)
	if got := read[api.Batch](t, r.post(retry, mended, header("Idempotency-Key", "mend")), http.StatusAccepted); got.Sequence != 2 {
		t.Errorf("got %+v", got)
	}
	a := r.post(retry, mended, header("Idempotency-Key", "mend"))
	if read[api.Batch](t, a, http.StatusAccepted); a.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("got %s", a.body)
	}
	r.again()
	items := r.batchItems(b.ID, "&status=queued")
	if len(items) != 3 {
		t.Fatalf("got %+v", r.batchItems(b.ID, ""))
	}
	for i, want := range []string{"<p>mended", "<p>mended", "<p>5"} {
		if spec := r.specOf(items[i].Job.ID); spec.Text != want || *items[i].DocumentID != *before[items[i].Index].DocumentID {
			t.Errorf("item %d has %+v", items[i].Index, spec)
		}
	}
	r.work(b.ID)
	if read[api.Batch](t, r.post(retry, mended, header("Idempotency-Key", "mend")), http.StatusOK).Counts.Succeeded != 6 {
		t.Errorf("got %+v", r.batch(b.ID))
	}
	// A mended document is that of its new payload.
	if j := read[api.Job](t, r.post("/jobs", jsonBody(`{"document_key":"d:4","engine":"native","html":"<p>mended"}`)), http.StatusOK); j.DocumentID != *before[4].DocumentID {
		t.Errorf("got %+v", j)
	}
}

func TestARefusedRetryLeavesNoInputsToALaterOneOfTheSameKey(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(ndjson(append([]string{`{}`}, slips(3)...)...))
	r.promote()
	r.work(b.ID, 0, 1, 2)
	retry := "/batches/" + b.ID + "/retry"
	refused(t, r.post(retry, jsonBody(`{"items":[{"index":0,"html":"refused"},{"index":1,"html":"good","document_key":"another"}]}`), header("Idempotency-Key", "k")), http.StatusUnprocessableEntity, api.CodeBatchRefused)
	read[api.Batch](t, r.post(retry, jsonBody(`{"items":[{"index":1,"html":"good"}]}`), header("Idempotency-Key", "k")), http.StatusAccepted)
	r.again()
	for i, want := range []string{"<p>0", "good", "<p>2"} {
		if spec := r.specOf(r.batchItems(b.ID, "")[i].Job.ID); spec.Text != want {
			t.Errorf("item %d has %+v", i, spec)
		}
	}
}

// lateStore is a store in which a batch ends right after it was read for the first time.
type lateStore struct {
	jobs.Store
	once bool
	end  func()
}

func (s *lateStore) Batch(ctx context.Context, id jobs.ID) (jobs.Batch, error) {
	b, err := s.Store.Batch(ctx, id)
	if !s.once {
		s.once = true
		s.end()
	}
	return b, err
}

func TestARetryWithNewInputsOfABatchThatEndsMeanwhileDoesNotBeginWithoutThem(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(ndjson(append([]string{`{}`}, slips(2)...)...))
	r.promote()
	r.service.Store = &lateStore{Store: r.store, end: func() { r.work(b.ID, 1) }}
	a := r.post("/batches/"+b.ID+"/retry", jsonBody(`{"items":[{"index":1,"html":"mended"}]}`))
	if p := refused(t, a, http.StatusConflict, api.CodeBatchPending); !p.Retryable {
		t.Errorf("got %+v", p)
	}
	if got := r.batch(b.ID); got.Sequence != 1 || got.Counts.Failed != 1 {
		t.Errorf("got %+v", got)
	}
	read[api.Batch](t, r.post("/batches/"+b.ID+"/retry", jsonBody(`{"items":[{"index":1,"html":"mended"}]}`)), http.StatusAccepted)
	r.again()
	if spec := r.specOf(r.batchItems(b.ID, "")[1].Job.ID); spec.Text != "mended" {
		t.Errorf("got %+v", spec)
	}
}

func TestARetryBesideAnotherOneIsToComeAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(ndjson(append([]string{`{}`}, slips(2)...)...))
	r.promote()
	r.work(b.ID, 1)
	r.service.Store = &lateStore{Store: r.store, end: func() {
		order := jobs.BatchRetry{Batch: jobs.ID(b.ID), Key: "another", Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0)}
		if got, err := r.store.RetryBatch(t.Context(), order); err != nil || got != jobs.RetryBegun {
			t.Errorf("got %s, %v", got, err)
		}
	}}
	a := r.post("/batches/"+b.ID+"/retry", jsonBody(`{"items":[{"index":1,"html":"mended"}]}`))
	if p := refused(t, a, http.StatusConflict, api.CodeBatchPending); !p.Retryable {
		t.Errorf("got %+v", p)
	}
}

func TestABatchIsCanceled(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(ndjson(append([]string{`{}`}, slips(4)...)...))
	r.promote()
	items := r.batchItems(b.ID, "")
	r.issue(items[0].Job.ID, "one")
	running := r.claim(items[1].Job.ID)
	if got := read[api.Batch](t, r.delete("/batches/"+b.ID), http.StatusAccepted); got.Status != api.BatchCanceling {
		t.Errorf("got %+v", got)
	}
	r.promote()
	if _, err := r.store.Fail(t.Context(), running.ID, running.Fence(), jobs.Failure{Code: "render_timeout"}, jobs.DefaultRules().Permanent); err != nil {
		t.Fatal(err)
	}
	got := read[api.Batch](t, r.delete("/batches/"+b.ID), http.StatusOK)
	if got.Status != api.BatchCanceled || got.Counts.Succeeded != 1 || got.Counts.Canceled != 3 {
		t.Errorf("got %+v", got)
	}
	done := r.submitBatch(ndjson(`{}`, slip(100)))
	r.promote()
	r.work(done.ID)
	if p := refused(t, r.delete("/batches/"+done.ID), http.StatusConflict, api.CodeBatchFinished); p.BatchID == nil || *p.BatchID != done.ID {
		t.Errorf("got %+v", p)
	}
}

func TestABatchIsWaitedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed)
	b := r.submitBatch(ndjson(`{}`, slip(0), slip(1)))
	r.promote()
	seen := r.get("/batches/" + b.ID)
	tag := seen.header.Get("ETag")
	if seen.header.Get("Retry-After") == "" || !strings.HasPrefix(tag, "W/") {
		t.Errorf("got %v", seen.header)
	}
	if a := r.get("/batches/"+b.ID, header("If-None-Match", tag)); a.status != http.StatusNotModified {
		t.Errorf("got %d", a.status)
	}
	items := r.batchItems(b.ID, "")
	changed, ended := make(chan answer, 1), make(chan answer, 1)
	go func() { changed <- r.get("/batches/"+b.ID, header("If-None-Match", tag), header("Prefer", "wait=20")) }()
	go func() { ended <- r.get("/batches/"+b.ID, header("Prefer", "wait=20")) }()
	r.issue(items[0].Job.ID, "one")
	if got := read[api.Batch](t, <-changed, http.StatusOK); got.Counts.Queued == 2 {
		t.Errorf("got %+v", got)
	}
	r.issue(items[1].Job.ID, "two")
	select {
	case a := <-ended:
		if got := read[api.Batch](t, a, http.StatusOK); got.Status != api.BatchCompleted || a.header.Get("Preference-Applied") != "wait=20" {
			t.Errorf("got %+v", got)
		}
	case <-time.After(15 * time.Second):
		t.Error("nobody was told")
	}
}

// Where everything was issued before there is nothing to wait for.
func TestABatchInWhichEverythingIsReusedHasEnded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(ndjson(append([]string{`{}`}, slips(3)...)...))
	r.promote()
	r.work(b.ID)
	again := r.submitBatch(ndjson(append([]string{`{"webhook_url":"https://hr.example/hook"}`}, slips(3)...)...), header("Idempotency-Key", "k"))
	r.promote()
	a := r.post("/batches", ndjson(append([]string{`{}`}, slips(3)...)...), header("Idempotency-Key", "k"))
	got := read[api.Batch](t, a, http.StatusOK)
	if got.ID != again.ID || got.Status != api.BatchCompleted || got.Counts.Reused != 3 || a.header.Get("Retry-After") != "" || got.Callback == nil || got.Callback.URLHost != "hr.example" {
		t.Errorf("got %+v", got)
	}
}

func TestABatchReportsWhatItIsAskedTo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(jsonBody(`{"webhook_url":"https://hr.example/hook","webhook_events":["job.failed"],"items":[` + slip(0) + "," + slip(1) + `]}`))
	if b.Callback != nil || cmp.Diff([]string{"job.failed"}, b.WebhookEvents) != "" {
		t.Errorf("got %+v", b)
	}
	r.promote()
	r.work(b.ID, 1)
	list := read[api.DeliveryList](t, r.get("/deliveries?status=pending"), http.StatusOK)
	if len(list.Data) != 1 || list.Data[0].EventType != api.EventJobFailed || list.Data[0].URLHost != "hr.example" {
		t.Errorf("there are %+v", list.Data)
	}
	all := r.submitBatch(jsonBody(`{"webhook_url":"https://hr.example/hook","items":[` + slip(2) + `]}`))
	r.promote()
	r.work(all.ID)
	list = read[api.DeliveryList](t, r.get("/deliveries?status=pending"), http.StatusOK)
	if len(list.Data) != 2 || list.Data[0].EventType != api.EventBatchCompleted {
		t.Errorf("there are %+v", list.Data)
	}
}

func TestAJobInFlightElsewhereIsWaitedForByABatch(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(slip(0))
	b := r.submitBatch(ndjson(`{}`, slip(0)))
	r.promote()
	if items := r.batchItems(b.ID, ""); items[0].Job == nil || items[0].Job.ID != j.ID || items[0].Status != api.ItemQueued {
		t.Fatalf("got %+v", items)
	}
	r.issue(j.ID, "one")
	if got := r.batch(b.ID); got.Status != api.BatchCompleted || got.Counts.Succeeded != 1 {
		t.Errorf("got %+v", got)
	}
}
