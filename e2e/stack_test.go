// Package e2e_test runs the real programs as processes, on a real Redis and a real browser, and kills them.
package e2e_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/redistest"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/webhook"
)

// bin holds the programs under test, built once.
var bin string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "platen-e2e")
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	build := exec.Command("go", "build", "-o", dir, "../cmd/...")
	if out, err := build.CombinedOutput(); err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		return 1
	}
	bin = dir
	return m.Run()
}

const (
	devKey = "plt_01JZZZZZZZZZZZZZZZZZZZZZZZ_0123456789abcdef0123"
	secret = "a callback secret for tests"
)

// stack is an installation: Redis and a blob folder, and the processes that a test starts.
type stack struct {
	*testing.T
	redis *redistest.Server
	addr  string
	env   []string
	*client.Client
}

func newStack(t *testing.T, env ...string) *stack {
	t.Helper()
	redis := redistest.Start(t)
	addr := freeAddr(t)
	s := &stack{T: t, redis: redis, addr: addr, Client: &client.Client{BaseURL: "http://" + addr, Key: devKey}}
	s.env = append(append(os.Environ(),
		"PLATEN_ADDR="+addr, "PLATEN_WORKER_ADDR=off", "PLATEN_REDIS_URL=unix://"+redis.Addr, "PLATEN_BLOB_DIR="+t.TempDir(),
		"PLATEN_SECRET_KEY="+seal.GenerateKey(), "PLATEN_DEV_KEY="+devKey, "PLATEN_CALLBACK_SECRET="+secret,
		"PLATEN_EGRESS_ALLOW_CALLBACKS=127.0.0.0/8", "PLATEN_CACHE_DIR="+cacheDir(),
	), env...)
	return s
}

// cacheDir is where all workers find what one of them has compiled.
func cacheDir() string { return cmp.Or(os.Getenv("PLATEN_CACHE_DIR"), filepath.Join(bin, "cache")) }

// freeAddr is a loopback address that was free a moment ago, for a program that is started there again and again. It is below the ports that Linux
// gives to connections (32768 and up, ip_local_port_range): thousands of them come and go beside these tests, and one would sit there sooner or later.
func freeAddr(t *testing.T) string {
	t.Helper()
	const from, to, tries = 20_000, 32_000, 100
	for range tries {
		addr := fmt.Sprintf("127.0.0.1:%d", from+rand.IntN(to-from))
		if ln, err := net.Listen("tcp", addr); err == nil {
			_ = ln.Close()
			return addr
		}
	}
	t.Fatalf("no free port between %d and %d", from, to)
	return ""
}

// process is a running program.
type process struct {
	*testing.T
	cmd  *exec.Cmd
	done chan struct{}
}

// start runs a program until the test ends or it is stopped.
func (s *stack) start(name string) *process {
	s.Helper()
	return startProcess(s.T, exec.Command(filepath.Join(bin, name)), s.env, s.Output())
}

func startProcess(t *testing.T, cmd *exec.Cmd, env []string, out io.Writer) *process {
	t.Helper()
	cmd.Env, cmd.Stdout, cmd.Stderr = env, out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{T: t, cmd: cmd, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		_ = cmd.Wait() // how it ends is the test's own doing
	}()
	t.Cleanup(func() { p.stop() })
	return p
}

// kill ends it as a crash does.
func (p *process) kill() {
	p.Helper()
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.Fatal(err)
	}
	<-p.done
}

// stop asks it to end, and reports whether it did so by itself.
func (p *process) stop() bool {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-p.done:
		return true
	case <-time.After(2 * jobstest.Patience):
		_ = p.cmd.Process.Kill()
		<-p.done
		return false
	}
}

// up starts one API and waits until it answers.
func (s *stack) up() *process {
	s.Helper()
	p := s.start("api")
	s.awaitReady()
	return p
}

func (s *stack) awaitReady() {
	s.Helper()
	jobstest.Eventually(s, "the API is ready", func() bool {
		res, err := http.Get(s.BaseURL + "/readyz")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
}

// submitHTML submits a page with a callback, or without one when url is "".
func (s *stack) submitHTML(html, url string) api.Job {
	s.Helper()
	engine := api.EngineChromium // whose processes most of these tests are about
	sub := client.Submission{Request: api.JobRequest{HTML: &html, Engine: &engine}}
	if url != "" {
		sub.Request.CallbackURL = &url
	}
	got, err := s.Submit(s.Context(), sub)
	if err != nil {
		s.Fatal(err)
	}
	return got.Job
}

// patience is for what a real browser does on a busy machine.
const patience = 90 * time.Second

// await waits until the job is over.
func (s *stack) await(id string) api.Job {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	defer cancel()
	j, err := s.Wait(ctx, id, nil)
	if err != nil {
		s.Fatalf("wait for %s: %v", id, err)
	}
	return j
}

// running waits until an attempt is under way.
func (s *stack) running(id string, attempt int) {
	s.Helper()
	jobstest.Eventually(s, fmt.Sprintf("attempt %d runs", attempt), func() bool {
		j, err := s.Job(s.Context(), id)
		return err == nil && j.Status == api.JobRunning && j.Attempt >= attempt
	})
}

// slowPage keeps the browser busy for so long before it can be printed.
func slowPage(d time.Duration) string {
	return fmt.Sprintf(`<h1>Invoice INV-7</h1><script>const end = Date.now() + %d; while (Date.now() < end);</script>`, d.Milliseconds())
}

// mailbox is a receiver that fails the first requests and keeps what it gets.
type mailbox struct {
	url string

	mu       sync.Mutex
	fail     int
	requests []request
	events   []webhook.Event
	inside   func(webhook.Event) error
}

// request is one that arrived, verified or not.
type request struct {
	at            time.Time
	id, timestamp string
}

func newMailbox(t *testing.T, fail int) *mailbox {
	t.Helper()
	key, err := webhook.ParseSecret(secret)
	if err != nil {
		t.Fatal(err)
	}
	m := &mailbox{fail: fail}
	verified := &webhook.Handler{Secrets: []webhook.Secret{key}, Handle: func(_ context.Context, e webhook.Event) error {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.events = append(m.events, e)
		if m.inside != nil {
			return m.inside(e)
		}
		return nil
	}}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{ReadHeaderTimeout: patience, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		m.requests = append(m.requests, request{time.Now(), r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")})
		bad := len(m.requests) <= m.fail
		m.mu.Unlock()
		if bad {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		verified.ServeHTTP(w, r)
	})}
	go func() { _ = server.Serve(ln) }() // ends with the test
	t.Cleanup(func() { _ = server.Close() })
	m.url = "http://" + ln.Addr().String() + "/"
	return m
}

// got returns how many verified events there are for a job.
func (m *mailbox) got(job string) (n int, last webhook.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.events {
		if e.Data.JobID == job {
			n, last = n+1, e
		}
	}
	return n, last
}
