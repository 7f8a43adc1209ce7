package e2e_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/render/rendertest"
	"github.com/platen-render/platen/webhook"
)

// onlyOne checks the promise: one job, one document with the bytes that its record names, one event.
func (s *stack) onlyOne(j api.Job, m *mailbox) {
	s.Helper()
	if j.Status != api.JobSucceeded {
		s.Fatalf("job is %s: %+v", j.Status, j.Error)
	}
	var body bytes.Buffer
	d, err := s.Download(s.Context(), j.DocumentID, &body)
	if err != nil {
		s.Fatal(err)
	}
	sum := sha256.Sum256(body.Bytes())
	if hex.EncodeToString(sum[:]) != j.Result.SHA256 || *d.IssueNumber != 1 {
		s.Errorf("document %+v, result %+v", d, j.Result)
	}
	all, err := s.JobPage(s.Context(), client.JobFilter{}, client.Page{})
	if err != nil || len(all.Data) != 1 {
		s.Errorf("%d jobs, %v", len(all.Data), err)
	}
	jobstest.Eventually(s, "the event arrives", func() bool { n, _ := m.got(j.ID); return n > 0 })
	deliveries, err := s.Deliveries(s.Context(), j.ID)
	if err != nil || len(deliveries.Data) != 1 {
		s.Fatalf("deliveries %+v, %v", deliveries, err)
	}
	if n, e := m.got(j.ID); n != 1 || e.Type != "job.succeeded" {
		s.Errorf("%d events, last %+v", n, e)
	}
}

func TestTwentyFiveSubmitsWithOneKeyAreOneDocument(t *testing.T) {
	t.Parallel()
	s, m := newStack(t), newMailbox(t, 0)
	s.up()
	s.start("worker")
	page := slowPage(5 * time.Second)
	var group sync.WaitGroup
	ids := make([]string, 25)
	for i := range ids {
		group.Go(func() {
			got, err := s.Submit(t.Context(), client.Submission{
				Request: api.JobRequest{HTML: &page, CallbackURL: &m.url}, IdempotencyKey: "one",
			})
			if err != nil {
				t.Error(err)
			}
			ids[i] = got.Job.ID
		})
	}
	group.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Fatalf("jobs %v", ids)
		}
	}
	j := s.await(ids[0])
	if j.Attempt != 1 {
		t.Errorf("%d renders", j.Attempt)
	}
	s.onlyOne(j, m)
}

func TestAKilledWorkersJobIsClaimedAgainWithinTwelveSeconds(t *testing.T) {
	t.Parallel()
	s, m := newStack(t), newMailbox(t, 0)
	s.up()
	first := s.start("worker")
	j := s.submitHTML(slowPage(2*time.Second), m.url)
	s.running(j.ID, 1)
	first.kill()
	killed := time.Now()
	s.start("worker")
	s.running(j.ID, 2)
	t.Logf("claimed again after %v", time.Since(killed))
	if took := time.Since(killed); took > 12*time.Second {
		t.Errorf("claimed again after %v", took)
	}
	j = s.await(j.ID)
	if j.Attempt != 2 {
		t.Errorf("%d attempts", j.Attempt)
	}
	s.onlyOne(j, m)
}

func TestAKilledAPIForgetsNothing(t *testing.T) {
	t.Parallel()
	s, m := newStack(t), newMailbox(t, 0)
	first := s.up()
	j := s.submitHTML("<p>one</p>", m.url)
	first.kill()
	s.up()
	s.start("worker")
	s.onlyOne(s.await(j.ID), m)
}

func TestAnAnswerCutAfterAcceptIsAskedForAgain(t *testing.T) {
	t.Parallel()
	s, m := newStack(t), newMailbox(t, 0)
	s.up()
	s.start("worker")
	cut := newCutter(t, s.addr)
	direct := *s.Client
	through := client.Client{BaseURL: "http://" + cut.addr, Key: devKey}
	page := "<p>one</p>"
	got, err := through.Submit(t.Context(), client.Submission{Request: api.JobRequest{HTML: &page, CallbackURL: &m.url}})
	if err != nil {
		t.Fatal(err)
	}
	if !got.Replayed || cut.count() < 2 {
		t.Errorf("replayed %v after %d connections", got.Replayed, cut.count())
	}
	s.Client = &direct
	s.onlyOne(s.await(got.Job.ID), m)
}

// cutter passes connections on, and cuts the first one when the answer begins.
type cutter struct {
	addr string
	mu   sync.Mutex
	n    int
}

func newCutter(t *testing.T, to string) *cutter {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	c := &cutter{addr: ln.Addr().String()}
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			c.mu.Lock()
			c.n++
			first := c.n == 1
			c.mu.Unlock()
			go pass(conn, to, first)
		}
	}()
	return c
}

func (c *cutter) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func pass(from net.Conn, addr string, cut bool) {
	defer func() { _ = from.Close() }()
	to, err := net.Dial("tcp", addr)
	if err != nil {
		return
	}
	defer func() { _ = to.Close() }()
	go func() { _, _ = io.Copy(to, from) }()
	if cut {
		_, _ = to.Read(make([]byte, 1)) // the server has answered, and nobody hears of it
		return
	}
	_, _ = io.Copy(from, to)
}

