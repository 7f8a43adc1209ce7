package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/platen-render/platen/api"
)

// The pauses between repetitions grow from the first to the longest, and each is shortened by up to a half, so that
// clients that failed together do not come back together.
const (
	firstPause   = 250 * time.Millisecond
	longestPause = 8 * time.Second
)

// passing are the conflicts that end by themselves, and soon.
var passing = []api.ErrorCode{api.CodeDocumentKeyReserved, api.CodeDocumentCrowded, api.CodeBatchDropped, api.CodeBatchSealed}

// repeat calls attempt until it succeeds, fails for good, or the next pause would go beyond RetryFor; then it returns
// the last error. An attempt that must not be made twice is made once.
func (c *Client) repeat(ctx context.Context, once bool, attempt func() error) error {
	began := time.Now()
	return c.repeatWhile(ctx, once, attempt, func(pause time.Duration) bool { return time.Since(began)+pause <= c.retryFor() })
}

// repeatWhile is repeat with another bound: whether there may be one more pause.
func (c *Client) repeatWhile(ctx context.Context, once bool, attempt func() error, more func(pause time.Duration) bool) error {
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := attempt()
		asked, again := repeatable(err)
		if err == nil || once || !again {
			return err
		}
		rest := max(asked, pause-rand.N(pause/2)) //nolint:gosec // only spreads load
		if !more(rest) {
			return err
		}
		if c.Retrying != nil {
			c.Retrying(err, rest)
		}
		if err := sleep(ctx, rest); err != nil {
			return err
		}
	}
}

func (c *Client) retryFor() time.Duration {
	if c.RetryFor == 0 {
		return DefaultRetryFor
	}
	return c.RetryFor
}

// repeatable reports whether the same request may succeed later, and the pause that the server asked for.
func repeatable(err error) (time.Duration, bool) {
	if p, ok := errors.AsType[*Problem](err); ok {
		switch p.Status {
		case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return p.RetryAfter, true
		case http.StatusBadRequest: // the body did not arrive as it was sent
			return p.RetryAfter, p.Retryable
		default:
			return p.RetryAfter, slices.Contains(passing, p.Code)
		}
	}
	_, cut := errors.AsType[unanswered](err)
	return 0, cut
}

// sleep waits, or returns the cause of ctx when that ends first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
