package dev

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"

	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/internal/urlguard"
	"github.com/platen-render/platen/webhook"
)

// settings reads the environment, checks it, and settles on an address that is free.
func settings(ctx context.Context, getenv func(string) string) (config.Config, error) {
	c, err := config.Load(getenv)
	if err != nil {
		return c, err
	}
	if getenv("PLATEN_PUBLIC_URL") == "" {
		c.PublicURL = "" // it follows from the address, which may not be known yet
	}
	if c.WorkerAddr = getenv("PLATEN_WORKER_ADDR"); c.WorkerAddr == "" {
		c.WorkerAddr = off // two installations on one machine need no second port each
	}
	if err := checkSettings(c); err != nil {
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
// person reads it; there it would be a line in a log. Their own check is not called, since it would link all that they
// link; a test holds this one to it.
func checkSettings(c config.Config) error {
	checks := []struct {
		name, value string // an empty value is not set
		check       func(value string) error
	}{
		{"PLATEN_PUBLIC_URL", c.PublicURL, checkURL},
		{"PLATEN_SECRET_KEY", c.SecretKey, refuses(seal.ParseKey)},
		{"PLATEN_CALLBACK_SECRET", c.CallbackSecret, refuses(webhook.ParseSecret)},
		{"PLATEN_DEV_KEY", c.DevKey, refuses(jobs.ParseKeyText)},
		{"PLATEN_EGRESS_ALLOW_CALLBACKS", c.AllowCallbacks, refuses(urlguard.ParseRules)},
		{"PLATEN_EGRESS_ALLOW_PAGES", c.AllowPages, refuses(urlguard.ParseRules)},
		{"PLATEN_CALLBACK_CA_FILE", c.CallbackCAFile, checkCertificates},
		{"PLATEN_CALLBACK_SCHEDULE", c.CallbackSchedule, refuses(callbacks.ParseSchedule)},
		{"PLATEN_CHROMIUM", c.Chromium, refuses(chromium.FindProgram)},
		{"PLATEN_FONT_DIR", c.FontDir, refuses(os.ReadDir)},
	}
	var errs []error
	for _, one := range checks {
		if one.value == "" {
			continue
		}
		if err := one.check(one.value); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", one.name, err))
		}
	}
	if c.Chromium == "" {
		_, err := chromium.FindProgram("")
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// refuses makes a check of what reads a value.
func refuses[T any](read func(string) (T, error)) func(string) error {
	return func(value string) error {
		_, err := read(value)
		return err
	}
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("want an address such as https://platen.example.com")
	}
	return nil
}

func checkCertificates(path string) error {
	pem, err := os.ReadFile(path) //nolint:gosec // the operator's own file
	if err != nil {
		return err
	}
	if !x509.NewCertPool().AppendCertsFromPEM(pem) {
		return errors.New("no PEM certificate in it")
	}
	return nil
}
