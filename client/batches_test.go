package client_test

import (
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

const batchID = "bat_01KCPDHS1S0EXAMPZE0000000D"

func batch(status api.BatchStatus, counts api.BatchCounts) api.Batch {
	b := api.Batch{
		ID: batchID, Status: status, Sequence: 1, Counts: counts, Errors: []api.BatchError{}, WebhookEvents: []string{},
		CreatedAt: time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC),
	}
	ended := counts.Succeeded + counts.Reused + counts.Failed + counts.Canceled
	b.Items = counts.Waiting + counts.Queued + counts.Running + ended
	b.Progress = 100 * ended / max(b.Items, 1)
	if client.BatchTerminal(status) {
		b.FinishedAt = new(b.CreatedAt.Add(time.Minute))
	}
	return b
}

func acceptedBatch(b api.Batch, header ...string) http.HandlerFunc {
	return reply(http.StatusAccepted, b, append(header, "Location", "/batches/"+b.ID, "Retry-After", "1")...)
}

// keyed are requests with the given document keys.
func keyed(keys ...string) client.Items {
	return client.Requests(func(yield func(api.JobRequest) bool) {
		for _, key := range keys {
			if !yield(api.JobRequest{DocumentKey: &key, Data: json.RawMessage("{\n  \"net\": 4120.50, \"a\": \"<&>\" }")}) {
				return
			}
		}
	})
}

