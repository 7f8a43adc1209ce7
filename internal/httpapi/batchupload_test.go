package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
)

// upload sends lines over a connection, as they come.
func (r *rig) upload(url, idempotencyKey string, lines io.Reader) (answer, error) {
	r.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/batches", lines)
	if err != nil {
		r.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.key)
	req.Header.Set("Content-Type", "application/x-ndjson")
	if idempotencyKey != "" {
		req.Header.Set("Idempotency-Key", idempotencyKey)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, got}, err
}

// noticed waits until the server is done with so many uploads.
func (r *rig) noticed(uploads int) {
	r.Helper()
	eventually(r, "the end of the uploads", func() bool {
		n := 0
		for _, line := range r.logs.requests(r.T) {
			if line["route"] == "/batches" && line["method"] == http.MethodPost {
				n++
			}
		}
		return n == uploads
	})
}

var errCut = errors.New("the cable is cut")

// cut ends a body with an error.
func cut(text string) io.Reader { return io.MultiReader(strings.NewReader(text), broken{errCut}) }

type broken struct{ error }

func (e broken) Read([]byte) (int, error) { return 0, e.error }

func TestAnUploadThatIsCutThreeTimesBecomesOneBatch(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	url := r.listen()
	all := strings.Join(append([]string{`{"item_count":3000}`}, slips(3000)...), "\n")
	half := all[:len(all)/2]
	for range 3 {
		if a, err := r.upload(url, "run", cut(half)); err == nil {
			t.Fatalf("answered %d %s", a.status, a.body)
		}
	}
	r.noticed(3)
	// The keys of what came are reserved, whatever the payload, and nothing is seen.
	for _, job := range []string{`{"html":"<p>0","document_key":"d:0"}`, `{"html":"other","document_key":"d:1400"}`} {
		a := r.post("/jobs", jsonBody(job), header("Idempotency-Key", "probe"))
		if p := refused(t, a, http.StatusConflict, api.CodeDocumentKeyReserved); !p.Retryable || a.header.Get("Retry-After") == "" {
			t.Errorf("got %+v", p)
		}
	}
	if list := read[api.BatchList](t, r.get("/batches"), http.StatusOK); len(list.Data) != 0 {
		t.Errorf("there is %+v", list)
	}
	a, err := r.upload(url, "run", strings.NewReader(all))
	if err != nil {
		t.Fatal(err)
	}
	b := read[api.Batch](t, a, http.StatusAccepted)
	r.promote()
	list := read[api.BatchList](t, r.get("/batches"), http.StatusOK)
	if len(list.Data) != 1 || list.Data[0].ID != b.ID || list.Data[0].Counts.Queued != 3000 {
		t.Errorf("there is %+v", list)
	}
	// From the seal on the usual rules hold.
	if j := read[api.Job](t, r.post("/jobs", jsonBody(`{"html":"<p>0","document_key":"d:0"}`)), http.StatusAccepted); j.BatchID == nil || *j.BatchID != b.ID {
		t.Errorf("got %+v", j)
	}
	refused(t, r.post("/jobs", jsonBody(`{"html":"other","document_key":"d:2999"}`)), http.StatusConflict, api.CodeDocumentKeyConflict)
}

func TestARepeatedUploadMustBeTheSame(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	url := r.listen()
	lines := append([]string{`{}`}, slips(1200)...)
	text := strings.Join(lines, "\n") + "\n"
	if _, err := r.upload(url, "run", cut(text)); err == nil {
		t.Fatal("it was answered")
	}
	r.noticed(1)
	other := append([]string{}, lines...)
	other[701] = `{"document_key":"d:700","html":"other"}`
	p := refused(t, r.post("/batches", ndjson(other...), header("Idempotency-Key", "run")), http.StatusUnprocessableEntity, api.CodeIdempotencyKeyReused)
	if pointers(p)["/items/700"] != api.CodeIdempotencyKeyReused || len(p.Errors) != 1 {
		t.Errorf("got %+v", p)
	}
	refused(t, r.post("/batches", ndjson(`{"defaults":{"strict":true}}`, slip(0)), header("Idempotency-Key", "run")), http.StatusUnprocessableEntity, api.CodeIdempotencyKeyReused)
	refused(t, r.post("/batches", ndjson(lines[:900]...), header("Idempotency-Key", "run")), http.StatusUnprocessableEntity, api.CodeIdempotencyKeyReused)
	// None of these has done the first one any harm.
	if b := r.submitBatch(ndjson(lines...), header("Idempotency-Key", "run")); b.Items != 1200 {
		t.Errorf("got %+v", b)
	}
}

