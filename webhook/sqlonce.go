package webhook

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrNoClaim says that [SQLStore.Once] was called with a context that is not that of an [Inbox]'s function.
var ErrNoClaim = errors.New("webhook: no entry of an inbox is being handled in this context")

// Once is for the function of an [Inbox]: it runs effect in a transaction of the inbox's own database and completes the
// entry in the same transaction. Either both are committed, and the event is never handled again, or neither is. That
// holds when the process is killed at any moment, when the answer to the commit is lost, and when another worker has
// taken the entry over: then the transaction is rolled back and the error is an [ErrLost].
//
// Once may be the last thing that the function does, and its error what the function returns. Do the slow things before
// it, such as fetching the document: they may happen twice and hold no lock. Effect uses nothing but tx. An error of
// effect rolls back and is returned as it is. What effect does outside the database is not undone by a rollback.
func (s *SQLStore) Once(ctx context.Context, effect func(tx *sql.Tx) error) error {
	claim, ok := ctx.Value(claimKey{}).(Claim)
	if !ok {
		return ErrNoClaim
	}
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("once: begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // of no effect after a commit
	if err := effect(tx); err != nil {
		return err
	}
	// Last, so that the entry's row is locked as briefly as can be: the lease is extended, and the event may be repeated,
	// while effect runs. A takeover either came before, and this changes no row, or waits for the commit and finds the
	// entry completed.
	held, err := s.finish(ctx, tx, claim, Outcome{Status: Completed})
	if err != nil {
		return fmt.Errorf("once: complete the entry: %w", err)
	}
	if !held {
		return ErrLost
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("once: commit: %w", err)
	}
	return nil
}
