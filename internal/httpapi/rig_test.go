package httpapi_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/blobs/blobstest"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/httpapi"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/internal/spectest"
	"github.com/platen-render/platen/internal/urlguard"
)

const (
	publicURL = "https://platen.example/base"
	adminKey  = "bootstrap-key-of-the-tests"
)

// spec holds every exchange of the package to openapi.yaml.
var spec *spectest.Checker

func TestMain(m *testing.M) {
	flag.Parse()
	var err error
	if spec, err = spectest.New(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if code == 0 && allTestsRan() {
		// Any operation may fail inside; /readyz, /metrics and /jobs/{id} stand for all of them.
		for _, missing := range spec.Uncovered(" 500") {
			fmt.Fprintln(os.Stderr, "no test has seen:", missing)
			code = 1
		}
	}
	os.Exit(code)
}

func allTestsRan() bool {
	return flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == "" &&
		flag.Lookup("test.list").Value.String() == ""
}

// files is a file store as the domain wants it.
type files struct{ blobs.FileStore }

func (f files) Put(ctx context.Context, name string, r io.Reader) error {
	_, err := f.FileStore.Put(ctx, name, r)
	return err
}

func (f files) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	r, _, err := f.FileStore.Open(ctx, name)
	return r, err
}

// enqueue is a queue that only takes.
type enqueue func(jobs.Task)

func (e enqueue) Enqueue(_ context.Context, t jobs.Task) (jobs.Enqueued, error) {
	e(t)
	return jobs.Rang, nil
}
func (enqueue) Slots(context.Context, jobs.Line) (int, error)          { return 1, nil }
func (enqueue) Active(context.Context, jobs.Line) ([]jobs.Task, error) { return nil, nil }
func (enqueue) Backlog(context.Context, jobs.Line) (int, error)        { return 0, nil }
func (enqueue) Announce(context.Context, jobs.Line) error              { return nil }
func (enqueue) Withdraw(context.Context, jobs.Task) error              { return nil }

// guard refuses by the host alone and counts how often it is asked.
type guard struct {
	asked   atomic.Int64
	instead atomic.Pointer[string] // what every URL is taken for, when it is set
}

func (g *guard) check(_ context.Context, url string) error {
	g.asked.Add(1)
	if other := g.instead.Load(); other != nil {
		url = *other
	}
	switch {
	case strings.Contains(url, "//denied.example"):
		return urlguard.ErrDenied.Because(fmt.Errorf("denied.example resolves to 10.0.0.7"))
	case strings.Contains(url, "//lost.example"):
		return urlguard.ErrUnresolved.Because(fmt.Errorf("look up: no such host"))
	}
	return nil
}

// checkPage reads an address as the guard of pages does, and judges it as guard does.
func checkPage(ctx context.Context, url string) error {
	if _, err := (urlguard.Policy{AllowHTTP: true}).Parse(url); err != nil {
		return err
	}
	return (&guard{}).check(ctx, url)
}

// logbook keeps what is logged.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// requests are the canonical lines.
func (l *logbook) requests(t *testing.T) []map[string]any {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	var lines []map[string]any
	for line := range strings.Lines(l.text.String()) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		if entry["msg"] == "request" {
			lines = append(lines, entry)
		}
	}
	return lines
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// rig is a server on a store and a blob store of its own, without a worker.
type rig struct {
	*testing.T
	redis    *redistest.Server
	store    *redisstore.Store
	blobs    files
	service  *jobs.Service
	guard    *guard
	rang     atomic.Int64
	logs     *logbook
	registry *prometheus.Registry
	server   *httpapi.Server
	client   *http.Client
	key      string // of the default tenant, to read and write
}

// settings change a rig before it is built.
type settings struct {
	store redisstore.Options
	http  httpapi.Options
	// follow lets changes of jobs end waits at once. Without it they are noticed in time, and the test ends sooner.
	follow bool
}

