// Command worker renders documents with a headless browser and delivers events.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/telemetry"
)

const usage = `Usage: worker

Renders documents and delivers events. It takes no arguments: settings come from environment variables, which
docs/configuration.md lists. PLATEN_REDIS_URL, PLATEN_BLOB_DIR and PLATEN_SECRET_KEY are the first ones to set.
`

func main() {
	if len(os.Args) > 1 {
		os.Exit(explain(os.Args[1], os.Stdout, os.Stderr))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Getenv, os.Stderr); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "worker:", err)
		stop()
		os.Exit(1)
	}
}

// explain prints the usage: what was asked for on stdout, after a mistake on stderr. It returns the exit status.
func explain(argument string, stdout, stderr io.Writer) int {
	if argument == "-h" || argument == "-help" || argument == "--help" || argument == "help" {
		_, _ = io.WriteString(stdout, usage)
		return 0
	}
	_, _ = fmt.Fprintf(stderr, "worker: there is no argument %q\n\n%s", argument, usage)
	return 2
}

// run serves until ctx ends. That is no error, even where it was still waiting for Redis.
func run(ctx context.Context, getenv func(string) string, stderr io.Writer) error {
	cfg, err := config.Load(getenv)
	if err != nil {
		return err
	}
	err = app.Worker(ctx, cfg, telemetry.NewLogger(stderr, cfg.LogLevel, "worker"), browser)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// browser is the engine of this worker.
func browser(cfg config.Config, slots int, proxyAddr string, logger *slog.Logger) app.Engine {
	if cfg.ChromiumNoSandbox {
		logger.Warn("the browser's sandbox is off: a page that breaks out of the browser reaches this worker")
	}
	return chromium.New(chromium.Options{
		Path: cfg.Chromium, Pool: slots, NoSandbox: cfg.ChromiumNoSandbox, FontDir: cfg.FontDir, ProxyAddr: proxyAddr, Logger: logger,
	})
}
