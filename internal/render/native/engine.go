package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"runtime/debug"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/pdf"
	"github.com/platen-render/platen/internal/render/native/text"
)

// Version changes when the same page may become another document.
const Version = "2"

// Options of an [Engine]. The zero value is an engine with the embedded fonts.
type Options struct {
	FontDir  string       // fonts beside the embedded ones; "" is none
	Pool     int          // renders at the same time; 0 is one per core
	Memory   int64        // that renders have together, in bytes; 0 is half of what the process may have
	MaxPages int          // 0 is 10,000
	Logger   *slog.Logger // nil logs nothing
}

// Engine implements [render.Engine]. It starts no process, reads no file but those of the font directory when it is made, and
// reaches no network. Safe for concurrent use.
type Engine struct {
	opts    Options
	library *fonts.Library
	sheets  cascade.Stock
	stock   *text.Stock
	press   pdf.Press
	slots   chan struct{}
	room    *room
}

// New makes an engine. It fails when the font directory cannot be read; files in it that are no usable fonts are logged.
func New(ctx context.Context, opts Options) (*Engine, error) {
	if opts.Pool <= 0 {
		opts.Pool = runtime.GOMAXPROCS(0)
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	library, err := fonts.New(ctx, opts.FontDir)
	if err != nil {
		return nil, fmt.Errorf("fonts: %w", err)
	}
	for _, s := range library.Skipped() {
		opts.Logger.WarnContext(ctx, "font not used", slog.String("path", s.Path), slog.Any("error", s.Err))
	}
	return &Engine{opts: opts, library: library, stock: text.NewStock(library), slots: make(chan struct{}, opts.Pool), room: newRoom(opts.Memory)}, nil
}

// Probe implements [render.Engine]: there is nothing that could be away.
func (e *Engine) Probe(context.Context) error { return nil }

// Inspect decides whether this engine takes a page that is free to choose, as [Engine.Render] does for [render.Auto]: with nothing else to
// list, the page is laid out to find characters that no font has. It fails with what would fail the render as well: a page that is
// larger than this server allows, or the cause of ctx.
func (e *Engine) Inspect(ctx context.Context, req render.Request) (decision Decision, err error) {
	defer e.recovered(ctx, &err)
	p, err := e.prepare(ctx, req)
	if err != nil {
		return Decision{}, err
	}
	if !p.decision.Inside || req.Engine == render.Native {
		return p.decision, nil
	}
	p.stock = e.stock
	l, err := p.lay(ctx, e.opts.MaxPages)
	if err != nil {
		return Decision{}, ended(ctx, err)
	}
	return withoutFont(l.missing), nil
}

// Render implements [render.Engine]. It waits for a free place, and for room in memory, first. For a page that is outside of the subset it fails
// with a [render.OutsideError] before it has written anything.
func (e *Engine) Render(ctx context.Context, w io.Writer, req render.Request) (report render.Report, err error) {
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return render.Report{}, ended(ctx, context.Cause(ctx))
	}
	defer e.recovered(ctx, &err)
	leave, err := e.room.enter(ctx, req)
	if err != nil {
		return render.Report{}, ended(ctx, err)
	}
	defer leave()
	report, err = e.render(ctx, w, req)
	if err != nil {
		return render.Report{}, ended(ctx, err)
	}
	return report, nil
}

func (e *Engine) render(ctx context.Context, w io.Writer, req render.Request) (render.Report, error) {
	p, err := e.prepare(ctx, req)
	if err != nil {
		return render.Report{}, err
	}
	if err := p.decision.Err(); err != nil {
		return render.Report{}, err
	}
	p.stock, p.press = e.stock, &e.press
	report, err := p.draw(ctx, w, e.opts.MaxPages)
	report.Fonts = e.library.Digest()
	return report, err
}

// recovered makes an error of a panic: a page that finds a fault in this engine, or in a library that reads its fonts, ends its own job and
// not those beside it.
func (e *Engine) recovered(ctx context.Context, err *error) {
	if cause := recover(); cause != nil {
		e.opts.Logger.ErrorContext(ctx, "the native engine panicked", slog.Any("panic", cause), slog.String("stack", string(debug.Stack())))
		*err = render.ErrPageFailed.Because(fmt.Errorf("%w: panic: %v", render.ErrDefect, cause))
	}
}

// ended names the reason of a failure: the end of ctx before the page.
func ended(ctx context.Context, err error) error {
	switch {
	case ctx.Err() == nil:
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return render.ErrTimeout.Because(context.Cause(ctx))
	}
	return context.Cause(ctx)
}
