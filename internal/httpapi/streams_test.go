package httpapi_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/httpapi"
	"github.com/platen-render/platen/internal/jobs"
)

// sse is a reader of one stream, by the rules of the HTML standard, section 9.2.6.
type sse struct {
	tb     testing.TB
	res    *http.Response
	lines  *bufio.Reader
	lastID string
	beats  int // comments so far
}

// sent is an event as it was dispatched.
type sent struct{ ID, Name, Data string }

// listen serves the rig on a socket.
func (r *rig) listen() string {
	r.Helper()
	server := httptest.NewServer(r.server)
	r.Cleanup(func() {
		r.server.EndStreams()
		server.Close()
	})
	return server.URL
}

// open begins to read a stream.
func (r *rig) open(url string, options ...option) *sse {
	r.Helper()
	ctx, stop := context.WithTimeout(r.Context(), 30*time.Second)
	r.Cleanup(stop)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		r.Fatal(err)
	}
	for _, o := range append([]option{as(r.key)}, options...) {
		o(req)
	}
	res, err := http.DefaultClient.Do(req) //nolint:bodyclose // by close, and when the test ends
	if err != nil {
		r.Fatal(err)
	}
	s := &sse{tb: r, res: res, lines: bufio.NewReader(res.Body)}
	r.Cleanup(s.close)
	return s
}

func (s *sse) close() { _ = s.res.Body.Close() }

// next is the next event, or [io.EOF].
func (s *sse) next() (sent, error) {
	e := sent{}
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return sent{}, err
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "\n":
			if e.Data != "" {
				e.ID = s.lastID
				return e, nil
			}
			e.Name = ""
		case field == "":
			s.beats++
		case field == "id":
			s.lastID = value
		case field == "event":
			e.Name = value
		case field == "data":
			e.Data += value
		}
	}
}

// want reads an event of a name, with all of its data, into v.
func want[T any](s *sse, name api.StreamEvent) (v T) {
	s.tb.Helper()
	e, err := s.next()
	if err != nil {
		s.tb.Fatalf("want %s: %v", name, err)
	}
	decoder := json.NewDecoder(strings.NewReader(e.Data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&v); err != nil || e.Name != string(name) {
		s.tb.Fatalf("want %s: %+v, %v", name, e, err)
	}
	return v
}

// ended reads the end.
func (s *sse) ended() {
	s.tb.Helper()
	if e, err := s.next(); !errors.Is(err, io.EOF) {
		s.tb.Fatalf("want the end, got %+v, %v", e, err)
	}
}

func TestAStreamOfAJobTellsEverythingUntilTheJobEnds(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed)
	j := r.submit(page)
	target := r.listen() + "/jobs/" + j.ID + "/events"
	s := r.open(target)
	if got := s.res.Header.Get("Content-Type"); s.res.StatusCode != http.StatusOK || got != api.StreamType {
		t.Fatalf("%d %s", s.res.StatusCode, got)
	}
	if got := want[api.Job](s, api.StreamSnapshot); got.ID != j.ID || got.Status != api.JobQueued {
		t.Errorf("snapshot: %+v", got)
	}
	first := s.lastID
	r.issue(j.ID, content)
	running := api.JobChange{JobID: j.ID, DocumentID: j.DocumentID, Status: api.JobRunning, Attempt: 1}
	done := api.JobChange{JobID: j.ID, DocumentID: j.DocumentID, Status: api.JobSucceeded, Attempt: 1, Progress: 100}
	changes := func(s *sse) {
		t.Helper()
		for _, w := range []api.JobChange{running, done} {
			if diff := cmp.Diff(w, want[api.JobChange](s, api.StreamJob)); diff != "" {
				t.Error(diff)
			}
		}
		s.ended()
	}
	changes(s)
	changes(r.open(target, header("Last-Event-ID", first)))
	if over := r.get("/jobs/"+j.ID+"/events", header("Last-Event-ID", s.lastID)); over.status != http.StatusNoContent {
		t.Errorf("behind the end: %d %s", over.status, over.body)
	}
	late := r.get("/jobs/" + j.ID + "/events")
	if n := bytes.Count(late.body, []byte("event: ")); late.status != http.StatusOK || n != 1 {
		t.Errorf("after the end: %d %s", late.status, late.body)
	}
}