func newRig(t *testing.T, change ...func(*settings)) *rig {
	t.Helper()
	set := settings{
		store: redisstore.Options{PublicURL: publicURL},
		http:  httpapi.Options{PublicURL: publicURL + "/", AdminKey: adminKey},
	}
	for _, c := range change {
		c(&set)
	}
	r := &rig{
		T: t, redis: redistest.Start(t), blobs: files{blobstest.Folder(t)},
		guard: &guard{}, logs: &logbook{}, registry: prometheus.NewRegistry(),
	}
	logger := slog.New(slog.NewJSONHandler(r.logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	r.store = redisstore.New(r.redis.Client(), set.store)
	feed := redisstore.NewFeed(r.redis.Client(), 1, logger)
	if set.follow {
		r.follow(feed)
	}
	r.service = &jobs.Service{
		Store: r.store, Queue: enqueue(func(jobs.Task) { r.rang.Add(1) }), Blobs: r.blobs, Watcher: feed, Feed: feed,
		Key: secretKey(t), Logger: logger, CheckCallback: r.guard.check, CheckPage: checkPage,
	}
	t.Cleanup(r.service.Close)

	set.http.Service, set.http.Gatherer, set.http.Registerer, set.http.Logger = r.service, r.registry, r.registry, logger
	r.server = httpapi.New(set.http)
	r.client = spec.Client(t, r.server)
	r.key = r.newKey("default", jobs.ScopeRead, jobs.ScopeWrite)
	return r
}

// follow follows the store until the test ends.
func (r *rig) follow(feed *redisstore.Feed) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- feed.Run(ctx) }()
	r.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			r.Error(err)
		}
	})
}

func followed(s *settings) { s.follow = true }

