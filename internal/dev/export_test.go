package dev

import (
	"context"
	"log/slog"
)

// State is what an installation keeps.
type State = state

// LoadState reads or makes a state.
var LoadState = loadState

// Child returns the run of a process that is kept running.
func Child(path, log string, env []string, logger *slog.Logger) func(context.Context) error {
	return child{name: "test", path: path, env: env, log: log, logger: logger}.run
}