func TestAStreamOfABatchTellsEverythingUntilEachItemHasEnded(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed)
	b := r.submitBatch(jsonBody(`{"items":[{"html":"<p>1","document_key":"a"},{"html":"<p>2","document_key":"b"}]}`))
	target := "/batches/" + b.ID + "/events"
	s := r.open(r.listen() + target)
	if got := want[api.Batch](s, api.StreamSnapshot); got.ID != b.ID || got.Counts.Waiting != 2 {
		t.Errorf("snapshot: %+v", got)
	}
	r.promote()
	for i, item := range r.batchItems(b.ID, "") {
		if i == 0 {
			r.issue(item.Job.ID, content)
		} else {
			r.fail(item.Job.ID)
		}
	}
	ended := map[api.JobStatus]int{}
	var last api.BatchChange
	for last.Status != api.BatchCompleted {
		e, err := s.next()
		if err != nil {
			t.Fatal(err)
		}
		var change api.JobChange
		into := any(&change)
		if e.Name == string(api.StreamBatch) {
			into = &last
		}
		if err := json.Unmarshal([]byte(e.Data), into); err != nil {
			t.Fatal(err)
		}
		if e.Name == string(api.StreamJob) && (change.BatchID == nil || *change.BatchID != b.ID) {
			t.Errorf("a job of another batch: %+v", change)
		}
		ended[change.Status]++
	}
	s.ended()
	if diff := cmp.Diff(api.BatchChange{
		BatchID: b.ID, Status: api.BatchCompleted, Sequence: 1, Items: 2, Progress: 100, Counts: api.BatchCounts{Succeeded: 1, Failed: 1},
	}, last); diff != "" || ended[api.JobSucceeded] != 1 || ended[api.JobFailed] != 1 || ended[api.JobRunning] != 2 {
		t.Errorf("%v %s", ended, diff)
	}
	if over := r.get(target, header("Last-Event-ID", s.lastID)); over.status != http.StatusNoContent {
		t.Errorf("behind the end: %d %s", over.status, over.body)
	}
	if late := r.get(target); late.status != http.StatusOK || bytes.Count(late.body, []byte("event: snapshot")) != 1 {
		t.Errorf("after the end: %d %s", late.status, late.body)
	}
}

