// Command payroll measures a payroll run: it starts an installation of real programs on this machine (Redis with an append-only file
// that is written at each change, one API, two workers, a receiver of callbacks), submits a CSV of payslips with the command line, kills
// a worker on the way, and compares what came out with what was sent, the archive too. Another tenant submits single jobs meanwhile. It
// prints one line of JSON and exits non-zero when a document is missing, twice or wrong, or a single job waited for too long.
//
//	payroll -items 10000
//
// Everything runs in a folder of its own and stops by itself.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// options of a run.
type options struct {
	items, workers, slots int
	engine                string
	kill                  bool
	callbacks             bool
	bin, keep             string
	limit                 time.Duration
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "payroll:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, o.limit)
	defer cancel()
	r, err := measure(ctx, o)
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

var errArguments = errors.New("takes no arguments")

func parse(args []string) (options, error) {
	o := options{}
	flags := flag.NewFlagSet("payroll", flag.ContinueOnError)
	flags.IntVar(&o.items, "items", 10_000, "payslips")
	flags.IntVar(&o.workers, "workers", 2, "worker processes")
	flags.IntVar(&o.slots, "slots", runtime.GOMAXPROCS(0), "renders at once of each; one for each processor is what a worker takes by itself")
	flags.StringVar(&o.engine, "engine", "native", "that renders")
	flags.BoolVar(&o.kill, "kill", true, "kill a worker on the way")
	flags.BoolVar(&o.callbacks, "callbacks", true, "report each payslip, not only the run")
	flags.StringVar(&o.bin, "bin", "bin", "the folder of the programs")
	flags.StringVar(&o.keep, "keep", "", "a folder to leave logs and data in")
	flags.DurationVar(&o.limit, "limit", time.Hour, "after which it gives up")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("payroll %w", errArguments)
	}
	return o, nil
}
