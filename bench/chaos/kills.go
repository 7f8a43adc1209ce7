package main

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// victim is something that can be killed.
type victim struct {
	hold   *sync.Mutex
	strike func(context.Context) error // kills it, and returns when it is back
}

// victims are all that is killed: everything, or the workers alone.
func (in *installation) victims(random *rand.Rand) []victim {
	var all []victim
	for _, w := range in.workers {
		all = append(all, victim{&w.hold, func(ctx context.Context) error { return in.strikeWorker(ctx, w) }})
	}
	if in.kill == killWorkers {
		return all
	}
	for _, p := range in.apis {
		all = append(all, victim{&p.hold, func(context.Context) error {
			p.kill()
			in.report.killed(time.Now())
			return p.start()
		}})
	}
	seed := random.Uint64() // strikes overlap, and a source of random numbers is no one's to share
	return append(all, victim{&in.redis.hold, func(ctx context.Context) error { return in.strikeRedis(ctx, seed) }})
}

// killAtRandom kills something every 0.3 to 1.8 s, and sees to it that it comes back. What is not whole again yet, or is being
// disturbed, is left alone.
func (in *installation) killAtRandom(ctx context.Context) error {
	random := in.random(1)
	victims := in.victims(random)
	var group errgroup.Group
	for {
		pause(ctx, 300*time.Millisecond+time.Duration(random.IntN(1500))*time.Millisecond)
		if ctx.Err() != nil {
			return group.Wait()
		}
		v := victims[random.IntN(len(victims))]
		if !v.hold.TryLock() {
			continue
		}
		group.Go(func() error {
			defer v.hold.Unlock()
			return v.strike(ctx)
		})
	}
}

func (in *installation) strikeWorker(ctx context.Context, w *process) error {
	w.kill()
	died := time.Now()
	in.report.killed(died)
	held, err := in.attempts.takeHeld(w.name)
	if err != nil {
		return err
	}
	if err := w.start(); err != nil {
		return err
	}
	in.attempts.lost(ctx, held, died)
	return nil
}

func (in *installation) strikeRedis(ctx context.Context, seed uint64) error {
	died := time.Now()
	in.report.killed(died)
	random := rand.New(rand.NewPCG(seed, uint64(died.UnixNano()))) //nolint:gosec // a choice of victims, not secret
	err := in.host.try(func() { in.redis.kill(random) })
	pause(ctx, in.redis.rest)
	return err
}