func TestADifferingUploadLeavesNothingBehindTheItemThatDiffers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	url := r.listen()
	lines := append([]string{`{}`}, slips(20)...)
	if _, err := r.upload(url, "run", cut(strings.Join(lines[:11], "\n")+"\n")); err == nil { // ten items come
		t.Fatal("it was answered")
	}
	r.noticed(1)
	other := append([]string{}, lines...)
	other[4] = `{"document_key":"d:3","html":"other"}`
	for i := 12; i < len(other); i++ {
		other[i] = strings.Replace(lines[i], "d:", "e:", 1) // of another batch, all of them
	}
	refused(t, r.post("/batches", ndjson(other...), header("Idempotency-Key", "run")), http.StatusUnprocessableEntity, api.CodeIdempotencyKeyReused)
	if b := r.submitBatch(ndjson(lines...), header("Idempotency-Key", "run")); b.Items != 20 {
		t.Errorf("got %+v", b)
	}
}

func TestAnUploadThatIsTakenUpReportsWhereItBegan(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	url := r.listen()
	header1 := `{"webhook_url":"https://first.example/","webhook_events":["batch.completed","job.failed"]}`
	header2 := `{"webhook_url":"https://second.example/","webhook_events":["batch.completed","job.failed"]}`
	items := slips(4)
	if _, err := r.upload(url, "run", cut(strings.Join(append([]string{header1}, items[:2]...), "\n")+"\n")); err == nil {
		t.Fatal("it was answered")
	}
	r.noticed(1)
	b := r.submitBatch(ndjson(append([]string{header2}, items...)...), header("Idempotency-Key", "run"))
	r.promote()
	got, err := r.store.Batch(t.Context(), jobs.ID(b.ID))
	if err != nil {
		t.Fatal(err)
	}
	hosts := []string{got.Callback.Host}
	for _, i := range r.batchItems(b.ID, "") {
		j, err := r.store.Job(t.Context(), jobs.ID(i.Job.ID))
		if err != nil {
			t.Fatal(err)
		}
		hosts = append(hosts, j.Callback.Host)
	}
	for _, h := range hosts {
		if h != "first.example" {
			t.Errorf("they report to %v", hosts)
			break
		}
	}
}

func TestAnUploadWithoutANameIsForgottenWhenItIsCut(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	url := r.listen()
	if _, err := r.upload(url, "", cut(strings.Join(append([]string{`{}`}, slips(1200)...), "\n"))); err == nil {
		t.Fatal("it was answered")
	}
	r.noticed(1)
	r.submit(`{"html":"x","document_key":"d:0"}`)
}

// What a proxy ends cleanly in the middle of a line or after one is not the whole.
func TestAnUploadWithFewerItemsThanItSaysIsToBeRepeated(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := refused(t, r.post("/batches", ndjson(`{"item_count":3}`, slip(0), slip(1)), header("Idempotency-Key", "run")), http.StatusBadRequest, api.CodeBodyMalformed)
	if !p.Retryable {
		t.Errorf("got %+v", p)
	}
	refused(t, r.post("/jobs", jsonBody(`{"html":"x","document_key":"d:0"}`)), http.StatusConflict, api.CodeDocumentKeyReserved)
	r.submitBatch(ndjson(`{"item_count":3}`, slip(0), slip(1), slip(2)), header("Idempotency-Key", "run"))
}

func TestAKeyThatABatchReservesIsNotForAnotherBatch(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	refused(t, r.post("/batches", ndjson(`{"item_count":3}`, slip(0), slip(1)), header("Idempotency-Key", "slow")), http.StatusBadRequest, api.CodeBodyMalformed)
	a := r.post("/batches", ndjson(`{}`, slip(5), slip(1)), header("Idempotency-Key", "other"))
	p := refused(t, a, http.StatusConflict, api.CodeDocumentKeyReserved)
	if !p.Retryable || pointers(p)["/items/1/document_key"] != api.CodeDocumentKeyReserved || *p.ErrorCount != 1 || a.header.Get("Retry-After") == "" {
		t.Errorf("got %+v", p)
	}
	r.submit(`{"html":"mine","document_key":"d:5"}`) // it is free again
	r.submitBatch(ndjson(`{"item_count":3}`, slip(0), slip(1), slip(2)), header("Idempotency-Key", "slow"))
}

