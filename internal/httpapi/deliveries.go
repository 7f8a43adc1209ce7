package httpapi

import (
	"net/http"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// listJobDeliveries shows the callbacks of a job on one page.
func (s *Server) listJobDeliveries(c *call) error {
	id, err := c.id(jobs.KindJob, jobs.ErrJobNotFound)
	if err != nil {
		return err
	}
	deliveries, err := s.service.Deliveries(c.Request().Context(), c.key.Tenant, id)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, api.DeliveryList{Data: each(deliveries, delivery)})
}

// listDeliveries shows a page of the tenant's dead letters.
func (s *Server) listDeliveries(c *call) error {
	q := c.query("status", "limit", "cursor")
	if q.oneOf("status", string(jobs.DeliveryDead)) == "" {
		q.fail("status is required; the only value is dead.")
	}
	cursor, limit := q.cursor(jobs.KindDelivery), q.limit()
	if q.err != nil {
		return q.err
	}
	page, err := s.service.Store.DeadDeliveries(c.Request().Context(), c.key.Tenant, cursor, limit)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, api.DeliveryList{Data: each(page.Items, delivery), NextCursor: orNil(string(page.Next))})
}

// replayDelivery makes a delivery due again, with the same event.
func (s *Server) replayDelivery(c *call) error {
	id, err := c.id(jobs.KindDelivery, jobs.ErrDeliveryNotFound)
	if err != nil {
		return err
	}
	if err := s.noBody(c); err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	d, err := s.service.Replay(ctx, c.key.Tenant, id)
	if err != nil {
		return err
	}
	return c.respond(http.StatusAccepted, delivery(d))
}