func TestRedisKilledInBetweenLosesNothing(t *testing.T) {
	t.Parallel()
	s, m := newStack(t), newMailbox(t, 0)
	s.up()
	s.start("worker")
	j := s.submitHTML(slowPage(2*time.Second), m.url)
	s.running(j.ID, 1)
	s.redis.Kill()
	s.redis.Restart()
	j = s.await(j.ID)
	s.onlyOne(j, m)
}

func TestAStoppedWorkerHandsItsJobBack(t *testing.T) {
	t.Parallel()
	s, m := newStack(t, "PLATEN_SHUTDOWN_TIMEOUT=100ms"), newMailbox(t, 0)
	s.up()
	first := s.start("worker")
	j := s.submitHTML(slowPage(4*time.Second), m.url)
	s.running(j.ID, 1)
	if !first.stop() {
		t.Fatal("the worker did not stop")
	}
	s.start("worker")
	s.onlyOne(s.await(j.ID), m)
}

func TestTheDocumentIsReadableWhenItsEventArrives(t *testing.T) {
	t.Parallel()
	s, m := newStack(t), newMailbox(t, 0)
	s.up()
	s.start("worker")
	seen := make(chan error, 1)
	m.inside = func(e webhook.Event) error {
		j, err := s.Job(t.Context(), e.Data.JobID)
		var body bytes.Buffer
		if err == nil {
			_, err = s.Download(t.Context(), e.Data.DocumentID, &body)
		}
		sum := sha256.Sum256(body.Bytes())
		if got := hex.EncodeToString(sum[:]); err == nil && got != j.Result.SHA256 {
			err = fmt.Errorf("sha256 %s, job says %s", got, j.Result.SHA256)
		}
		seen <- err
		return nil
	}
	s.await(s.submitHTML("<p>one</p>", m.url).ID)
	select {
	case err := <-seen:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Error("no event")
	}
}

func TestAReceiverThatFailsTwiceIsTriedAtOnceAfterOneAndAfterSixSeconds(t *testing.T) {
	t.Parallel()
	s, m := newStack(t), newMailbox(t, 2)
	s.up()
	s.start("worker")
	j := s.await(s.submitHTML("<p>one</p>", m.url).ID)
	jobstest.Eventually(t, "the event arrives", func() bool { n, _ := m.got(j.ID); return n == 1 })
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.requests) != 3 {
		t.Fatalf("%d requests", len(m.requests))
	}
	stamps := map[string]bool{}
	for i, r := range m.requests {
		after := r.at.Sub(m.requests[0].at)
		t.Logf("attempt %d after %v", i+1, after)
		// 1 s and 5 s, each a fifth shorter at the least.
		if least := []time.Duration{0, 800 * time.Millisecond, 4800 * time.Millisecond}[i]; after < least {
			t.Errorf("attempt %d after %v", i+1, after)
		}
		if r.id != m.requests[0].id {
			t.Errorf("attempt %d has id %s", i+1, r.id)
		}
		stamps[r.timestamp] = true
	}
	if len(stamps) != 3 {
		t.Errorf("timestamps %v", stamps)
	}
}

func TestADeadLetterIsListedAndReplayed(t *testing.T) {
	t.Parallel()
	s, m := newStack(t, "PLATEN_CALLBACK_SCHEDULE=10ms,10ms,10ms,10ms,10ms"), newMailbox(t, 6)
	s.up()
	s.start("worker")
	j := s.await(s.submitHTML("<p>one</p>", m.url).ID)
	var dead api.Delivery
	jobstest.Eventually(t, "the delivery is dead", func() bool {
		list, err := s.DeliveryPage(t.Context(), client.DeliveryFilter{Status: api.DeliveryDead}, client.Page{})
		if err != nil || len(list.Data) != 1 {
			return false
		}
		dead = list.Data[0]
		return true
	})
	if *dead.JobID != j.ID || dead.Attempts != 6 {
		t.Errorf("dead letter %+v", dead)
	}
	if _, err := s.Replay(t.Context(), dead.ID); err != nil {
		t.Fatal(err)
	}
	jobstest.Eventually(t, "the replay arrives", func() bool { n, _ := m.got(j.ID); return n == 1 })
	if _, e := m.got(j.ID); e.ID != dead.EventID {
		t.Errorf("event %s, want %s", e.ID, dead.EventID)
	}
}

func TestAStatementIsPrintedOnManyPagesWithItsHeader(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.up()
	s.start("worker")
	j := s.await(s.submitHTML(example(t, "statement.html"), "").ID)
	if j.Status != api.JobSucceeded {
		t.Fatalf("job %+v", j.Error)
	}
	var body bytes.Buffer
	if _, err := s.Download(t.Context(), j.DocumentID, &body); err != nil {
		t.Fatal(err)
	}
	texts := rendertest.PageTexts(t, body.Bytes())
	if len(texts) != j.Result.Pages || len(texts) < 80 || len(texts) > 96 {
		t.Errorf("%d pages, the job says %d", len(texts), j.Result.Pages)
	}
	for i, text := range texts {
		if !strings.Contains(text, "Balance") {
			t.Errorf("page %d has no header row: %.200s", i+1, text)
		}
	}
}
