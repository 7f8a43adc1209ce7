// Package rendertest is for tests of and around engines: the contract of [render.Engine] as a suite
// ([TestEngine]), looks into PDFs, and [Engine], a quick engine whose failures can be ordered. No product
// binary links it.
package rendertest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
)

// Engine renders at once a small, valid PDF that shows the text of the page (or, for PNG and JPEG, a one-pixel image).
// A page tells it to misbehave with comments, which are obeyed in the order in which they stand:
//
//	<!-- rendertest:sleep=5s -->           waits first, for as long as the context allows
//	<!-- rendertest:pages=3 -->            makes that many pages
//	<!-- rendertest:warn=code -->          adds a warning
//	<!-- rendertest:online -->             has asked the network for something
//	<!-- rendertest:fail=code -->          fails with an Invalid fault of that code
//	<!-- rendertest:fail_retryable=code -->  fails with an Unavailable fault of that code
//	<!-- rendertest:panic -->              panics
//	<!-- rendertest:engine_lost -->        fails with [render.ErrEngineLost]
//	<!-- rendertest:alone -->              fails with [render.ErrEngineLost] unless it is rendered alone
//	<!-- rendertest:unavailable -->        fails with [render.ErrEngineUnavailable]
//	<!-- rendertest:outside=columns -->    is outside of the subset of an engine that has one, for that reason
//
// A failure that is followed by a number, as in "engine_lost*2", happens that many times per page and
// engine, and then no more. The zero Engine is ready. Safe for concurrent use.
type Engine struct {
	// Name is what reports call it; "" is "rendertest".
	Name string
	// Subset makes it an engine that does not draw every page: "outside" and what follows is then an error.
	Subset bool
	// Version and Fonts are what reports and [Engine.Selves] say; "" is "1", and no fonts.
	Version, Fonts string

	mu       sync.Mutex
	down     error
	renders  int
	failures map[string]int // by page and order
}

// SetDown makes Probe and Render fail with [render.ErrEngineUnavailable] because of err, or work again when
// err is nil.
func (e *Engine) SetDown(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.down = err
}

// Run waits until ctx ends: there is nothing to keep ready.
func (e *Engine) Run(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// Renders returns how often Render was called.
func (e *Engine) Renders() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.renders
}

// Probe implements [render.Engine].
func (e *Engine) Probe(ctx context.Context) error {
	if ctx.Err() != nil {
		return ended(ctx)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.down != nil {
		return render.ErrEngineUnavailable.Because(e.down)
	}
	return nil
}

// Render implements [render.Engine].
func (e *Engine) Render(ctx context.Context, w io.Writer, req render.Request) (render.Report, error) {
	e.mu.Lock()
	e.renders++
	e.mu.Unlock()
	if err := e.Probe(ctx); err != nil {
		return render.Report{}, err
	}
	plan := plan{pages: 1}
	for _, o := range orders(req.HTML) {
		if err := e.obey(ctx, req, o, &plan); err != nil {
			return render.Report{}, err
		}
	}
	if plan.pages = chosen(req.Output, plan.pages); plan.pages == 0 {
		return render.Report{}, render.ErrPageRange
	}
	document, err := draw(req, plan.pages)
	if err != nil {
		return render.Report{}, err
	}
	if req.MaxBytes > 0 && int64(len(document)) > req.MaxBytes {
		return render.Report{}, render.ErrDocumentTooLarge
	}
	if req.Progress != nil {
		req.Progress(100)
	}
	if _, err := io.Copy(w, bytes.NewReader(document)); err != nil {
		return render.Report{}, fmt.Errorf("write the document: %w", err)
	}
	return render.Report{
		Engine: e.self().Engine, Version: e.self().Version, Fonts: e.Fonts, Pages: plan.pages,
		ContentType: req.Output.Format.ContentType(), Warnings: plan.warnings, Online: plan.online,
	}, nil
}

// Selves implements [render.Identified].
func (e *Engine) Selves(context.Context) ([]render.Self, error) { return []render.Self{e.self()}, nil }

func (e *Engine) self() render.Self {
	return render.Self{Engine: cmp.Or(e.Name, "rendertest"), Version: cmp.Or(e.Version, "1"), Fonts: e.Fonts}
}

// chosen is how many of so many pages a document has.
func chosen(o render.Output, pages int) (count int) {
	for page := range pages {
		if o.Format.IsImage() || o.Chosen(page+1) {
			count++
		}
	}
	return count
}

// plan is what the orders of a page add up to.
type plan struct {
	pages    int
	warnings []render.Warning
	online   bool
}

// obey carries out one order, and returns the error that it asks for.
func (e *Engine) obey(ctx context.Context, req render.Request, o order, p *plan) error {
	switch o.verb {
	case "sleep":
		return sleep(ctx, o.value)
	case "pages":
		if _, err := fmt.Sscan(o.value, &p.pages); err != nil || p.pages < 1 || req.Output.Format.IsImage() {
			p.pages = 1
		}
	case "warn":
		p.warnings = append(p.warnings, render.Warning{Code: o.value, Detail: "ordered by the page"})
	case "online":
		p.online = true
	case "outside":
		if e.Subset {
			return &render.OutsideError{Reason: "`" + o.value + "`", Detail: "The engine does not draw `" + o.value + "`."}
		}
	case "alone":
		if !req.Alone {
			return render.ErrEngineLost.Because(errOrdered)
		}
	case "fail", "fail_retryable", "panic", "engine_lost", "unavailable":
		if e.due(req.HTML, o) {
			return fail(o)
		}
	default:
		return fault.New(fault.Invalid, "rendertest_order_unknown", "rendertest knows no order %q", o.verb)
	}
	return nil
}

// due reports whether a failure still has to happen.
func (e *Engine) due(page string, o order) bool {
	if o.times == 0 {
		return true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failures == nil {
		e.failures = map[string]int{}
	}
	key := o.String() + "\x00" + page
	e.failures[key]++
	return e.failures[key] <= o.times
}

var errOrdered = errors.New("the page ordered it")

func fail(o order) error {
	switch o.verb {
	case "fail":
		return fault.New(fault.Invalid, o.value, "The page asked to fail.")
	case "fail_retryable":
		return fault.New(fault.Unavailable, o.value, "The page asked to fail for a while.")
	case "engine_lost":
		return render.ErrEngineLost.Because(errOrdered)
	case "unavailable":
		return render.ErrEngineUnavailable.Because(errOrdered)
	default:
		panic("rendertest: " + errOrdered.Error())
	}
}

func sleep(ctx context.Context, value string) error {
	d, err := time.ParseDuration(value)
	if err != nil {
		return fault.New(fault.Invalid, "rendertest_order_unknown", "rendertest cannot sleep for %q", value)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ended(ctx)
	}
}

// ended is the error of the port for a context that has ended.
func ended(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return render.ErrTimeout.Because(cause)
	}
	return cause
}
