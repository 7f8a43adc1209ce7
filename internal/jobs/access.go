package jobs

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// DefaultTenant exists from the start.
const DefaultTenant = "default"

// Scope is something an API key allows.
type Scope string

// The scopes.
const (
	ScopeRead  Scope = "read"  // look at jobs, documents and deliveries
	ScopeWrite Scope = "write" // submit, retry, cancel, purge, replay
	ScopeAdmin Scope = "admin" // manage keys and tenants
)

// Scopes lists them.
var Scopes = []Scope{ScopeRead, ScopeWrite, ScopeAdmin}

// Faults of keys and tenants.
var (
	ErrKeyMissing   = fault.New(fault.Unauthorized, "key_missing", "This needs an API key: Authorization: Bearer plt_….")
	ErrKeyUnknown   = fault.New(fault.Unauthorized, "key_unknown", "The API key is not known.")
	ErrKeyExpired   = fault.New(fault.Unauthorized, "key_expired", "The API key has expired.")
	ErrScopeMissing = fault.New(fault.Forbidden, "scope_missing", "The API key does not allow this.")
)

// Tenant is what the store knows of one; its parts are sealed.
type Tenant struct {
	Name     string
	Secrets  []byte    // see [OpenSecrets]
	Callback []byte    // the URL for jobs that name none; nil for none
	Signing  []byte    // see [Signer]; nil before the first need
	Now      time.Time // by the store's clock, when this was read
	Limits   map[Limit]int64
	Usage    Usage
}

// TenantField is a part of a tenant that can be replaced.
type TenantField string

// The fields.
const (
	TenantSecrets  TenantField = "secrets"
	TenantCallback TenantField = "callback"
	TenantSigning  TenantField = "signing"
)

// APIKey is what is known of a key; its text is not.
type APIKey struct {
	ID       ID
	Tenant   string
	Name     string // for people
	Scopes   []Scope
	Lifetime time.Duration // when it is made; zero for no end
	Created  time.Time
	Expires  time.Time // zero for never
	Expired  bool      // by the store's clock
}

// Allows reports whether the key has a scope.
func (k APIKey) Allows(s Scope) bool { return slices.Contains(k.Scopes, s) }

// newKeyText draws the text of a key: plt_<id>_<secret>, 160 random bits.
func newKeyText(id ID) string {
	secret := make([]byte, 20)
	_, _ = rand.Read(secret) // never fails since Go 1.24
	return "plt_" + strings.TrimPrefix(string(id), string(KindKey)+"_") + "_" + hex.EncodeToString(secret)
}

// HashKey is what the store keeps of a key's text. The text is random, so a plain digest is enough.
func HashKey(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

var tenantName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)

// CheckTenant refuses a name that is not 1–63 of a–z, 0–9 and hyphen, beginning with a letter or digit.
func CheckTenant(name string) error {
	if !tenantName.MatchString(name) {
		return fault.At("/tenant", "field_invalid", "tenant must be 1 to 63 of a-z, 0-9 and -, not starting with -.")
	}
	return nil
}
