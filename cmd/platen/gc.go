package main

import (
	"context"
	"time"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/cli"
	"github.com/platen-render/platen/internal/config"
)

// gcCommand works on the store itself. It is apart from the other commands, which link neither store nor queue.
var gcCommand = cli.GC(func(ctx context.Context, env cli.Env, olderThan time.Duration) (cli.Collector, func() error, error) {
	cfg, err := config.Load(env.Getenv)
	if err != nil {
		return nil, nil, err
	}
	c, done, err := app.OpenCollector(ctx, cfg, olderThan)
	return c, done, err
})
