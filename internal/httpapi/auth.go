package httpapi

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// authorize finds the key of a request and asks whether it allows the route.
func (s *Server) authorize(c *call, r route) error {
	if r.scope == "" {
		return nil
	}
	if query := c.QueryParams(); r.linked && (query.Has("signature") || query.Has("expires")) {
		c.linked = true // checked with the document that it is for
		return nil
	}
	key, err := s.authenticate(c, bearer(c.Request().Header))
	if err != nil {
		return err
	}
	c.key = key
	if !key.Allows(r.scope) {
		return jobs.ErrScopeMissing.With("This needs a key with the scope %s.", r.scope)
	}
	return nil
}

// authenticate takes the bootstrap key for one that may do nothing but administrate, and owns nothing.
func (s *Server) authenticate(c *call, token string) (jobs.APIKey, error) {
	if s.opts.AdminKey != "" && sameText(token, s.opts.AdminKey) {
		return jobs.APIKey{Name: "bootstrap", Scopes: []jobs.Scope{jobs.ScopeAdmin}}, nil
	}
	return s.service.Authenticate(c.Request().Context(), token)
}

// sameText compares in a time that tells neither where the texts differ nor how long they are.
func sameText(a, b string) bool {
	hashA, hashB := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(hashA[:], hashB[:]) == 1
}

// bearer is the token of RFC 6750, section 2.1, or "". The scheme is read in any case (RFC 9110, section 11.1).
func bearer(h http.Header) string {
	scheme, token, _ := strings.Cut(h.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// challenge is the WWW-Authenticate of a 401 (RFC 6750, section 3): without an error when no key came.
func challenge(f *fault.Error) string {
	if f.Code == string(api.CodeKeyMissing) {
		return `Bearer realm="platen"`
	}
	return `Bearer realm="platen", error="invalid_token"`
}
