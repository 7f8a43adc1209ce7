// Command consumer is a service that has invoices made by Platen and books what became of them, each event once, however
// often it comes and whenever this process is killed. Read books.go: the rest is wiring. It is set up by environment:
//
//	DATABASE_URL            of a PostgreSQL
//	LISTEN                  address to listen on (default 127.0.0.1:8090)
//	CALLBACK_URL            where Platen reaches POST /callbacks of this service
//	LEASE                   how long a killed process holds up an event (default 30s)
//	PLATEN_URL              the server
//	PLATEN_KEY              an API key
//	PLATEN_CALLBACK_SECRET  the secret that callbacks are signed with
//
// An invoice is made by POST /invoices, and GET /stats shows the inbox:
//
//	curl -sS http://127.0.0.1:8090/invoices -d '{"number": "2026-00417", "html": "<h1>Invoice</h1>"}'
//	curl -sS http://127.0.0.1:8090/stats
package main

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx

	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/webhook"
)

const (
	readTimeout   = 10 * time.Second
	shutdownGrace = 10 * time.Second
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	logger := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	err := run(ctx, os.Getenv, logger) //nolint:forbidigo // a main reads its environment
	stop()
	if err != nil {
		logger.ErrorContext(ctx, "consumer ended", slog.Any("error", err))
		os.Exit(1)
	}
}

func run(ctx context.Context, getenv func(string) string, logger *slog.Logger) error {
	secret, err := webhook.ParseSecret(getenv("PLATEN_CALLBACK_SECRET"))
	if err != nil {
		return fmt.Errorf("PLATEN_CALLBACK_SECRET: %w", err)
	}
	lease, err := time.ParseDuration(cmp.Or(getenv("LEASE"), "30s"))
	if err != nil {
		return fmt.Errorf("LEASE: %w", err)
	}
	db, err := sql.Open("pgx", getenv("DATABASE_URL"))
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	defer func() { _ = db.Close() }() // nothing is pending in it
	store := &webhook.SQLStore{DB: db, Dialect: webhook.PostgreSQL}
	b := &books{
		db: db, inbox: store, callbackURL: getenv("CALLBACK_URL"),
		platen: &client.Client{BaseURL: getenv("PLATEN_URL"), Key: getenv("PLATEN_KEY")},
	}
	if err := b.migrate(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	inbox := &webhook.Inbox{Store: store, Handle: b.ended, Lease: lease, Logger: logger}
	callbacks := &webhook.Handler{Secrets: []webhook.Secret{secret}, Inbox: inbox, Logger: logger}
	s := &service{books: b, callbacks: callbacks, logger: logger}
	return s.serve(ctx, cmp.Or(getenv("LISTEN"), "127.0.0.1:8090"))
}

// serve answers requests and works on the inbox until ctx ends.
func (s *service) serve(ctx context.Context, address string) error {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	s.logger.InfoContext(ctx, "listening", slog.String("addr", ln.Addr().String()))
	server := &http.Server{Handler: s.routes(), ReadTimeout: readTimeout}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var group sync.WaitGroup
	var working, closing error
	group.Go(func() {
		working = s.callbacks.Inbox.Work(ctx)
		cancel()
	})
	group.Go(func() {
		<-ctx.Done()
		grace, done := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
		defer done()
		closing = server.Shutdown(grace)
	})
	serving := server.Serve(ln)
	cancel()
	group.Wait()
	if errors.Is(serving, http.ErrServerClosed) {
		serving = nil
	}
	return errors.Join(serving, working, closing)
}
