package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// ErrTenantChanged says that others changed the tenant each time that this change was about to be made.
var ErrTenantChanged = fault.New(fault.Conflict, "tenant_changed", "The tenant was changed at the same time. Repeat the request.").ForNow()

// TenantState is what may be told of a tenant.
type TenantState struct {
	Name             string
	CallbackHost     string // of the default URL; "" without one
	SecretConfigured bool   // the settings name the secrets
	Secrets          []SecretState
	Limits           map[Limit]int64 // that are in force
	Usage            Usage
}

// SecretState is when a secret signs.
type SecretState struct{ Since, Until time.Time }

// TenantState returns a tenant, or [ErrTenantNotFound].
func (s *Service) TenantState(ctx context.Context, name string) (TenantState, error) {
	t, err := s.Store.Tenant(ctx, name)
	if err != nil {
		return TenantState{}, err
	}
	state := TenantState{Name: name, SecretConfigured: s.secretConfigured(name), Limits: inForce(t.Limits), Usage: t.Usage}
	// What cannot be read is no reason to show nothing: an operator looks here when keys are in disorder.
	secrets, secretsErr := OpenSecrets(s.Key, name, t.Secrets)
	url, urlErr := openDefaultURL(s.Key, t)
	if err := errors.Join(secretsErr, urlErr); err != nil {
		s.Logger.ErrorContext(ctx, "tenant cannot be read", slog.String("tenant", name), slog.String("error", err.Error()))
	}
	state.CallbackHost = hostOf(url)
	for _, secret := range signing(secrets, t.Now) {
		state.Secrets = append(state.Secrets, SecretState{Since: secret.Since, Until: secret.Until})
	}
	return state, nil
}

// TenantStates returns a page of all tenants, by name. The cursor is the last name of the page before.
func (s *Service) TenantStates(ctx context.Context, cursor string, limit int) (states []TenantState, next string, err error) {
	names, err := s.Store.Tenants(ctx)
	if err != nil {
		return nil, "", err
	}
	slices.Sort(names) // the store's order is by partition first
	if i, found := slices.BinarySearch(names, cursor); found {
		names = names[i+1:]
	} else {
		names = names[i:]
	}
	if len(names) > limit {
		names = names[:limit]
		next = names[limit-1]
	}
	for _, name := range names {
		state, err := s.TenantState(ctx, name)
		if errors.Is(err, ErrTenantNotFound) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		states = append(states, state)
	}
	return states, next, nil
}

// swaps is how often a change is tried when others change the same tenant.
const swaps = 10

// changeTenant replaces a sealed part of a tenant by what change makes of it, however many do so at once: each sees what
// the one before has left. Nil from change leaves it as it is.
func changeTenant(ctx context.Context, store Access, name string, field TenantField, change func(Tenant) (*sealed, error)) error {
	for range swaps {
		t, err := store.Tenant(ctx, name)
		if err != nil {
			return err
		}
		old := map[TenantField][]byte{TenantSecrets: t.Secrets, TenantCallback: t.Callback, TenantSigning: t.Signing}[field]
		fresh, err := change(t)
		if err != nil || fresh == nil {
			return err
		}
		if swapped, err := store.SwapTenant(ctx, name, field, old, fresh.text); err != nil || swapped {
			return err
		}
	}
	return ErrTenantChanged.Because(fmt.Errorf("%s of tenant %s: changed %d times by others", field, name, swaps))
}

// sealed is the text for a sealed part; none removes it.
type sealed struct{ text []byte }
