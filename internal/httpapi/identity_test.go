package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

const page = `{"html":"<p>"}`

func idempotencyKey(key string) option { return header("Idempotency-Key", key) }

// replayed reads the answer of an earlier job.
func replayed(t *testing.T, a answer, status int) api.Job {
	t.Helper()
	if a.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("Idempotency-Replayed is %q: %s", a.header.Get("Idempotency-Replayed"), a.body)
	}
	return read[api.Job](t, a, status)
}

func TestARepeatedRequestIsAnsweredByItsJobWhateverBecameOfIt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, tc := range map[string]struct {
		end    func(id string)
		status int
		want   api.JobStatus
	}{
		"queued":    {func(string) {}, http.StatusAccepted, api.JobQueued},
		"running":   {func(id string) { r.claim(id) }, http.StatusAccepted, api.JobRunning},
		"succeeded": {func(id string) { r.issue(id, "%PDF") }, http.StatusOK, api.JobSucceeded},
		"failed":    {r.fail, http.StatusOK, api.JobFailed},
		"canceled":  {func(id string) { r.delete("/jobs/" + id) }, http.StatusOK, api.JobCanceled},
	} {
		first := r.submit(page, idempotencyKey(name))
		tc.end(first.ID)
		again := replayed(t, r.post("/jobs", jsonBody(page), idempotencyKey(name)), tc.status)
		if again.ID != first.ID || again.Status != tc.want {
			t.Errorf("%s: got %s %s", name, again.ID, again.Status)
		}
	}
}

func TestAnIdempotencyKeyBelongsToOnePayload(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.submit(`{"template":{"html":"{{.n}}"},"data":{"n":1.1}}`, idempotencyKey("k"))
	for _, other := range []string{
		`{"template":{"html":"{{.n}}"},"data":{"n":1.10}}`,
		`{"template":{"html":"{{.n}}"},"data":{"n":1.1},"output":{"paper":"a5"}}`,
		`{"template":{"html":"{{.n}}"},"data":{"n":1.1},"document_key":"d"}`,
	} {
		p := refused(t, r.post("/jobs", jsonBody(other), idempotencyKey("k")), http.StatusUnprocessableEntity, api.CodeIdempotencyKeyReused)
		if p.JobID == nil || *p.JobID != first.ID {
			t.Errorf("names %v", p.JobID)
		}
	}
	// What says only how to report, or how a document looks in text, is not the payload.
	same := `{ "data":{"n":1.1}, "template":{"html":"{{\u002en}}"}, "metadata":{"a":1}, "timeout_seconds":7, "retention_seconds":9 }`
	if again := replayed(t, r.post("/jobs", jsonBody(same), idempotencyKey("k")), http.StatusAccepted); again.ID != first.ID {
		t.Errorf("got %s", again.ID)
	}
}

func TestFilesArePartOfThePayload(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	send := func(logo string) answer {
		return r.post("/jobs", idempotencyKey("k"), form(part{name: "html", text: "<p>"}, part{name: "file", file: "a.png", text: logo}))
	}
	first := read[api.Job](t, send("one"), http.StatusAccepted)
	if again := replayed(t, send("one"), http.StatusAccepted); again.ID != first.ID {
		t.Errorf("got %s", again.ID)
	}
	refused(t, send("two"), http.StatusUnprocessableEntity, api.CodeIdempotencyKeyReused)
}

func TestTwentyFiveSimultaneousSubmitsAreOneJob(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const n = 25
	answers := make([]answer, n)
	var together sync.WaitGroup
	for i := range n {
		together.Go(func() { answers[i] = r.post("/jobs", jsonBody(page), idempotencyKey("k")) })
	}
	together.Wait()
	first, made := read[api.Job](t, answers[0], http.StatusAccepted), 0
	for _, a := range answers {
		if j := read[api.Job](t, a, http.StatusAccepted); j.ID != first.ID || j.DocumentID != first.DocumentID {
			t.Errorf("got %s, want %s", j.ID, first.ID)
		}
		if a.header.Get("Idempotency-Replayed") == "" {
			made++
		}
	}
	list := read[api.JobList](t, r.get("/jobs"), http.StatusOK)
	if made != 1 || len(list.Data) != 1 || r.rang.Load() != 1 {
		t.Errorf("%d answers made it, %d jobs, rang %d times", made, len(list.Data), r.rang.Load())
	}
}

const keyed = `{"html":"<p>","document_key":"invoice:1"}`

const keyedOther = `{"html":"<b>","document_key":"invoice:1"}`

