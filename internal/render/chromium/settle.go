package chromium

import (
	"context"
	_ "embed"
	"errors"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// settleScript waits inside the page for its resources.
//
//go:embed settle.js
var settleScript string

// broken is what the script found that no request had failed for.
type broken struct {
	Images []string `json:"images"`
	Fonts  []string `json:"fonts"`
}

// settle waits until the page is complete: loaded, its fonts ready, its images decoded and no request on its
// way, or until the limit. What is missing then is a warning, not an error.
func (j *job) settle(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, j.engine.opts.Settle)
	defer cancel()
	err := j.awaitQuiet(limited)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil || !errors.Is(limited.Err(), context.DeadlineExceeded) {
		return err
	}
	j.log.unfinished()
	_, err = ask(ctx, j.tab.page, page.StopLoading, cdp.Empty{})
	return err
}

// awaitQuiet waits until the page has loaded, and then again while what arrived made it ask for more.
func (j *job) awaitQuiet(ctx context.Context) error {
	if err := j.awaitLoad(ctx); err != nil {
		return err
	}
	for {
		_, before := j.log.state()
		if err := j.awaitContent(ctx); err != nil {
			return err
		}
		if err := j.awaitRequests(ctx); err != nil {
			return err
		}
		if _, after := j.log.state(); after == before {
			return nil
		}
	}
}

func (j *job) awaitLoad(ctx context.Context) error {
	select {
	case <-j.frames.loaded:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-j.tab.page.conn.gone:
		return errGone
	}
}

func (j *job) awaitRequests(ctx context.Context) error {
	tick := time.NewTicker(unread / 3)
	defer tick.Stop()
	for {
		if open, _ := j.log.state(); open == 0 {
			return nil
		}
		select {
		case <-j.log.changed:
		case <-tick.C: // what nobody reads has no end
		case <-ctx.Done():
			return ctx.Err()
		case <-j.tab.page.conn.gone:
			return errGone
		}
	}
}

// awaitContent runs the script in a world of its own, where the page cannot have replaced what it calls. The
// page may take that world away by opening another document in its place; that is tried again.
func (j *job) awaitContent(ctx context.Context) error {
	var err error
	for range 3 {
		var found broken
		if found, err = j.runSettleScript(ctx); err == nil {
			if err = j.tab.catchUp(ctx); err == nil {
				j.noteBroken(found)
			}
			return err
		}
		if ctx.Err() != nil || errors.Is(err, errGone) {
			return err
		}
	}
	return err
}

func (j *job) runSettleScript(ctx context.Context) (broken, error) {
	var found broken
	if err := j.enterWorld(ctx); err != nil {
		return found, err
	}
	return found, j.evaluate(ctx, settleScript, &found)
}

func (j *job) noteBroken(found broken) {
	for _, address := range found.Images {
		j.log.fail(j.site.name(address), "is not an image that can be shown")
	}
	for _, family := range found.Fonts {
		j.log.failFont(family)
	}
}
