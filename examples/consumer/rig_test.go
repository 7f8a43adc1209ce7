package main_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/pgtest"
	"github.com/platen-render/platen/internal/subprocess"
	"github.com/platen-render/platen/webhook"
)

const (
	patience = 30 * time.Second
	number   = "2026-00417"
	eventID  = "evt_01KCPDHS780EXAMPZE00000007"
)

// body is the event about the invoice.
const body = `{"type":"job.succeeded","timestamp":"2026-01-02T03:04:05Z","data":{"job_id":"` + jobID + `","document_id":"` + documentID +
	`","document_key":"invoice:` + number + `","status":"succeeded","sequence":1}}`

// build compiles the service once.
func build(t *testing.T) (binary string) {
	t.Helper()
	binary = filepath.Join(t.TempDir(), "consumer")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return binary
}

// town is a database, a Platen, and the services that use both.
type town struct {
	*testing.T
	binary string
	dsn    string
	db     *sql.DB
	platen *platen
	secret webhook.Secret
}

func newTown(t *testing.T, server *pgtest.Server, binary string) *town {
	t.Helper()
	dsn := server.Database(t)
	return &town{T: t, binary: binary, dsn: dsn, db: pgtest.Open(t, dsn), platen: startPlaten(t), secret: webhook.NewSecret()}
}

// consumer is a running process of the service.
type consumer struct {
	*town
	*subprocess.Process
	url string
	log *log
}

// start starts one more process and waits until it listens.
func (w *town) start() *consumer {
	w.Helper()
	c := &consumer{town: w, log: &log{address: make(chan string, 1)}}
	cmd := exec.Command(w.binary) // ended below
	cmd.Env = append(os.Environ(), "DATABASE_URL="+w.dsn, "LISTEN=127.0.0.1:0", "LEASE=1s", "CALLBACK_URL=https://shop.example/callbacks",
		"PLATEN_URL="+w.platen.url, "PLATEN_KEY=plt_x_y", "PLATEN_CALLBACK_SECRET="+w.secret.Reveal())
	cmd.Stdout, cmd.Stderr = c.log, c.log
	p, err := subprocess.Start(cmd, syscall.SIGKILL)
	if err != nil {
		w.Fatal(err)
	}
	c.Process = p
	w.Cleanup(func() {
		p.End(syscall.SIGKILL)
		if w.Failed() {
			w.Logf("the log of %s:\n%s", c.url, c.log)
		}
	})
	select {
	case address := <-c.log.address:
		c.url = "http://" + address
	case <-p.Done():
		w.Fatal("the service has ended")
	case <-time.After(patience):
		w.Fatal("the service does not listen")
	}
	return c
}

// log is what a process prints. It finds the address that the process listens on.
type log struct {
	mu      sync.Mutex
	text    bytes.Buffer
	address chan string
}

// Write takes whole lines: slog writes each record at once.
func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := bufio.NewScanner(bytes.NewReader(p))
	for lines.Scan() {
		var record struct{ Msg, Addr string }
		if json.Unmarshal(lines.Bytes(), &record) == nil && record.Msg == "listening" {
			l.address <- record.Addr
		}
	}
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// issue has the service record the invoice.
func (c *consumer) issue() {
	c.Helper()
	status, text := c.post("/invoices", http.Header{}, fmt.Sprintf(`{"number": %q, "html": "<h1>Invoice</h1>"}`, number))
	if status != http.StatusAccepted {
		c.Fatalf("the invoice was answered %d %s", status, text)
	}
}

// deliver sends the event as the sender does and returns the status of the answer.
func (c *consumer) deliver(event string) int {
	c.Helper()
	status, _ := c.post("/callbacks", c.sign(event), event)
	return status
}

func (w *town) sign(event string) http.Header {
	w.Helper()
	header, err := webhook.Sign([]webhook.Secret{w.secret}, eventID, time.Now(), []byte(event))
	if err != nil {
		w.Fatal(err)
	}
	return header
}

func (c *consumer) post(path string, header http.Header, text string) (int, string) {
	c.Helper()
	req, err := http.NewRequestWithContext(c.Context(), http.MethodPost, c.url+path, strings.NewReader(text))
	if err != nil {
		c.Fatal(err)
	}
	req.Header = header
	return c.exchange(req)
}

func (w *town) exchange(req *http.Request) (int, string) {
	w.Helper()
	ctx, cancel := context.WithTimeout(req.Context(), patience)
	defer cancel()
	res, err := http.DefaultTransport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		w.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		w.Fatal(err)
	}
	return res.StatusCode, string(answer)
}

// stats asks the service.
func (c *consumer) stats() (s struct {
	Inbox    webhook.Stats
	Requests webhook.Counts
	Attempts webhook.InboxCounts
},
) {
	c.Helper()
	req, err := http.NewRequestWithContext(c.Context(), http.MethodGet, c.url+"/stats", nil)
	if err != nil {
		c.Fatal(err)
	}
	status, text := c.exchange(req)
	if err := json.Unmarshal([]byte(text), &s); status != http.StatusOK || err != nil {
		c.Fatalf("stats: %d %s", status, text)
	}
	return s
}

func (w *town) eventually(what string, holds func() bool) {
	w.Helper()
	deadline := time.Now().Add(patience)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		if time.Now().After(deadline) {
			w.Fatalf("not within %s: %s", patience, what)
		}
		<-tick.C
	}
}

// number of rows, or the one number that a query gives.
func (w *town) number(query string) (n int) {
	w.Helper()
	if err := w.db.QueryRowContext(w.Context(), query).Scan(&n); err != nil {
		w.Fatalf("%s: %v", query, err)
	}
	return n
}

func (w *town) completed() {
	w.Helper()
	w.eventually("the entry is completed", func() bool {
		return w.number("SELECT count(*) FROM platen_inbox WHERE status = 'completed'") == 1
	})
}

// booked wants the event to have had its effect, once.
func (w *town) booked() {
	w.Helper()
	w.completed()
	if n := w.number("SELECT count(*) FROM journal"); n != 1 {
		w.Errorf("%d lines in the journal", n)
	}
	var status, sum string
	var pdf []byte
	err := w.db.QueryRowContext(w.Context(), "SELECT status, sha256, pdf FROM invoices WHERE number = $1", number).Scan(&status, &sum, &pdf)
	if err != nil || status != "succeeded" || sum != digest(content) || string(pdf) != content {
		w.Errorf("the invoice is %s, sha256 %s, %q, %v", status, sum, pdf, err)
	}
}
