package jobs

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"

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

// sealSecrets encrypts the signing secrets of a tenant, the current one first.
func sealSecrets(key *seal.Key, tenant string, secrets []string) []byte {
	raw, _ := json.Marshal(secrets)
	return key.Seal("tenant:"+tenant, raw)
}

// OpenSecrets decrypts the signing secrets of a tenant.
func OpenSecrets(key *seal.Key, tenant string, sealed []byte) ([]string, error) {
	raw, err := key.Open("tenant:"+tenant, sealed)
	if err != nil {
		return nil, fmt.Errorf("secrets of tenant %s: %w", tenant, err)
	}
	var secrets []string
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
