package httpapi

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// testCallback sends a test to a callback URL.
func (s *Server) testCallback(c *call) error {
	var req api.TestRequest
	w, err := s.decode(c, &req)
	if err != nil {
		return err
	}
	callback := callbackOf(callbackRequest{req.CallbackURL, req.CallbackSecret, req.CallbackHeaders}, w, &w)
	if req.CallbackURL != nil && *req.CallbackURL == "" {
		w.add("/callback_url", "callback_url must not be empty.")
	}
	if err := w.err(); err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	d, err := s.service.TestCallback(ctx, c.key.Tenant, callback)
	if err != nil {
		return pointedAt("/callback_url", callbackRefused(err))
	}
	c.Response().Header().Set(echo.HeaderLocation, s.basePath+"/deliveries/"+string(d.ID))
	if seen, err := s.awaitDelivery(c, d); err == nil {
		d = seen // the test is on its way: trouble while waiting for it must not look like a refusal
	}
	if d.Status == jobs.DeliveryPending || c.Response().Header().Get(preferenceApplied) == "" {
		return c.respond(http.StatusAccepted, delivery(d))
	}
	return c.respond(http.StatusOK, delivery(d))
}

// awaitDelivery holds the request as long as the client prefers, or until the delivery has ended.
func (s *Server) awaitDelivery(c *call, d jobs.Delivery) (jobs.Delivery, error) {
	wait, ok := c.preferWait()
	if !ok {
		return d, nil
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), wait)
	defer cancel()
	return s.service.AwaitDelivery(ctx, c.key.Tenant, d.ID)
}
