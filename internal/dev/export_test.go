package dev

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/platen-render/platen/internal/config"
)

// State is what an installation keeps.
type State = state

// LoadState reads or makes a state on data that any key opens.
func LoadState(dir string, given State) (State, error) {
	return keepState(dir, given, func(string, bool) error { return nil })
}

// KeepState reads, checks and keeps a state.
var KeepState = keepState

// Usage prints what a user needs next, without a document of the demo.
func Usage(w io.Writer, dir, key string) {
	d := &installation{printer: printer{w}, dir: dir, cfg: config.Config{Addr: "127.0.0.1:1"}, state: state{Key: key}}
	d.usage("")
}

// Child returns the run of a process that is kept running; who lives for trial once is able to start, and once now is
// closed no grace is left.
func Child(path, log string, env []string, trial time.Duration, now <-chan struct{}, logger *slog.Logger) func(context.Context) error {
	return child{name: "test", path: path, env: env, log: log, logger: logger, grace: time.Minute, now: now, trial: trial}.run
}

// Settings reads and checks the environment.
var Settings = settle

// Relative is a path for people.
var Relative = relative

// Look returns the messages and errors of the log lines behind an offset, and where the next look begins.
func Look(path string, offset int64) (lines []string, next int64) {
	next = look(path, offset, func(l logLine) { lines = append(lines, l.Message+": "+l.Error) })
	return lines, next
}
