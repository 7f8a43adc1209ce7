// Package pgtest starts a private PostgreSQL for a test: the real program, in a folder and on a socket of its own.
//
// A server takes about a second, so a test starts one for all of its subtests and gives each of them a database. The
// programs come from the Debian package postgresql; without it a test fails, because a test that is skipped proves
// nothing. The server does not sync to disk: no test here is about a crash of PostgreSQL itself.
package pgtest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx

	"github.com/platen-render/platen/internal/subprocess"
)

// patience bounds the start of a server.
const patience = time.Minute

// Server is a running PostgreSQL that ends with its test.
type Server struct {
	dir       string // has the socket, the data and the log
	owner     owner
	process   *subprocess.Process
	databases atomic.Int64
}

// Start starts a server without databases of ours and waits until it answers.
func Start(tb testing.TB) *Server {
	tb.Helper()
	//nolint:usetesting // TempDir carries the name of the test, and a socket path has 107 bytes at most.
	dir, err := os.MkdirTemp("", "pgtest")
	if err != nil {
		tb.Fatalf("pgtest: folder: %v", err)
	}
	s := &Server{dir: dir}
	tb.Cleanup(func() {
		if s.process != nil {
			s.process.End(syscall.SIGQUIT) // at once, and it takes its own children along
		}
		if err := os.RemoveAll(dir); err != nil {
			tb.Errorf("pgtest: remove the folder: %v", err)
		}
	})
	ctx, cancel := context.WithTimeout(tb.Context(), patience)
	defer cancel()
	if err := s.start(ctx); err != nil {
		tb.Fatalf("pgtest: %v\n%s", err, s.log())
	}
	return s
}

func (s *Server) start(ctx context.Context) error {
	programs, err := findPrograms()
	if err != nil {
		return err
	}
	if s.owner, err = findOwner(); err != nil {
		return err
	}
	if err := s.owner.give(s.dir); err != nil {
		return err
	}
	if err := s.initialize(ctx, programs.initdb); err != nil {
		return err
	}
	cmd, err := s.command(programs.postgres)
	if err != nil {
		return err
	}
	if s.process, err = subprocess.Start(cmd, syscall.SIGQUIT); err != nil {
		return err
	}
	return s.await(ctx)
}

// Database makes an empty database and returns its address.
func (s *Server) Database(tb testing.TB) (dsn string) {
	tb.Helper()
	name := fmt.Sprintf("test%d", s.databases.Add(1))
	admin := Open(tb, s.dsn("postgres"))
	if _, err := admin.ExecContext(tb.Context(), "CREATE DATABASE "+name); err != nil {
		tb.Fatalf("pgtest: database: %v", err)
	}
	return s.dsn(name)
}

// Open returns a pool for a database, which is closed at the end of the test.
func Open(tb testing.TB, dsn string) *sql.DB {
	tb.Helper()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		tb.Fatalf("pgtest: open: %v", err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Errorf("pgtest: close: %v", err)
		}
	})
	return db
}

func (s *Server) dsn(database string) string {
	return fmt.Sprintf("host=%s user=%s dbname=%s", s.dir, superuser, database)
}

// await asks until the server answers or has ended.
func (s *Server) await(ctx context.Context) error {
	db, err := sql.Open("pgx", s.dsn("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // nothing depends on it
	for {
		err := db.PingContext(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.process.Done():
			return fmt.Errorf("postgres has ended: %w", err)
		case <-ctx.Done():
			return fmt.Errorf("postgres does not answer: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// log returns what the programs wrote, for the message of a failure.
func (s *Server) log() string {
	text, err := os.ReadFile(filepath.Join(s.dir, "log"))
	if err != nil {
		return fmt.Sprintf("(no log: %v)", err)
	}
	return string(text)
}
