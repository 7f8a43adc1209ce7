// Package engines puts the engines of one machine together: the native one, which is always there, and the browser, where one
// is installed, and what draws images of the pages that either has printed. Workers use it, and the commands that render without a server.
package engines

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/auto"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/pdfium"
	"github.com/platen-render/platen/internal/render/pictures"
)

// Off is what PLATEN_CHROMIUM says where no browser is wanted, although there is one.
const Off = "off"

var errOff = errors.New("PLATEN_CHROMIUM is off")

// Options of an [Engine]: those of the browser, of which the native engine takes the fonts, the places and the logger.
type Options struct {
	chromium.Options

	// CacheDir keeps what is compiled once, for the next process; see [pdfium.Options].
	CacheDir string
}

// Engine is the engines of this machine as one. End it with [Engine.Close], or by [Engine.Run].
type Engine struct {
	*auto.Engine

	pictures *pictures.Engine
	reader   *pdfium.Reader
	browser  *chromium.Engine
	missing  error
}

// New makes the engines of this machine. A browser that PLATEN_CHROMIUM names is one even if it cannot be found: whoever named
// it wants to hear of that. Without a name, a browser that is not installed is none.
func New(ctx context.Context, o Options) (*Engine, error) {
	native, err := newNative(ctx, o)
	if err != nil {
		return nil, err
	}
	return With(native, o), nil
}

// newNative makes the native engine, with the fonts, the places and the logger of the browser.
func newNative(ctx context.Context, o Options) (render.Engine, error) {
	return native.New(ctx, native.Options{FontDir: o.FontDir, Pool: o.Pool, Logger: o.Logger})
}

// With is [New] with another native engine, or none.
func With(native render.Engine, o Options) *Engine {
	e := &Engine{Engine: &auto.Engine{Native: native, Logger: o.Logger}}
	e.reader = pdfium.New(pdfium.Options{Dir: o.CacheDir, Pool: readers, Logger: o.Logger})
	e.pictures = &pictures.Engine{Printer: e.Engine, Reader: e.reader}
	if o.Path == Off {
		e.missing = errOff
		return e
	}
	if _, missing := chromium.FindProgram(o.Path); missing != nil && o.Path == "" && native != nil {
		e.missing = missing
		return e
	}
	e.browser = chromium.New(o.Options)
	e.Browser = e.browser
	return e
}

// readers is how many documents are read at once. Each may take hundreds of megabytes.
const readers = 2

// Render implements [render.Engine].
func (e *Engine) Render(ctx context.Context, w io.Writer, req render.Request) (render.Report, error) {
	return e.pictures.Render(ctx, w, req)
}

// Text returns the text of each page of a finished PDF.
func (e *Engine) Text(ctx context.Context, pdf []byte) ([]string, error) {
	return e.reader.Text(ctx, pdf)
}

// Selves implements [render.Identified].
func (e *Engine) Selves(ctx context.Context) ([]render.Self, error) {
	selves, err := e.Engine.Selves(ctx)
	return append(selves, render.Self{Engine: "pdfium", Version: pdfium.Version}), err
}

// Run keeps the browser ready until ctx ends, and returns when nothing is left of it and of what reads documents.
func (e *Engine) Run(ctx context.Context) error {
	err := e.Engine.Run(ctx)
	return errors.Join(err, e.reader.Close()) //nolint:contextcheck // ctx has ended
}

// Missing is why there is no browser, or nil.
func (e *Engine) Missing() error { return e.missing }

// LogMissing says at start what a machine without a browser cannot do.
func (e *Engine) LogMissing(ctx context.Context, logger *slog.Logger) {
	if e.missing != nil {
		logger.WarnContext(ctx, "no browser: jobs that need one wait for another worker, and fail in the end", slog.String("reason", e.missing.Error()))
	}
}

// Close ends the browser, if there is one, and what reads documents.
func (e *Engine) Close() error {
	err := e.reader.Close()
	if e.browser != nil {
		err = errors.Join(err, e.browser.Close())
	}
	return err
}

// CheckProgram judges the value of PLATEN_CHROMIUM.
func CheckProgram(path string) error {
	if path == Off {
		return nil
	}
	_, err := chromium.FindProgram(path)
	return err
}
