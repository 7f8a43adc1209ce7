package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// MaxSecrets is how many may sign at once: each makes the header longer, and each one more is one more that may leak.
const MaxSecrets = 5

// Faults of secrets.
var (
	ErrSecretConfigured = fault.New(fault.Conflict, "callback_secret_configured",
		"The settings of the server name the secrets of this tenant (PLATEN_CALLBACK_SECRET). Change them there: \"new,old\".")
	ErrSecretLimit = fault.New(fault.Conflict, "callback_secret_limit",
		"%d secrets sign already. End those before the new one with overlap_seconds 0, or wait until some have ended.", MaxSecrets)
)

// Rotated is a new secret with what is shown once.
type Rotated struct {
	Secret string
	// PreviousUntil is when the one before stops to sign; zero when it has.
	PreviousUntil time.Time
}

// RotateSecret makes text the current secret of a tenant. Those before it sign behind it for as long as overlap, and no
// longer than they would have. Any number of rotations at once all stand. [ErrTenantNotFound], [ErrSecretConfigured],
// [ErrSecretLimit], [ErrTenantChanged].
func (s *Service) RotateSecret(ctx context.Context, tenant, text string, overlap time.Duration) (Rotated, error) {
	if s.secretConfigured(tenant) {
		return Rotated{}, ErrSecretConfigured
	}
	rotated := Rotated{Secret: text}
	err := changeTenant(ctx, s.Store, tenant, TenantSecrets, func(t Tenant) (*sealed, error) {
		secrets, err := OpenSecrets(s.Key, tenant, t.Secrets)
		if err != nil && overlap > 0 {
			return nil, err // without an overlap nobody needs those that cannot be read
		}
		rotated.PreviousUntil = time.Time{}
		secrets, err = rotate(secrets, text, t.Now, overlap)
		if len(secrets) > 1 {
			rotated.PreviousUntil = secrets[1].Until
		}
		return &sealed{sealSecrets(s.Key, tenant, secrets)}, err
	})
	if err != nil {
		return Rotated{}, err
	}
	s.Logger.InfoContext(ctx, "callback secret rotated", slog.String("tenant", tenant), slog.Duration("overlap", overlap))
	return rotated, nil
}

// rotate puts a secret before those that still sign, all of which then end.
func rotate(secrets []Secret, text string, now time.Time, overlap time.Duration) ([]Secret, error) {
	current := Secret{Text: text, Since: now}
	rotated := []Secret{current}
	for _, old := range signing(secrets, now) {
		if old.Text == text { // given again, or taken back
			rotated[0].Since = old.Since
			continue
		}
		if until := now.Add(overlap); old.Until.IsZero() || until.Before(old.Until) {
			old.Until = until
		}
		if now.Before(old.Until) {
			rotated = append(rotated, old)
		}
	}
	if len(rotated) > MaxSecrets {
		return nil, ErrSecretLimit
	}
	return rotated, nil
}

// signing are the secrets that sign at an instant.
func signing(secrets []Secret, now time.Time) []Secret {
	return slices.DeleteFunc(slices.Clone(secrets), func(s Secret) bool { return !s.Until.IsZero() && !now.Before(s.Until) })
}

// SetCallbackSecrets makes texts all secrets of a tenant, the current one first, for as long as nobody changes them. A
// tenant that does not exist is created.
func (s *Service) SetCallbackSecrets(ctx context.Context, tenant string, texts ...string) error {
	secrets := make([]Secret, len(texts))
	for i, text := range texts {
		secrets[i] = Secret{Text: text}
	}
	if created, err := s.Store.EnsureTenant(ctx, tenant, sealSecrets(s.Key, tenant, secrets)); err != nil || created {
		return err
	}
	err := changeTenant(ctx, s.Store, tenant, TenantSecrets, func(t Tenant) (*sealed, error) {
		if kept, err := OpenSecrets(s.Key, tenant, t.Secrets); err == nil && slices.Equal(kept, secrets) {
			return nil, nil //nolint:nilnil // nothing to change
		}
		return &sealed{sealSecrets(s.Key, tenant, secrets)}, nil
	})
	if errors.Is(err, ErrTenantChanged) {
		return nil // by processes that start at the same time, with the same settings
	}
	return err
}

func (s *Service) secretConfigured(tenant string) bool {
	return s.SecretConfigured && tenant == DefaultTenant
}
