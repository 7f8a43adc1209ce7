// Command chaos is the proof of Platen's promise: it runs an installation of several processes, kills and disturbs them while
// clients submit, and then compares what the clients were told with the store, the blobs and the receiver. It prints one line of
// JSON and exits non-zero when a promise was broken.
//
//	chaos -duration 60s -seed 1 -topology cluster
//
// Everything runs on this machine, in a folder of its own, and stops by itself.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
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
	o, err := parse(args)
	if err != nil {
		return err
	}
	redis.SetLogger(quiet{})
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

// quiet keeps what clients of Redis have to say, of servers that are killed on purpose, off the terminal.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

// options of an experiment.
type options struct {
	duration       time.Duration
	seed           int64
	topology, kill string
	engine, bin    string
	docs, keep     string
	customers      int
}

// What is killed.
const (
	killAll     = "all"
	killWorkers = "workers"
)

// engines are what renders, with a load that the machine of a developer can carry while half of it is being killed: a backlog
// would be what settling measures. Each customer waits for half of idle to three halves between two submissions.
var engines = map[string]struct {
	customers, slots int
	idle             time.Duration
}{testEngineName: {8, 4, 50 * time.Millisecond}, "chromium": {3, 2, 500 * time.Millisecond}}

const testEngineName = "test"

var errUsage = errors.New("want one of")

func parse(args []string) (options, error) {
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	o := options{}
	flags.DurationVar(&o.duration, "duration", time.Minute, "how long processes are killed")
	flags.Int64Var(&o.seed, "seed", time.Now().UnixNano(), "of the random choices")
	flags.StringVar(&o.topology, "topology", "single", "of Redis: "+strings.Join(topologyNames(), ", "))
	flags.StringVar(&o.kill, "kill", killAll, "all, or workers: then nothing else is disturbed, and recovery is measured")
	flags.StringVar(&o.engine, "engine", testEngineName, "test, or chromium with the real programs from -bin")
	flags.StringVar(&o.bin, "bin", "bin", "the folder of the real programs")
	flags.StringVar(&o.docs, "docs", "docs", "the folder of configuration.md, where the rights of the processes stand")
	flags.StringVar(&o.keep, "keep", "", "a folder to leave logs and data in")
	flags.IntVar(&o.customers, "clients", 0, "clients at once; 0 is what suits the engine")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	for _, choice := range []struct {
		name, value string
		of          []string
	}{
		{"topology", o.topology, topologyNames()},
		{"kill", o.kill, []string{killAll, killWorkers}},
		{"engine", o.engine, slices.Sorted(maps.Keys(engines))},
	} {
		if !slices.Contains(choice.of, choice.value) {
			return o, fmt.Errorf("-%s %s: %w %s", choice.name, choice.value, errUsage, strings.Join(choice.of, ", "))
		}
	}
	o.customers = cmp.Or(o.customers, engines[o.engine].customers)
	return o, nil
}