func TestAnIdleUploadIsEndedAndASlowOneIsNot(t *testing.T) {
	t.Parallel()
	const patience = 300 * time.Millisecond
	r := newRig(t, func(s *settings) { s.http.BodyTimeout = patience })
	url := r.listen()

	in, out := io.Pipe()
	begun := time.Now()
	go func() { // it ends with the test: a pipe that is closed takes no more
		tick := time.NewTicker(patience / 3)
		defer tick.Stop()
		fmt.Fprintln(out, `{}`)
		for n := range 12 {
			<-tick.C
			fmt.Fprintln(out, slip(n))
		}
		out.Close()
	}()
	a, err := r.upload(url, "slow", in)
	if err != nil {
		t.Fatal(err)
	}
	if b := read[api.Batch](t, a, http.StatusAccepted); b.Items != 12 || time.Since(begun) < 3*patience {
		t.Errorf("got %+v after %v", b, time.Since(begun))
	}

	in, out = io.Pipe()
	t.Cleanup(func() { out.Close() })
	go fmt.Fprint(out, "{}\n"+slip(100)+"\n{")
	a, err = r.upload(url, "idle", in)
	if err != nil {
		t.Fatal(err)
	}
	if p := refused(t, a, http.StatusBadRequest, api.CodeBodyMalformed); !p.Retryable {
		t.Errorf("got %+v", p)
	}
}

// Lines that say nothing keep no connection for ever, and neither do bad ones, of which nothing is staged.
func TestAnUploadWithoutAnEndIsEnded(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *settings) { s.http.BodyTimeout, s.http.UploadTimeout = 2*time.Second, 500*time.Millisecond })
	url := r.listen()
	for name, text := range map[string]string{"blank": "\n", "bad": "x\n"} {
		var a answer
		jobstest.Eventually(t, "an answer", func() bool {
			in, out := io.Pipe()
			defer in.Close()
			go func() {
				tick := time.NewTicker(20 * time.Millisecond)
				defer tick.Stop()
				_, err := fmt.Fprintln(out, `{}`)
				for ; err == nil; <-tick.C {
					_, err = fmt.Fprint(out, text)
				}
			}()
			var err error
			a, err = r.upload(url, name, in)
			return err == nil // a client that still writes may find the connection closed before it reads the answer
		})
		if p := refused(t, a, http.StatusBadRequest, api.CodeBodyMalformed); !p.Retryable || !strings.Contains(p.Detail, "500ms") {
			t.Errorf("%s: got %+v", name, p)
		}
	}
}

func TestALineThatIsTooLongIsABadItem(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *settings) { s.http.MaxBody = 1000 })
	long := `{"html":"` + strings.Repeat("x", 200_000) + `"}`
	p := refused(t, r.post("/batches", ndjson(`{}`, slip(0), long, slip(2))), http.StatusUnprocessableEntity, api.CodeBatchRefused)
	if len(p.Errors) != 1 || pointers(p)["/items/1"] != api.CodeBodyTooLarge {
		t.Errorf("got %+v", p)
	}
	if b := r.submitBatch(ndjson(append([]string{`{}`}, slips(100)...)...)); b.Items != 100 { // more than 1000 bytes in all
		t.Errorf("got %+v", b)
	}
	refused(t, r.post("/batches", ndjson(`{"metadata":{"x":"`+strings.Repeat("x", api.MaxBatchHeaderBytes)+`"}}`, slip(0)), wrong), http.StatusRequestEntityTooLarge, api.CodeBodyTooLarge)
	refused(t, r.post("/batches", ndjson(`{}`, slip(0)), header("Content-Encoding", "gzip"), wrong), http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported)
}

func TestABatchHasAtMostAsManyItemsAsMay(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var b bytes.Buffer
	b.WriteString("{}\n")
	for range api.MaxBatchItems + 1 {
		b.WriteString("[]\n")
	}
	p := refused(t, r.post("/batches", body("application/x-ndjson", b.String())), http.StatusUnprocessableEntity, api.CodeFieldInvalid)
	if p.Errors[0].Pointer != "/items" {
		t.Errorf("got %+v", p)
	}
}
