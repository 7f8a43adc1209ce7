// Package settings judges the values of the settings by asking the parts that use them. It is apart from config, which
// reads the environment and knows no part.
package settings

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/internal/urlguard"
	"github.com/platen-render/platen/webhook"
)

// Setting is a value under its variable's name, and who judges it. An empty value is not set and not judged.
type Setting struct {
	Name, Value string
	Check       func(value string) error
}

// Check finds what API or worker would refuse to start with, beside what more says: all of it at once, each under its
// variable's name.
func Check(c config.Config, more ...Setting) error {
	var errs []error
	for _, s := range append([]Setting{
		{"PLATEN_PUBLIC_URL", c.PublicURL, checkURL},
		{"PLATEN_SECRET_KEY", c.SecretKey, By(seal.ParseKey)},
		{"PLATEN_SECRET_KEY_OLD", c.SecretKeyOld, By(seal.ParseKeys)},
		{"PLATEN_CALLBACK_SECRET", c.CallbackSecret, By(CallbackSecrets)},
		{"PLATEN_DEV_KEY", c.DevKey, By(jobs.ParseKeyText)},
		{"PLATEN_EGRESS_ALLOW_CALLBACKS", c.AllowCallbacks, By(urlguard.ParseRules)},
		{"PLATEN_EGRESS_ALLOW_PAGES", c.AllowPages, By(urlguard.ParseRules)},
		{"PLATEN_CALLBACK_CA_FILE", c.CallbackCAFile, Certificates},
		{"PLATEN_CALLBACK_SCHEDULE", c.CallbackSchedule, By(callbacks.ParseSchedule)},
	}, more...) {
		if s.Value == "" {
			continue
		}
		if err := s.Check(s.Value); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.Name, err))
		}
	}
	return errors.Join(errs...)
}

// CallbackSecrets reads secrets with commas between them, the current one first, of which there are at most as many as a
// tenant may have.
func CallbackSecrets(list string) ([]webhook.Secret, error) {
	var secrets []webhook.Secret
	for text := range strings.SplitSeq(list, ",") {
		secret, err := webhook.ParseSecret(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, secret)
	}
	if len(secrets) > jobs.MaxSecrets {
		return nil, fmt.Errorf("want at most %d secrets, not %d", jobs.MaxSecrets, len(secrets))
	}
	return secrets, nil
}

// MasterKey reads the current master key and a list of those before it, "" for none.
func MasterKey(current, old string) (*seal.Key, error) {
	key, err := seal.ParseKey(current)
	if err != nil {
		return nil, fmt.Errorf("PLATEN_SECRET_KEY: %w", err)
	}
	if old == "" {
		return key, nil
	}
	before, err := seal.ParseKeys(old)
	if err != nil {
		return nil, fmt.Errorf("PLATEN_SECRET_KEY_OLD: %w", err)
	}
	return key.Before(before), nil
}

// By makes a check of what reads a value.
func By[T any](read func(string) (T, error)) func(string) error {
	return func(value string) error {
		_, err := read(value)
		return err
	}
}

// Certificates checks that a file holds at least one PEM certificate.
func Certificates(path string) error {
	pem, err := os.ReadFile(path) //nolint:gosec // the operator's own file
	if err != nil {
		return err
	}
	if !x509.NewCertPool().AppendCertsFromPEM(pem) {
		return errors.New("no PEM certificate in it")
	}
	return nil
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("want an address such as https://platen.example.com")
	}
	return nil
}
