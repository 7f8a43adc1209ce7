package webhook_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	_ "modernc.org/sqlite" // the driver sqlite

	"github.com/platen-render/platen/internal/pgtest"
	"github.com/platen-render/platen/webhook"
	"github.com/platen-render/platen/webhook/inboxtest"
)

func TestTheMemoryStoreKeepsTheContract(t *testing.T) {
	t.Parallel()
	inboxtest.Run(t, func(*testing.T) webhook.Store { return &webhook.MemoryStore{} })
}

// TestEachDatabase runs what a database has part in over the real ones.
func TestEachDatabase(t *testing.T) {
	t.Parallel()
	postgres := pgtest.Start(t)
	for name, open := range map[string]func(*testing.T) *webhook.SQLStore{
		"PostgreSQL": func(t *testing.T) *webhook.SQLStore {
			t.Helper()
			return &webhook.SQLStore{DB: pgtest.Open(t, postgres.Database(t)), Dialect: webhook.PostgreSQL}
		},
		"SQLite": openSQLite,
	} {
		migrated := func(t *testing.T) *webhook.SQLStore {
			t.Helper()
			store := open(t)
			migrate(t, store)
			return store
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inboxtest.Run(t, func(t *testing.T) webhook.Store {
				t.Helper()
				return migrated(t)
			})
			t.Run("MigrationsAtOnceAndAgain", func(t *testing.T) {
				t.Parallel()
				migrationsAtOnceAndAgain(&database{t, open(t)})
			})
			for name, test := range map[string]func(*database){
				"TwoTablesShareNothing":         twoTablesShareNothing,
				"OnlyPlainTableNamesAreTaken":   onlyPlainTableNamesAreTaken,
				"AnyErrorTextIsKept":            anyErrorTextIsKept,
				"TheConflictIsInTheTable":       theConflictIsInTheTable,
				"ACompletedBodyIsEmptied":       aCompletedBodyIsEmptied,
				"OnceCommitsBothOrNeither":      onceCommitsBothOrNeither,
				"AFailedCommitCompletesNothing": aFailedCommitCompletesNothing,
				"OnceEndsWithTheLease":          onceEndsWithTheLease,
				"OnceIsFenced":                  onceIsFenced,
				"OnceStandsWhateverIsReturned":  onceStandsWhateverIsReturned,
				"OnceOutlivesALostCommit":       onceOutlivesALostCommit,
				"ARepeatWhileOnceRuns":          aRepeatWhileOnceRuns,
				"TwoInboxesOneEvent":            twoInboxesOneEvent,
			} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					test(&database{t, migrated(t)})
				})
			}
		})
	}
}

// database is a store in an empty database.
type database struct {
	*testing.T
	store *webhook.SQLStore
}

func openSQLite(t *testing.T) *webhook.SQLStore {
	t.Helper()
	path := filepath.Join(t.TempDir(), "inbox.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(20000)&_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // before the folder is removed
	return &webhook.SQLStore{DB: db, Dialect: webhook.SQLite}
}

func migrate(t *testing.T, store *webhook.SQLStore) {
	t.Helper()
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func migrationsAtOnceAndAgain(d *database) {
	t, store := d.T, d.store
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if err := store.Migrate(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	acceptOne(t, store)
	migrate(t, store)
	if s, err := store.Stats(t.Context()); err != nil || s.Accepted.Entries != 1 {
		t.Errorf("after one more migration: %+v, %v", s, err)
	}
}

func acceptOne(t *testing.T, store webhook.Store) webhook.Receipt {
	t.Helper()
	r, err := store.Accept(t.Context(), webhook.Message{ID: "evt_1", Fingerprint: "f", Body: []byte(pingBody)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func twoTablesShareNothing(d *database) {
	t, store := d.T, d.store
	other := &webhook.SQLStore{DB: store.DB, Dialect: store.Dialect, Table: "order"} // a keyword
	migrate(t, other)
	acceptOne(t, store)
	if r := acceptOne(t, other); r.Known {
		t.Errorf("the other table knows it: %+v", r)
	}
}

func onlyPlainTableNamesAreTaken(d *database) {
	t, store := d.T, d.store
	for _, name := range []string{`x"; DROP TABLE platen_inbox; --`, "Inbox", "a.b", "1a", "a b", "é", strings.Repeat("a", 51), "a\n"} {
		bad := &webhook.SQLStore{DB: store.DB, Dialect: store.Dialect, Table: name}
		if err := bad.Migrate(t.Context()); err == nil {
			t.Errorf("%q is taken", name)
		}
		if _, _, err := bad.Claim(t.Context(), 1); err == nil {
			t.Errorf("%q is claimed from", name)
		}
	}
	if _, err := (&webhook.SQLStore{DB: store.DB}).Schema(); err == nil {
		t.Error("a store without dialect has a schema")
	}
	long := &webhook.SQLStore{DB: store.DB, Dialect: store.Dialect, Table: strings.Repeat("a", 50)}
	migrate(t, long)
	migrate(t, &webhook.SQLStore{DB: store.DB, Dialect: store.Dialect, Table: strings.Repeat("a", 49)})
	acceptOne(t, long)
}

func anyErrorTextIsKept(d *database) {
	t, store := d.T, d.store
	text := "a\x00b\xff " + strings.Repeat("é", 1000)
	in := start(t, store, func(*run) error { return webhook.Reject(errors.New(text)) })
	in.send("evt_1")
	in.settle(webhook.Stats{Failed: webhook.Count{Entries: 1}})
	failures, err := in.Failures(t.Context(), 10)
	if err != nil || len(failures) != 1 || !strings.HasPrefix(failures[0].Reason, "rejected: ab éé") || len(failures[0].Reason) > 500 {
		t.Errorf("%+v, %v", failures, err)
	}
}

func theConflictIsInTheTable(d *database) {
	t, store := d.T, d.store
	acceptOne(t, store)
	if _, err := store.Accept(t.Context(), webhook.Message{ID: "evt_1", Fingerprint: "g", Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	var conflicts, at int64
	var kept, other string
	err := store.DB.QueryRowContext(t.Context(), "SELECT conflicts, conflict_ms, fingerprint, conflict_fingerprint FROM platen_inbox").
		Scan(&conflicts, &at, &kept, &other)
	if err != nil || conflicts != 1 || at == 0 || kept != "f" || other != "g" {
		t.Errorf("%d conflicts at %d, %q against %q, %v", conflicts, at, kept, other, err)
	}
}

func aCompletedBodyIsEmptied(d *database) {
	t, store := d.T, d.store
	acceptOne(t, store)
	claim, _, err := store.Claim(t.Context(), webhook.DefaultLease)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Finish(t.Context(), claim, webhook.Outcome{Status: webhook.Completed}); err != nil {
		t.Fatal(err)
	}
	var size int64
	if err := store.DB.QueryRowContext(t.Context(), "SELECT length(body) FROM platen_inbox").Scan(&size); err != nil || size != 0 {
		t.Errorf("%d bytes, %v", size, err)
	}
}
