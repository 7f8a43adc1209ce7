package httpapi

import (
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/webhook"
)

// createKey makes a key, and its tenant with the first one. What it shows is shown once.
func (s *Server) createKey(c *call) error {
	var req api.KeyRequest
	w, err := s.decode(c, &req)
	if err != nil {
		return err
	}
	wanted := keyOf(req, &w)
	if err := w.err(); err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	made, err := s.service.CreateKey(ctx, wanted, webhook.NewSecret().Reveal())
	if err != nil {
		return err
	}
	return c.respond(http.StatusCreated, api.KeyCreated{Key: key(made.APIKey), Token: made.Text, CallbackSecret: orNil(made.CallbackSecret)})
}

// keyOf checks a request for a key and gives what it leaves out its default.
func keyOf(req api.KeyRequest, w *wrongs) jobs.APIKey {
	k := jobs.APIKey{Tenant: jobs.DefaultTenant, Scopes: []jobs.Scope{jobs.ScopeRead, jobs.ScopeWrite}}
	if req.Tenant != nil {
		k.Tenant = *req.Tenant
	}
	if req.Name != nil {
		k.Name = *req.Name
	}
	w.take(jobs.CheckTenant(k.Tenant))
	if utf8.RuneCountInString(k.Name) > api.MaxKeyNameCharacters || strings.ContainsFunc(k.Name, unicode.IsControl) {
		w.add("/name", "name must have at most %d characters, none of them a control character.", api.MaxKeyNameCharacters)
	}
	if req.Scopes != nil && !w.unread("/scopes") {
		k.Scopes = each(req.Scopes, func(s api.Scope) jobs.Scope { return jobs.Scope(s) })
		if !areScopes(k.Scopes) {
			w.add("/scopes", "scopes must be one or more of read, write and admin, each once.")
		}
	}
	if upTo(w, "/expires_in_seconds", req.ExpiresInSeconds, api.MaxKeySeconds) {
		k.Lifetime = time.Duration(*req.ExpiresInSeconds) * time.Second
	}
	return k
}

func areScopes(scopes []jobs.Scope) bool {
	seen := map[jobs.Scope]bool{}
	for _, scope := range scopes {
		if seen[scope] || !slices.Contains(jobs.Scopes, scope) {
			return false
		}
		seen[scope] = true
	}
	return len(seen) > 0
}

// listKeys shows a page of all keys, without their secrets.
func (s *Server) listKeys(c *call) error {
	q := c.query("limit", "cursor")
	cursor, limit := q.cursor(jobs.KindKey), q.limit()
	if q.err != nil {
		return q.err
	}
	page, err := s.service.Store.Keys(c.Request().Context(), cursor, limit)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, api.KeyList{Data: each(page.Items, key), NextCursor: orNil(string(page.Next))})
}

// revokeKey ends a key at once.
func (s *Server) revokeKey(c *call) error {
	id, err := c.id(jobs.KindKey, jobs.ErrKeyNotFound)
	if err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	if err := s.service.Store.DeleteKey(ctx, id); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