func TestAStreamThatCannotGoOnBeginsAnew(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed, func(s *settings) { s.store.FeedLength = 10 })
	url := r.listen()
	s := r.open(url + "/events")
	want[api.TenantSnapshot](s, api.StreamSnapshot)
	old := s.lastID
	s.close()
	for range 120 {
		r.submit(page)
	}
	for _, last := range []string{old, "9999999999999-0", "1-2-3", "-1-0", "x", "1\x80"} {
		s := r.open(url+"/events", header("Last-Event-ID", last))
		want[struct{}](s, api.StreamReset)
		if s.lastID != "" {
			t.Errorf("%q: a reset has the id %q: one cut off here would miss the snapshot", last, s.lastID)
		}
		if got := want[api.TenantSnapshot](s, api.StreamSnapshot); got.Jobs.Queued != 120 {
			t.Errorf("%q: %+v", last, got)
		}
		j := r.submit(page)
		if got := want[api.JobChange](s, api.StreamJob); got.JobID != j.ID || got.Status != api.JobQueued {
			t.Errorf("%q: %+v", last, got)
		}
		s.close()
		if _, err := r.service.Cancel(t.Context(), "default", jobs.ID(j.ID)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnOpenStreamBeginsAnewWhenItsServerHasMissedSomething(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed)
	s := r.open(r.listen() + "/events")
	want[api.TenantSnapshot](s, api.StreamSnapshot)
	// Entries that the store drops before the server can read them: one script is one step.
	const burst = `for i = 1, 500 do redis.call('XADD', KEYS[1], 'MAXLEN', 10, '*', 'tenant', 'other', 'job', 'job_' .. i, 'status', 'queued') end return 1`
	if err := r.redis.Client().Eval(t.Context(), burst, []string{"pl:{p0}:feed"}).Err(); err != nil {
		t.Fatal(err)
	}
	want[struct{}](s, api.StreamReset)
	want[api.TenantSnapshot](s, api.StreamSnapshot)
	j := r.submit(page)
	if got := want[api.JobChange](s, api.StreamJob); got.JobID != j.ID {
		t.Errorf("got %+v", got)
	}
}

func TestReadersThatComeAndGoMissNothingAndReadNothingTwice(t *testing.T) {
	t.Parallel()
	const made, readers = 60, 10
	r := newRig(t, followed)
	url := r.listen() + "/events"
	first := r.open(url)
	want[api.TenantSnapshot](first, api.StreamSnapshot)
	got := make([][]string, readers)
	var group sync.WaitGroup
	for i := range readers {
		group.Go(func() {
			last := first.lastID
			for len(got[i]) < 3*made {
				s := r.open(url, header("Last-Event-ID", last))
				for n := rand.IntN(25); n >= 0 && len(got[i]) < 3*made; n-- {
					e, err := s.next()
					if err != nil || e.Name != string(api.StreamJob) {
						t.Errorf("reader %d after %d: %+v, %v", i, len(got[i]), e, err)
						return
					}
					got[i] = append(got[i], e.Data)
				}
				last = s.lastID
				s.close()
			}
		})
	}
	var ids []string
	for range made {
		j := r.submit(page)
		r.fail(j.ID)
		ids = append(ids, j.ID)
	}
	group.Wait()
	for i := range readers {
		for n, text := range got[i] {
			var c api.JobChange
			if err := json.Unmarshal([]byte(text), &c); err != nil {
				t.Fatal(err)
			}
			status := []api.JobStatus{api.JobQueued, api.JobRunning, api.JobFailed}[n%3]
			if c.JobID != ids[n/3] || c.Status != status {
				t.Fatalf("reader %d, event %d: %s, want %s %s", i, n, text, ids[n/3], status)
			}
		}
	}
}

func TestAStreamShowsNothingOfOthers(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed)
	url := r.listen()
	s := r.open(url + "/events")
	want[api.TenantSnapshot](s, api.StreamSnapshot)
	r.submit(page, as(r.newKey("other", jobs.ScopeWrite)))
	j := r.submit(page)
	if got := want[api.JobChange](s, api.StreamJob); got.JobID != j.ID {
		t.Errorf("got %+v", got)
	}
}

func TestAStreamOutlivesItsRedis(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed)
	s := r.open(r.listen() + "/events")
	want[api.TenantSnapshot](s, api.StreamSnapshot)
	r.redis.Kill()
	r.redis.Restart()
	j := r.submit(page)
	if got := want[api.JobChange](s, api.StreamJob); got.JobID != j.ID {
		t.Errorf("got %+v", got)
	}
}

func TestAQuietStreamGivesSignsOfLifeFromWhichToGoOn(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed, func(s *settings) { s.http.Streams.Heartbeat = 10 * time.Millisecond })
	s := r.open(r.listen() + "/events")
	want[api.TenantSnapshot](s, api.StreamSnapshot)
	first := s.lastID
	r.submit(page, as(r.newKey("other", jobs.ScopeWrite)))
	for s.beats < 5 || s.lastID == first {
		if _, err := s.lines.Peek(1); err != nil {
			t.Fatal(err)
		}
		line, err := s.lines.ReadString('\n')
		switch {
		case err != nil:
			t.Fatal(err)
		case line == ":\n":
			s.beats++
		case strings.HasPrefix(line, "id: "):
			s.lastID = strings.TrimSpace(line[4:])
		case line != "\n":
			t.Fatalf("got %q", line)
		}
	}
}

func TestAReaderThatTakesNothingIsDropped(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed, func(s *settings) { s.http.Streams.Patience = 200 * time.Millisecond })
	server := httptest.NewUnstartedServer(r.server)
	server.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if err := c.(*net.TCPConn).SetWriteBuffer(4096); err != nil {
			t.Error(err)
		}
		return ctx
	}
	server.Start()
	t.Cleanup(server.Close)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(conn, "GET /events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", r.key); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the stream is open", func() bool { return strings.Contains(r.metrics(), "platen_streams_open 1") })
	eventually(t, "the reader is dropped", func() bool {
		for range 20 {
			r.submit(page)
		}
		return strings.Contains(r.metrics(), "platen_streams_open 0")
	})
	eventually(t, "the log says so", func() bool { return loggedStream(r.logs.requests(t), "slow_reader") })
}

