package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// ndjson is a body of lines.
func ndjson(lines ...string) option {
	return body("application/x-ndjson", strings.Join(lines, "\n")+"\n")
}

// slip is an item with a key of its own.
func slip(n int) string {
	return fmt.Sprintf(`{"document_key":"d:%d","html":"<p>%d"}`, n, n)
}

// slips are the items of the numbers from 0 on.
func slips(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = slip(i)
	}
	return lines
}

// submitBatch accepts a batch.
func (r *rig) submitBatch(options ...option) api.Batch {
	r.Helper()
	return read[api.Batch](r, r.post("/batches", options...), http.StatusAccepted)
}

func (r *rig) batch(id string) api.Batch {
	r.Helper()
	return read[api.Batch](r, r.get("/batches/"+id), http.StatusOK)
}

// promote makes the jobs of all batches, as the reconciler does.
func (r *rig) promote() {
	r.Helper()
	for more := true; more; {
		var err error
		if more, err = r.store.Promote(r.Context(), 0); err != nil {
			r.Fatal(err)
		}
	}
}

// batchItems are all items of a batch.
func (r *rig) batchItems(id, query string) []api.BatchItem {
	r.Helper()
	var all []api.BatchItem
	for cursor := ""; ; {
		list := read[api.BatchItemList](r, r.get("/batches/"+id+"/jobs?limit=200"+query+cursor), http.StatusOK)
		all = append(all, list.Data...)
		if list.NextCursor == nil {
			return all
		}
		cursor = "&cursor=" + *list.NextCursor
	}
}

// pointers are those of a problem, with their codes.
func pointers(p api.Problem) map[string]api.ErrorCode {
	all := map[string]api.ErrorCode{}
	for _, e := range p.Errors {
		all[e.Pointer] = e.Code
	}
	return all
}

func TestABatchInJSONBecomesJobs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(jsonBody(`{"items":[{"html":"<p>1","document_key":"a","metadata":{"n":1}},{"markdown":"# 2","document_key":"b"}],
		"item_count":2,"expect_keys":["a","c"],"metadata":{"run":1.10}}`))
	if b.Items != 2 || b.Counts.Waiting != 2 || b.Status != api.BatchRunning || string(b.Metadata) != `{"run":1.10}` ||
		cmp.Diff(b.Expected, &api.ExpectedKeys{Keys: 2, Missing: 1, Unexpected: 1}) != "" {
		t.Errorf("got %+v", b)
	}
	r.promote()
	items := r.batchItems(b.ID, "")
	if len(items) != 2 || items[0].Index != 0 || *items[0].DocumentKey != "a" || items[1].Job == nil {
		t.Fatalf("got %+v", items)
	}
	j := r.job(items[0].Job.ID)
	if j.BatchID == nil || *j.BatchID != b.ID || j.Status != api.JobQueued || string(j.Metadata) != `{"n":1}` || j.DocumentID != *items[0].DocumentID {
		t.Errorf("got %+v", j)
	}
}

func TestABatchInLinesBecomesJobs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(ndjson(append([]string{`{"item_count":1200}`, ""}, slips(1200)...)...))
	r.promote()
	got := r.batch(b.ID)
	if got.Items != 1200 || got.Counts.Queued != 1200 {
		t.Errorf("got %+v", got)
	}
	items := r.batchItems(b.ID, "&status=queued")
	for i, item := range items {
		if item.Index != i || *item.DocumentKey != fmt.Sprintf("d:%d", i) {
			t.Fatalf("item %d is %+v", i, item)
		}
	}
	if len(items) != 1200 {
		t.Errorf("got %d items", len(items))
	}
}

func TestDefaultsAreMergedMemberByMember(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.submitBatch(jsonBody(`{"defaults":{"template":{"html":"{{.a}}{{.b}}{{.c.x}}"},"data":{"a":1,"b":2,"c":{"x":1,"y":1}},"output":{"paper":"a5","landscape":true},"engine":"chromium"},
		"items":[{"data":{"b":3.10,"c":{"x":"é"}},"output":{"paper":"a6"}}, {"engine":"native"}]}`))
	r.promote()
	items := r.batchItems(b.ID, "")
	first, second := r.specOf(items[0].Job.ID), r.specOf(items[1].Job.ID)
	if got := string(first.Data); got != `{"a":1,"b":3.10,"c":{"x":"é"}}` {
		t.Errorf("data is %s", got)
	}
	if first.Output.Width != 105 || second.Output.Width != 148 || !first.Output.Landscape || first.Engine != "chromium" || second.Engine != "native" {
		t.Errorf("got %+v and %+v", first, second)
	}
}

