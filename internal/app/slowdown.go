package app

import (
	"context"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// slowdown makes whoever is refused by Redis wait a moment. asynq asks again at once when Redis answers an error, and a server
// that is full, loading or has taken a right away would be asked tens of thousands of times a second.
type slowdown struct{}

const slowdownPause = 200 * time.Millisecond

// refusals begin the answers of a server that will give the same one again.
var refusals = []string{"OOM ", "NOAUTH ", "NOPERM ", "WRONGPASS ", "MISCONF ", "LOADING ", "READONLY ", "MASTERDOWN ", "CLUSTERDOWN "}

// DialHook implements [redis.Hook].
func (slowdown) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook implements [redis.Hook].
func (slowdown) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		hesitate(ctx, err)
		return err
	}
}

// ProcessPipelineHook implements [redis.Hook].
func (slowdown) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		hesitate(ctx, err)
		return err
	}
}

func hesitate(ctx context.Context, err error) {
	if err == nil || !slices.ContainsFunc(refusals, func(r string) bool { return strings.HasPrefix(err.Error(), r) }) {
		return
	}
	timer := time.NewTimer(slowdownPause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
