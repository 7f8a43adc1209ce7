package dev

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/render/engines"
	"github.com/platen-render/platen/internal/settings"
)

// settle reads the environment, checks it, and settles on an address that is free.
func settle(ctx context.Context, getenv func(string) string) (config.Config, error) {
	c, malformed := config.Load(getenv)
	if getenv("PLATEN_PUBLIC_URL") == "" {
		c.PublicURL = "" // it follows from the address, which may not be known yet
	}
	if c.WorkerAddr = getenv("PLATEN_WORKER_ADDR"); c.WorkerAddr == "" {
		c.WorkerAddr = off // two installations on one machine need no second port each
	}
	err := errors.Join(malformed, checkSettings(c))
	if err != nil {
		return c, err
	}
	if c.WorkerAddr != off {
		if _, err := freeAddr(ctx, "PLATEN_WORKER_ADDR", c.WorkerAddr); err != nil {
			return c, err
		}
	}
	if c.Addr, err = freeAddr(ctx, "PLATEN_ADDR", c.Addr); err != nil {
		return c, err
	}
	c.PublicURL = cmp.Or(c.PublicURL, localURL(c))
	return c, nil
}

// off is the address at which a worker does not listen.
const off = "off"

// freeAddr returns addr, port 0 replaced by a free one: everybody must know the port before the API listens. Of a busy
// port it says which setting names another one.
func freeAddr(ctx context.Context, name, addr string) (string, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return "", fmt.Errorf("cannot listen on %s, set %s to another address: %w", addr, name, err)
	}
	host, port, err := net.SplitHostPort(addr)
	if err == nil && port == "0" || port == "" {
		_, port, err = net.SplitHostPort(ln.Addr().String())
	}
	return net.JoinHostPort(host, port), errors.Join(err, ln.Close())
}

// localURL is where this machine reaches the API, whatever its public name.
func localURL(cfg config.Config) string {
	host, port, err := net.SplitHostPort(cfg.Addr)
	if err != nil {
		return cfg.PublicURL
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// checkSettings finds what API or worker would refuse to start with, all of it, each under its variable's name. Here a
// person reads it; there it would be a line in a log. What they say of Redis does not matter: this one has its own.
func checkSettings(c config.Config) error {
	return settings.Check(c,
		settings.Setting{Name: "PLATEN_CHROMIUM", Value: c.Chromium, Check: engines.CheckProgram},
		settings.Setting{Name: "PLATEN_FONT_DIR", Value: c.FontDir, Check: settings.By(os.ReadDir)},
	)
}
