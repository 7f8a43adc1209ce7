package main

import (
	"bytes"
	"context"
	"database/sql"
	_ "embed" // for the schema
	"errors"
	"fmt"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/webhook"
)

//go:embed schema.sql
var schema string

// keyPrefix makes the document key of an invoice number.
const keyPrefix = "invoice:"

// books records invoices and what became of them.
type books struct {
	db          *sql.DB
	inbox       *webhook.SQLStore
	platen      *client.Client
	callbackURL string
}

// migrate makes the tables where they are missing, those of the inbox too.
func (b *books) migrate(ctx context.Context) error {
	if err := b.inbox.Migrate(ctx); err != nil {
		return fmt.Errorf("inbox: %w", err)
	}
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // of no effect after a commit
	// Two processes that start at once must not both create the tables.
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtext('books'))"); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	return tx.Commit()
}

// issue asks for the document of an invoice and records the invoice. Doing it again is harmless: the document key gives
// the same document, and the row is there. The event may well come before the row is committed.
func (b *books) issue(ctx context.Context, number, page string) (jobID string, err error) {
	key := keyPrefix + number
	sent, err := b.platen.Submit(ctx, client.Submission{
		Request: api.JobRequest{HTML: &page, DocumentKey: &key, CallbackURL: &b.callbackURL},
	})
	if err != nil {
		return "", fmt.Errorf("submit: %w", err)
	}
	_, err = b.db.ExecContext(ctx, "INSERT INTO invoices (number, job_id) VALUES ($1, $2) ON CONFLICT DO NOTHING", number, sent.Job.ID)
	if err != nil {
		return "", fmt.Errorf("record: %w", err)
	}
	return sent.Job.ID, nil
}

// ended is the function of the inbox. It may be called more than once for an event, and may be killed at any moment;
// what it does in Once is done once.
func (b *books) ended(ctx context.Context, e webhook.Event) error {
	number, ours := strings.CutPrefix(e.Data.DocumentKey, keyPrefix)
	switch e.Type {
	case webhook.TypeJobSucceeded, webhook.TypeJobFailed, webhook.TypeJobCanceled:
	default:
		ours = false // a ping, or a type that a later version adds
	}
	if !ours {
		return nil
	}
	var known bool
	if err := b.db.QueryRowContext(ctx, "SELECT true FROM invoices WHERE number = $1", number).Scan(&known); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return webhook.NotYet(fmt.Errorf("invoice %s is not committed", number))
		}
		return err
	}
	entry, err := b.fetch(ctx, e.Data)
	if err != nil {
		return err
	}
	return b.inbox.Once(ctx, func(tx *sql.Tx) error { return entry.book(ctx, tx, e.ID, number) })
}

// entry is what an event comes to in the books.
type entry struct {
	data   webhook.Data
	sha256 string
	pdf    []byte // nil unless there is a document
}

// fetch gets the document, if there is one. It is slow and harmless, and therefore not part of the transaction.
func (b *books) fetch(ctx context.Context, data webhook.Data) (entry, error) {
	if data.Status != string(api.JobSucceeded) {
		return entry{data: data}, nil
	}
	var pdf bytes.Buffer
	document, err := b.platen.Download(ctx, data.DocumentID, &pdf)
	switch {
	case client.HasCode(err, api.CodeDocumentPurged), client.HasCode(err, api.CodeDocumentNotFound):
		return entry{}, webhook.Reject(err) // it does not come back
	case err != nil:
		return entry{}, fmt.Errorf("fetch the document: %w", err)
	}
	return entry{data: data, sha256: *document.SHA256, pdf: pdf.Bytes()}, nil
}

// book writes the entry. Events come in no order, so a later one that is there already stays.
func (en entry) book(ctx context.Context, tx *sql.Tx, eventID, number string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO journal (event_id, number, status) VALUES ($1, $2, $3)", eventID, number, en.data.Status)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	_, err = tx.ExecContext(ctx, `UPDATE invoices SET status = $2, sequence = $3, document_id = $4, sha256 = $5, pdf = $6
		WHERE number = $1 AND sequence < $3`, number, en.data.Status, en.data.Sequence, en.data.DocumentID, en.sha256, en.pdf)
	if err != nil {
		return fmt.Errorf("invoice: %w", err)
	}
	return nil
}
