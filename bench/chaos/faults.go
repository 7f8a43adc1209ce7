package main

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// killAtRandom kills one process every 0.3 to 1.8 s, Redis included, and starts it again.
func (in *installation) killAtRandom(ctx context.Context) {
	victims := append(append([]*process{in.redis}, in.apis...), in.workers...)
	for {
		pause(ctx, 300*time.Millisecond+time.Duration(in.random.IntN(1500))*time.Millisecond)
		if ctx.Err() != nil {
			return
		}
		in.deathless.Lock()
		victim := victims[in.random.IntN(len(victims))]
		victim.kill()
		in.report.Kills++
		if err := victim.start(); err != nil {
			in.report.Violations = append(in.report.Violations, err.Error())
		}
		in.deathless.Unlock()
	}
}

// disturbance is one disturbance other than a kill.
type disturbance struct {
	name string
	do   func(in *installation, ctx context.Context)
}

// faults are all kinds. Each is undone when its function returns.
var faults = []disturbance{
	{"worker_stopped", func(in *installation, ctx context.Context) {
		// Longer than its lease: it is taken for dead, wakes up, and must publish nothing.
		worker := in.workers[in.random.IntN(len(in.workers))]
		in.deathless.Lock()
		worker.signal(syscall.SIGSTOP)
		in.deathless.Unlock()
		pause(ctx, 13*time.Second)
		worker.signal(syscall.SIGCONT)
	}},
	{"redis_unreachable", func(in *installation, ctx context.Context) {
		in.wire.breakFor(ctx, time.Second+time.Duration(in.random.IntN(4000))*time.Millisecond)
	}},
	{"asynq_lease_removed", func(in *installation, ctx context.Context) {
		for _, line := range []string{"render", "callback"} {
			_ = in.rdb.ZPopMin(ctx, "asynq:{"+line+"}:lease", 3).Err() // Redis may be down: then nothing is removed
		}
	}},
	{"asynq_wiped", func(in *installation, ctx context.Context) {
		keys, err := in.rdb.Keys(ctx, "asynq:*").Result()
		if err == nil && len(keys) > 0 {
			_ = in.rdb.Del(ctx, keys...).Err() // likewise
		}
	}},
	{"disk_full", func(in *installation, ctx context.Context) { in.flip(ctx, fullSwitch, 2*time.Second) }},
	{"disk_slow", func(in *installation, ctx context.Context) { in.flip(ctx, slowSwitch, 3*time.Second) }},
}

// disturbAtRandom has one fault after the other, all kinds in turn.
func (in *installation) disturbAtRandom(ctx context.Context) {
	for n := 0; ; n++ {
		pause(ctx, time.Second+time.Duration(n%3)*time.Second)
		if ctx.Err() != nil {
			return
		}
		f := faults[n%len(faults)]
		f.do(in, ctx)
		in.report.Faults[f.name]++
	}
}

// flip turns a switch of the blob store on for a while.
func (in *installation) flip(ctx context.Context, name string, d time.Duration) {
	path := filepath.Join(in.dir, name)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return
	}
	pause(ctx, d)
	_ = os.Remove(path)
}
