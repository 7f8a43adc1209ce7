package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/pdfium"
	"github.com/platen-render/platen/internal/render/rendertest"
	"github.com/platen-render/platen/internal/telemetry"
)

// serve is one process of the installation: the wiring of cmd/api and cmd/worker, with the test engine and a blob store that
// can be disturbed.
func serve(ctx context.Context, getenv func(string) string, name string) error {
	cfg, err := config.Load(getenv)
	if err != nil {
		return err
	}
	dir := getenv("CHAOS_DIR")
	log := telemetry.NewLogger(os.Stderr, cfg.LogLevel, name)
	disturbed := app.WithBlobs(func(s blobs.Store) blobs.Store { return disturbedBlobs{s, dir, getenv("CHAOS_NAME")} })
	if name == "api" {
		return app.API(ctx, cfg, log, disturbed)
	}
	return app.Worker(ctx, cfg, log, testEngine(filepath.Join(dir, onceDir)), disturbed)
}

func testEngine(dir string) app.NewEngine {
	return func(context.Context, config.Config, int, string, *slog.Logger) (app.Engine, error) {
		return engine{&rendertest.Engine{}, pdfium.New(pdfium.Options{}), dir}, nil
	}
}

// engine is the test engine, which needs nothing beside it, with failures that happen once for a page, whichever process meets
// it first.
type engine struct {
	*rendertest.Engine
	*pdfium.Reader
	dir string // holds a file for each page that has failed
}

// once is what a page can order to happen one time.
var once = map[string]error{
	"<!-- once:busy -->":        fault.New(fault.Unavailable, "busy", "The page asked to fail once."),
	"<!-- once:engine_lost -->": render.ErrEngineLost,
}

// Render implements [render.Engine].
func (e engine) Render(ctx context.Context, w io.Writer, req render.Request) (render.Report, error) {
	for order, err := range once {
		if strings.Contains(req.HTML, order) && e.first(req.HTML) {
			return render.Report{}, err
		}
	}
	return e.Engine.Render(ctx, w, req)
}

// Run implements [app.Engine].
func (e engine) Run(ctx context.Context) error {
	err := e.Engine.Run(ctx)
	return errors.Join(err, e.Close()) //nolint:contextcheck // ctx has ended
}

// first reports whether no process has met the page before.
func (e engine) first(page string) bool {
	sum := sha256.Sum256([]byte(page))
	f, err := os.OpenFile(filepath.Join(e.dir, hex.EncodeToString(sum[:])), os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false
	}
	return f.Close() == nil
}
