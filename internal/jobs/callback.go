package jobs

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/platen-render/platen/internal/seal"
)

// Callback is where and how to report the end of a job. It is stored only encrypted, for its delivery's id.
type Callback struct {
	URL     string
	Secret  string // of this job; "" for the tenant's
	Headers map[string]string
}

// Seal encrypts the callback for a delivery.
func (c Callback) Seal(key *seal.Key, delivery ID) []byte {
	raw, _ := json.Marshal(c) //nolint:gosec // it is encrypted right away; strings always encode
	return key.Seal(string(delivery), raw)
}

func (c Callback) equal(o Callback) bool {
	return c.URL == o.URL && c.Secret == o.Secret && maps.Equal(c.Headers, o.Headers)
}

// OpenCallback decrypts what Seal made for the same delivery.
func OpenCallback(key *seal.Key, delivery ID, sealed []byte) (Callback, error) {
	raw, err := key.Open(string(delivery), sealed)
	if err != nil {
		return Callback{}, fmt.Errorf("callback of %s: %w", delivery, err)
	}
	var c Callback
	if err := json.Unmarshal(raw, &c); err != nil {
		return Callback{}, fmt.Errorf("callback of %s: %w", delivery, err)
	}
	return c, nil
}

// Secret signs the callbacks of a tenant.
type Secret struct {
	Text  string
	Since time.Time `json:",omitzero"` // by the store's clock; zero when it was not noted
	Until time.Time `json:",omitzero"` // when it stops to sign; zero for never
}

// UnmarshalJSON reads a plain string, too: the form of a record from before secrets could overlap.
func (s *Secret) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &s.Text)
	}
	type plain Secret
	return json.Unmarshal(raw, (*plain)(s))
}

// ActiveSecrets are the texts of those that sign at an instant, in their order.
func ActiveSecrets(secrets []Secret, now time.Time) []string {
	var active []string
	for _, s := range signing(secrets, now) {
		active = append(active, s.Text)
	}
	return active
}

// sealSecrets encrypts the signing secrets of a tenant, the current one first.
func sealSecrets(key *seal.Key, tenant string, secrets []Secret) []byte {
	raw, _ := json.Marshal(secrets)
	return key.Seal(secretsRecord(tenant), raw)
}

// OpenSecrets decrypts the signing secrets of a tenant, the current one first.
func OpenSecrets(key *seal.Key, tenant string, sealed []byte) ([]Secret, error) {
	raw, err := key.Open(secretsRecord(tenant), sealed)
	if err != nil {
		return nil, fmt.Errorf("secrets of tenant %s: %w", tenant, err)
	}
	var secrets []Secret
	if err := json.Unmarshal(raw, &secrets); err != nil {
		return nil, fmt.Errorf("secrets of tenant %s: %w", tenant, err)
	}
	return secrets, nil
}

// Target names a callback URL without telling it: 128 bits of its SHA-256.
func Target(url string) string {
	sum := sha256.Sum256([]byte(url))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}
