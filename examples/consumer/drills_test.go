package main_test

import (
	"bytes"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/platen-render/platen/internal/pgtest"
)

// TestDrills runs the service as real processes over a real PostgreSQL and disturbs them.
func TestDrills(t *testing.T) {
	t.Parallel()
	server, binary := pgtest.Start(t), build(t)
	for name, drill := range map[string]func(*town){
		"AnInvoiceThatLacksAPart":             anInvoiceThatLacksAPart,
		"TheAnswerIsLostAfterTheCommit":       theAnswerIsLostAfterTheCommit,
		"TwoProcessesOneEvent":                twoProcessesOneEvent,
		"KilledBetweenClaimAndEffect":         killedBetweenClaimAndEffect,
		"KilledInsideTheTransaction":          killedInsideTheTransaction,
		"KilledBeforeTheEntryIsCompleted":     killedBeforeTheEntryIsCompleted,
		"AStaleWorkerEndsLate":                aStaleWorkerEndsLate,
		"TheSameIDWithAnotherBody":            theSameIDWithAnotherBody,
		"TheEventComesBeforeTheCommit":        theEventComesBeforeTheCommit,
		"ToldToEndInTheMiddleOfAnEvent":       toldToEndInTheMiddleOfAnEvent,
		"TheDatabaseIsGoneWhenTheEventComes":  theDatabaseIsGoneWhenTheEventComes,
		"AnotherEventOfAnEarlierSequenceLate": anEarlierSequenceComesLate,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			drill(newTown(t, server, binary))
		})
	}
}

func anInvoiceThatLacksAPart(w *town) {
	c := w.start()
	for _, text := range []string{`{"number": "7"}`, `{"number": "7", "html": ""}`, `{"html": "<p>x</p>"}`, `no JSON`} {
		if status, answer := c.post("/invoices", http.Header{}, text); status != http.StatusBadRequest {
			w.Errorf("%s was answered %d %s", text, status, answer)
		}
	}
	if n := w.number("SELECT count(*) FROM invoices"); n != 0 {
		w.Errorf("%d invoices were recorded", n)
	}
}