func TestADocumentKeyInFlightOrIssuedAnswersForItsPayloadOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.submit(keyed)
	for _, status := range []int{http.StatusAccepted, http.StatusOK} {
		if again := replayed(t, r.post("/jobs", jsonBody(keyed)), status); again.ID != first.ID {
			t.Errorf("got %s", again.ID)
		}
		p := refused(t, r.post("/jobs", jsonBody(keyedOther)), http.StatusConflict, api.CodeDocumentKeyConflict)
		if p.DocumentID == nil || *p.DocumentID != first.DocumentID || p.JobID == nil || *p.JobID != first.ID {
			t.Errorf("names %v and %v", p.DocumentID, p.JobID)
		}
		if status == http.StatusAccepted {
			r.issue(first.ID, "%PDF")
		}
	}
}

func TestAFailedOrCanceledDocumentGetsANewJobWithAnyPayload(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.submit(keyed)
	r.fail(first.ID)
	second := r.submit(keyed)
	r.delete("/jobs/" + second.ID)
	third := r.submit(keyedOther)
	if first.DocumentID != second.DocumentID || second.DocumentID != third.DocumentID || first.ID == second.ID || second.ID == third.ID {
		t.Errorf("got %+v, %+v, %+v", first, second, third)
	}
}

func TestWhatADocumentKeyAnswersIsBoundToTheIdempotencyKey(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.submit(keyed)
	replayed(t, r.post("/jobs", jsonBody(keyed), idempotencyKey("late")), http.StatusAccepted)
	r.fail(first.ID)
	// The document key alone would now make a new job; the idempotency key decides before it.
	if again := replayed(t, r.post("/jobs", jsonBody(keyed), idempotencyKey("late")), http.StatusOK); again.ID != first.ID {
		t.Errorf("got %s", again.ID)
	}
}

func TestAPurgedDocumentStaysItsKeys(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.submit(keyed)
	r.issue(first.ID, "%PDF")
	read[api.Document](t, r.delete("/documents/"+first.DocumentID), http.StatusOK)

	again := replayed(t, r.post("/jobs", jsonBody(keyed)), http.StatusOK)
	if again.DocumentID != first.DocumentID || again.ID != first.ID {
		t.Errorf("got %+v", again)
	}
	refused(t, r.get("/documents/"+first.DocumentID+"/content"), http.StatusGone, api.CodeDocumentPurged)
	refused(t, r.post("/jobs", jsonBody(keyedOther)), http.StatusConflict, api.CodeDocumentKeyConflict)
	if list := read[api.JobList](t, r.get("/jobs"), http.StatusOK); len(list.Data) != 1 {
		t.Errorf("%d jobs", len(list.Data))
	}
}

func TestADocumentThatWasPurgedUnissuedStaysItsKeys(t *testing.T) {
	t.Parallel()
	r := newRig(t, shortRetention)
	for key, end := range map[api.JobStatus]func(id string){
		api.JobFailed:   r.fail,
		api.JobCanceled: func(id string) { r.delete("/jobs/" + id) },
	} {
		body := `{"html":"<p>","document_key":"` + string(key) + `"}`
		first := r.submit(body)
		end(first.ID)
		d := read[api.Document](t, r.delete("/documents/"+first.DocumentID), http.StatusOK)
		if d.Status != api.DocumentPurged || d.IssueNumber != nil || d.SHA256 != nil {
			t.Errorf("got %+v", d)
		}
		refused(t, r.get("/documents/"+first.DocumentID+"/content"), http.StatusGone, api.CodeDocumentPurged)
		again := replayed(t, r.post("/jobs", jsonBody(body)), http.StatusOK)
		if again.ID != first.ID || again.Status != key {
			t.Errorf("%s: got %+v", key, again)
		}
		refused(t, r.post("/jobs", jsonBody(strings.Replace(body, "<p>", "<b>", 1))), http.StatusConflict, api.CodeDocumentKeyConflict)
		r.clean(first.ID)
		if again := replayed(t, r.post("/jobs", jsonBody(body)), http.StatusOK); again.ID != first.ID || again.Status != api.JobCanceled {
			t.Errorf("%s, and the record is gone: got %+v", key, again)
		}
	}
}

func TestADefaultSpelledOutIsAnotherPayload(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.submit(page, idempotencyKey("k"))
	for _, same := range []string{`{"html":"<p>","engine":"auto"}`, `{"html":"<p>","output":{}}`, `{"html":"<p>","output":{"format":"pdf"}}`} {
		refused(t, r.post("/jobs", jsonBody(same), idempotencyKey("k")), http.StatusUnprocessableEntity, api.CodeIdempotencyKeyReused)
	}
}

// clean runs the janitor's part of the store until a job record is gone.
func (r *rig) clean(job string) {
	r.Helper()
	eventually(r, "the job record is gone", func() bool {
		if _, err := r.store.Clean(r.Context(), 0, 100); err != nil {
			r.Fatal(err)
		}
		return r.get("/jobs/"+job).status == http.StatusNotFound
	})
}

func shortRetention(s *settings) { s.store.JobRetention = 50 * time.Millisecond }

