package httpapi

import (
	"cmp"
	"net/http"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/webhook"
)

// listTenants shows a page of all tenants, without their secrets.
func (s *Server) listTenants(c *call) error {
	q := c.query("limit", "cursor")
	cursor, limit := q.get("cursor"), q.limit()
	if cursor != "" && jobs.CheckTenant(cursor) != nil {
		q.fail("cursor must be the next_cursor of the page before.")
	}
	if q.err != nil {
		return q.err
	}
	states, next, err := s.service.TenantStates(c.Request().Context(), cursor, limit)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, api.TenantList{Data: each(states, tenant), NextCursor: orNil(next)})
}

// tenantName is the name in the path. What cannot be the name of a tenant is none.
func (c *call) tenantName() (string, error) {
	name := c.Param("name")
	if jobs.CheckTenant(name) != nil {
		return "", jobs.ErrTenantNotFound
	}
	return name, nil
}

// getTenant shows one tenant.
func (s *Server) getTenant(c *call) error {
	name, err := c.tenantName()
	if err != nil {
		return err
	}
	return s.showTenant(c, name)
}

func (s *Server) showTenant(c *call, name string) error {
	state, err := s.service.TenantState(c.Request().Context(), name)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, tenant(state))
}

// updateTenant sets the default callback URL, and limits. The URL comes first: it may be refused.
func (s *Server) updateTenant(c *call) error {
	name, err := c.tenantName()
	if err != nil {
		return err
	}
	var req api.TenantPatch
	w, err := s.decode(c, &req)
	if err != nil {
		return err
	}
	if req.CallbackURL != nil {
		checkURLLength(*req.CallbackURL, &w)
	}
	limits := limitsOf(req.Limits, &w)
	if err := w.err(); err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	if req.CallbackURL != nil {
		if err := s.service.SetDefaultURL(ctx, name, *req.CallbackURL); err != nil {
			return pointedAt("/callback_url", callbackRefused(err))
		}
	}
	if len(limits) > 0 {
		if err := s.service.SetLimits(ctx, name, limits); err != nil {
			return err
		}
	}
	return s.showTenant(c, name)
}

// rotateSecret changes the secret of a tenant, and shows the new one, this once.
func (s *Server) rotateSecret(c *call) error {
	name, err := c.tenantName()
	if err != nil {
		return err
	}
	var req api.SecretRequest
	w, err := s.decode(c, &req)
	if err != nil {
		return err
	}
	secret, overlap := secretOf(req, &w)
	if err := w.err(); err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	rotated, err := s.service.RotateSecret(ctx, name, secret, overlap)
	if err != nil {
		return err
	}
	return c.respond(http.StatusCreated, api.SecretCreated{Secret: rotated.Secret, PreviousExpiresAt: timeOrNil(rotated.PreviousUntil)})
}

// secretOf checks a request for a secret and gives what it leaves out its default.
func secretOf(req api.SecretRequest, w *wrongs) (secret string, overlap time.Duration) {
	if req.Secret != nil {
		secret = *req.Secret
		checkSecret("/secret", secret, w)
	}
	seconds := api.DefaultOverlapSeconds
	if req.OverlapSeconds != nil {
		seconds = *req.OverlapSeconds
	}
	if seconds < 0 || seconds > api.MaxOverlapSeconds {
		w.add("/overlap_seconds", "overlap_seconds must be 0 to %d.", api.MaxOverlapSeconds)
	}
	return cmp.Or(secret, webhook.NewSecret().Reveal()), time.Duration(seconds) * time.Second
}

// reseal encrypts a part of what is stored anew.
func (s *Server) reseal(c *call) error {
	var req api.ResealRequest
	w, err := s.decode(c, &req)
	if err != nil {
		return err
	}
	var cursor string
	if req.Cursor != nil {
		if cursor = *req.Cursor; cursor == "" {
			w.take(jobs.ErrResealCursor)
		}
	}
	if err := w.err(); err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	done, err := s.service.Reseal(ctx, cursor)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, api.Resealed{
		Checked: done.Checked, Rewritten: done.Rewritten, Contended: done.Contended, Unreadable: done.Unreadable, NextCursor: orNil(done.Next),
	})
}
