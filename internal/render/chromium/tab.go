package chromium

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto"
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// disposeLimit is how long the browser may take to throw a context away. It takes 7 ms, even when the page
// hangs; a browser that cannot is broken.
const disposeLimit = 2 * time.Second

// Reasons for which a page ends before its time.
var (
	errCrashed = errors.New("the page crashed")
	errFlood   = errors.New("the page made too many requests")
	errLeft    = errors.New("the page left its place")
	errReloads = errors.New("a frame of the page kept loading")
)

// tab is a browser context with one page in it: all that a job has in the browser.
type tab struct {
	browser *browser
	context cdp.BrowserContextID
	target  target.ID // guarded by browser.mu until the tab is open
	page    peer

	cancel context.CancelCauseFunc // ends all calls to the page

	events  chan func()
	closing chan struct{}
	handler sync.WaitGroup
}

// emptyPage is what a tab shows at first.
const emptyPage = "about:blank"

// size is that of a page in CSS pixels.
type size struct{ width, height int64 }

// open makes a context and an empty page. The caller closes the tab. The context that comes with it is the life
// of the page: it ends with ctx, and with a crash.
func (b *browser) open(ctx context.Context, viewport size) (*tab, context.Context, error) {
	// A context whose number is not known could not be disposed of, so this step outlives ctx.
	whole, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	yes := true
	made, err := ask(whole, b.peer(), target.CreateBrowserContext, target.CreateBrowserContextParams{DisposeOnDetach: &yes})
	if err != nil {
		if whole.Err() != nil {
			b.end()
		}
		return nil, nil, fmt.Errorf("open a context: %w", err)
	}
	t := &tab{browser: b, context: made.BrowserContextID, events: make(chan func(), 256), closing: make(chan struct{})}
	life, end := context.WithCancelCause(ctx)
	t.cancel = end
	b.mu.Lock()
	b.tabs[t.context] = t
	b.mu.Unlock()
	if err := t.openPage(life, viewport); err != nil {
		t.close(ctx)
		return nil, nil, fmt.Errorf("open a page: %w", err)
	}
	return t, life, nil
}

func (t *tab) openPage(ctx context.Context, viewport size) error {
	root := t.browser.peer()
	deny, err := root.send(ctx, cdpbrowser.SetDownloadBehavior.Method, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: t.context,
	})
	if err != nil {
		return err
	}
	page, err := ask(ctx, root, target.CreateTarget, target.CreateTargetParams{
		URL: emptyPage, BrowserContextID: t.context, Width: viewport.width, Height: viewport.height,
	})
	if err != nil {
		return err
	}
	t.browser.mu.Lock()
	t.target = page.TargetID
	t.browser.mu.Unlock()
	flat := true
	attached, err := ask(ctx, root, target.AttachToTarget, target.AttachToTargetParams{TargetID: page.TargetID, Flatten: &flat})
	if err != nil {
		return err
	}
	t.page = peer{conn: root.conn, session: attached.SessionID}
	return deny.wait(ctx, nil)
}

// handle gives the events of the page to f, one after another, until the tab is closed. f must not wait for
// the browser.
func (t *tab) handle(ctx context.Context, f func(context.Context, *cdproto.Message)) {
	t.handler.Go(func() {
		for {
			select {
			case event := <-t.events:
				event()
			case <-t.closing:
				return
			}
		}
	})
	t.page.conn.listen(t.page.session, func(msg *cdproto.Message) {
		select {
		case t.events <- func() { f(ctx, msg) }:
		case <-t.closing:
		}
	})
}

// catchUp returns when all events have been handled that came before the answer which the caller has just
// got. Events wait in line, answers do not: without it, what an answer says may be known before what led to it.
func (t *tab) catchUp(ctx context.Context) error {
	done := make(chan struct{})
	select {
	case t.events <- func() { close(done) }:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-done:
		return ctx.Err() // an event may have been the end of the page
	case <-ctx.Done():
		return ctx.Err()
	}
}

// crash ends all calls to the page.
func (t *tab) crash() { t.cancel(errCrashed) }

// left ends all calls to a page that has become another, or is about to.
func (t *tab) left() { t.cancel(errLeft) }

// reloads ends all calls to a page whose frames never come to rest.
func (t *tab) reloads() { t.cancel(errReloads) }

// flood ends all calls to a page that asks for more than anybody needs.
func (t *tab) flood() { t.cancel(errFlood) }

// close throws the page and all that it stored away. When the browser cannot, it is killed.
func (t *tab) close(ctx context.Context) {
	t.cancel(nil)
	close(t.closing)
	if t.page.conn != nil {
		t.page.conn.listen(t.page.session, nil)
	}
	t.handler.Wait()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), disposeLimit)
	defer cancel()
	_, err := ask(ctx, t.browser.peer(), target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: t.context})
	t.browser.mu.Lock()
	delete(t.browser.tabs, t.context)
	t.browser.mu.Unlock()
	if err != nil {
		t.browser.end()
	}
}
