package jobs

import (
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/receipts"
	"github.com/platen-render/platen/internal/seal"
)

// Signer holds the signing keys of tenants: it signs receipts and makes verification links. A tenant's first key is made when it is
// first needed, by whichever process needs it; an old one is never given up, since what it signed lasts longer. All fields are
// required. Safe for concurrent use.
type Signer struct {
	Store interface {
		Access
		Receipts
		Document(ctx context.Context, id ID) (Document, error)
	}
	Key    *seal.Key
	Logger *slog.Logger
	// PublicURL begins verification links.
	PublicURL string

	mu    sync.Mutex
	rings map[string]cachedRing
}

// SigningKey is a key as everybody may see it.
type SigningKey struct {
	ID      string
	Public  ed25519.PublicKey
	Created time.Time
	Current bool // it signs what is issued now
}

// signingKey is the sealed form of a key.
type signingKey struct {
	Seed    []byte    `json:"seed"`
	Created time.Time `json:"created"`

	private ed25519.PrivateKey // of the seed: to find it takes as long as a signature
}

func (k signingKey) public() ed25519.PublicKey {
	public, _ := k.private.Public().(ed25519.PublicKey) // it is always one
	return public
}

// keyring are the keys of a tenant, the first one first. The last one signs; the first one also makes verification codes.
type keyring []signingKey

type cachedRing struct {
	keys keyring
	at   time.Time
}

const (
	// ringFor is how long keys are used before they are looked at again: so long may one from before a rotation sign.
	ringFor = 5 * time.Second
	// maxRings bounds what is remembered.
	maxRings = 10_000
)

// SigningKeys returns all keys that a tenant ever had, the first one first.
func (s *Signer) SigningKeys(ctx context.Context, tenant string) ([]SigningKey, error) {
	ring, err := s.fresh(ctx, tenant)
	if err != nil {
		return nil, err
	}
	return ring.shown(), nil
}

// RotateSigningKey gives a tenant a new key, which signs from now on; other processes notice within seconds. The keys before it
// verify for ever. [ErrTenantNotFound], [ErrTenantChanged].
func (s *Signer) RotateSigningKey(ctx context.Context, tenant string) (SigningKey, error) {
	var ring keyring
	err := changeTenant(ctx, s.Store, tenant, TenantSigning, func(t Tenant) (*sealed, error) {
		var err error
		if ring, err = openRing(s.Key, t); err != nil {
			return nil, err
		}
		ring = append(ring, newSigningKey(t.Now))
		return &sealed{ring.seal(s.Key, tenant)}, nil
	})
	if err != nil {
		return SigningKey{}, err
	}
	s.remember(tenant, ring)
	all := ring.shown()
	made := all[len(all)-1]
	s.Logger.InfoContext(ctx, "signing key made", slog.String("tenant", tenant), slog.String("signing_key", made.ID))
	return made, nil
}

// VerifyURL is the address where a copy of a document can be verified by anybody who has the address. It works for as long as the
// tenant's record is there, whatever becomes of the master key.
func (s *Signer) VerifyURL(ctx context.Context, tenant string, document ID) (string, error) {
	ring, err := s.ring(ctx, tenant)
	if err != nil {
		return "", err
	}
	return s.PublicURL + "/verify/" + string(document) + "?code=" + ring.code(document), nil
}

// CheckCode accepts the code of a document's verification link. Its time tells nothing of the right one.
func (s *Signer) CheckCode(ctx context.Context, d Document, code string) (bool, error) {
	ring, err := s.ring(ctx, d.Tenant)
	if err != nil {
		return false, err
	}
	return hmac.Equal([]byte(code), []byte(ring.code(d.ID))), nil
}

// ring returns the keys of a tenant, perhaps as they were a moment ago.
func (s *Signer) ring(ctx context.Context, tenant string) (keyring, error) {
	s.mu.Lock()
	known, ok := s.rings[tenant]
	s.mu.Unlock()
	if ok && time.Since(known.at) < ringFor {
		return known.keys, nil
	}
	return s.fresh(ctx, tenant)
}

// fresh reads the keys of a tenant, and makes the first one where there is none. Of processes that make it at the same time one
// wins, and all have the winner's.
func (s *Signer) fresh(ctx context.Context, tenant string) (keyring, error) {
	var ring keyring
	err := changeTenant(ctx, s.Store, tenant, TenantSigning, func(t Tenant) (*sealed, error) {
		var err error
		if ring, err = openRing(s.Key, t); err != nil || len(ring) > 0 {
			return nil, err
		}
		ring = keyring{newSigningKey(t.Now)}
		return &sealed{ring.seal(s.Key, tenant)}, nil
	})
	if errors.Is(err, ErrTenantNotFound) {
		return nil, errSigningKey.Because(err) // of a tenant that a crash left without a record
	}
	if err != nil {
		return nil, fmt.Errorf("signing keys: %w", err)
	}
	s.remember(tenant, ring)
	return ring, nil
}

func (s *Signer) remember(tenant string, ring keyring) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rings == nil || len(s.rings) >= maxRings {
		s.rings = map[string]cachedRing{}
	}
	s.rings[tenant] = cachedRing{keys: ring, at: time.Now()}
}

func newSigningKey(now time.Time) signingKey {
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed) // never fails since Go 1.24
	return signingKey{Seed: seed, Created: now.UTC(), private: ed25519.NewKeyFromSeed(seed)}
}

// errSigningKey is not for callers, who can do nothing about it.
var errSigningKey = fault.New(fault.Internal, "internal", "The signing keys of the tenant cannot be read.")

func openRing(key *seal.Key, t Tenant) (keyring, error) {
	if len(t.Signing) == 0 {
		return nil, nil
	}
	text, err := key.Open(signingRecord(t.Name), t.Signing)
	if err != nil {
		return nil, errSigningKey.Because(fmt.Errorf("tenant %s: %w", t.Name, err))
	}
	var ring keyring
	if err := json.Unmarshal(text, &ring); err != nil {
		return nil, errSigningKey.Because(fmt.Errorf("tenant %s: %w", t.Name, err))
	}
	for i, k := range ring {
		if len(k.Seed) != ed25519.SeedSize {
			return nil, errSigningKey.Because(fmt.Errorf("tenant %s: a seed of %d bytes", t.Name, len(k.Seed)))
		}
		ring[i].private = ed25519.NewKeyFromSeed(k.Seed)
	}
	return ring, nil
}

func (r keyring) seal(key *seal.Key, tenant string) []byte {
	text, _ := json.Marshal(r) // bytes and times always encode
	return key.Seal(signingRecord(tenant), text)
}

func (r keyring) current() ed25519.PrivateKey { return r[len(r)-1].private }

// code authenticates a verification link. It depends on nothing but the tenant's first key, for it is printed on paper.
func (r keyring) code(document ID) string {
	const size = 16
	m := hmac.New(sha256.New, r[0].Seed)
	m.Write([]byte("verify " + document))
	return hex.EncodeToString(m.Sum(nil)[:size])
}

func (r keyring) shown() []SigningKey {
	shown := make([]SigningKey, len(r))
	for i, k := range r {
		public := k.public()
		shown[i] = SigningKey{ID: receipts.KeyID(public), Public: public, Created: k.Created, Current: i == len(r)-1}
	}
	return shown
}

// find is the key with an id, or false.
func (r keyring) find(id string) (SigningKey, bool) {
	for _, k := range r.shown() {
		if k.ID == id {
			return k, true
		}
	}
	return SigningKey{}, false
}

// signingRecord is what the keys are sealed for.
func signingRecord(tenant string) string { return "tenant:" + tenant + ":signing" }
