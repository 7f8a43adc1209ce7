package jobs

import (
	"context"
	"errors"
	"strings"
)

// NewKey is an API key with what is shown once.
type NewKey struct {
	APIKey
	Text string
	// CallbackSecret signs the callbacks of a tenant; shown when the tenant was created with this key.
	CallbackSecret string
}

// CreateKey makes an API key for a tenant, which is created if need be, with secret for its callbacks. The key comes first:
// a tenant whose secret nobody was told would be worse than a key that nobody has.
func (s *Service) CreateKey(ctx context.Context, k APIKey, secret string) (NewKey, error) {
	k.ID = NewID(KindKey, 0)
	return s.putKey(ctx, k, newKeyText(k.ID), secret)
}

func (s *Service) putKey(ctx context.Context, k APIKey, text, secret string) (NewKey, error) {
	if err := s.Store.PutKey(ctx, HashKey(text), k); err != nil {
		return NewKey{}, err
	}
	stored, err := s.Store.KeyByHash(ctx, HashKey(text))
	if err != nil {
		return NewKey{}, err
	}
	created, err := s.Store.EnsureTenant(ctx, k.Tenant, sealSecrets(s.Key, k.Tenant, []Secret{{Text: secret}}))
	if err != nil {
		return NewKey{}, err
	}
	key := NewKey{APIKey: stored, Text: text}
	if created {
		key.CallbackSecret = secret
	}
	return key, nil
}

// ErrKeyText refuses the text of a key that does not look like one.
var ErrKeyText = errors.New("want plt_<id>_<secret>, with an id of 26 characters and at least 16 more")

// ParseKeyText finds the id in the text of a key, or returns [ErrKeyText].
func ParseKeyText(text string) (ID, error) {
	id, secret, _ := strings.Cut(strings.TrimPrefix(text, "plt_"), "_")
	keyID, err := ParseID(KindKey, string(KindKey)+"_"+id)
	if err != nil || len(secret) < 16 || !strings.HasPrefix(text, "plt_") {
		return "", ErrKeyText
	}
	return keyID, nil
}

// InstallKey makes a key with a given text, unless it is there: for development, where a script chooses it.
func (s *Service) InstallKey(ctx context.Context, tenant, text string) error {
	keyID, err := ParseKeyText(text)
	if err != nil {
		return err
	}
	if _, err := s.Store.KeyByHash(ctx, HashKey(text)); err == nil {
		return nil
	}
	return s.Store.PutKey(ctx, HashKey(text), APIKey{ID: keyID, Tenant: tenant, Name: "installed", Scopes: Scopes})
}

// Authenticate finds the key of a request by its text: [ErrKeyMissing], [ErrKeyUnknown] or [ErrKeyExpired].
func (s *Service) Authenticate(ctx context.Context, text string) (APIKey, error) {
	if text == "" {
		return APIKey{}, ErrKeyMissing
	}
	k, err := s.Store.KeyByHash(ctx, HashKey(text))
	switch {
	case errors.Is(err, ErrKeyNotFound):
		return APIKey{}, ErrKeyUnknown
	case err != nil:
		return APIKey{}, err
	case k.Expired:
		return APIKey{}, ErrKeyExpired
	}
	return k, nil
}
