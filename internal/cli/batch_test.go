package cli_test

import (
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/cli"
	"github.com/platen-render/platen/internal/receipts"
	"github.com/platen-render/platen/internal/strictjson"
)

const batchID = "bat_01KCPDHS1S0EXAMPZE0000000D"

func batch(status api.BatchStatus, counts api.BatchCounts) api.Batch {
	b := api.Batch{ID: batchID, Status: status, Sequence: 1, Counts: counts, Errors: []api.BatchError{}, WebhookEvents: []string{"batch.completed"}, CreatedAt: noon}
	ended := counts.Succeeded + counts.Reused + counts.Failed + counts.Canceled
	b.Items = counts.Waiting + counts.Queued + counts.Running + ended
	b.Progress = 100 * ended / max(b.Items, 1)
	if status == api.BatchCompleted {
		b.FinishedAt = &noon
	}
	if counts.Failed > 0 {
		b.Errors = []api.BatchError{{Code: "template_data_missing", Count: counts.Failed, Index: 7, Detail: "The template uses .net, \x1b[31mwhich the data does not have."}}
	}
	return b
}

// batchServer accepts a batch, and one that is waited for has ended with these counts.
func batchServer(counts api.BatchCounts) *server {
	all := counts.Succeeded + counts.Reused + counts.Failed + counts.Canceled
	running := batch(api.BatchRunning, api.BatchCounts{Waiting: all})
	accepted := reply(http.StatusAccepted, running, "Location", "/batches/"+batchID, "Retry-After", "1")
	failed := api.BatchItem{Index: 1, DocumentKey: new("slip:2"), Status: api.ItemFailed, DocumentID: new(documentID), Error: &api.JobError{Code: api.JobErrorPageFailed, Detail: "No."}}
	return newServer(map[string]http.HandlerFunc{
		"POST /batches":            accepted,
		"POST /batches/{id}/retry": accepted,
		"GET /batches/{id}": func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("If-None-Match") == "" {
				reply(http.StatusOK, running, "ETag", `W/"1"`, "Retry-After", "1")(w, r)
				return
			}
			reply(http.StatusOK, batch(api.BatchCompleted, counts), "ETag", `W/"2"`, "Preference-Applied", r.Header.Get("Prefer"))(w, r)
		},
		"GET /batches/{id}/jobs": reply(http.StatusOK, api.BatchItemList{Data: []api.BatchItem{failed}}),
	})
}

const slips = "\xef\xbb\xbfid,name,pay.net\n1,Ada <1>,4120.50\n2,\"Alan\nTuring\",3980.00\n"

var sendSlips = []string{"--template", "payslip@3", "--key", "slip:{{.id}}", "--types", "pay.net=number", "--without", "id"}

// sentSlips is what is sent of them.
const sentSlips = `{"item_count":2,"defaults":{"template":{"name":"payslip","version":3}}}
{"data":{"name":"Ada \u003c1\u003e","pay":{"net":4120.50}},"document_key":"slip:1"}
{"data":{"name":"Alan\nTuring","pay":{"net":3980.00}},"document_key":"slip:2"}
`

func submit(file string, more ...string) []string {
	return append(append([]string{"batch", "submit", file}, sendSlips...), more...)
}

func TestATableIsSubmittedAsABatch(t *testing.T) {
	t.Parallel()
	path := file(t, t.TempDir(), "slips.csv", slips)
	s := batchServer(api.BatchCounts{Succeeded: 2})
	got := run(t, s, "", withKey, submit(path)...)
	if got.status != 0 || !strings.HasPrefix(got.stdout, "batch     "+batchID) || got.stderr != "" {
		t.Errorf("got %+v", got)
	}
	first := s.request(t, "POST /batches")
	if diff := cmp.Diff(sentSlips, first.body); diff != "" {
		t.Errorf("sent -want +got:\n%s", diff)
	}
	// The same again, by other means, has the same key; other data has another one.
	piped := batchServer(api.BatchCounts{Succeeded: 2})
	if got := run(t, piped, slips, withKey, submit("-", "--format", "csv", "--webhook-url", "https://hr.example.com/x")...); got.status != 0 {
		t.Errorf("got %+v", got)
	}
	changed := batchServer(api.BatchCounts{Succeeded: 2})
	if got := run(t, changed, strings.Replace(slips, "4120", "4121", 1), withKey, submit("-", "--format", "csv")...); got.status != 0 {
		t.Errorf("got %+v", got)
	}
	same, other := piped.request(t, "POST /batches").idempotencyKey, changed.request(t, "POST /batches").idempotencyKey
	if first.idempotencyKey != same || first.idempotencyKey == other || len(same) != len("file-")+40 {
		t.Errorf("the keys are %q, %q and %q", first.idempotencyKey, same, other)
	}
}

func TestRowsAndOptionsBecomeABatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := file(t, dir, "page.html", "<p>{{.e.id}}</p>")
	defaults := file(t, dir, "defaults.json", `{"data": {"month": "2026-03", "n": 1.10}, "engine": "native"}`)
	keys := file(t, dir, "keys.txt", "\xef\xbb\xbfa\r\n\nb\n")
	rows := file(t, dir, "rows.jsonl", "{\"id\": 1.10}\n\n{\"id\": 2}\n")
	s := batchServer(api.BatchCounts{Succeeded: 2})
	got := run(t, s, "", withKey, "batch", "submit", rows, "--template-html", page, "--defaults", defaults, "--key", "k{{.id}}", "--data-member", "e", "--expect-keys", keys,
		"--webhook-url", "https://hr.example.com/x", "--event", "job.failed", "--event", "batch.completed", "--idempotency-key", "mine", "--json")
	if got.status != 0 || !strings.Contains(got.stdout, `"status": "running"`) {
		t.Errorf("got %+v", got)
	}
	want := `{"item_count":2,"defaults":{"data":{"month":"2026-03","n":1.10},"engine":"native","template":{"html":"\u003cp\u003e{{.e.id}}\u003c/p\u003e"}},` +
		`"webhook_url":"https://hr.example.com/x","webhook_events":["job.failed","batch.completed"],"expect_keys":["a","b"]}` + "\n" +
		`{"data":{"e":{"id":1.10}},"document_key":"k1.10"}` + "\n" + `{"data":{"e":{"id":2}},"document_key":"k2"}` + "\n"
	if diff := cmp.Diff(want, s.request(t, "POST /batches").body); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if key := s.request(t, "POST /batches").idempotencyKey; key != "mine" {
		t.Errorf("the key is %q", key)
	}
}

func TestLinesOfItemsAreSentAsTheyAre(t *testing.T) {
	t.Parallel()
	items := file(t, t.TempDir(), "b.ndjson", "\n{\"defaults\": {\"template\": {\"name\": \"x\"}}, \"metadata\": {\"run\": 1.0}}\n{\"document_key\": \"a\", \"data\": 1.10}\n{}\n")
	s := batchServer(api.BatchCounts{Succeeded: 2})
	if got := run(t, s, "", withKey, "batch", "submit", items); got.status != 0 {
		t.Errorf("got %+v", got)
	}
	want := `{"item_count":2,"defaults":{"template":{"name":"x"}},"metadata":{"run":1.0}}` + "\n" + `{"document_key":"a","data":1.10}` + "\n{}\n"
	if diff := cmp.Diff(want, s.request(t, "POST /batches").body); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWhatIsWrongWithAFileIsToldBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 201)
	tests := map[string]struct {
		name, text string
		want       []string
	}{
		"a key that comes twice, a short row, a wrong number": {
			"a.csv", "id,pay.net\n1,1\n2\n3,1.5\n1,2\n4,\"1,5\"\n",
			[]string{`line 5: the document key "slip:1" is that of line 2, too`, "line 3: it has 1 values, and the heading 2", `line 6: pay.net: "1,5" is no number`},
		},
		"a key that is too long":   {"a.csv", "id,pay.net\n" + long + ",1\n", []string{"line 2: the document key", "is not UTF-8 of at most 200 bytes"}},
		"a column that is missing": {"a.csv", "number,pay.net\n1,1\n", []string{`line 2: the key: map has no entry for key "id"`}},
		"a table of a heading":     {"a.csv", "id,pay.net\n", []string{"a.csv has no items"}},
		"nothing":                  {"a.csv", "", []string{"line 1: there is no heading"}},
		"many":                     {"a.csv", "id,pay.net\n" + strings.Repeat("1\n", 60), []string{"and 10 lines more"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := run(t, nil, "", withKey, submit(file(t, t.TempDir(), test.name, test.text))...)
			if got.status != 1 || got.stdout != "" {
				t.Errorf("got %+v", got)
			}
			for _, want := range test.want {
				if !strings.Contains(got.stderr, want) {
					t.Errorf("%q is not in %s", want, got.stderr)
				}
			}
		})
	}
}

