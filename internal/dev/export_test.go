package dev

import (
	"context"
	"log/slog"
	"time"
)

// State is what an installation keeps.
type State = state

// LoadState reads or makes a state.
var LoadState = loadState

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
