// Package engines puts the engines of one machine together: the native one, which is always there, and the browser, where one
// is installed. Workers use it, and the commands that render without a server.
package engines

import (
	"context"
	"errors"
	"log/slog"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/auto"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/native"
)

// Off is what PLATEN_CHROMIUM says where no browser is wanted, although there is one.
const Off = "off"

var errOff = errors.New("PLATEN_CHROMIUM is off")

// Engine is the engines of this machine as one. End it with [Engine.Close], or by Run.
type Engine struct {
	*auto.Engine

	browser *chromium.Engine
	missing error
}

// New makes the engines of this machine. A browser that PLATEN_CHROMIUM names is one even if it cannot be found: whoever named
// it wants to hear of that. Without a name, a browser that is not installed is none.
func New(ctx context.Context, o chromium.Options) (*Engine, error) {
	native, err := newNative(ctx, o)
	if err != nil {
		return nil, err
	}
	return With(native, o), nil
}

// newNative makes the native engine, with the fonts, the places and the logger of the browser.
func newNative(ctx context.Context, o chromium.Options) (render.Engine, error) {
	return native.New(ctx, native.Options{FontDir: o.FontDir, Pool: o.Pool, Logger: o.Logger})
}

// With is [New] with another native engine, or none.
func With(native render.Engine, o chromium.Options) *Engine {
	e := &Engine{Engine: &auto.Engine{Native: native, Logger: o.Logger}}
	if o.Path == Off {
		e.missing = errOff
		return e
	}
	if _, missing := chromium.FindProgram(o.Path); missing != nil && o.Path == "" && native != nil {
		e.missing = missing
		return e
	}
	e.browser = chromium.New(o)
	e.Browser = e.browser
	return e
}

// Missing is why there is no browser, or nil.
func (e *Engine) Missing() error { return e.missing }

// LogMissing says at start what a machine without a browser cannot do.
func (e *Engine) LogMissing(ctx context.Context, logger *slog.Logger) {
	if e.missing != nil {
		logger.WarnContext(ctx, "no browser: jobs that need one wait for another worker, and fail in the end", slog.String("reason", e.missing.Error()))
	}
}

// Close ends the browser, if there is one.
func (e *Engine) Close() error {
	if e.browser == nil {
		return nil
	}
	return e.browser.Close()
}

// CheckProgram judges the value of PLATEN_CHROMIUM.
func CheckProgram(path string) error {
	if path == Off {
		return nil
	}
	_, err := chromium.FindProgram(path)
	return err
}
