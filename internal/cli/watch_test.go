package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
)

// stream answers with events, whose ids say that they happened at noon.
func stream(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Last-Event-ID") == "9-0" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", api.StreamType)
		_, _ = io.WriteString(w, strings.Join(events, ""))
	}
}

func happened(name api.StreamEvent, data any) string {
	text, _ := json.Marshal(data)
	return "id: 1772452800000-0\nevent: " + string(name) + "\ndata: " + string(text) + "\n\n"
}

func changed(status api.JobStatus) string {
	return happened(api.StreamJob, api.JobChange{JobID: jobID, DocumentID: documentID, Status: status, Attempt: 1, Progress: 40})
}

func TestAJobIsWatchedUntilItHasEnded(t *testing.T) {
	t.Parallel()
	const target = "GET /jobs/{id}/events"
	s := newServer(map[string]http.HandlerFunc{
		target: stream("event: reset\ndata: {}\n\n", happened(api.StreamSnapshot, job(api.JobQueued)), changed(api.JobRunning), happened("later", 7), changed(api.JobSucceeded)),
	})
	const want = `some changes were missed; how it stands now:
2026-03-02 12:00:00Z  ` + jobID + `  queued
2026-03-02 12:00:00Z  ` + jobID + `  running, attempt 1, 40 %
2026-03-02 12:00:00Z  later  this version does not know what that is
2026-03-02 12:00:00Z  ` + jobID + `  succeeded
`
	got := run(t, s, "", withKey, "jobs", "watch", jobID)
	if diff := cmp.Diff(outcome{0, want, ""}, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Error(diff)
	}
	asJSON := run(t, s, "", withKey, "jobs", "watch", jobID, "--json")
	lines := strings.Split(strings.TrimSpace(asJSON.stdout), "\n")
	var last struct {
		ID, Event string
		Data      api.JobChange
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.ID != "1772452800000-0" || last.Event != "job" || last.Data.Status != api.JobSucceeded || len(lines) != 5 {
		t.Errorf("%s, %v", asJSON.stdout, err)
	}
	if over := run(t, s, "", withKey, "jobs", "watch", jobID, "--after", "9-0"); over.status != 1 || !strings.Contains(over.stderr, "were seen before") {
		t.Errorf("%+v", over)
	}
	failing := newServer(map[string]http.HandlerFunc{target: stream(changed(api.JobFailed))})
	if got := run(t, failing, "", withKey, "jobs", "watch", jobID); got.status != 1 || !strings.Contains(got.stderr, "has failed: platen jobs get "+jobID) {
		t.Errorf("%+v", got)
	}
}

func TestABatchIsWatchedUntilItHasEnded(t *testing.T) {
	t.Parallel()
	const batch = "bat_01KCPDHS1S0EXAMPZE00000009"
	change := api.BatchChange{BatchID: batch, Status: api.BatchRunning, Sequence: 1, Items: 3, Counts: api.BatchCounts{Running: 1, Succeeded: 1, Failed: 1}}
	ended := change
	ended.Status, ended.Counts = api.BatchCompleted, api.BatchCounts{Succeeded: 2, Failed: 1}
	s := newServer(map[string]http.HandlerFunc{
		"GET /batches/{id}/events": stream(happened(api.StreamBatch, change), changed(api.JobSucceeded), happened(api.StreamBatch, ended)),
	})
	const want = `2026-03-02 12:00:00Z  ` + batch + `  running, 2 of 3 ended, 1 failed
2026-03-02 12:00:00Z  ` + jobID + `  succeeded
2026-03-02 12:00:00Z  ` + batch + `  completed, 3 of 3 ended, 1 failed
`
	got := run(t, s, "", withKey, "watch", "--batch", batch)
	if diff := cmp.Diff(outcome{0, want, ""}, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Error(diff)
	}
}

func TestATenantIsWatchedUntilTheServerRefuses(t *testing.T) {
	t.Parallel()
	asked := 0
	s := newServer(map[string]http.HandlerFunc{"GET /events": func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked > 1 {
			problem(http.StatusForbidden, api.CodeScopeMissing)(w, r)
			return
		}
		stream("retry: 1\n\n", happened(api.StreamSnapshot, api.TenantSnapshot{Jobs: api.JobCounts{Queued: 2, Failed: 1}}))(w, r)
	}})
	got := run(t, s, "", withKey, "watch")
	if want := "2026-03-02 12:00:00Z  jobs  2 queued, 0 running, 0 succeeded, 1 failed, 0 canceled\n"; got.status != 1 || got.stdout != want {
		t.Errorf("%+v", got)
	}
}