// metrics is what /metrics shows.
func (r *rig) metrics() string {
	r.Helper()
	return string(r.get("/metrics", as("")).body)
}

// loggedStream reports whether a line is about a stream that ended for a reason.
func loggedStream(lines []map[string]any, ended string) bool {
	for _, line := range lines {
		if line["ended"] == ended && line["route"] == "/events" {
			return true
		}
	}
	return false
}

func TestOnlySoManyStreamsAreOpenAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed, func(s *settings) { s.http.Streams.Max = 1 })
	j := r.submit(page)
	first := r.open(r.listen() + "/events")
	want[api.TenantSnapshot](first, api.StreamSnapshot)
	for _, target := range []string{"/events", "/jobs/" + j.ID + "/events"} {
		a := r.get(target)
		if p := refused(t, a, http.StatusServiceUnavailable, api.CodeStreamsBusy); !p.Retryable || a.header.Get("Retry-After") == "" {
			t.Errorf("%s: %+v", target, p)
		}
	}
	first.close()
	if _, err := r.service.Cancel(t.Context(), "default", jobs.ID(j.ID)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "there is room again", func() bool { return r.get("/jobs/"+j.ID+"/events").status == http.StatusOK })
}

func TestAStreamEndsWithItsKey(t *testing.T) {
	t.Parallel()
	quick := func(s *settings) {
		s.http.Streams = httpapi.StreamOptions{Heartbeat: 10 * time.Millisecond, Recheck: time.Millisecond}
	}
	for name, end := range map[string]func(r *rig) (key string, revoke func()){
		"revoked": func(r *rig) (string, func()) {
			k, err := r.service.CreateKey(r.Context(), jobs.APIKey{Tenant: "default", Scopes: jobs.Scopes}, "whsec_unused")
			if err != nil {
				r.Fatal(err)
			}
			return k.Text, func() { r.delete("/admin/keys/"+string(k.ID), as(adminKey)) }
		},
		"expired": func(r *rig) (string, func()) {
			k, err := r.service.CreateKey(r.Context(), jobs.APIKey{Tenant: "default", Scopes: jobs.Scopes, Lifetime: time.Second}, "whsec_unused")
			if err != nil {
				r.Fatal(err)
			}
			return k.Text, func() {}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, followed, quick)
			key, revoke := end(r)
			s := r.open(r.listen()+"/events", as(key))
			want[api.TenantSnapshot](s, api.StreamSnapshot)
			revoke()
			s.ended()
			eventually(t, "the log says so", func() bool { return loggedStream(r.logs.requests(t), "key_ended") })
		})
	}
}

func TestAServerThatStopsEndsItsStreams(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed)
	server := httptest.NewServer(r.server)
	t.Cleanup(server.Close)
	s := r.open(server.URL + "/events")
	want[api.TenantSnapshot](s, api.StreamSnapshot)
	r.server.EndStreams()
	s.ended()
	refused(t, r.get("/events"), http.StatusServiceUnavailable, api.CodeStreamsBusy)
	eventually(t, "the log says so", func() bool { return loggedStream(r.logs.requests(t), "stopping") })
}

func TestTheStreamOfATenantNeedsWhatOtherRoutesNeed(t *testing.T) {
	t.Parallel()
	r := newRig(t, followed)
	refused(t, r.get("/events", as("")), http.StatusUnauthorized, api.CodeKeyMissing)
	refused(t, r.get("/events", as(r.newKey("default", jobs.ScopeWrite))), http.StatusForbidden, api.CodeScopeMissing)
	refused(t, r.get("/events", as(adminKey)), http.StatusForbidden, api.CodeScopeMissing)
	eventually(t, "a stream begins before its reader goes", func() bool {
		ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer stop()
		a := r.get("/events", func(req *http.Request) { *req = *req.WithContext(ctx) })
		return a.status == http.StatusOK && bytes.Contains(a.body, []byte("event: snapshot\ndata: {\"jobs\":{"))
	})
	r.redis.Kill()
	refused(t, r.get("/events"), http.StatusServiceUnavailable, api.CodeStoreUnavailable)
}
