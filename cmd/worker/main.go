// Command worker renders documents with a headless browser and delivers events.
package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/render/chromium"
)

func main() {
	process := app.Process{Name: "worker", About: "Renders documents and delivers events.", Serve: serve}
	os.Exit(process.Main(os.Args[1:], os.Getenv, os.Stdout, os.Stderr))
}

func serve(ctx context.Context, cfg config.Config, logger *slog.Logger) error {
	return app.Worker(ctx, cfg, logger, browser)
}

// browser is the engine of this worker. It says by itself when its sandbox is off.
func browser(cfg config.Config, slots int, proxyAddr string, logger *slog.Logger) app.Engine {
	return chromium.New(chromium.Options{
		Path: cfg.Chromium, Pool: slots, NoSandbox: cfg.ChromiumNoSandbox, FontDir: cfg.FontDir, ProxyAddr: proxyAddr, Logger: logger,
	})
}