func secretKey(t *testing.T) *seal.Key {
	t.Helper()
	key, err := seal.ParseKey(seal.GenerateKey())
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (r *rig) newKey(tenant string, scopes ...jobs.Scope) string {
	r.Helper()
	k, err := r.service.CreateKey(r.Context(), jobs.APIKey{Tenant: tenant, Scopes: scopes}, "whsec_unused")
	if err != nil {
		r.Fatal(err)
	}
	return k.Text
}

// option changes a request before it is sent.
type option func(*http.Request)

func header(name, value string) option {
	return func(req *http.Request) { req.Header.Set(name, value) }
}

// as sends another key, or none for "".
func as(key string) option {
	return func(req *http.Request) {
		req.Header.Del("Authorization")
		if key != "" {
			req.Header.Set("Authorization", "Bearer "+key)
		}
	}
}

// wrong marks what the contract refuses.
func wrong(req *http.Request) { *req = *req.WithContext(spectest.Invalid(req.Context())) }

func body(mediaType, text string) option {
	return func(req *http.Request) {
		req.Header.Set("Content-Type", mediaType)
		req.Body, req.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
	}
}

func jsonBody(text string) option { return body("application/json", text) }

// answer is a response, read.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (r *rig) do(method, target string, options ...option) answer {
	r.Helper()
	req, err := http.NewRequestWithContext(r.Context(), method, "http://platen.test"+target, http.NoBody)
	if err != nil {
		r.Fatal(err)
	}
	for _, o := range append([]option{as(r.key)}, options...) {
		o(req)
	}
	res, err := r.client.Do(req)
	if err != nil {
		r.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil {
		r.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, got}
}

func (r *rig) get(target string, options ...option) answer {
	r.Helper()
	return r.do(http.MethodGet, target, options...)
}

func (r *rig) post(target string, options ...option) answer {
	r.Helper()
	return r.do(http.MethodPost, target, options...)
}

func (r *rig) delete(target string, options ...option) answer {
	r.Helper()
	return r.do(http.MethodDelete, target, options...)
}

// read decodes an answer that must have a status.
func read[T any](tb testing.TB, a answer, status int) T {
	tb.Helper()
	var v T
	if a.status != status {
		tb.Fatalf("got %d, want %d: %s", a.status, status, a.body)
	}
	if err := json.Unmarshal(a.body, &v); err != nil {
		tb.Fatal(err)
	}
	return v
}

// refused reads a problem that must have a status and a code.
func refused(tb testing.TB, a answer, status int, code api.ErrorCode) api.Problem {
	tb.Helper()
	p := read[api.Problem](tb, a, status)
	if p.Code != code {
		tb.Fatalf("got %s (%s), want %s", p.Code, p.Detail, code)
	}
	return p
}

// submit accepts a job in JSON.
func (r *rig) submit(text string, options ...option) api.Job {
	r.Helper()
	return read[api.Job](r, r.post("/jobs", append([]option{jsonBody(text)}, options...)...), http.StatusAccepted)
}

func (r *rig) job(id string) api.Job {
	r.Helper()
	return read[api.Job](r, r.get("/jobs/"+id), http.StatusOK)
}

// claim takes a job as a worker does.
func (r *rig) claim(id string) jobs.Job {
	r.Helper()
	j, err := r.store.Job(r.Context(), jobs.ID(id))
	if err != nil {
		r.Fatal(err)
	}
	c, err := r.store.Claim(r.Context(), j.ID, j.Generation, rand.Text(), time.Minute)
	if err != nil || c.Answer != jobs.ClaimOK {
		r.Fatalf("claim: %s, %v", c.Answer, err)
	}
	return c.Job
}

// issue makes the document of a job.
func (r *rig) issue(id, content string) {
	r.Helper()
	r.complete(r.claim(id), content)
}

func (r *rig) complete(j jobs.Job, content string) {
	r.Helper()
	spec, err := jobs.LoadSpec(r.Context(), r.blobs, j)
	if err != nil {
		r.Fatal(err)
	}
	blob := jobs.OutputBlob(j, spec.Output.Format)
	if err := r.blobs.Put(r.Context(), blob, strings.NewReader(content)); err != nil {
		r.Fatal(err)
	}
	name := spec.Filename
	if name == "" {
		name = string(j.Document) + "." + string(spec.Output.Format)
	}
	won, err := r.store.Complete(r.Context(), j.ID, j.Fence(), jobs.Result{
		Blob: blob, SHA256: sha(content), Bytes: int64(len(content)), Pages: 1, ContentType: spec.Output.Format.ContentType(),
		Filename: name, Engine: "test", Version: "1", Reason: "`columns: 2` at line 12",
	}, nil)
	if err != nil || won != jobs.Won {
		r.Fatalf("complete: %s, %v", won, err)
	}
}

// fail ends a job without a document.
func (r *rig) fail(id string) {
	r.Helper()
	j := r.claim(id)
	why := jobs.FailureOf(fault.New(fault.Unavailable, "render_timeout", "Too slow."))
	got, err := r.store.Fail(r.Context(), j.ID, j.Fence(), why, jobs.DefaultRules().Permanent)
	if err != nil || got != jobs.HasFailed {
		r.Fatalf("fail: %s, %v", got, err)
	}
}

func sha(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// eventually polls until ok, or fails the test.
func eventually(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(20 * time.Second); !ok(); <-tick.C {
		if time.Now().After(deadline) {
			tb.Fatalf("%s: not in time", what)
		}
	}
}

// part is one part of a form; a file when it has a file name.
type part struct{ name, file, mediaType, text string }

const boundary = "a-boundary-of-the-tests"

func form(parts ...part) option {
	return body("multipart/form-data; boundary="+boundary, formText(parts...))
}

// formText spells a form by hand: the standard library would refuse to write some of the bad ones.
func formText(parts ...part) string {
	var b strings.Builder
	for _, p := range parts {
		fmt.Fprintf(&b, "--%s\r\nContent-Disposition: form-data; name=%q", boundary, p.name)
		if p.file != "" {
			fmt.Fprintf(&b, "; filename=\"%s\"", p.file)
		}
		b.WriteString("\r\n")
		if p.mediaType != "" {
			fmt.Fprintf(&b, "Content-Type: %s\r\n", p.mediaType)
		}
		fmt.Fprintf(&b, "\r\n%s\r\n", p.text)
	}
	fmt.Fprintf(&b, "--%s--\r\n", boundary)
	return b.String()
}
