package app

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"

	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/internal/urlguard"
	"github.com/platen-render/platen/webhook"
)

// CheckSettings finds what API or worker would refuse to start with, all of it at once, each under its variable's name. A
// setting that is empty is not set.
func CheckSettings(c config.Config) error {
	checks := []struct {
		name, value string
		check       func(value string) error
	}{
		{"PLATEN_PUBLIC_URL", c.PublicURL, checkURL},
		{"PLATEN_REDIS_URL", c.RedisURL, refuses(parseRedisURL)},
		{"PLATEN_REDIS_CA_FILE", c.RedisCAFile, checkCertificates},
		{"PLATEN_SECRET_KEY", c.SecretKey, refuses(seal.ParseKey)},
		{"PLATEN_CALLBACK_SECRET", c.CallbackSecret, refuses(webhook.ParseSecret)},
		{"PLATEN_DEV_KEY", c.DevKey, refuses(jobs.ParseKeyText)},
		{"PLATEN_EGRESS_ALLOW_CALLBACKS", c.AllowCallbacks, refuses(urlguard.ParseRules)},
		{"PLATEN_EGRESS_ALLOW_PAGES", c.AllowPages, refuses(urlguard.ParseRules)},
		{"PLATEN_CALLBACK_CA_FILE", c.CallbackCAFile, checkCertificates},
		{"PLATEN_CALLBACK_SCHEDULE", c.CallbackSchedule, refuses(callbacks.ParseSchedule)},
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
