package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/telemetry"
)

// Process is a program that takes its settings from the environment and serves until it is told to stop.
type Process struct {
	Name  string
	About string // one sentence, for the usage
	Serve func(ctx context.Context, cfg config.Config, logger *slog.Logger) error
}

const usage = `Usage: %s

%s It takes no arguments: settings come from environment variables, which
docs/configuration.md lists. PLATEN_REDIS_URL, PLATEN_BLOB_DIR and PLATEN_SECRET_KEY are the first ones to set.
`

// Main runs the process until it ends or gets SIGINT or SIGTERM, and returns the exit status: 0, 1 when something went wrong, 2
// when there were arguments that it does not know.
func (p Process) Main(args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		return p.explain(args[0], stdout, stderr)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := p.run(ctx, getenv, stderr); err != nil {
		_, _ = fmt.Fprintf(stderr, "%s: %v\n", p.Name, err)
		return 1
	}
	return 0
}

// explain prints the usage: what was asked for on stdout, after a mistake on stderr.
func (p Process) explain(argument string, stdout, stderr io.Writer) int {
	text := fmt.Sprintf(usage, p.Name, p.About)
	if slices.Contains([]string{"-h", "-help", "--help", "help"}, argument) {
		_, _ = io.WriteString(stdout, text)
		return 0
	}
	_, _ = fmt.Fprintf(stderr, "%s: there is no argument %q\n\n%s", p.Name, argument, text)
	return 2
}

// run serves until ctx ends. That is no error, even where it was still waiting for Redis.
func (p Process) run(ctx context.Context, getenv func(string) string, stderr io.Writer) error {
	cfg, err := config.Load(getenv)
	if err != nil { // what is well-formed may be wrong, too: all of it at once
		return errors.Join(err, required(cfg), CheckSettings(cfg))
	}
	err = p.Serve(ctx, cfg, telemetry.NewLogger(stderr, cfg.LogLevel, p.Name))
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}
