package webhook

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

const failuresStatement = `
SELECT id, last_error, attempts, accepted_ms, finished_ms FROM {table}
WHERE status = 'failed' ORDER BY finished_ms, id LIMIT $1`

// Failures implements [Store].
func (s *SQLStore) Failures(ctx context.Context, limit int) ([]Failure, error) {
	var failures []Failure
	err := s.each(ctx, func(rows *sql.Rows) error {
		var f Failure
		var accepted, failed int64
		if err := rows.Scan(&f.ID, &f.Reason, &f.Attempts, &accepted, &failed); err != nil {
			return err
		}
		f.Accepted, f.Failed = time.UnixMilli(accepted).UTC(), time.UnixMilli(failed).UTC()
		failures = append(failures, f)
		return nil
	}, failuresStatement, limit)
	if err != nil {
		return nil, fmt.Errorf("failures: %w", err)
	}
	return failures, nil
}

const statsStatement = `
SELECT status, count(*), {now} - min(COALESCE(finished_ms, accepted_ms)), CAST(sum(repeats) AS bigint), CAST(sum(conflicts) AS bigint)
FROM {table} GROUP BY status`

// Stats implements [Store]. It reads the whole table: ask once a minute, not for each request.
func (s *SQLStore) Stats(ctx context.Context) (Stats, error) {
	var stats Stats
	err := s.each(ctx, func(rows *sql.Rows) error {
		var status Status
		var entries, oldest, repeats, conflicts int64
		if err := rows.Scan(&status, &entries, &oldest, &repeats, &conflicts); err != nil {
			return err
		}
		*stats.of(status) = Count{Entries: entries, Oldest: time.Duration(max(0, oldest)) * time.Millisecond}
		stats.Repeats += repeats
		stats.Conflicts += conflicts
		return nil
	}, statsStatement)
	if err != nil {
		return Stats{}, fmt.Errorf("stats: %w", err)
	}
	return stats, nil
}

// each calls visit with each row of a query.
func (s *SQLStore) each(ctx context.Context, visit func(*sql.Rows) error, text string, args ...any) error {
	query, err := s.statement(text)
	if err != nil {
		return err
	}
	rows, err := s.DB.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // an error of the query is that of Err
	for rows.Next() {
		if err := visit(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
