package queue

import (
	"context"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// notes gives asynq little time for what it notes every 5 s about servers and what they work on. That is for people to look
// at, and for an estimate; but a server takes and ends no task meanwhile, and on a cluster the notes may lie on a shard
// that does not answer.
type notes struct{ redis.UniversalClient }

// notesPatience is what one step of a note may take; there are three.
const notesPatience = 250 * time.Millisecond

// bounded limits a command about notes, by the key that it is about.
func bounded(ctx context.Context, key string) (context.Context, context.CancelFunc) {
	if strings.HasPrefix(key, "asynq:servers") || strings.HasPrefix(key, "asynq:workers") {
		return context.WithTimeout(ctx, notesPatience)
	}
	return ctx, func() {}
}

// ZAdd implements [redis.UniversalClient].
func (n notes) ZAdd(ctx context.Context, key string, members ...redis.Z) *redis.IntCmd {
	ctx, cancel := bounded(ctx, key)
	defer cancel()
	return n.UniversalClient.ZAdd(ctx, key, members...)
}

// ZRem implements [redis.UniversalClient].
func (n notes) ZRem(ctx context.Context, key string, members ...any) *redis.IntCmd {
	ctx, cancel := bounded(ctx, key)
	defer cancel()
	return n.UniversalClient.ZRem(ctx, key, members...)
}

// Eval implements [redis.UniversalClient].
func (n notes) Eval(ctx context.Context, script string, keys []string, args ...any) *redis.Cmd {
	ctx, cancel := bounded(ctx, first(keys))
	defer cancel()
	return n.UniversalClient.Eval(ctx, script, keys, args...)
}

// EvalSha implements [redis.UniversalClient].
func (n notes) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *redis.Cmd {
	ctx, cancel := bounded(ctx, first(keys))
	defer cancel()
	return n.UniversalClient.EvalSha(ctx, sha, keys, args...)
}

func first(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	return keys[0]
}
