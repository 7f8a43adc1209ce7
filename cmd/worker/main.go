// Command worker renders documents with a headless browser and delivers events.
package main

import (
	"context"
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

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Getenv, os.Stderr); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "worker:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, getenv func(string) string, stderr io.Writer) error {
	cfg, err := config.Load(getenv)
	if err != nil {
		return err
	}
	return app.Worker(ctx, cfg, telemetry.NewLogger(stderr, cfg.LogLevel, "worker"), browser)
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