// A document is the same, whoever asked for it and with how many others.
func TestAnItemHasTheFingerprintOfAJob(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(`{"template":{"html":"{{.a}}{{.b}}"},"data":{"a":1.0,"b":2},"document_key":"k"}`)
	r.issue(j.ID, "one")
	b := read[api.Batch](r, r.post("/batches", jsonBody(`{"defaults":{"template":{"html":"{{.a}}{{.b}}"},"data":{"a":1.0}},"items":[{"data":{"b":2},"document_key":"k"}]}`)), http.StatusAccepted)
	r.promote()
	if got := r.batch(b.ID); got.Counts.Reused != 1 || got.Status != api.BatchCompleted {
		t.Errorf("got %+v", got)
	}
	if items := r.batchItems(b.ID, ""); items[0].Status != api.ItemReused || *items[0].DocumentID != j.DocumentID {
		t.Errorf("got %+v", items)
	}
}

func TestABatchWithWrongItemsIsRefusedAsAWhole(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	lines := slips(10_000)
	lines[7] = `{"document_key":"d:7","html":"<p>","output":{"paper":"a9"}}`
	lines[9000] = `{"document_key":"d:9000","html":`
	p := refused(t, r.post("/batches", ndjson(append([]string{`{}`}, lines...)...), header("Idempotency-Key", "run")), http.StatusUnprocessableEntity, api.CodeBatchRefused)
	if diff := cmp.Diff(map[string]api.ErrorCode{"/items/7/output/paper": api.CodeFieldInvalid, "/items/9000/html": api.CodeBodyMalformed}, pointers(p)); diff != "" || *p.ErrorCount != 2 {
		t.Errorf("%d, %s", *p.ErrorCount, diff)
	}
	r.promote()
	if list := read[api.BatchList](r, r.get("/batches"), http.StatusOK); len(list.Data) != 0 {
		t.Errorf("there is %+v", list)
	}
	if list := read[api.JobList](r, r.get("/jobs"), http.StatusOK); len(list.Data) != 0 {
		t.Errorf("there is %+v", list)
	}
	// Its keys are free, and so is its own: for other payloads, too.
	r.submit(`{"html":"other","document_key":"d:0"}`)
	r.submit(`{"html":"other","document_key":"d:9999"}`)
	r.submitBatch(ndjson(`{}`, slip(1), slip(2)), header("Idempotency-Key", "run"))
}

func TestAllThatIsWrongWithItemsIsFoundInOnePass(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	taken := r.submit(`{"html":"first","document_key":"taken"}`)
	p := refused(t, r.post("/batches", ndjson(`{"defaults":{"engine":"auto"}}`,
		slip(0),
		`{"document_key":"taken","html":"other"}`,
		`[]`,
		`{"document_key":"twice","html":"a"}`,
		`nothing`,
		`{"document_key":"x","html":"a","callback_url":"https://a.example","priority":"high","engine":"steam"}`,
		`{"document_key":"twice","html":"b"}`,
		`{"document_key":"y","html":"a","html":"b"}`,
		`{"document_key":"z"}`,
		`{"template":{"html":"{{.name}}"},"data":{}}`,
		`{"template":{"name":"nowhere"}}`,
		`{"url":"https://denied.example/"}`,
		slip(12),
	), wrong), http.StatusUnprocessableEntity, api.CodeBatchRefused)
	want := map[string]api.ErrorCode{
		"/items/1/document_key": api.CodeDocumentKeyConflict,
		"/items/2":              api.CodeFieldInvalid,
		"/items/3/document_key": api.CodeFieldDuplicate,
		"/items/4":              api.CodeBodyMalformed,
		"/items/5/callback_url": api.CodeFieldInvalid, "/items/5/priority": api.CodeFieldInvalid, "/items/5/engine": api.CodeFieldInvalid,
		"/items/6/document_key":   api.CodeFieldDuplicate,
		"/items/7/html":           api.CodeFieldDuplicate,
		"/items/8":                api.CodeInputMissing,
		"/items/9/data":           api.CodeTemplateDataMissing,
		"/items/10/template/name": api.CodeTemplateUnknown,
		"/items/11/url":           api.CodeURLDenied,
	}
	if diff := cmp.Diff(want, pointers(p)); diff != "" || *p.ErrorCount != 11 {
		t.Errorf("%d, %s", *p.ErrorCount, diff)
	}
	if !strings.Contains(fmt.Sprint(p.Errors), taken.DocumentID) {
		t.Errorf("the document is not named: %+v", p.Errors)
	}
}

