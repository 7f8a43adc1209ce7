package chromium

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/platen-render/platen/internal/render"
)

// waitScript looks for an element inside the page, for some time.
//
//go:embed wait.js
var waitScript string

const (
	idleTime = 500 * time.Millisecond // without a request on its way, for a network to be idle
	look     = time.Second            // how long the script looks before it reports
	again    = 20 * time.Millisecond  // until it is tried again, when the page has taken our world away
)

// await waits for what the job wants the page to show. It begins when the page is there and before it has loaded, which the job's own time
// limit is for; the resources of what appears are waited for afterwards.
func (j *job) await(ctx context.Context) error {
	wait := j.req.Wait
	if wait.IsZero() {
		return nil
	}
	limit := cmp.Or(wait.Timeout, render.DefaultWait)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	late := func(err error) bool { return err != nil && limited.Err() != nil && ctx.Err() == nil }
	if wait.Selector != "" {
		err := j.awaitSelector(limited, wait.Selector)
		if late(err) {
			return render.ErrWaitTimeout.With("The selector %q did not appear within %s.", shorten(wait.Selector), seconds(limit))
		}
		if err != nil {
			return fmt.Errorf("wait for the selector: %w", err)
		}
	}
	if wait.NetworkIdle {
		err := j.awaitIdle(limited)
		if late(err) {
			return render.ErrWaitTimeout.With("The network was not idle within %s: %s.", seconds(limit), j.log.onTheirWay())
		}
		if err != nil {
			return fmt.Errorf("wait for the network: %w", err)
		}
	}
	return nil
}

// awaitSelector asks again when the page has put another document in its place, which takes our world away.
func (j *job) awaitSelector(ctx context.Context, selector string) error {
	text, err := json.Marshal(selector)
	if err != nil {
		return err
	}
	call := fmt.Sprintf("%s(%s, %d)", strings.TrimSpace(waitScript), text, look.Milliseconds())
	for {
		var found string
		err := j.enterWorld(ctx)
		if err == nil {
			err = j.evaluate(ctx, call, &found)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errGone):
			return err
		case found == "found":
			return nil
		case found == "invalid":
			return render.ErrPageFailed.With("%q, which the job waits for, is not a selector of CSS.", shorten(selector))
		}
		if err := pause(ctx, again); err != nil {
			return err
		}
	}
}

// awaitIdle waits until the page has loaded and no request was on its way for some time.
func (j *job) awaitIdle(ctx context.Context) error {
	if err := j.awaitLoad(ctx); err != nil {
		return err
	}
	for {
		if err := j.awaitRequests(ctx); err != nil {
			return err
		}
		_, before := j.log.state()
		if err := pause(ctx, idleTime); err != nil {
			return err
		}
		if open, after := j.log.state(); open == 0 && after == before {
			return nil
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// seconds spells a time as people do.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'g', -1, 64) + " s"
}