func TestADocumentOutlivesItsJobRecord(t *testing.T) {
	t.Parallel()
	r := newRig(t, shortRetention)
	first := r.submit(keyed)
	r.issue(first.ID, "%PDF-1.7")
	r.clean(first.ID)

	withCallback := `{"html":"<p>","document_key":"invoice:1","callback_url":"https://shop.example/"}`
	again := replayed(t, r.post("/jobs", jsonBody(withCallback), idempotencyKey("new")), http.StatusOK)
	if again.ID != first.ID || again.DocumentID != first.DocumentID || again.Status != api.JobSucceeded || again.Result.SHA256 != sha("%PDF-1.7") {
		t.Errorf("got %+v", again)
	}
	if len(again.Warnings) != 1 || again.Warnings[0].Code != api.WarningCallbackIgnored {
		t.Errorf("warnings: %+v", again.Warnings)
	}
	if a := r.get("/documents/" + first.DocumentID + "/content"); a.status != http.StatusOK || string(a.body) != "%PDF-1.7" {
		t.Errorf("content: %d", a.status)
	}
	refused(t, r.post("/jobs", jsonBody(keyedOther)), http.StatusConflict, api.CodeDocumentKeyConflict)
	// The idempotency key was not bound: it is free for another payload.
	r.submit(page, idempotencyKey("new"))
}

func TestAFailedDocumentWhoseJobRecordIsGoneGetsANewJob(t *testing.T) {
	t.Parallel()
	r := newRig(t, shortRetention)
	first := r.submit(keyed)
	r.fail(first.ID)
	r.clean(first.ID)
	if again := r.submit(keyedOther); again.DocumentID != first.DocumentID || again.ID == first.ID {
		t.Errorf("got %+v", again)
	}
}

func TestOnAReplayTheFirstCallbackStands(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	with := func(callback string) string { return `{"html":"<p>"` + callback + `}` }
	first := r.submit(with(`,"callback_url":"https://first.example/"`), idempotencyKey("k"))
	asked := r.guard.asked.Load()

	for _, tc := range []struct {
		callback string
		ignored  bool
	}{
		{`,"callback_url":"https://first.example/"`, false},
		{``, false},
		{`,"callback_url":"https://other.example/"`, true},
		{`,"callback_url":"https://denied.example/"`, true},
		{`,"callback_url":"https://first.example/","callback_secret":"another secret 1"`, true},
		{`,"callback_url":"https://first.example/","callback_headers":{"A":"b"}`, true},
	} {
		j := replayed(t, r.post("/jobs", jsonBody(with(tc.callback)), idempotencyKey("k"), header("Prefer", "wait=0")), http.StatusAccepted)
		ignored := len(j.Warnings) == 1 && j.Warnings[0].Code == api.WarningCallbackIgnored && strings.Contains(j.Warnings[0].Detail, "first.example")
		if j.ID != first.ID || ignored != tc.ignored || !ignored && len(j.Warnings) > 0 {
			t.Errorf("%s: got %+v", tc.callback, j)
		}
	}
	if now := r.guard.asked.Load(); now != asked {
		t.Errorf("the guard was asked %d times for what needs no callback", now-asked)
	}
	if j := r.job(first.ID); len(j.Warnings) > 0 {
		t.Errorf("the job took over the warning of a request: %+v", j.Warnings)
	}
}

func TestAReplayIsAnsweredWhenThereIsNoRoomForNewWork(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *settings) { s.store.FullAt = 0.5 })
	first := r.submit(page, idempotencyKey("k"))
	used := r.redis.Client().Info(t.Context(), "memory").Val()
	var bytes int64
	for line := range strings.Lines(used) {
		if n, ok := strings.CutPrefix(line, "used_memory:"); ok {
			if _, err := fmt.Sscan(n, &bytes); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.redis.Client().ConfigSet(t.Context(), "maxmemory", fmt.Sprint(bytes*3/2)).Err(); err != nil {
		t.Fatal(err)
	}
	var full answer
	eventually(t, "new work is refused", func() bool {
		full = r.post("/jobs", jsonBody(page))
		return full.status != http.StatusAccepted
	})
	refused(t, full, http.StatusServiceUnavailable, api.CodeStoreFull)
	if got := full.header.Get("Retry-After"); got != "10" {
		t.Errorf("Retry-After is %q", got)
	}
	if again := replayed(t, r.post("/jobs", jsonBody(page), idempotencyKey("k")), http.StatusAccepted); again.ID != first.ID {
		t.Errorf("got %s", again.ID)
	}
}

func TestTenantsDoNotShareKeysOfAnyKind(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	other := as(r.newKey("other", jobs.ScopeRead, jobs.ScopeWrite))
	first := r.submit(keyed, idempotencyKey("k"))
	second := r.submit(keyedOther, idempotencyKey("k"), other)
	if first.ID == second.ID || first.DocumentID == second.DocumentID {
		t.Errorf("got %+v and %+v", first, second)
	}
}
