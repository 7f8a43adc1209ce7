package webhook_test

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/platen-render/platen/webhook"
)

// ledger is a table of effects without any constraint: what is written twice is seen twice.
func ledger(t *testing.T, store *webhook.SQLStore) (write func(*sql.Tx) error, count func() int) {
	t.Helper()
	if _, err := store.DB.ExecContext(t.Context(), "CREATE TABLE ledger (n integer)"); err != nil {
		t.Fatal(err)
	}
	write = func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), "INSERT INTO ledger VALUES (1)")
		return err
	}
	count = func() (n int) {
		if err := store.DB.QueryRowContext(t.Context(), "SELECT count(*) FROM ledger").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	return write, count
}

var errBoom = errors.New("boom")

func onceCommitsBothOrNeither(d *database) {
	t, store := d.T, d.store
	write, count := ledger(t, store)
	var calls atomic.Int64
	r := start(t, store, func(r *run) error {
		return store.Once(r.ctx, func(tx *sql.Tx) error {
			if err := write(tx); err != nil {
				return err
			}
			if calls.Add(1) == 1 {
				return errBoom // after the effect
			}
			return nil
		})
	})
	r.send("evt_1")
	r.settle(webhook.Stats{Completed: webhook.Count{Entries: 1}})
	if n := count(); n != 1 || calls.Load() != 2 {
		t.Errorf("%d effects of %d calls", n, calls.Load())
	}
	if status := r.send("evt_1"); status != 200 {
		t.Errorf("the repeated event was answered %d", status)
	}
}

// aFailedCommitCompletesNothing: a deferred constraint speaks up only when all statements have been run.
func aFailedCommitCompletesNothing(d *database) {
	t, store := d.T, d.store
	write, count := ledger(t, store)
	_, err := store.DB.ExecContext(t.Context(), `CREATE TABLE parent (n integer PRIMARY KEY);
		CREATE TABLE child (n integer REFERENCES parent (n) DEFERRABLE INITIALLY DEFERRED)`)
	if err != nil {
		t.Fatal(err)
	}
	var calls atomic.Int64
	r := start(t, store, func(r *run) error {
		return store.Once(r.ctx, func(tx *sql.Tx) error {
			if calls.Add(1) == 1 {
				if _, err := tx.ExecContext(r.ctx, "INSERT INTO child VALUES (1)"); err != nil {
					return err
				}
			}
			return write(tx)
		})
	})
	r.send("evt_1")
	r.settle(webhook.Stats{Completed: webhook.Count{Entries: 1}})
	if n := count(); n != 1 || calls.Load() != 2 {
		t.Errorf("%d effects of %d calls", n, calls.Load())
	}
}

// onceEndsWithTheLease: what is written when the lease is lost is rolled back.
func onceEndsWithTheLease(d *database) {
	t, store := d.T, d.store
	write, count := ledger(t, store)
	inside := make(chan struct{})
	verdicts := make(chan error, 1)
	r := newRig(t, mutePostman{store}, func(r *run) error {
		err := store.Once(r.ctx, func(tx *sql.Tx) error {
			close(inside)
			<-r.ctx.Done() // which the lost lease brings
			return write(tx)
		})
		verdicts <- err
		return webhook.Reject(err)
	})
	r.Lease = 300 * time.Millisecond
	r.Workers = 1
	r.work()
	r.send("evt_1")
	<-inside
	if err := <-verdicts; err == nil {
		t.Error("the effect was committed after the lease")
	}
	r.settle(webhook.Stats{Failed: webhook.Count{Entries: 1}})
	if n := count(); n != 0 {
		t.Errorf("%d effects", n)
	}
}

// mutePostman is a store whose leases cannot be extended.
type mutePostman struct{ *webhook.SQLStore }

func (mutePostman) Extend(context.Context, webhook.Claim, time.Duration) error { return errDown }