func TestARefusalNamesAHundredAndCountsAll(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	lines := []string{`{}`}
	for range 1500 {
		lines = append(lines, `{"html":""}`)
	}
	p := refused(t, r.post("/batches", ndjson(lines...)), http.StatusUnprocessableEntity, api.CodeBatchRefused)
	if len(p.Errors) != 100 || *p.ErrorCount != 1500 || p.Errors[99].Pointer != "/items/99/html" {
		t.Errorf("%d errors of %d, the last is %+v", len(p.Errors), *p.ErrorCount, p.Errors[len(p.Errors)-1])
	}
}

//nolint:tparallel // The list is looked at after all of them.
func TestWhatIsWrongWithABatchAsAWholeIsToldAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, c := range map[string]struct {
		send    option
		status  int
		code    api.ErrorCode
		pointer string
	}{
		"no items":              {jsonBody(`{}`), 422, api.CodeBatchEmpty, ""},
		"an empty list":         {jsonBody(`{"items":[]}`), 422, api.CodeBatchEmpty, ""},
		"a header alone":        {ndjson(`{}`), 422, api.CodeBatchEmpty, ""},
		"nothing":               {body("application/x-ndjson", "\n\n"), 400, api.CodeBodyMalformed, ""},
		"no JSON":               {ndjson(`x`, slip(0)), 400, api.CodeBodyMalformed, ""},
		"another type":          {body("text/csv", "a,b"), 415, api.CodeMediaTypeUnsupported, ""},
		"too few inline":        {jsonBody(`{"items":[{"html":"a"}],"item_count":2}`), 422, api.CodeFieldInvalid, "/item_count"},
		"more lines":            {ndjson(`{"item_count":1}`, slip(0), slip(1)), 422, api.CodeFieldInvalid, "/item_count"},
		"items on the header":   {ndjson(`{"items":[{}]}`, slip(0)), 422, api.CodeFieldInvalid, "/items"},
		"too many inline":       {jsonBody(`{"items":[` + strings.Repeat("{},", 1000) + `{}]}`), 422, api.CodeFieldInvalid, "/items"},
		"defaults":              {ndjson(`{"defaults":{"output":{"paper":"a9"}}}`, slip(0)), 422, api.CodeFieldInvalid, "/defaults/output/paper"},
		"a key for all":         {ndjson(`{"defaults":{"document_key":"a"}}`, slip(0)), 422, api.CodeFieldInvalid, "/defaults/document_key"},
		"an unknown default":    {ndjson(`{"defaults":{"paper":"a4"}}`, slip(0)), 422, api.CodeFieldUnknown, "/defaults/paper"},
		"a short secret":        {jsonBody(`{"items":[{"html":"a"}],"webhook_url":"https://a.example","webhook_secret":"short"}`), 422, api.CodeCallbackSecretInvalid, "/webhook_secret"},
		"a lonely secret":       {jsonBody(`{"items":[{"html":"a"}],"webhook_secret":"a secret of some length"}`), 422, api.CodeFieldInvalid, "/webhook_secret"},
		"a denied URL":          {jsonBody(`{"items":[{"html":"a"}],"webhook_url":"https://denied.example"}`), 422, api.CodeURLDenied, "/webhook_url"},
		"nothing to do without": {jsonBody(`{"items":[{"html":"a"}],"webhook_url":""}`), 422, api.CodeFieldInvalid, "/webhook_url"},
		"a lost URL":            {jsonBody(`{"items":[{"html":"a"}],"webhook_url":"https://lost.example"}`), 503, api.CodeCallbackHostUnresolved, "/webhook_url"},
		"an unknown event":      {jsonBody(`{"items":[{"html":"a"}],"webhook_events":["job.queued"]}`), 422, api.CodeFieldInvalid, "/webhook_events/0"},
		"no event":              {jsonBody(`{"items":[{"html":"a"}],"webhook_events":[]}`), 422, api.CodeFieldInvalid, "/webhook_events"},
		"a bad expected key":    {jsonBody(`{"items":[{"html":"a"}],"expect_keys":["a",""]}`), 422, api.CodeFieldInvalid, "/expect_keys/1"},
	} {
		t.Run(name, func(t *testing.T) {
			p := refused(t, r.post("/batches", c.send, wrong), c.status, c.code)
			if strings.Contains(p.Detail, "callback_url") || len(p.Errors) > 0 && p.Errors[0].Pointer != c.pointer || len(p.Errors) == 0 && c.pointer != "" {
				t.Errorf("got %+v", p)
			}
		})
	}
	if list := read[api.BatchList](t, r.get("/batches"), http.StatusOK); len(list.Data) != 0 {
		t.Errorf("there is %+v", list)
	}
}

