// Command worker renders documents and delivers events.
package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/memory"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/engines"
)

func main() {
	process := app.Process{Name: "worker", About: "Renders documents and delivers events.", Serve: serve}
	os.Exit(process.Main(os.Args[1:], os.Getenv, os.Stdout, os.Stderr))
}

func serve(ctx context.Context, cfg config.Config, logger *slog.Logger) error {
	memory.Heed()
	return app.Worker(ctx, cfg, logger, newEngine)
}

// newEngine makes the engines of this worker. The browser says by itself when its sandbox is off.
func newEngine(ctx context.Context, cfg config.Config, slots int, proxyAddr string, logger *slog.Logger) (app.Engine, error) {
	engine, err := engines.New(ctx, engines.Options{CacheDir: cfg.CacheDir, Options: chromium.Options{
		Path: cfg.Chromium, Pool: slots, NoSandbox: cfg.ChromiumNoSandbox, FontDir: cfg.FontDir, ProxyAddr: proxyAddr, Logger: logger,
	}})
	if err != nil {
		return nil, err
	}
	engine.LogMissing(ctx, logger)
	return engine, nil
}
