package webhook

import (
	_ "embed" // for the schema
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Dialect is the kind of database behind a [SQLStore].
type Dialect string

// The dialects that a [SQLStore] speaks.
const (
	// PostgreSQL is any version that is still maintained, with any driver that numbers parameters as $1.
	PostgreSQL Dialect = "postgresql"
	// SQLite is version 3.35 or later. Let connections wait for a lock (busy_timeout) and begin transactions as writers
	// (BEGIN IMMEDIATE, which drivers call txlock), and leave "synchronous" at FULL: an event that was answered 204 must
	// outlive a loss of power.
	SQLite Dialect = "sqlite"
)

//go:embed schema.sql
var schema string

// dialect is what differs: the rest of every statement is the same text.
type dialect struct {
	// bytes is the type of a column of bytes.
	bytes string
	// now is the database's clock in milliseconds, one value within a statement, so that an index can be searched for it.
	now string
	// next makes a choice of rows skip those that another transaction is about to change.
	next string
	// parameter is written in front of a parameter's number.
	parameter string
	// lock is taken, by name, by the transaction that creates the table; empty where the database does that by itself.
	lock string
}

var dialects = map[Dialect]dialect{
	PostgreSQL: {
		bytes: "bytea", next: "FOR UPDATE SKIP LOCKED", parameter: "$",
		now:  "CAST(extract(epoch FROM statement_timestamp()) * 1000 AS bigint)",
		lock: "SELECT pg_advisory_xact_lock(hashtext($1))",
	},
	SQLite: {
		bytes: "blob", parameter: "?",
		now: "CAST((julianday('now') - 2440587.5) * 86400000 AS integer)",
	},
}

// DefaultTable is the table of a [SQLStore] that names none.
const DefaultTable = "platen_inbox"

// tableName leaves room for the names of the indexes within the 63 bytes of PostgreSQL.
var tableName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,49}$`)

var errTable = errors.New("webhook: a table name is made of at most 50 of a-z, 0-9 and _")

// statement fills in a text: {table}, {bytes}, {now}, {next}, the names of the indexes, and parameters written as $1.
func (s *SQLStore) statement(text string) (string, error) {
	d, ok := dialects[s.Dialect]
	if !ok {
		return "", fmt.Errorf("webhook: no SQL dialect %q", s.Dialect)
	}
	table := s.table()
	if !tableName.MatchString(table) {
		return "", errTable
	}
	return strings.NewReplacer(
		"{table}", `"`+table+`"`, "{due_index}", `"`+table+`_due"`, "{finished_index}", `"`+table+`_finished"`,
		"{bytes}", d.bytes, "{now}", d.now, "{next}", d.next, "$", d.parameter,
	).Replace(text), nil
}

func (s *SQLStore) table() string {
	if s.Table == "" {
		return DefaultTable
	}
	return s.Table
}