func TestARefusalIsToldByLines(t *testing.T) {
	t.Parallel()
	refusal := api.Problem{
		Type: "about:blank", Title: "Unprocessable Entity", Status: 422, Code: api.CodeBatchRefused, Detail: "The batch was refused: 4 of its items are wrong.", RequestID: "req-1", ErrorCount: new(4),
		Errors: []api.FieldError{
			{Pointer: "/items/0/data", Code: api.CodeTemplateDataInvalid, Detail: "pay is \x1b[31mmissing."},
			{Pointer: "/items/1/document_key", Code: api.CodeDocumentKeyConflict, Detail: "Another payload."},
			{Pointer: "/items/2/data", Code: api.CodeTemplateDataInvalid, Detail: "pay is \x1b[31mmissing."},
		},
	}
	s := newServer(map[string]http.HandlerFunc{"POST /batches": reply(http.StatusUnprocessableEntity, refusal, "Content-Type", api.ProblemType)})
	got := run(t, s, "", withKey, submit(file(t, t.TempDir(), "a.csv", "id,pay.net\n\"1\n\",1\n2,2\n3,1\n4,1\n"))...)
	want := `LINE  ITEM  AT             CODE                   WHAT IS WRONG
2     0     /data          template_data_invalid  pay is  [31mmissing. (and the same in line 5)
4     1     /document_key  document_key_conflict  Another payload.
platen: The batch was refused: 4 of its items are wrong. (batch_refused); 1 item more is wrong and not named
`
	if diff := cmp.Diff(outcome{1, "", want}, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTheStatusSaysWhetherAllDocumentsAreThere(t *testing.T) {
	t.Parallel()
	path := file(t, t.TempDir(), "a.csv", slips)
	good := run(t, batchServer(api.BatchCounts{Succeeded: 1, Reused: 1}), "", withKey, submit(path, "--wait")...)
	if good.status != 0 || good.stderr != batchID+": 2 items\n  0 %, 0 of 2\n100 %, 2 of 2\n" || !strings.Contains(good.stdout, "completed") {
		t.Errorf("got %+v", good)
	}
	bad := run(t, batchServer(api.BatchCounts{Succeeded: 1, Failed: 1}), "", withKey, submit(path, "--wait")...)
	if bad.status != 3 || !strings.Contains(bad.stderr, "100 %, 2 of 2, 1 failed\n") || !strings.Contains(bad.stderr, "1 of 2 items failed or were canceled") {
		t.Errorf("got %+v", bad)
	}
	canceled := run(t, batchServer(api.BatchCounts{Succeeded: 1, Canceled: 1}), "", withKey, submit(path, "--wait")...)
	if canceled.status != 3 || !strings.Contains(canceled.stderr, "1 of 2 items were canceled") || strings.Contains(canceled.stderr, "retry") {
		t.Errorf("got %+v", canceled)
	}
	if want := "error     1 item, first item 7: The template uses .net,  [31mwhich the data does not have. (template_data_missing)\n"; !strings.Contains(bad.stdout, want) {
		t.Errorf("%q is not in %s", want, bad.stdout)
	}
}

func TestABatchIsSavedOnceItHasEnded(t *testing.T) {
	t.Parallel()
	s := batchServer(api.BatchCounts{Succeeded: 1})
	signed := manifestOf(t, pdf)
	s.HandleFunc("GET /keys/signing", reply(http.StatusOK, api.SigningKeyList{Data: []api.SigningKey{publicKey()}}))
	s.HandleFunc("GET /batches/{id}/manifest", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, signed)
	})
	s.HandleFunc("GET /batches/{id}/archive", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/zip")
		w.Header().Set("Content-Disposition", `attachment; filename="`+batchID+`.zip"`)
		_, _ = io.WriteString(w, "PK zip")
	})
	s.HandleFunc("GET /documents/{id}/content", renders(api.JobSucceeded, pdf)["GET /documents/{id}/content"])
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	got := run(t, s, "", withKey, "batch", "wait", batchID, "--manifest", at("m.json"), "--archive", at("a.zip"), "--save", at("slips"))
	if got.status != 0 || !strings.Contains(got.stderr, "1 document in "+at("slips")+", 0 of them from before\n") {
		t.Fatalf("got %+v", got)
	}
	if got := run(t, s, "", withKey, "batch", "download", batchID, at("slips")); got.status != 0 || !strings.Contains(got.stderr, "1 of them from before\n") {
		t.Errorf("got %+v", got)
	}
	if got := run(t, s, "", withKey, "batch", "archive", batchID, "-o", "-"); got.status != 0 || got.stdout != "PK zip" {
		t.Errorf("got %+v", got)
	}
	for name, want := range map[string]string{"m.json": signed, "a.zip": "PK zip", "slips/slip_1.pdf": pdf, "slips/manifest.json": signed} {
		if text, err := os.ReadFile(at(name)); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// manifestOf is the signed manifest of a batch with one document.
func manifestOf(t *testing.T, content string) string {
	t.Helper()
	sum, name := digest(content), "slip_1.pdf"
	raw, err := json.Marshal(api.Manifest{
		Version: 1, Tenant: "shop", BatchID: batchID, Sequence: 1, Status: api.BatchCompleted, CreatedAt: noon, FinishedAt: noon, Items: 1,
		Counts: api.ManifestCounts{Issued: 1}, Entries: []api.ManifestEntry{{
			Index: new(0), DocumentKey: new("slip:1"), Status: api.EntryIssued, DocumentID: new(documentID), IssueNumber: new(int64(1)), SHA256: &sum,
			Bytes: new(int64(len(content))), Pages: new(1), File: &name,
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	canonical, err := strictjson.Canonical(raw)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := json.Marshal(receipts.SignManifest(sha256.Sum256(canonical), signingKey))
	if err != nil {
		t.Fatal(err)
	}
	return `{"manifest":` + string(canonical) + `,"signature":` + string(signature) + "}\n"
}

func TestOnlyWhatFailedIsMended(t *testing.T) {
	t.Parallel()
	path := file(t, t.TempDir(), "mended.csv", slips)
	want := `{"defaults":{"template":{"name":"payslip","version":3}}}` + "\n" +
		`{"index":1,"data":{"name":"Alan\nTuring","pay":{"net":3980.00}},"document_key":"slip:2"}` + "\n"
	s := batchServer(api.BatchCounts{Succeeded: 2})
	got := run(t, s, "", withKey, append([]string{"batch", "retry", batchID, path, "--wait"}, sendSlips...)...)
	if got.status != 0 || !strings.HasPrefix(got.stderr, "1 of 1 item that failed have new inputs in "+path) {
		t.Errorf("got %+v", got)
	}
	if diff := cmp.Diff(want, s.request(t, "POST /batches/"+batchID+"/retry").body); diff != "" {
		t.Errorf("by key: -want +got:\n%s", diff)
	}
	s = batchServer(api.BatchCounts{Succeeded: 2})
	if got := run(t, s, "{\"a\":0}\n{\"a\":1}\n", withKey, "batch", "retry", batchID, "-", "--format", "ndjson", "--template", "payslip"); got.status != 0 {
		t.Errorf("got %+v", got)
	}
	want = `{"defaults":{"template":{"name":"payslip"}}}` + "\n" + `{"index":1,"data":{"a":1}}` + "\n"
	if diff := cmp.Diff(want, s.request(t, "POST /batches/"+batchID+"/retry").body); diff != "" {
		t.Errorf("by order: -want +got:\n%s", diff)
	}
	s = batchServer(api.BatchCounts{Succeeded: 2})
	if got := run(t, s, "", withKey, "batch", "retry", batchID); got.status != 0 || s.request(t, "POST /batches/"+batchID+"/retry").body != "" {
		t.Errorf("got %+v", got)
	}
	s = batchServer(api.BatchCounts{Succeeded: 2})
	s.HandleFunc("GET /batches/"+batchID+"/jobs", reply(http.StatusOK, api.BatchItemList{Data: []api.BatchItem{}}))
	again := run(t, s, "", withKey, append([]string{"batch", "retry", batchID, path, "--wait"}, sendSlips...)...)
	if again.status != 0 || !strings.HasPrefix(again.stderr, "nothing of "+batchID+" has failed: it is running\n") || !strings.Contains(again.stdout, "completed") {
		t.Errorf("the same command again: %+v", again)
	}
	other := file(t, t.TempDir(), "other.csv", "id,name,pay.net\n9,x,1\n")
	if got := run(t, batchServer(api.BatchCounts{}), "", withKey, append([]string{"batch", "retry", batchID, other}, sendSlips...)...); got.status != 1 || !strings.Contains(got.stderr, "has none of the 1 item that failed") {
		t.Errorf("got %+v", got)
	}
}

func TestABatchThatCannotBeMeantIsNotUnderstood(t *testing.T) {
	t.Parallel()
	path := file(t, t.TempDir(), "a.csv", slips)
	lines := file(t, t.TempDir(), "a.ndjson", "{}\n{}\n")
	for want, args := range map[string][]string{
		"FILE is missing": {"batch", "submit"}, "--format csv or ndjson says what FILE is": {"batch", "submit", "-"},
		"--template or --template-html is missing": {"batch", "submit", path}, "of --template or of --template-html, not both": {"batch", "submit", path, "--template", "a", "--template-html", "b"},
		"want NAME or NAME@VERSION": {"batch", "submit", path, "--template", "a@b"}, "--key: unclosed action": submit(path, "--key", "{{.id"),
		"are for a CSV": {"batch", "submit", lines, "--types", "a=number"}, "--delimiter is one character": submit(path, "--delimiter", "ab"),
		`"int" is none of`: submit(path, "--types", "a=int"), "--defaults is for rows": {"batch", "submit", lines, "--defaults", "x"},
	} {
		if got := run(t, nil, "", withKey, args...); got.status != 2 || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: got %+v", want, got)
		}
	}
}

func TestHelpOfBatchesIsWhatItWas(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, page := range []string{
		"help batch", "batch submit -h", "batch list -h", "batch show -h", "batch jobs -h", "batch wait -h", "batch retry -h", "batch cancel -h", "batch download -h", "batch archive -h",
	} {
		got := run(t, nil, "", nil, strings.Fields(page)...)
		if got.status != 0 || got.stderr != "" {
			t.Errorf("platen %s: status %d, %s", page, got.status, got.stderr)
		}
		all.WriteString("$ platen " + page + "\n" + got.stdout + "\n")
	}
	golden(t, "batch_help.golden", all.String())
}

func TestBatchesForPeopleAreWhatTheyWere(t *testing.T) {
	t.Parallel()
	made, next := job(api.JobSucceeded), "c2"
	running := batch(api.BatchRunning, api.BatchCounts{Waiting: 3, Queued: 2, Running: 1, Succeeded: 4, Failed: 1})
	running.RatePerMinute, running.Sequence, running.Expected = new(9120.5), 2, &api.ExpectedKeys{Keys: 12, Missing: 1}
	running.Callback = &api.CallbackState{URLHost: "hr.example.com", Status: api.DeliveryPending}
	s := newServer(map[string]http.HandlerFunc{
		"GET /batches":      reply(http.StatusOK, api.BatchList{Data: []api.Batch{running, batch(api.BatchCompleted, api.BatchCounts{Succeeded: 1, Reused: 1, Canceled: 1})}, NextCursor: &next}),
		"GET /batches/{id}": reply(http.StatusOK, running, "ETag", `W/"1"`),
		"GET /batches/{id}/jobs": reply(http.StatusOK, api.BatchItemList{Data: []api.BatchItem{
			{Index: 0, DocumentKey: new("slip:1"), Status: api.ItemSucceeded, DocumentID: new(documentID), Job: &made},
			{Index: 1, DocumentKey: new("slip:\n2"), Status: api.ItemFailed, DocumentID: new(documentID), Error: &api.JobError{Code: api.JobErrorPageFailed, Detail: "No.\x1b[31m"}},
			{Index: 2, Status: api.ItemWaiting},
		}}),
		"DELETE /batches/{id}": reply(http.StatusAccepted, batch(api.BatchCanceling, api.BatchCounts{Running: 1, Canceled: 2}), "Retry-After", "1"),
	})
	var all strings.Builder
	for _, line := range []string{"batch list --status running --limit 2", "batch show " + batchID, "batch jobs " + batchID, "batch cancel " + batchID} {
		got := run(t, s, "", withKey, strings.Fields(line)...)
		if got.status != 0 {
			t.Errorf("platen %s: %+v", line, got)
		}
		all.WriteString("$ platen " + line + "\n" + got.stdout + got.stderr + "\n")
	}
	golden(t, "batch_people.golden", all.String())
}

func TestABarIsDrawnOnATerminalAndLinesElsewhere(t *testing.T) {
	t.Parallel()
	if got, want := cli.Metered(true), "\r[######------------------] sent 1 of 4\x1b[K\r[##################------] sent 3 of 4\x1b[K\nthe server is away\n\r[########################] done\x1b[K\n"; got != want {
		t.Errorf("on a terminal: %q", got)
	}
	if got, want := cli.Metered(false), "the server is away\ndone\n"; got != want {
		t.Errorf("elsewhere: %q", got)
	}
}