func theAnswerIsLostAfterTheCommit(w *town) {
	c := w.start()
	c.issue()
	conn, err := (&net.Dialer{}).DialContext(w.Context(), "tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		w.Fatal(err)
	}
	req, err := http.NewRequestWithContext(w.Context(), http.MethodPost, c.url+"/callbacks", strings.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	req.Header = w.sign(body)
	var raw bytes.Buffer
	if err := req.Write(&raw); err != nil {
		w.Fatal(err)
	}
	if _, err := conn.Write(raw.Bytes()); err != nil {
		w.Fatal(err)
	}
	w.eventually("the event is in the inbox", func() bool { return w.number("SELECT count(*) FROM platen_inbox") == 1 })
	if err := conn.Close(); err != nil { // nobody has read the answer
		w.Fatal(err)
	}
	if status := c.deliver(body); status != http.StatusNoContent && status != http.StatusOK {
		w.Errorf("the repeated event was answered %d", status)
	}
	w.completed()
	if status := c.deliver(body); status != http.StatusOK {
		w.Errorf("the event that is done was answered %d", status)
	}
	w.booked()
	w.eventually("the attempt is counted", func() bool { return c.stats().Attempts.Completed == 1 })
	if s := c.stats(); s.Inbox.Repeats != 2 || s.Requests.Accepted != 1 {
		w.Errorf("%+v", s)
	}
}

func twoProcessesOneEvent(w *town) {
	one, two := w.start(), w.start()
	one.issue()
	var group sync.WaitGroup
	for _, c := range []*consumer{one, two, one, two} {
		group.Go(func() { c.deliver(body) })
	}
	group.Wait()
	w.booked()
	if n := w.number("SELECT attempts FROM platen_inbox"); n != 1 {
		w.Errorf("%d attempts", n)
	}
}

func killedBetweenClaimAndEffect(w *town) {
	c := w.start()
	c.issue()
	w.platen.hold <- struct{}{}
	c.deliver(body)
	<-w.platen.fetches
	c.End(syscall.SIGKILL)
	if n := w.number("SELECT count(*) FROM platen_inbox WHERE status = 'processing'"); n != 1 {
		w.Errorf("%d entries are processing", n)
	}
	w.start()
	w.booked()
	if n := w.number("SELECT attempts FROM platen_inbox"); n != 2 {
		w.Errorf("%d attempts", n)
	}
}

// killedInsideTheTransaction: the line is in the journal and not committed. The drill holds the next step by a lock.
func killedInsideTheTransaction(w *town) {
	c := w.start()
	c.issue()
	tx, err := w.db.BeginTx(w.Context(), nil)
	if err != nil {
		w.Fatal(err)
	}
	if _, err := tx.ExecContext(w.Context(), "SELECT 1 FROM invoices FOR UPDATE"); err != nil {
		w.Fatal(err)
	}
	c.deliver(body)
	w.eventually("the service waits for the lock", func() bool {
		return w.number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") == 1
	})
	c.End(syscall.SIGKILL)
	if err := tx.Rollback(); err != nil {
		w.Fatal(err)
	}
	w.start()
	w.booked()
}

// killedBeforeTheEntryIsCompleted: everything is written, and the entry is still to be completed. The drill holds that step
// by a lock on the entry.
func killedBeforeTheEntryIsCompleted(w *town) {
	c := w.start()
	c.issue()
	w.platen.hold <- struct{}{}
	c.deliver(body)
	release := <-w.platen.fetches
	tx, err := w.db.BeginTx(w.Context(), nil)
	if err != nil {
		w.Fatal(err)
	}
	if _, err := tx.ExecContext(w.Context(), "SELECT 1 FROM platen_inbox FOR UPDATE"); err != nil {
		w.Fatal(err)
	}
	close(release)
	const waiting = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%finished_ms%'"
	w.eventually("the service waits to complete the entry", func() bool { return w.number("SELECT count(*) "+waiting) == 1 })
	c.End(syscall.SIGKILL)
	// A statement that was sent is carried out even so, and here it must not be.
	if n := w.number("SELECT count(pg_terminate_backend(pid)) " + waiting); n != 1 {
		w.Fatalf("%d statements were waiting", n)
	}
	w.eventually("it is ended", func() bool { return w.number("SELECT count(*) "+waiting) == 0 })
	if err := tx.Rollback(); err != nil {
		w.Fatal(err)
	}
	w.start()
	w.booked()
}

// aStaleWorkerEndsLate: a process that stands still does not know that its lease has run out.
func aStaleWorkerEndsLate(w *town) {
	stale := w.start()
	stale.issue()
	w.platen.hold <- struct{}{}
	stale.deliver(body)
	release := <-w.platen.fetches
	if err := stale.Signal(syscall.SIGSTOP); err != nil {
		w.Fatal(err)
	}
	w.start()
	w.booked() // by the other one
	if err := stale.Signal(syscall.SIGCONT); err != nil {
		w.Fatal(err)
	}
	close(release)
	w.eventually("the stale worker has been refused", func() bool { return stale.stats().Attempts.Lost == 1 })
	w.booked()
	if s := stale.stats(); s.Attempts.Completed != 0 || s.Inbox.Completed.Entries != 1 {
		w.Errorf("%+v", s)
	}
}

func theSameIDWithAnotherBody(w *town) {
	c := w.start()
	c.issue()
	c.deliver(body)
	w.booked()
	other := strings.Replace(body, `"sequence":1`, `"sequence":2`, 1)
	if status := c.deliver(other); status != http.StatusConflict {
		w.Errorf("answered %d", status)
	}
	w.booked()
	if s := c.stats(); s.Inbox.Conflicts != 1 || s.Requests.Conflict != 1 {
		w.Errorf("%+v", s)
	}
}

func theEventComesBeforeTheCommit(w *town) {
	c := w.start()
	if status := c.deliver(body); status != http.StatusNoContent {
		w.Errorf("answered %d", status)
	}
	w.eventually("it is too early", func() bool { return c.stats().Attempts.NotYet > 0 })
	if n := w.number("SELECT count(*) FROM journal"); n != 0 {
		w.Errorf("%d lines in the journal", n)
	}
	c.issue()
	w.booked()
}

func toldToEndInTheMiddleOfAnEvent(w *town) {
	c := w.start()
	c.issue()
	w.platen.hold <- struct{}{}
	c.deliver(body)
	<-w.platen.fetches
	c.End(syscall.SIGTERM)
	if n := w.number("SELECT count(*) FROM platen_inbox WHERE status = 'accepted' AND attempts = 0"); n != 1 {
		w.Errorf("%d entries are left to the next process", n)
	}
	w.start()
	w.booked()
}

func theDatabaseIsGoneWhenTheEventComes(w *town) {
	c := w.start()
	c.issue()
	rename := func(from, to string) {
		if _, err := w.db.ExecContext(w.Context(), "ALTER TABLE "+from+" RENAME TO "+to); err != nil {
			w.Fatal(err)
		}
	}
	rename("platen_inbox", "gone")
	if status := c.deliver(body); status != http.StatusServiceUnavailable {
		w.Errorf("answered %d", status)
	}
	rename("gone", "platen_inbox")
	if s := c.stats(); s.Requests.Storage != 1 || s.Requests.Signature != 0 {
		w.Errorf("%+v", s)
	}
	c.deliver(body)
	w.booked()
}

func anEarlierSequenceComesLate(w *town) {
	c := w.start()
	c.issue()
	if _, err := w.db.ExecContext(w.Context(), "UPDATE invoices SET sequence = 2, status = 'canceled'"); err != nil {
		w.Fatal(err)
	}
	c.deliver(body)
	w.completed()
	if n := w.number("SELECT count(*) FROM invoices WHERE sequence = 2 AND status = 'canceled'"); n != 1 {
		w.Error("the earlier event has overwritten the later one")
	}
}
