// Command api serves the HTTP API.
package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/config"
)

func main() {
	process := app.Process{Name: "api", About: "Serves the HTTP API.", Serve: serve}
	os.Exit(process.Main(os.Args[1:], os.Getenv, os.Stdout, os.Stderr))
}

func serve(ctx context.Context, cfg config.Config, logger *slog.Logger) error {
	return app.API(ctx, cfg, logger)
}
