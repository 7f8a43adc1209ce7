package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/platen-render/platen/internal/cli"
	"github.com/platen-render/platen/internal/dev"
)

const devText = `
Starts a private Redis, the API and a worker, shows once what they do, and serves until it is interrupted. Everything is
kept in PLATEN_DATA_DIR (.platen), and found again at the next start; so are a key and secrets that the environment gives.
The API listens on PLATEN_ADDR (127.0.0.1:8080; port 0 is a free one). DEMO=0 leaves out the demonstration. Ctrl-C ends
all of it once running jobs have; Ctrl-C again does not wait for them.`

// devCommand runs a whole installation. It is apart from the other commands, which link neither store nor queue.
var devCommand = cli.Command{
	Name: "dev", Summary: "Run Redis, API and worker on this machine",
	Run: func(ctx context.Context, env cli.Env, args []string) error {
		if err := env.NoArguments("dev", devText, args); err != nil {
			return err
		}
		signals := make(chan os.Signal, 2)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		defer signal.Stop(signals)
		return dev.Run(ctx, dev.Options{Getenv: env.Getenv, Environ: os.Environ(), Stdout: env.Stdout, Stderr: env.Stderr, Signals: signals})
	},
}
