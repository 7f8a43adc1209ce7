// Command chaos is the proof of Platen's promise: it runs an installation of several processes, kills and disturbs them while
// clients submit, and then compares what the clients were told with the store, the blobs and the receiver. It prints one line of
// JSON and exits non-zero when a promise was broken.
//
//	chaos -duration 60s -seed 1
//
// Everything runs on this machine, in a folder of its own, and stops by itself.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Getenv, os.Args[1:])
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	}
}

// run is the harness, or with "api" or "worker" one of its processes.
func run(ctx context.Context, getenv func(string) string, args []string) error {
	if len(args) == 1 && (args[0] == "api" || args[0] == "worker") {
		return serve(ctx, getenv, args[0])
	}
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	o := options{}
	flags.DurationVar(&o.duration, "duration", time.Minute, "how long processes are killed")
	flags.Int64Var(&o.seed, "seed", time.Now().UnixNano(), "of the random choices")
	flags.StringVar(&o.engine, "engine", "test", "test, or chromium with the real programs from -bin")
	flags.StringVar(&o.bin, "bin", "bin", "the folder of the real programs")
	flags.StringVar(&o.keep, "keep", "", "a folder to leave logs and data in")
	flags.IntVar(&o.clients, "clients", 8, "clients at once")
	if err := flags.Parse(args); err != nil {
		return err
	}
	r, err := experiment(ctx, o)
	if err != nil {
		return err
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(os.Stdout, string(line))
	return r.verdict()
}

// options of an experiment.
type options struct {
	duration    time.Duration
	seed        int64
	engine, bin string
	keep        string
	clients     int
}

// logger is for what the harness itself does.
func logger() *slog.Logger { return slog.New(slog.NewTextHandler(os.Stderr, nil)) }
