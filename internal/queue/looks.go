package queue

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// looks spares asynq most of its questions. It asks the queues of a server one after the other, each with a script, until one has a task:
// while only the last line has work, that is most of what a task costs. Here one look tells which of them are empty, and asynq hears
// so without asking. An answer is used once and in the same round as the look.
type looks struct {
	redis.UniversalClient
	pending []string // keys of the queues

	mu    sync.Mutex
	round map[string]bool // whether a queue that asynq has not asked in this round has tasks
}

// newLooks is for a server of so many lines. Of one line there is nothing to be spared.
func newLooks(rdb redis.UniversalClient, lines []string) redis.UniversalClient {
	if len(lines) < 2 {
		return rdb
	}
	l := &looks{UniversalClient: rdb}
	for _, name := range lines {
		l.pending = append(l.pending, "asynq:{"+name+"}:pending")
	}
	return l
}

// EvalSha implements [redis.UniversalClient].
func (l *looks) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *redis.Cmd {
	if !takes(keys) {
		return l.UniversalClient.EvalSha(ctx, sha, keys, args...)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	has, known := l.round[keys[0]]
	if !known {
		if err := l.look(ctx); err != nil {
			return answering(ctx, err)
		}
		has = l.round[keys[0]]
	}
	delete(l.round, keys[0])
	if !has {
		return answering(ctx, redis.Nil)
	}
	cmd := l.UniversalClient.EvalSha(ctx, sha, keys, args...)
	if !errors.Is(cmd.Err(), redis.Nil) {
		l.round = nil // a task ends the round, and so does an error
	}
	return cmd
}

// look begins a round.
func (l *looks) look(ctx context.Context) error {
	l.round = nil
	lengths := make([]*redis.IntCmd, len(l.pending))
	_, err := l.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, key := range l.pending {
			lengths[i] = p.LLen(ctx, key)
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.round = map[string]bool{}
	for i, key := range l.pending {
		l.round[key] = lengths[i].Val() > 0
	}
	return nil
}

// takes tells the script that takes a task by its keys: the pending tasks of a queue, whether it is paused, the active ones, and their leases.
func takes(keys []string) bool {
	return len(keys) == 4 && strings.HasSuffix(keys[0], "}:pending") && strings.HasSuffix(keys[1], "}:paused") &&
		strings.HasSuffix(keys[2], "}:active")
}

func answering(ctx context.Context, err error) *redis.Cmd {
	cmd := redis.NewCmd(ctx)
	cmd.SetErr(err)
	return cmd
}
