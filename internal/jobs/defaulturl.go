package jobs

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/platen-render/platen/internal/seal"
)

// ErrDefaultURL is in the error of a submission that was refused for its tenant's default URL, which the request does not
// name.
var ErrDefaultURL = errors.New("default callback URL of the tenant")

const (
	// defaultURLFor is how long a default URL is used before it is looked at again.
	defaultURLFor = 3 * time.Second
	// maxDefaultURLs bounds what is remembered.
	maxDefaultURLs = 10_000
)

// defaultURLs remembers the default URLs of tenants for a moment, so that not every submission asks for one.
type defaultURLs struct {
	mu   sync.Mutex
	read map[string]defaultURL
}

type defaultURL struct {
	url string
	at  time.Time
}

func (d *defaultURLs) get(tenant string) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	known, ok := d.read[tenant]
	return known.url, ok && time.Since(known.at) < defaultURLFor
}

func (d *defaultURLs) put(tenant, url string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.read == nil || len(d.read) >= maxDefaultURLs {
		d.read = map[string]defaultURL{}
	}
	d.read[tenant] = defaultURL{url: url, at: time.Now()}
}

// SetDefaultURL sets where jobs of a tenant report that name no URL, "" for nowhere, after the guard has judged it. Other
// processes notice within seconds. [ErrTenantNotFound], [ErrTenantChanged].
func (s *Service) SetDefaultURL(ctx context.Context, tenant, url string) error {
	if _, err := s.Store.Tenant(ctx, tenant); err != nil {
		return err // before anything is looked up for nobody
	}
	fresh := &sealed{}
	if url != "" {
		if err := s.CheckCallback(ctx, url); err != nil {
			return err
		}
		fresh.text = s.Key.Seal(defaultURLRecord(tenant), []byte(url))
	}
	if err := changeTenant(ctx, s.Store, tenant, TenantCallback, func(Tenant) (*sealed, error) { return fresh, nil }); err != nil {
		return err
	}
	s.defaults.put(tenant, url)
	return nil
}

// defaultURL is where a job of a tenant reports that names no URL; "" for nowhere.
func (s *Service) defaultURL(ctx context.Context, tenant string) (string, error) {
	if url, ok := s.defaults.get(tenant); ok {
		return url, nil
	}
	t, err := s.Store.Tenant(ctx, tenant)
	if errors.Is(err, ErrTenantNotFound) {
		return "", nil // a key that was installed before its tenant
	}
	if err != nil {
		return "", err
	}
	url, err := openDefaultURL(s.Key, t)
	if err == nil {
		s.defaults.put(tenant, url)
	}
	return url, err
}

func openDefaultURL(key *seal.Key, t Tenant) (string, error) {
	if len(t.Callback) == 0 {
		return "", nil
	}
	url, err := key.Open(defaultURLRecord(t.Name), t.Callback)
	if err != nil {
		return "", fmt.Errorf("default callback URL of tenant %s: %w", t.Name, err)
	}
	return string(url), nil
}

// defaultURLRecord is what the URL is sealed for.
func defaultURLRecord(tenant string) string { return "tenant:" + tenant + ":callback" }
