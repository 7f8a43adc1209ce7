// Package auto is the engine that is several: it gives each page to the native engine or to the browser, as its job asks or
// as is right for it.
package auto

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
)

// Browser is an engine with a process of its own.
type Browser interface {
	render.Engine
	// Run keeps it ready until ctx ends, and returns when nothing of it is left.
	Run(ctx context.Context) error
}

// Engine implements [render.Engine] by the engines that it has. With one of them only, that one renders whatever is left to
// choose. Safe for concurrent use as they are.
type Engine struct {
	// Native draws some pages, and says of the others with a [render.OutsideError] that it does not; nil is none.
	Native render.Engine
	// Browser draws all of them; nil is none on this machine.
	Browser Browser
	Logger  *slog.Logger // nil logs nothing
}

// Run keeps the browser ready until ctx ends.
func (e *Engine) Run(ctx context.Context) error {
	if e.Browser != nil {
		return e.Browser.Run(ctx)
	}
	<-ctx.Done()
	return nil
}

// Probe reports whether all engines that are there could render now. A browser that is none of this machine's is not missed:
// a worker without one has its own work.
func (e *Engine) Probe(ctx context.Context) error {
	if e.Native == nil && e.Browser == nil {
		return errNoEngine
	}
	if e.Native != nil {
		if err := e.Native.Probe(ctx); err != nil {
			return fmt.Errorf("native engine: %w", err)
		}
	}
	if e.Browser != nil {
		return e.Browser.Probe(ctx)
	}
	return nil
}

// Selves implements [render.Identified].
func (e *Engine) Selves(ctx context.Context) ([]render.Self, error) {
	var all []render.Self
	for _, engine := range []render.Engine{e.Native, e.Browser} {
		if engine == nil {
			continue
		}
		identified, ok := engine.(render.Identified)
		if !ok {
			return nil, fmt.Errorf("%T does not say what it is", engine)
		}
		selves, err := identified.Selves(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, selves...)
	}
	return all, nil
}

// Why an engine that was asked for is not to be had. Another worker may have it, so that the job is tried again.
var (
	errNoEngine = render.ErrEngineUnavailable.With("This worker has no rendering engine.")
	errNoNative = render.ErrEngineUnavailable.With("The worker has no native engine.").Because(render.ErrNotHere)
)

// errNoBrowser says what a browser is needed for.
func errNoBrowser(reason string) error {
	err := render.ErrEngineUnavailable.With("The job needs a browser, and the worker has none: install one there, or ask for the native engine.")
	if reason != "" {
		err = render.ErrEngineUnavailable.With("The page needs a browser, and the worker has none: the native engine does not draw %s.", reason)
	}
	return err.Because(render.ErrNotHere)
}

// Render implements [render.Engine]. The report of an attempt that failed names its engine as well.
func (e *Engine) Render(ctx context.Context, w io.Writer, req render.Request) (render.Report, error) {
	switch req.Engine {
	case render.Chromium:
		return e.browse(ctx, w, req, "")
	case render.Native:
		if e.Native == nil {
			return render.Report{}, errNoNative
		}
		if reason := beyond(req); reason != "" {
			return named(render.Native)(render.Report{}, &render.OutsideError{Reason: reason, Detail: "The native engine does not do " + reason + "."})
		}
		return told(e.Native.Render(ctx, w, req))
	case render.Auto, "":
		return e.choose(ctx, w, req)
	}
	return render.Report{}, fault.New(fault.Invalid, "field_invalid", "There is no engine %q.", req.Engine)
}

// choose lets the native engine try. It decides before it writes anything, so the browser can take over. A page that may be what ended an
// earlier attempt is for the browser at once: that can be killed, and has a process of its own to die in.
func (e *Engine) choose(ctx context.Context, w io.Writer, req render.Request) (render.Report, error) {
	switch {
	case e.Native == nil:
		return e.browse(ctx, w, req, "")
	case beyond(req) != "":
		return e.browse(ctx, w, req, beyond(req))
	case req.Alone && e.Browser != nil:
		return e.browse(ctx, w, req, "an earlier attempt did not come to its end")
	}
	// What only a browser may have, the fonts of the machine, is missed only where there is one.
	if req.Engine = render.Auto; e.Browser == nil {
		req.Engine = render.Native
	}
	begun := &watched{Writer: w}
	report, err := e.try(ctx, begun, req)
	var outside *render.OutsideError
	switch {
	case begun.written || ctx.Err() != nil:
	case errors.As(err, &outside):
		return e.browse(ctx, w, req, outside.Reason)
	case broken(err) && e.Browser != nil:
		e.log(ctx, err)
		return e.browse(ctx, w, req, "the native engine failed")
	case bounded(err) && e.Browser != nil:
		return e.browse(ctx, w, req, "a limit of the native engine, `"+fault.From(err).Code+"`")
	}
	return told(report, err)
}

// beyond is what a request asks for, apart from its page, that only a browser does; "" is nothing.
func beyond(req render.Request) string {
	switch {
	case req.URL != "":
		return "a page on the web"
	case !req.Wait.IsZero():
		return "`wait_for`"
	}
	return ""
}

// bounded reports whether an error is that the page is too much for the engine, or brings along what it cannot read. The browser has
// other bounds, in a process of its own. How large a document may be, and which of its pages were asked for, is not the engine's to say.
func bounded(err error) bool {
	if err == nil || fault.From(err).Kind != fault.Invalid {
		return false
	}
	said := func(known error) bool { return errors.Is(err, known) }
	return !slices.ContainsFunc([]error{render.ErrDocumentTooLarge, render.ErrPageRange, render.ErrOutsideSubset, render.ErrPageFailed}, said)
}

// told completes what the native engine reports. Its many limits are one error to clients, with a detail of its own each.
func told(report render.Report, err error) (render.Report, error) {
	if bounded(err) {
		err = render.ErrPageTooComplex.With("%s", fault.From(err).Message).Because(err)
	}
	return named(render.Native)(report, err)
}

// broken reports whether an error is the engine's own rather than about the page.
func broken(err error) bool {
	return err != nil && (errors.Is(err, render.ErrDefect) || fault.From(err).Kind == fault.Internal)
}

// try renders natively and makes an error of a panic.
func (e *Engine) try(ctx context.Context, w io.Writer, req render.Request) (report render.Report, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = render.ErrPageFailed.Because(fmt.Errorf("%w: panic: %v\n%s", render.ErrDefect, p, debug.Stack()))
		}
	}()
	return e.Native.Render(ctx, w, req)
}

func (e *Engine) browse(ctx context.Context, w io.Writer, req render.Request, reason string) (render.Report, error) {
	if e.Browser == nil {
		return render.Report{}, errNoBrowser(reason)
	}
	report, err := named(render.Chromium)(e.Browser.Render(ctx, w, req))
	report.Reason = reason
	return report, err
}

func (e *Engine) log(ctx context.Context, err error) {
	if e.Logger != nil {
		e.Logger.ErrorContext(ctx, "native engine failed, the browser renders", slog.String("error", err.Error()))
	}
}

// named completes a report with the name of its engine, which those that failed leave out.
func named(engine string) func(render.Report, error) (render.Report, error) {
	return func(r render.Report, err error) (render.Report, error) {
		r.Engine = cmp.Or(r.Engine, engine)
		return r, err
	}
}

// watched notes whether anything was written.
type watched struct {
	io.Writer

	written bool
}

func (w *watched) Write(p []byte) (int, error) {
	w.written = w.written || len(p) > 0
	return w.Writer.Write(p)
}
