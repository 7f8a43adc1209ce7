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

// deliveryStatuses are those that can be listed.
var deliveryStatuses = []string{string(jobs.DeliveryPending), string(jobs.DeliveryDelivered), string(jobs.DeliveryDead)}

// reportTypes are the types of events that are no tests.
var reportTypes = []string{
	string(api.EventJobSucceeded), string(api.EventJobFailed), string(api.EventJobCanceled), string(api.EventBatchCompleted),
}

// listDeliveries shows a page of the tenant's deliveries of one status.
func (s *Server) listDeliveries(c *call) error {
	q := c.query("status", "url_host", "type", "created_after", "created_before", "limit", "cursor")
	f := jobs.DeliveryFilter{
		Tenant: c.key.Tenant, Status: jobs.DeliveryStatus(q.oneOf("status", deliveryStatuses...)), Host: q.get("url_host"),
		Type: q.oneOf("type", reportTypes...), CreatedAfter: q.since("created_after"), CreatedBefore: q.time("created_before"),
	}
	if f.Status == "" {
		q.fail("status is required: pending, delivered or dead.")
	}
	if len(f.Host) > api.MaxCallbackURLBytes {
		q.fail("url_host has at most %d bytes.", api.MaxCallbackURLBytes)
	}
	cursor, limit := q.cursor(jobs.KindDelivery), q.limit()
	if q.err != nil {
		return q.err
	}
	page, err := s.service.Store.DeliveryPage(c.Request().Context(), f, cursor, limit)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, api.DeliveryList{Data: each(page.Items, delivery), NextCursor: orNil(string(page.Next))})
}

// getDelivery shows one delivery.
func (s *Server) getDelivery(c *call) error {
	id, err := c.id(jobs.KindDelivery, jobs.ErrDeliveryNotFound)
	if err != nil {
		return err
	}
	d, err := s.service.Delivery(c.Request().Context(), c.key.Tenant, id)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, delivery(d))
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
	d, err := s.service.Replay(ctx, c.key.Tenant, id, c.key.ID)
	if err != nil {
		return err
	}
	return c.respond(http.StatusAccepted, delivery(d))
}

// listGoneURLs shows the callback URLs that are not called any more, on one page.
func (s *Server) listGoneURLs(c *call) error {
	gone, err := s.service.Store.GoneURLs(c.Request().Context(), c.key.Tenant)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, api.GoneURLList{Data: each(gone, func(g jobs.GoneURL) api.GoneURL {
		return api.GoneURL{ID: g.ID, URLHost: g.Host, GoneAt: g.Since.UTC(), DeliveryID: string(g.Delivery)}
	})})
}

// liftGoneURL lets events go to a URL again.
func (s *Server) liftGoneURL(c *call) error {
	ctx, cancel := c.lasting()
	defer cancel()
	if err := s.service.Store.LiftGoneURL(ctx, c.key.Tenant, c.Param("id")); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
