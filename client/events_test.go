package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// stream answers with events and breaks off.
func stream(text ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", api.StreamType)
		_, _ = io.WriteString(w, strings.Join(text, ""))
	}
}

// event is one as it travels.
func event(id string, name api.StreamEvent, data any) string {
	text, _ := json.Marshal(data)
	if id != "" {
		id = "id: " + id + "\n"
	}
	return id + "event: " + string(name) + "\ndata: " + string(text) + "\n\n"
}

func change(status api.JobStatus) api.JobChange {
	return api.JobChange{JobID: jobID, DocumentID: documentID, Status: status, Attempt: 1}
}

// lastIDs are the ids from which the script was asked to go on.
func (s *script) lastIDs() []string {
	var ids []string
	for _, a := range s.requests() {
		ids = append(ids, a.header.Get("Last-Event-ID"))
	}
	return ids
}

func TestEventsGoOnWhereTheyBrokeOffUntilTheEnd(t *testing.T) {
	spec(t)
	synctest.Test(t, func(t *testing.T) {
		queued, failed := job(api.JobQueued), job(api.JobFailed)
		server := serve(t,
			stream("retry: 4000\n\n", event("1-0", api.StreamSnapshot, queued), event("2-0", api.StreamJob, change(api.JobRunning)),
				":\nid: 3-0\n\n", "id: 4-0\nevent: job\ndata: {"),
			cut,
			problem(http.StatusServiceUnavailable, api.CodeStreamsBusy, "Retry-After", "7"),
			stream(event("", api.StreamReset, struct{}{}), event("8-0", api.StreamSnapshot, queued), event("9-0", "later", 7)),
			stream(event("10-0", api.StreamJob, change(api.JobFailed)), event("11-0", api.StreamSnapshot, failed)),
		)
		c := server.inMemory()
		c.HTTP.Transport = abortable{c.HTTP.Transport}
		began := time.Now()
		var got []client.StreamEvent
		for e, err := range c.JobEvents(t.Context(), jobID, "") {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e)
		}
		running, ended := change(api.JobRunning), change(api.JobFailed)
		want := []client.StreamEvent{
			{ID: "1-0", Name: api.StreamSnapshot, Job: &queued},
			{ID: "2-0", Name: api.StreamJob, JobChange: &running},
			{Name: api.StreamReset},
			{ID: "8-0", Name: api.StreamSnapshot, Job: &queued},
			{ID: "9-0", Name: "later"},
			{ID: "10-0", Name: api.StreamJob, JobChange: &ended},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if diff := cmp.Diff([]string{"", "3-0", "3-0", "3-0", "9-0"}, server.lastIDs()); diff != "" {
			t.Errorf("went on from (-want +got):\n%s", diff)
		}
		if took := time.Since(began); took < 7*time.Second+2*2*time.Second || took > 7*time.Second+2*4*time.Second+time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// abortable turns a handler that aborts into a connection that was cut.
type abortable struct{ http.RoundTripper }

func (a abortable) RoundTrip(r *http.Request) (res *http.Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = io.ErrUnexpectedEOF
		}
	}()
	return a.RoundTripper.RoundTrip(r)
}

func TestAStreamThatIsOverHasNoEvents(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for e, err := range server.inMemory().JobEvents(t.Context(), jobID, "9-0") {
		t.Errorf("got %+v, %v", e, err)
	}
	if diff := cmp.Diff([]string{"9-0"}, server.lastIDs()); diff != "" {
		t.Error(diff)
	}
}

func TestEventsOfABatchEndWithIt(t *testing.T) {
	t.Parallel()
	ended := api.BatchChange{BatchID: "bat_01KCPDHS1S0EXAMPZE00000009", Status: api.BatchCompleted, Sequence: 1, Items: 1, Progress: 100}
	server := serve(t, stream(event("1-0", api.StreamJob, change(api.JobFailed)), event("2-0", api.StreamBatch, ended)))
	var names []api.StreamEvent
	for e, err := range server.inMemory().BatchEvents(t.Context(), ended.BatchID, "") {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, e.Name)
	}
	if diff := cmp.Diff([]api.StreamEvent{api.StreamJob, api.StreamBatch}, names); diff != "" {
		t.Error(diff)
	}
}

func TestWhatCannotBeFollowedIsAnError(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"no such job":             problem(http.StatusNotFound, api.CodeJobNotFound),
		"no JSON":                 stream("event: job\ndata: {\n\n"),
		"an endless line":         stream("data: ", strings.Repeat("x", 2<<20)),
		"an event without an end": stream("event: job\n", strings.Repeat("data: "+strings.Repeat("x", 1<<10)+"\n", 2<<10)),
	} {
		n := 0
		for e, err := range serve(t, answer).inMemory().JobEvents(t.Context(), jobID, "") {
			if n++; err == nil {
				t.Errorf("%s: %+v", name, e)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d", name, n)
		}
	}
	for _, err := range serve(t).inMemory().JobEvents(t.Context(), "../x", "") {
		if !errors.Is(err, client.ErrArgument) {
			t.Error(err)
		}
	}
}

func TestWhoeverHasSeenEnoughLeavesTheStream(t *testing.T) {
	t.Parallel()
	server := serve(t, stream(event("1-0", api.StreamSnapshot, api.TenantSnapshot{}), event("2-0", api.StreamJob, change(api.JobFailed))))
	for e, err := range server.inMemory().Events(t.Context(), "") {
		if err != nil || e.Tenant == nil {
			t.Errorf("got %+v, %v", e, err)
		}
		break
	}
}

// mute is a server whose stream says something once and then nothing.
type mute struct{ asked int }

func (m *mute) RoundTrip(r *http.Request) (*http.Response, error) {
	m.asked++
	body, into := io.Pipe()
	context.AfterFunc(r.Context(), func() { _ = into.CloseWithError(r.Context().Err()) })
	go func() { _, _ = io.WriteString(into, event("1-0", api.StreamJob, change(api.JobRunning))) }()
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {api.StreamType}}, Body: body}, nil
}

func TestAStreamThatFallsSilentIsOpenedAnew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := &mute{}
		c := &client.Client{BaseURL: "http://platen.test", HTTP: &http.Client{Transport: server}}
		ctx, stop := context.WithTimeout(t.Context(), 100*time.Second)
		defer stop()
		var last error
		events := 0
		for _, err := range c.Events(ctx, "") {
			if last = err; err == nil {
				events++
			}
		}
		if !errors.Is(last, context.DeadlineExceeded) || events != 3 || server.asked != 3 {
			t.Errorf("%d events over %d connections, then %v", events, server.asked, last)
		}
	})
}
