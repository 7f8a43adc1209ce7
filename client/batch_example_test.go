package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// The whole way of a batch: submit what an iterator gives, wait, save everything. Items are made while they are sent, so
// they may come from a table of any size. An upload that is cut begins anew, so the iterator must give the same again.
func ExampleClient_SubmitBatch() {
	server := payroll()
	defer server.Close()
	ctx := context.Background()
	c := &client.Client{BaseURL: server.URL, Key: "plt_id_secret"}
	net := map[string]string{"1001": "4120.50", "1002": "3980.00"}
	slips := func(yield func(api.JobRequest) bool) {
		for _, id := range []string{"1001", "1002"} {
			key := "payslip:2026-03:" + id
			if !yield(api.JobRequest{DocumentKey: &key, Data: json.RawMessage(`{"net": ` + net[id] + `}`)}) {
				return
			}
		}
	}
	sent, err := c.SubmitBatch(ctx, client.BatchSubmission{
		Request:        api.BatchRequest{Defaults: json.RawMessage(`{"template": {"name": "payslip"}}`)},
		Items:          client.Requests(slips),
		IdempotencyKey: "payroll-2026-03", // the same again after a crash of this program is the same batch
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	batch, err := c.WaitBatch(ctx, sent.Batch.ID, func(b api.Batch) { fmt.Println(b.Progress, "%") })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(batch.Counts.Succeeded, "succeeded,", batch.Counts.Failed, "failed")
	dir, err := os.MkdirTemp("", "platen-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	_, err = c.DownloadBatch(ctx, batch.ID, dir, client.BatchDownload{
		Parallel: 1, Each: func(f client.BatchFile) { fmt.Println("saved", filepath.Base(f.Path)) },
	})
	fmt.Println(err)
	// Output:
	// 0 %
	// 100 %
	// 1 succeeded, 1 failed
	// saved 1001.pdf
	// <nil>
}

// Only what has failed is tried again, here with other data.
func ExampleClient_RetryBatch() {
	server := payroll()
	defer server.Close()
	ctx := context.Background()
	c := &client.Client{BaseURL: server.URL, Key: "plt_id_secret"}
	again, err := c.RetryBatch(ctx, batchID, client.BatchRetry{Items: func() iter.Seq2[json.RawMessage, error] {
		return func(yield func(json.RawMessage, error) bool) {
			for item, err := range c.BatchItems(ctx, batchID, client.ItemFilter{Status: api.ItemFailed}) {
				if err != nil {
					yield(nil, err)
					return
				}
				if !yield(client.Mend(item.Index, api.JobRequest{Data: json.RawMessage(`{"net": 3980.00}`)})) {
					return
				}
			}
		}
	}})
	fmt.Println(again.Batch.Status, again.Batch.Sequence, err)
	// Output: running 2 <nil>
}

// A batch is accepted or refused as a whole, and a refusal names what is wrong with which item.
func ExampleProblem_Items() {
	server := payroll()
	defer server.Close()
	c := &client.Client{BaseURL: server.URL, Key: "plt_id_secret"}
	_, err := c.SubmitBatch(context.Background(), client.BatchSubmission{
		Request: api.BatchRequest{Items: []json.RawMessage{[]byte(`{"document_key": "a"}`), []byte(`{"document_key": "a"}`)}},
	})
	if refused, ok := errors.AsType[*client.Problem](err); ok {
		items, _ := refused.Items()
		for _, item := range items {
			fmt.Println("item", item.Index, "at", item.Pointer, item.Detail)
		}
	}
	// Output: item 1 at /document_key Item 0 has this document_key, too.
}

// payroll is a server that knows one batch: of its two items one has failed.
func payroll() *httptest.Server {
	done := batch(api.BatchCompleted, api.BatchCounts{Succeeded: 1, Failed: 1})
	shelf := shelve("1001.pdf")
	mux := http.NewServeMux()
	mux.HandleFunc("POST /batches", func(w http.ResponseWriter, r *http.Request) {
		if lines, _ := io.ReadAll(r.Body); strings.Count(string(lines), `"document_key":"a"`) > 1 {
			reply(http.StatusUnprocessableEntity, api.Problem{Status: http.StatusUnprocessableEntity, Code: api.CodeBatchRefused, Detail: "Refused.", Errors: []api.FieldError{
				{Pointer: "/items/1/document_key", Code: api.CodeFieldInvalid, Detail: "Item 0 has this document_key, too."},
			}}, "Content-Type", api.ProblemType)(w, r)
			return
		}
		acceptedBatch(batch(api.BatchRunning, api.BatchCounts{Waiting: 2}))(w, r)
	})
	mux.HandleFunc("GET /batches/{id}", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == "" {
			reply(http.StatusOK, batch(api.BatchRunning, api.BatchCounts{Waiting: 2}), "ETag", `W/"1"`)(w, r)
			return
		}
		reply(http.StatusOK, done, "ETag", `W/"2"`)(w, r)
	})
	mux.Handle("GET /batches/{id}/jobs", reply(http.StatusOK, api.BatchItemList{Data: []api.BatchItem{{Index: 1, Status: api.ItemFailed}}}))
	mux.HandleFunc("POST /batches/{id}/retry", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		again := batch(api.BatchRunning, api.BatchCounts{Waiting: 1, Succeeded: 1})
		again.Sequence = 2
		acceptedBatch(again)(w, r)
	})
	mux.Handle("GET /batches/{id}/manifest", shelf)
	mux.Handle("GET /documents/{id}/content", shelf)
	return httptest.NewServer(mux)
}
