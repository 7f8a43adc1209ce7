// Package chromium is the engine that prints pages with a real browser: Debian's chromium-headless-shell, or
// another Chromium. One browser process serves all jobs; each job has a browser context of its own, which is
// disposed when the job ends, so that no cookie, no storage and no cache outlives it. A job that asks to be alone
// has a process of its own as well.
//
// What a page may reach is not decided here. Whatever the request does not bring along goes to one guarding
// proxy, WebSockets included; without a proxy nothing is reachable. Files are never.
package chromium

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"github.com/platen-render/platen/internal/render"
)

// Options of an [Engine]. The zero value is a safe engine that reaches nothing.
type Options struct {
	Path      string        // the browser; "" looks for chromium-headless-shell and its relatives
	Pool      int           // renders at the same time; 0 is one per core, which is the knee
	NoSandbox bool          // leaves Chromium's sandbox off, for hosts that forbid user namespaces
	User      *User         // whom the browser runs as; nil is nobody when this process is root, else no change
	FontDir   string        // with the embedded ones, the only fonts that pages can use; "" adds those of the system
	DataDir   string        // where profiles live while a browser does; "" is the system's temporary directory
	ProxyAddr string        // host:port of the guarding HTTP proxy; "" refuses every request
	Settle    time.Duration // how long a page may take to load its resources; 0 is 10 s
	Answer    time.Duration // how long the server of a page on the web may take to answer; 0 is 30 s
	Start     time.Duration // how long the browser may take to start; 0 is 20 s
	MaxHeight int           // of an image, in pixels; 0 is 16,384
	Logger    *slog.Logger  // nil logs nothing
}

// Engine implements [render.Engine]. Its shared browser starts with the first render, or in [Engine.Run], and again
// after it died. Besides, there is one browser for each render under way that is to be alone. Safe for concurrent use.
type Engine struct {
	opts  Options
	slots chan struct{}

	mu       sync.Mutex
	closed   bool
	current  *browser   // the latest shared one; it may have failed or died
	alive    []*browser // and some that are gone
	home     *home      // directory of all browsers of this engine, made with the first
	families []string   // of the fonts, known with the first
	fonts    string     // and their digest
	deadEnd  *deadEnd   // stands in for the proxy that was not given
	running  sync.WaitGroup
}

// New returns an engine. Nothing is started and nothing can fail until it is used; end it with
// [Engine.Close], or by [Engine.Run].
func New(opts Options) *Engine {
	if opts.Pool <= 0 {
		opts.Pool = runtime.GOMAXPROCS(0)
	}
	if opts.Settle <= 0 {
		opts.Settle = 10 * time.Second
	}
	if opts.Answer <= 0 {
		opts.Answer = 30 * time.Second
	}
	if opts.Start <= 0 {
		opts.Start = 20 * time.Second
	}
	if opts.MaxHeight <= 0 {
		opts.MaxHeight = 16384
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	return &Engine{opts: opts, slots: make(chan struct{}, opts.Pool)}
}

// Run warms the engine up, waits until ctx ends and closes the engine. A browser that does not start is no
// error of Run: it is logged, [Engine.Probe] reports it and the next use tries again.
func (e *Engine) Run(ctx context.Context) error {
	if err := e.Probe(ctx); err != nil && ctx.Err() == nil {
		e.opts.Logger.ErrorContext(ctx, "browser did not start", slog.Any("error", err))
	}
	<-ctx.Done()
	return e.Close()
}

// Close kills all browsers and waits until no process and no file of them is left. Renders under way fail with
// [render.ErrEngineLost], later ones with [render.ErrEngineUnavailable]. It may be called more than once.
func (e *Engine) Close() error {
	e.mu.Lock()
	e.closed = true
	for _, b := range e.alive {
		b.stop()
	}
	e.mu.Unlock()
	e.running.Wait()

	e.mu.Lock()
	defer e.mu.Unlock()
	if e.deadEnd != nil {
		e.deadEnd.close()
		e.deadEnd = nil
	}
	if e.home == nil {
		return nil
	}
	h := e.home
	e.home = nil
	return h.remove()
}

// Probe reports whether the shared browser answers, and starts it when there is none. One that does not answer for
// 5 s is killed, so that the next use starts another.
func (e *Engine) Probe(ctx context.Context) error {
	b, err := e.shared() //nolint:contextcheck // a start belongs to the engine, not to who causes it
	if err != nil {
		return err
	}
	if err := b.await(ctx); err != nil {
		return err
	}
	answer, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err = b.version(answer); err == nil {
		return nil
	}
	if ctx.Err() == nil {
		b.end()
	}
	return outcome(ctx, b, render.ErrEngineUnavailable.Because(err))
}

// Render implements [render.Engine]. It waits for a free place in the pool first.
func (e *Engine) Render(ctx context.Context, w io.Writer, req render.Request) (render.Report, error) {
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return render.Report{}, ended(ctx)
	}
	if ctx.Err() != nil {
		return render.Report{}, ended(ctx)
	}
	b, err := e.browserFor(req) //nolint:contextcheck // see Probe
	if err != nil {
		return render.Report{}, err
	}
	if req.Alone {
		defer b.end()
	}
	if err := b.await(ctx); err != nil {
		return render.Report{}, err
	}
	report, err := e.renderIn(ctx, b, w, req)
	if err != nil {
		return render.Report{}, outcome(ctx, b, err)
	}
	return report, nil
}

// outcome names the reason of a failure: the end of ctx, then the death of the browser, then the page.
func outcome(ctx context.Context, b *browser, err error) error {
	if ctx.Err() != nil {
		return ended(ctx)
	}
	select {
	case <-b.conn.gone:
		return render.ErrEngineLost.Because(err)
	default:
		return err
	}
}

// ended is the error of a context that has ended.
func ended(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return render.ErrTimeout.Because(cause)
	}
	return cause
}