func TestTheSameBatchAgainIsReplayed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	lines := append([]string{`{"expect_keys":["d:1"],"defaults":{"strict":true}}`}, slips(700)...)
	first := r.submitBatch(ndjson(lines...), header("Idempotency-Key", "k"))
	again := r.post("/batches", ndjson(append([]string{`{"defaults":{"strict":true},"expect_keys":["d:1"],"metadata":{"other":1}}`}, lines[1:]...)...), header("Idempotency-Key", "k"))
	if b := read[api.Batch](t, again, http.StatusAccepted); b.ID != first.ID || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("got %+v", b)
	}
	for name, other := range map[string][]string{
		"another header": append([]string{`{}`}, lines[1:]...),
		"one less":       lines[:700],
		"another item":   append(lines[:700:700], `{"html":"other"}`),
		"a broken item":  append(lines[:700:700], `{`),
	} {
		if p := refused(t, r.post("/batches", ndjson(other...), header("Idempotency-Key", "k")), http.StatusUnprocessableEntity, api.CodeIdempotencyKeyReused); p.BatchID == nil || *p.BatchID != first.ID {
			t.Errorf("%s: got %+v", name, p)
		}
	}
	if got := r.batch(first.ID); got.Items != 700 {
		t.Errorf("got %+v", got)
	}
	// The keys of jobs and batches are of one kind.
	refused(t, r.post("/jobs", jsonBody(`{"html":"a"}`), header("Idempotency-Key", "k")), http.StatusUnprocessableEntity, api.CodeIdempotencyKeyReused)
	r.submit(`{"html":"a"}`, header("Idempotency-Key", "j"))
	refused(t, r.post("/batches", ndjson(lines...), header("Idempotency-Key", "j")), http.StatusUnprocessableEntity, api.CodeIdempotencyKeyReused)
}

func TestBatchesAreListedAndSeenByTheirTenantOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first, second := r.submitBatch(ndjson(`{}`, slip(0))), r.submitBatch(ndjson(`{}`, slip(1)))
	list := read[api.BatchList](t, r.get("/batches?limit=1"), http.StatusOK)
	if len(list.Data) != 1 || list.Data[0].ID != second.ID || list.NextCursor == nil {
		t.Fatalf("got %+v", list)
	}
	list = read[api.BatchList](t, r.get("/batches?status=running&cursor="+*list.NextCursor), http.StatusOK)
	if len(list.Data) != 1 || list.Data[0].ID != first.ID {
		t.Errorf("got %+v", list)
	}
	other := as(r.newKey("other", jobs.ScopeRead, jobs.ScopeWrite))
	for _, a := range []answer{
		r.get("/batches/"+first.ID, other), r.get("/batches/"+first.ID+"/jobs", other), r.delete("/batches/"+first.ID, other),
		r.post("/batches/"+first.ID+"/retry", other), r.get("/batches/bat_1"),
	} {
		refused(t, a, http.StatusNotFound, api.CodeBatchNotFound)
	}
	refused(t, r.get("/batches?status=done", wrong), http.StatusBadRequest, api.CodeQueryMalformed)
	refused(t, r.get("/batches/"+first.ID+"/jobs?cursor=x", wrong), http.StatusBadRequest, api.CodeQueryMalformed)
}

// An item is named however deep what is wrong with it lies.
func TestAPointerThatIsTooLongIsThatOfWhatIsAround(t *testing.T) {
	t.Parallel()
	deep := `{"html":"x","data":{"a":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}}`
	long := `{"html":"x","data":{"` + strings.Repeat("n", 2000) + `":1,"` + strings.Repeat("n", 2000) + `":2}}`
	p := refused(t, newRig(t).post("/batches", ndjson(`{}`, slip(0), deep, long), wrong), http.StatusUnprocessableEntity, api.CodeBatchRefused)
	if len(p.Errors) != 2 || p.Errors[0].Pointer != "/items/1" || p.Errors[1].Pointer != "/items/2/data" {
		t.Errorf("got %+v", p.Errors)
	}
}

func TestAnExpectedKeyThatIsNoneIsToldOnce(t *testing.T) {
	t.Parallel()
	p := refused(t, newRig(t).post("/batches", jsonBody(`{"expect_keys":["a",5,""],"items":[{"html":"x"}]}`), wrong), http.StatusUnprocessableEntity, api.CodeFieldInvalid)
	if len(p.Errors) != 2 || p.Errors[0].Pointer != "/expect_keys/1" || p.Errors[1].Pointer != "/expect_keys/2" {
		t.Errorf("got %+v", p.Errors)
	}
}
