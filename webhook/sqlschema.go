package webhook

import (
	"context"
	"fmt"
)

// Schema returns the statements that make the table and its indexes where they are missing, for those who keep their
// migrations themselves.
func (s *SQLStore) Schema() (string, error) { return s.statement(schema) }

// Migrate runs [SQLStore.Schema]. Call it before the first use, in as many processes at once as you like.
func (s *SQLStore) Migrate(ctx context.Context) error {
	schema, err := s.Schema()
	if err != nil {
		return err
	}
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // of no effect after a commit
	// Two CREATE TABLE IF NOT EXISTS at once are an error in PostgreSQL.
	if lock := dialects[s.Dialect].lock; lock != "" {
		if _, err := tx.ExecContext(ctx, lock, "webhook "+s.table()); err != nil {
			return fmt.Errorf("migrate: lock: %w", err)
		}
	}
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return tx.Commit()
}