// onceIsFenced has the lease taken over while the effect is written.
func onceIsFenced(d *database) {
	t, store := d.T, d.store
	write, count := ledger(t, store)
	stolen := make(chan struct{})
	verdicts := make(chan error, 1)
	r := newRig(t, store, func(r *run) error {
		select {
		case <-stolen:
		case <-r.ctx.Done(): // the test has failed
		}
		err := store.Once(r.ctx, write)
		verdicts <- err
		return err
	})
	r.Lease = time.Hour // so that no beat tells the worker: only the fence does
	r.Workers = 1       // so that the thief is none of its own
	r.work()
	r.send("evt_1")
	r.settle(webhook.Stats{Processing: webhook.Count{Entries: 1}})
	if _, err := store.DB.ExecContext(t.Context(), "UPDATE platen_inbox SET due_ms = 0"); err != nil {
		t.Fatal(err)
	}
	var thief webhook.Claim
	eventually(t, func() bool {
		c, found, err := store.Claim(t.Context(), time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		thief = c
		return found
	}, func() string { return "the expired entry was not taken over" })
	close(stolen)
	if err := <-verdicts; !errors.Is(err, webhook.ErrLost) {
		t.Errorf("once: %v", err)
	}
	eventually(t, func() bool { return r.Counts().Lost == 1 }, func() string { return "the loss was not counted" })
	r.settle(webhook.Stats{Processing: webhook.Count{Entries: 1}})
	if n := count(); n != 0 {
		t.Errorf("%d effects of the stale worker", n)
	}
	if err := store.Finish(t.Context(), thief, webhook.Outcome{Status: webhook.Completed}); err != nil {
		t.Errorf("the current worker: %v", err)
	}
}

func onceStandsWhateverIsReturned(d *database) {
	t, store := d.T, d.store
	write, count := ledger(t, store)
	for id, returned := range map[string]error{"evt_1": errBoom, "evt_2": webhook.NotYet(nil), "evt_3": webhook.Reject(nil), "evt_4": nil} {
		r := start(t, store, func(r *run) error {
			if err := store.Once(r.ctx, write); err != nil {
				return err
			}
			return returned
		})
		r.send(id)
		eventually(t, func() bool {
			c := r.Counts()
			return c.Completed+c.Lost == 1
		}, func() string { return "the attempt does not end" })
		r.stop()
	}
	r := newRig(t, store, nil)
	r.settle(webhook.Stats{Completed: webhook.Count{Entries: 4}})
	if n := count(); n != 4 {
		t.Errorf("%d effects", n)
	}
}

// onceOutlivesALostCommit has the function believe that the commit failed.
func onceOutlivesALostCommit(d *database) {
	t, store := d.T, d.store
	write, count := ledger(t, store)
	r := start(t, store, func(r *run) error {
		if err := store.Once(r.ctx, write); err != nil {
			return err
		}
		return errors.New("once: commit: connection reset by peer")
	})
	r.send("evt_1")
	eventually(t, func() bool { return r.Counts().Lost == 1 }, func() string { return "the attempt does not end" })
	r.settle(webhook.Stats{Completed: webhook.Count{Entries: 1}})
	r.send("evt_1")
	if n := count(); n != 1 {
		t.Errorf("%d effects", n)
	}
}

// aRepeatWhileOnceRuns: the entry's row is not locked while the effect is written. SQLite has one writer, so there the
// event waits.
func aRepeatWhileOnceRuns(d *database) {
	t, store := d.T, d.store
	write, count := ledger(t, store)
	inside, answered := make(chan struct{}), make(chan struct{})
	r := start(t, store, func(r *run) error {
		return store.Once(r.ctx, func(tx *sql.Tx) error {
			close(inside)
			if store.Dialect == webhook.PostgreSQL {
				select {
				case <-answered:
				case <-r.ctx.Done():
				}
			}
			return write(tx)
		})
	})
	r.send("evt_1")
	<-inside
	r.send("evt_1")
	close(answered)
	r.settle(webhook.Stats{Completed: webhook.Count{Entries: 1}})
	if n := count(); n != 1 {
		t.Errorf("%d effects", n)
	}
}

func twoInboxesOneEvent(d *database) {
	t, store := d.T, d.store
	write, count := ledger(t, store)
	handle := func(r *run) error { return store.Once(r.ctx, write) }
	one, two := start(t, store, handle), start(t, store, handle)
	const events = 10
	for n := range events {
		id := "evt_" + string(rune('a'+n))
		one.send(id)
		two.send(id)
	}
	one.settle(webhook.Stats{Completed: webhook.Count{Entries: events}})
	one.stop() // an attempt is counted after its entry is completed
	two.stop()
	if n := count(); n != events {
		t.Errorf("%d effects of %d events", n, events)
	}
	if c := one.Counts().Completed + two.Counts().Completed; c != events {
		t.Errorf("%d attempts completed", c)
	}
}

func TestOnceIsForTheFunctionOfAnInbox(t *testing.T) {
	t.Parallel()
	store := openSQLite(t)
	err := store.Once(t.Context(), func(*sql.Tx) error { t.Error("the effect was called"); return nil })
	if !errors.Is(err, webhook.ErrNoClaim) {
		t.Errorf("got %v", err)
	}
}
