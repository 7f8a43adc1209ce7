package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// A replica that is promoted lacks what had not reached it. With Options.WaitReplicas nothing is acknowledged that is not
// on so many replicas: what a script did is followed by WAIT on the same connection, since a new master in between would
// confirm what it has never seen. Since Redis 7.2, WAIT covers only what its own connection has written, so a write
// comes before it: then it covers whatever the answer was read from, by whomever it was written.

// acknowledging lists the scripts whose answer is a promise.
func (s scripts) acknowledging() []*redis.Script {
	return append(s.batches.acknowledging(), s.accept, s.complete, s.cancel, s.purge, s.claimDelivery, s.storeVersion, s.removeVersion, s.putReceipt, s.swapTenant, s.setLimits)
}

// So is the answer of a read that tells an end, a result, or what leads to content.
func promisesJob(j jobs.Job) bool           { return j.Status.Final() }
func promisesDocument(d jobs.Document) bool { return d.Status != jobs.Pending }

const (
	// waitTimeout is how long replicas have; it must be shorter than the client's read timeout.
	waitTimeout = time.Second
	// movedTries is how often a cluster may send us elsewhere, and movedPause what it then has to tell where.
	movedTries = 3
	movedPause = 100 * time.Millisecond
)

// steps are what is asked before a WAIT.
type steps func(p redis.Pipeliner, call caller)

// caller runs a script in a pipeline.
type caller func(sc *redis.Script, args ...any) *redis.Cmd

// confirmed runs a script and confirms its answer, which it returns with [jobs.ErrNotReplicated] too.
func (s *Store) confirmed(ctx context.Context, sc *redis.Script, partition int, args ...any) (any, error) {
	var answer *redis.Cmd
	err := s.confirm(ctx, partition, func(_ redis.Pipeliner, call caller) { answer = call(sc, args...) })
	if answer == nil {
		return nil, err
	}
	return answer.Val(), err
}

// confirm takes the steps and returns nil once enough replicas have all that they saw and wrote.
func (s *Store) confirm(ctx context.Context, partition int, take steps) error {
	var err error
	for try, loaded := 0, true; try < movedTries; try++ {
		err = s.takeAndWait(ctx, partition, take, loaded)
		if redis.HasErrorPrefix(err, "NOSCRIPT") {
			loaded = false
			continue
		}
		if !s.moved(ctx, err) {
			break
		}
		wait(ctx, movedPause)
	}
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f
	}
	return unavailable(err)
}

func (s *Store) takeAndWait(ctx context.Context, partition int, take steps, loaded bool) error {
	node, err := s.master(ctx, partition)
	if err != nil {
		return err
	}
	keys := []string{prefix(partition)}
	var acks *redis.Cmd
	cmds, err := node.Pipelined(ctx, func(p redis.Pipeliner) error {
		take(p, func(sc *redis.Script, args ...any) *redis.Cmd {
			if loaded {
				return sc.EvalSha(ctx, p, keys, args...)
			}
			return sc.Eval(ctx, p, keys, args...)
		})
		p.Set(ctx, key(partition, "mark"), "1", 0)
		acks = p.Do(ctx, "wait", s.opts.WaitReplicas, waitTimeout.Milliseconds())
		return nil
	})
	for _, cmd := range cmds {
		if err := cmd.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
	}
	if n, _ := acks.Int(); n < s.opts.WaitReplicas {
		return jobs.ErrNotReplicated.Because(fmt.Errorf("%d of %d replicas", n, s.opts.WaitReplicas))
	}
	if errors.Is(err, redis.Nil) {
		return nil
	}
	return err
}

// inSync reports whether replicas keep up: an attempt to deliver that could not be confirmed would be counted in vain.
func (s *Store) inSync(ctx context.Context, partition int) error {
	if s.opts.WaitReplicas == 0 {
		return nil
	}
	return s.confirm(ctx, partition, func(redis.Pipeliner, caller) {})
}

// confirmJobs reads the jobs of a page again that promise something, all with one WAIT.
func (s *Store) confirmJobs(ctx context.Context, partition int, page []jobs.Job) ([]jobs.Job, error) {
	answers := map[jobs.ID]*redis.Cmd{}
	err := s.confirm(ctx, partition, func(_ redis.Pipeliner, call caller) {
		for _, j := range page {
			if promisesJob(j) {
				answers[j.ID] = call(s.scripts.job, string(j.ID))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	again := page[:0]
	for _, j := range page {
		if answer, ok := answers[j.ID]; ok {
			if item(answer.Val(), 0) == nil {
				continue // it has gone meanwhile
			}
			j = jobOf(j.ID, answer.Val())
		}
		again = append(again, j)
	}
	return again, nil
}

// about names the record that a change may have been made to although it was not confirmed.
func about(err error, name, id string) error {
	if !errors.Is(err, jobs.ErrNotReplicated) || id == "" {
		return err
	}
	return fault.From(err).About(name, id)
}

// checkReplicas compares what a server says of its replicas with what is waited for.
func (s *Store) checkReplicas(replication map[string]string) []string {
	n, _ := strconv.Atoi(replication["connected_slaves"])
	switch {
	case n > 0 && s.opts.WaitReplicas == 0:
		return []string{"there are replicas and nobody waits for them: one that is promoted may lack what was accepted last; see PLATEN_REDIS_WAIT_REPLICAS"}
	case n < s.opts.WaitReplicas:
		return []string{fmt.Sprintf("%d replicas are connected and %d are waited for: nothing is acknowledged", n, s.opts.WaitReplicas)}
	}
	return nil
}
