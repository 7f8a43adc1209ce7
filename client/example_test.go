package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// The whole way of a document: submit, wait, save. Run it twice and there is still one invoice, because of the
// document key.
func Example() {
	server := demo()
	defer server.Close()
	dir, err := os.MkdirTemp("", "platen-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := &client.Client{BaseURL: server.URL, Key: "plt_id_secret"} // in earnest: from the environment
	page, number := "<h1>Invoice INV-2026-00417</h1>", "invoice:2026-00417"
	sent, err := c.Submit(ctx, client.Submission{Request: api.JobRequest{HTML: &page, DocumentKey: &number}})
	if err != nil {
		fmt.Println(err)
		return
	}
	job, err := c.Wait(ctx, sent.Job.ID, func(job api.Job) { fmt.Println("the job is", job.Status) })
	if err != nil {
		fmt.Println(err)
		return
	}
	if job.Status != api.JobSucceeded {
		fmt.Println("no document:", job.Status, job.Error)
		return
	}
	path := filepath.Join(dir, "invoice.pdf")
	document, err := c.DownloadFile(ctx, job.DocumentID, path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("saved", filepath.Base(path), "with", *document.Pages, "page")
	// Output:
	// the job is queued
	// the job is succeeded
	// saved invoice.pdf with 1 page
}

// A page with files travels as a form; it names them as the files are named.
func ExampleClient_Submit_files() {
	server := demo()
	defer server.Close()
	c := &client.Client{BaseURL: server.URL, Key: "plt_id_secret"}
	page := `<img src="img/logo.svg"><h1>Payslip</h1>`
	sent, err := c.Submit(context.Background(), client.Submission{
		Request: api.JobRequest{HTML: &page},
		Files:   []client.File{{Name: "img/logo.svg", Content: []byte("<svg xmlns='http://www.w3.org/2000/svg'/>")}},
	})
	fmt.Println(sent.Job.Status, err)
	// Output: queued <nil>
}

// A template is filled in with data. The data is JSON as you have it, because its numbers stay as they are written.
func ExampleClient_Submit_template() {
	server := demo()
	defer server.Close()
	c := &client.Client{BaseURL: server.URL, Key: "plt_id_secret"}
	text := `<h1>{{.number}}</h1><p>{{fixed 2 .total}} EUR</p>`
	sent, err := c.Submit(context.Background(), client.Submission{
		Request:        api.JobRequest{Template: &api.Template{HTML: &text}, Data: json.RawMessage(`{"number": "INV-7", "total": 1499.90}`)},
		IdempotencyKey: "order-7-invoice", // the same again after a crash of this program gives the same job
	})
	fmt.Println(sent.Job.Status, err)
	// Output: queued <nil>
}

// Problems are told apart by their code.
func ExampleHasCode() {
	server := demo()
	defer server.Close()
	c := &client.Client{BaseURL: server.URL, Key: "plt_id_secret"}
	_, err := c.Cancel(context.Background(), jobID)
	if client.HasCode(err, api.CodeJobFinished) {
		fmt.Println("too late:", err)
	}
	// Output: too late: The job has succeeded already. (job_finished)
}

// Dead letters are what a receiver has missed. They can be delivered again once it is well.
func ExampleClient_DeadDeliveries() {
	server := demo()
	defer server.Close()
	ctx := context.Background()
	c := &client.Client{BaseURL: server.URL, Key: "plt_id_secret"}
	for dead, err := range c.DeadDeliveries(ctx) {
		if err != nil {
			fmt.Println(err)
			return
		}
		again, err := c.Replay(ctx, dead.ID)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(again.EventID, "to", again.URLHost, "is", again.Status)
	}
	// Output: evt_01KCPDHS780EXAMPZE00000007 to shop.example.com is pending
}

// demo is a server that knows one job.
func demo() *httptest.Server {
	mux := http.NewServeMux()
	mux.Handle("POST /jobs", accepted(job(api.JobQueued)))
	mux.HandleFunc("GET /jobs/{id}", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == "" {
			version(`"1"`, api.JobQueued)(w, r)
			return
		}
		version(`"2"`, api.JobSucceeded)(w, r)
	})
	mux.Handle("DELETE /jobs/{id}", reply(http.StatusConflict,
		api.Problem{Status: http.StatusConflict, Code: api.CodeJobFinished, Detail: "The job has succeeded already."}, "Content-Type", api.ProblemType))
	mux.Handle("GET /documents/{id}", reply(http.StatusOK, issued()))
	mux.Handle("GET /documents/{id}/content", content(pdf))
	mux.Handle("GET /deliveries", reply(http.StatusOK, api.DeliveryList{Data: []api.Delivery{delivery(api.DeliveryDead)}}))
	mux.Handle("POST /deliveries/{id}/replay", reply(http.StatusAccepted, delivery(api.DeliveryPending)))
	return httptest.NewServer(mux)
}