func TestABatchTravelsAsLinesUnderAKey(t *testing.T) {
	t.Parallel()
	waiting := batch(api.BatchRunning, api.BatchCounts{Waiting: 2})
	server := serve(t, acceptedBatch(waiting), acceptedBatch(waiting, "Idempotency-Replayed", "true"))
	c := server.inMemory()
	request := api.BatchRequest{Defaults: json.RawMessage(`{"template": {"name": "payslip"}}`), ExpectKeys: []string{"a"}}
	sent, err := c.SubmitBatch(t.Context(), client.BatchSubmission{Request: request, Items: keyed("a", "b")})
	if err != nil || sent.Replayed || sent.Batch.ID != batchID {
		t.Fatalf("submit: %+v, %v", sent, err)
	}
	request.Items = []json.RawMessage{[]byte("{\n\"html\":\"x\"}")}
	again, err := c.SubmitBatch(t.Context(), client.BatchSubmission{Request: request, IdempotencyKey: "payroll-2026-03"})
	if err != nil || !again.Replayed || again.IdempotencyKey != "payroll-2026-03" {
		t.Fatalf("again: %+v, %v", again, err)
	}
	asked := server.requests()
	if key := asked[0].header.Get("Idempotency-Key"); len(key) < 20 || key != sent.IdempotencyKey {
		t.Errorf("the key drawn is %q, the one told %q", key, sent.IdempotencyKey)
	}
	if media := asked[0].header.Get("Content-Type"); media != "application/x-ndjson" {
		t.Errorf("it was sent as %s", media)
	}
	want := []string{
		`{"defaults":{"template":{"name":"payslip"}},"expect_keys":["a"]}` + "\n" +
			`{"data":{"net":4120.50,"a":"<&>"},"document_key":"a"}` + "\n" + `{"data":{"net":4120.50,"a":"<&>"},"document_key":"b"}`,
		`{"item_count":1,"defaults":{"template":{"name":"payslip"}},"expect_keys":["a"]}` + "\n" + `{"html":"x"}`,
	}
	if diff := cmp.Diff(want, server.bodies()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWhatCannotBeAnItemIsNotSent(t *testing.T) {
	t.Parallel()
	broken := errors.New("the table is gone")
	tests := map[string]struct {
		items client.Items
		want  error
	}{
		"not JSON":          {raw(`{"a":1}`, `{"a":`), client.ErrArgument},
		"not UTF-8":         {raw("{\"a\":\"\xff\"}"), client.ErrArgument},
		"a request in bits": {client.Requests(slices.Values([]api.JobRequest{{HTML: new("\xff")}})), client.ErrArgument},
		"an error of their own": {func() iter.Seq2[json.RawMessage, error] {
			return func(yield func(json.RawMessage, error) bool) { yield(nil, broken) }
		}, broken},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serve(t).inMemory()
			if _, err := c.SubmitBatch(t.Context(), client.BatchSubmission{Items: test.items}); !errors.Is(err, test.want) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func raw(items ...string) client.Items {
	return func() iter.Seq2[json.RawMessage, error] {
		return func(yield func(json.RawMessage, error) bool) {
			for _, item := range items {
				if !yield(json.RawMessage(item), nil) {
					return
				}
			}
		}
	}
}

func TestARefusalNamesItsItems(t *testing.T) {
	t.Parallel()
	refusal := api.Problem{
		Type: "about:blank", Title: "Unprocessable Entity", Status: 422, Detail: "The batch was refused.", Code: api.CodeBatchRefused,
		RequestID: "req-1", ErrorCount: new(3), Errors: []api.FieldError{
			{Pointer: "/items/7/output/paper", Code: api.CodeFieldInvalid, Detail: "No such paper."},
			{Pointer: "/items/9000", Code: api.CodeFieldInvalid, Detail: "An item is an object."},
			{Pointer: "/items/07/x", Code: api.CodeFieldInvalid, Detail: "Not a position."},
			{Pointer: "/webhook_url", Code: api.CodeURLDenied, Detail: "Not there."},
		},
	}
	server := serve(t, reply(http.StatusUnprocessableEntity, refusal, "Content-Type", api.ProblemType))
	sent, err := server.inMemory().SubmitBatch(t.Context(), client.BatchSubmission{Items: keyed("a")})
	refused, ok := errors.AsType[*client.Problem](err)
	if !ok || sent.IdempotencyKey == "" {
		t.Fatalf("submit: %+v, %v", sent, err)
	}
	items, rest := refused.Items()
	want := []client.ItemError{{7, "/output/paper", api.CodeFieldInvalid, "No such paper."}, {9000, "", api.CodeFieldInvalid, "An item is an object."}}
	if diff := cmp.Diff(want, items); diff != "" || len(rest) != 2 || *refused.ErrorCount != 3 {
		t.Errorf("%+v of %d, -want +got:\n%s", rest, *refused.ErrorCount, diff)
	}
}

func TestAReservedKeyIsTriedAgain(t *testing.T) {
	spec(t)
	synctest.Test(t, func(t *testing.T) {
		server := serve(t, problem(http.StatusConflict, api.CodeDocumentKeyReserved, "Retry-After", "5"),
			acceptedBatch(batch(api.BatchRunning, api.BatchCounts{Waiting: 1})))
		began := time.Now()
		if _, err := server.inMemory().SubmitBatch(t.Context(), client.BatchSubmission{Items: keyed("a")}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestABatchIsFollowedOnceASecond(t *testing.T) {
	spec(t)
	synctest.Test(t, func(t *testing.T) {
		at := func(etag string, status api.BatchStatus, counts api.BatchCounts) http.HandlerFunc {
			return reply(http.StatusOK, batch(status, counts), "ETag", etag)
		}
		server := serve(t,
			at(`W/"1"`, api.BatchRunning, api.BatchCounts{Waiting: 3}),
			held(0, at(`W/"2"`, api.BatchRunning, api.BatchCounts{Queued: 2, Succeeded: 1})),
			held(25*time.Second, unchanged(`W/"2"`)),
			held(4*time.Second, at(`W/"3"`, api.BatchCompleted, api.BatchCounts{Succeeded: 2, Failed: 1})),
		)
		began, seen := time.Now(), []int{}
		got, err := server.inMemory().WaitBatch(t.Context(), batchID, func(b api.Batch) { seen = append(seen, b.Progress) })
		if err != nil || got.Status != api.BatchCompleted || got.Counts.Failed != 1 {
			t.Fatalf("got %+v, %v", got, err)
		}
		if diff := cmp.Diff([]int{0, 33, 100}, seen); diff != "" {
			t.Errorf("progress -want +got:\n%s", diff)
		}
		if took := time.Since(began); took != 32*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestWhatFailedIsTriedAgainWithNewInput(t *testing.T) {
	t.Parallel()
	running := batch(api.BatchRunning, api.BatchCounts{Waiting: 1, Succeeded: 1})
	server := serve(t, acceptedBatch(running), acceptedBatch(running))
	c := server.inMemory()
	if _, err := c.RetryBatch(t.Context(), batchID, client.BatchRetry{}); err != nil {
		t.Fatal(err)
	}
	item, err := client.Mend(7, api.JobRequest{Data: json.RawMessage(`{"net":1.10}`)})
	if err != nil {
		t.Fatal(err)
	}
	bare, err := client.Mend(8, api.JobRequest{})
	if err != nil {
		t.Fatal(err)
	}
	retry := client.BatchRetry{Items: raw(string(item), string(bare)), Defaults: json.RawMessage(`{"template":{"name":"payslip"}}`), IdempotencyKey: "mended"}
	if _, err := c.RetryBatch(t.Context(), batchID, retry); err != nil {
		t.Fatal(err)
	}
	want := []string{"", `{"defaults":{"template":{"name":"payslip"}}}` + "\n" + `{"index":7,"data":{"net":1.10}}` + "\n" + `{"index":8}`}
	if diff := cmp.Diff(want, server.bodies()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for i, key := range []string{"", "mended"} {
		if got := server.requests()[i].header.Get("Idempotency-Key"); got == "" || key != "" && got != key {
			t.Errorf("request %d has the key %q", i, got)
		}
	}
}

func TestBatchesAndTheirItemsAreListed(t *testing.T) {
	t.Parallel()
	next := "c2"
	waiting := api.BatchItem{Index: 0, Status: api.ItemWaiting}
	made := job(api.JobSucceeded)
	succeeded := api.BatchItem{Index: 1, DocumentKey: new("a"), Status: api.ItemSucceeded, DocumentID: new(documentID), Job: &made}
	done := batch(api.BatchCompleted, api.BatchCounts{Succeeded: 1})
	server := serve(t,
		reply(http.StatusOK, api.BatchList{Data: []api.Batch{done}, NextCursor: &next}), reply(http.StatusOK, api.BatchList{Data: []api.Batch{done}}),
		reply(http.StatusOK, api.BatchItemList{Data: []api.BatchItem{waiting}, NextCursor: &next}),
		reply(http.StatusOK, api.BatchItemList{Data: []api.BatchItem{succeeded}}),
		reply(http.StatusOK, done, "ETag", `W/"1"`), reply(http.StatusAccepted, batch(api.BatchCanceling, api.BatchCounts{Running: 1}), "Retry-After", "1"),
		reply(http.StatusOK, api.JobList{Data: []api.Job{}}),
	)
	c := server.inMemory()
	batches, err := collect(c.Batches(t.Context(), client.BatchFilter{Status: api.BatchCompleted}))
	if diff := cmp.Diff([]api.Batch{done, done}, batches); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	items, err := collect(c.BatchItems(t.Context(), batchID, client.ItemFilter{Status: api.ItemSucceeded}))
	if diff := cmp.Diff([]api.BatchItem{waiting, succeeded}, items); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	if one, err := c.Batch(t.Context(), batchID); err != nil || one.ID != batchID {
		t.Errorf("%+v, %v", one, err)
	}
	if one, err := c.CancelBatch(t.Context(), batchID); err != nil || one.Status != api.BatchCanceling {
		t.Errorf("%+v, %v", one, err)
	}
	if _, err := c.JobPage(t.Context(), client.JobFilter{Batch: batchID}, client.Page{}); err != nil {
		t.Error(err)
	}
	want := []string{
		"GET /batches?limit=200&status=completed", "GET /batches?cursor=c2&limit=200&status=completed",
		"GET /batches/" + batchID + "/jobs?limit=200&status=succeeded", "GET /batches/" + batchID + "/jobs?cursor=c2&limit=200&status=succeeded",
		"GET /batches/" + batchID, "DELETE /batches/" + batchID, "GET /jobs?batch=" + batchID,
	}
	if diff := cmp.Diff(want, server.lines()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// collect goes through a list to its end, or to its error.
func collect[T any](entries iter.Seq2[T, error]) ([]T, error) {
	var found []T
	for entry, err := range entries {
		if err != nil {
			return found, err
		}
		found = append(found, entry)
	}
	return found, nil
}
