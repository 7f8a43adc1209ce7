package chromium

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"

	"github.com/platen-render/platen/internal/render"
)

// browserFor returns the browser in which a request is rendered; it may still be starting. One for a request that is
// alone is the caller's, who ends it. A place in the pool is held meanwhile, so there are never more of them than places.
func (e *Engine) browserFor(req render.Request) (*browser, error) {
	if !req.Alone {
		return e.shared()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.start(nil, e.opts.Logger.With(slog.Bool("alone", true)))
}

// shared returns the browser of all jobs that are not alone, or starts it. The start belongs to the engine: it goes on
// when the job that caused it ends, for those who come after.
func (e *Engine) shared() (*browser, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.current != nil && e.current.usable() {
		return e.current, nil
	}
	b, err := e.start(e.current, e.opts.Logger)
	if err != nil {
		return nil, err
	}
	e.current = b
	return b, nil
}

// start starts a browser as soon as nothing is left of the one before it. Called with mu held.
func (e *Engine) start(before *browser, logger *slog.Logger) (*browser, error) {
	if e.closed {
		return nil, render.ErrEngineUnavailable.Because(errors.New("the engine is closed"))
	}
	cmd, err := e.command()
	if err != nil {
		return nil, render.ErrEngineUnavailable.Because(err)
	}
	b := newBrowser(cmd, before, logger)
	e.alive = append(slices.DeleteFunc(e.alive, (*browser).isGone), b)
	e.running.Go(b.run)
	return b, nil
}

// command prepares a start: the program, the proxy, the fonts and a home directory. Called with mu held.
func (e *Engine) command() (command, error) {
	path, err := FindProgram(e.opts.Path)
	if err != nil {
		return command{}, err
	}
	if e.opts.NoSandbox {
		e.opts.Logger.Warn("the browser runs without its sandbox: a page that breaks out of its renderer has the rights of this service")
	}
	user := runAs(e.opts.User)
	if err := e.makeHome(user); err != nil {
		return command{}, err
	}
	proxy, err := e.proxy()
	if err != nil {
		return command{}, err
	}
	host, _, err := net.SplitHostPort(proxy)
	if err != nil {
		return command{}, fmt.Errorf("proxy address: %w", err)
	}
	fonts, err := e.fontsConf(user)
	if err != nil {
		return command{}, err
	}
	return command{
		path: path, user: user, home: e.home.own, env: environment(e.home.own, fonts), limit: e.opts.Start,
		args: func(profile string) []string { return arguments(e.opts, profile, proxy, host) },
	}, nil
}

func (e *Engine) proxy() (string, error) {
	if e.opts.ProxyAddr != "" {
		return e.opts.ProxyAddr, nil
	}
	if e.deadEnd == nil {
		end, err := newDeadEnd()
		if err != nil {
			return "", err
		}
		e.deadEnd = end
	}
	return e.deadEnd.addr.String(), nil
}

func (e *Engine) makeHome(user *User) error {
	if e.home != nil && e.home.there() {
		return nil
	}
	if e.home != nil {
		if err := e.home.remove(); err != nil {
			return fmt.Errorf("remove what is left of a home: %w", err)
		}
		e.home = nil
	}
	h, err := newHome(e.opts.DataDir, user, e.opts.Logger)
	if err != nil {
		return err
	}
	e.home = h
	return nil
}
