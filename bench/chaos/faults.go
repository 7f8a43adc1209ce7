package main

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

// disturbance is one disturbance other than a kill, undone when do returns.
type disturbance struct {
	name  string
	lasts time.Duration // about; one that would outlast the experiment is not begun
	// simulated is one that needs the processes of this program.
	simulated bool
	// do reports whether it happened.
	do func(ctx context.Context, random *rand.Rand) bool
}

// outlastsLease is longer than a worker's lease: it is taken for dead, wakes up, and must publish nothing.
const outlastsLease = 13 * time.Second

// faults are all kinds that this installation can have.
func (in *installation) faults() []disturbance {
	all := []disturbance{
		{"redis_unreachable", in.redis.hindered, false, in.redis.hinder},
		{"worker_stopped", outlastsLease, false, in.stopWorker},
		{"asynq_lease_removed", 0, false, in.removeLeases},
		{"asynq_wiped", 0, false, in.wipeQueue},
		{"disk_full", fullFor + readyWithin, true, in.fillDisk},
		{"disk_slow", slowFor, true, in.slowDisk},
	}
	if in.engine == testEngineName {
		return all
	}
	var possible []disturbance
	for _, f := range all {
		if !f.simulated {
			possible = append(possible, f)
		}
	}
	return possible
}

// disturbAtRandom has one fault after the other, all kinds in turn. With kill=workers there is none: what is measured then
// is how soon others take over while all else stands.
func (in *installation) disturbAtRandom(ctx context.Context) {
	random := in.random(2)
	end, _ := ctx.Deadline()
	faults := in.faults()
	for n := 0; in.kill != killWorkers; n++ {
		pause(ctx, time.Second+time.Duration(n%3)*time.Second)
		if ctx.Err() != nil {
			return
		}
		f := faults[n%len(faults)]
		if time.Until(end) < f.lasts || !f.do(ctx, random) {
			continue
		}
		in.report.disturbed(f.name, time.Now())
	}
}

func (in *installation) stopWorker(ctx context.Context, random *rand.Rand) bool {
	w := in.workers[random.IntN(len(in.workers))]
	w.hold.Lock() // a kill would wake it up
	defer w.hold.Unlock()
	in.redis.hold.Lock() // a break of Redis would keep the reaper from taking its attempts, and then it is right to publish
	defer in.redis.hold.Unlock()
	w.signal(syscall.SIGSTOP)
	pause(ctx, outlastsLease)
	w.signal(syscall.SIGCONT)
	return true
}

// removeLeases takes leases away from tasks in the queue.
func (in *installation) removeLeases(ctx context.Context, _ *rand.Rand) bool {
	happened := false
	for _, line := range []string{"render", "callback"} {
		removed, err := in.admin.ZPopMin(ctx, "asynq:{"+line+"}:lease", 3).Result()
		happened = happened || err == nil && len(removed) > 0 // Redis may be down: then nothing is removed
	}
	return happened
}

// wipeQueue removes everything of the queue, on all nodes.
func (in *installation) wipeQueue(ctx context.Context, _ *rand.Rand) bool {
	err := eachMaster(ctx, in.admin, func(ctx context.Context, node *redis.Client) error {
		keys, err := node.Keys(ctx, "asynq:*").Result()
		if err != nil {
			return err
		}
		_, err = node.Pipelined(ctx, func(p redis.Pipeliner) error {
			for _, k := range keys { // one by one: on a cluster they are of several slots
				p.Del(ctx, k)
			}
			return nil
		})
		return err
	})
	return err == nil // Redis may be down: then some of it is left
}

const slowFor = 3 * time.Second

func (in *installation) slowDisk(ctx context.Context, _ *rand.Rand) bool {
	if !in.turnOn(slowSwitch) {
		return false
	}
	defer in.turnOff(slowSwitch)
	pause(ctx, slowFor)
	return true
}

// turnOn turns a switch of the blob store on.
func (in *installation) turnOn(name string) bool {
	return os.WriteFile(filepath.Join(in.dir, name), nil, 0o600) == nil
}

func (in *installation) turnOff(name string) { _ = os.Remove(filepath.Join(in.dir, name)) }
