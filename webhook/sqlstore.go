package webhook

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// SQLStore is a [Store] in a table of a PostgreSQL or SQLite database. The primary key of the table is what makes an
// event one entry; a claim is one statement; leases are timed by the database's clock. The package imports no driver.
//
// Let transactions run at READ COMMITTED, which is PostgreSQL's own default. Work needs a connection for each worker that
// is inside [SQLStore.Once], and at least one besides for leases and arriving events.
type SQLStore struct {
	DB      *sql.DB
	Dialect Dialect
	// Table is the name of the table, made of a-z, 0-9 and _; empty means [DefaultTable].
	Table string
}

// sweepBatch keeps a statement that deletes short.
const sweepBatch = 1000

const acceptStatement = `
INSERT INTO {table} AS entry (id, fingerprint, body, status, accepted_ms, seen_ms, due_ms)
VALUES ($1, $2, $3, 'accepted', {now}, {now}, {now})
ON CONFLICT (id) DO UPDATE SET
	seen_ms = excluded.seen_ms,
	repeats = entry.repeats + CASE WHEN entry.fingerprint = excluded.fingerprint THEN 1 ELSE 0 END,
	conflicts = entry.conflicts + CASE WHEN entry.fingerprint = excluded.fingerprint THEN 0 ELSE 1 END,
	conflict_ms = CASE WHEN entry.fingerprint = excluded.fingerprint THEN entry.conflict_ms ELSE excluded.seen_ms END,
	conflict_fingerprint = CASE WHEN entry.fingerprint = excluded.fingerprint
		THEN entry.conflict_fingerprint ELSE excluded.fingerprint END
RETURNING status, fingerprint, repeats + conflicts`

// Accept implements [Store].
func (s *SQLStore) Accept(ctx context.Context, m Message) (Receipt, error) {
	var r Receipt
	var fingerprint string
	var earlier int64
	err := s.row(ctx, acceptStatement, m.ID, m.Fingerprint, m.Body).scan(&r.Status, &fingerprint, &earlier)
	if err != nil {
		return Receipt{}, fmt.Errorf("accept: %w", err)
	}
	r.Known, r.Conflict = earlier > 0, fingerprint != m.Fingerprint
	if r.Status != Failed || r.Conflict {
		return r, nil
	}
	// Not one statement with the above, and it need not be: a sender that got no answer sends again.
	if err := s.Replay(ctx, m.ID); err != nil && !errors.Is(err, ErrNotFailed) {
		return Receipt{}, err
	}
	r.Status = Accepted
	return r, nil
}

const claimStatement = `
UPDATE {table} SET status = 'processing', token = $1, attempts = attempts + 1, due_ms = {now} + $2
WHERE id = (SELECT id FROM {table} WHERE due_ms <= {now} ORDER BY due_ms LIMIT 1 {next})
RETURNING id, body, attempts`

// Claim implements [Store].
func (s *SQLStore) Claim(ctx context.Context, lease time.Duration) (Claim, bool, error) {
	c := Claim{Token: rand.Text()}
	err := s.row(ctx, claimStatement, c.Token, lease.Milliseconds()).scan(&c.ID, &c.Body, &c.Attempt)
	if errors.Is(err, sql.ErrNoRows) {
		return Claim{}, false, nil
	}
	if err != nil {
		return Claim{}, false, fmt.Errorf("claim: %w", err)
	}
	return c, true, nil
}

const extendStatement = `
UPDATE {table} SET due_ms = {now} + $3 WHERE id = $1 AND token = $2 AND status = 'processing'`

// Extend implements [Store].
func (s *SQLStore) Extend(ctx context.Context, c Claim, lease time.Duration) error {
	n, err := s.change(ctx, s.DB, extendStatement, c.ID, c.Token, lease.Milliseconds())
	if err != nil {
		return fmt.Errorf("extend: %w", err)
	}
	if n == 0 {
		return ErrLost
	}
	return nil
}

const finishStatement = `
UPDATE {table} SET status = $3, last_error = $5, attempts = attempts - $6,
	due_ms = CASE WHEN $3 = 'accepted' THEN {now} + $4 ELSE NULL END,
	finished_ms = CASE WHEN $3 = 'accepted' THEN NULL ELSE {now} END,
	body = CASE WHEN $3 = 'completed' THEN '' ELSE body END
WHERE id = $1 AND token = $2 AND status = 'processing'`

const completedStatement = `SELECT 1 FROM {table} WHERE id = $1 AND token = $2 AND status = 'completed'`

// Finish implements [Store].
func (s *SQLStore) Finish(ctx context.Context, c Claim, o Outcome) error {
	held, err := s.finish(ctx, s.DB, c, o)
	if err != nil {
		return fmt.Errorf("finish: %w", err)
	}
	if held {
		return nil
	}
	if o.Status != Completed {
		return ErrLost
	}
	var one int
	err = s.row(ctx, completedStatement, c.ID, c.Token).scan(&one)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrLost
	case err != nil:
		return fmt.Errorf("finish: look: %w", err)
	}
	return nil
}

// finish is false when the entry is no longer the claim's.
func (s *SQLStore) finish(ctx context.Context, db execer, c Claim, o Outcome) (held bool, err error) {
	free := 0
	if o.Free {
		free = 1
	}
	n, err := s.change(ctx, db, finishStatement, c.ID, c.Token, string(o.Status), o.Wait.Milliseconds(), o.Reason, free)
	return n == 1, err
}

const replayStatement = `
UPDATE {table} SET status = 'accepted', attempts = 0, due_ms = {now}, finished_ms = NULL WHERE id = $1 AND status = 'failed'`

// Replay implements [Store].
func (s *SQLStore) Replay(ctx context.Context, id string) error {
	n, err := s.change(ctx, s.DB, replayStatement, id)
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	if n == 0 {
		return ErrNotFailed
	}
	return nil
}

const sweepStatement = `
DELETE FROM {table} WHERE id IN (SELECT id FROM {table}
	WHERE finished_ms < {now} - $1 AND seen_ms < {now} - $1 ORDER BY finished_ms LIMIT $2 {next})`

// Sweep implements [Store].
func (s *SQLStore) Sweep(ctx context.Context, retention time.Duration) (int64, error) {
	for total := int64(0); ; {
		n, err := s.change(ctx, s.DB, sweepStatement, retention.Milliseconds(), sweepBatch)
		total += n
		if err != nil {
			return total, fmt.Errorf("sweep: %w", err)
		}
		if n < sweepBatch {
			return total, nil
		}
	}
}

// execer is a database or a transaction.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// change runs a statement and returns how many rows it changed.
func (s *SQLStore) change(ctx context.Context, db execer, text string, args ...any) (int64, error) {
	query, err := s.statement(text)
	if err != nil {
		return 0, err
	}
	result, err := db.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// row is a [sql.Row] that may also be an error of the statement.
type row struct {
	*sql.Row
	err error
}

func (s *SQLStore) row(ctx context.Context, text string, args ...any) row {
	query, err := s.statement(text)
	if err != nil {
		return row{err: err}
	}
	return row{Row: s.DB.QueryRowContext(ctx, query, args...)} //nolint:gosec // our own text around a table name that statement has checked
}

func (r row) scan(targets ...any) error {
	if r.err != nil {
		return r.err
	}
	return r.Scan(targets...)
}
