package httpapi

import (
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// replayDeliveries replays many deliveries, or counts them.
func (s *Server) replayDeliveries(c *call) error {
	var req api.ReplayRequest
	w, err := s.decode(c, &req)
	if err != nil {
		return err
	}
	f, rate := replayOf(req, &w)
	if err := w.err(); err != nil {
		return err
	}
	f.Tenant = c.key.Tenant
	if req.DryRun != nil && *req.DryRun {
		n, err := s.service.Store.CountDeliveries(c.Request().Context(), f) // nothing changes: who goes away need not be counted for
		if err != nil {
			return err
		}
		return c.respond(http.StatusOK, api.ReplayCount{DryRun: true, Matched: n})
	}
	ctx, cancel := c.lasting()
	defer cancel()
	run, err := s.service.ReplayMany(ctx, f, rate, c.key.ID)
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderLocation, s.basePath+"/deliveries/replays/"+string(run.ID))
	return c.respond(http.StatusAccepted, replay(run))
}

// replayOf checks a request for a replay and gives what it leaves out its default.
func replayOf(req api.ReplayRequest, w *wrongs) (f jobs.DeliveryFilter, rate int) {
	f.Status, rate = jobs.DeliveryDead, api.DefaultReplayRate
	if req.Status != nil {
		f.Status = jobs.DeliveryStatus(*req.Status)
		if f.Status != jobs.DeliveryDead && f.Status != jobs.DeliveryDelivered {
			w.add("/status", "status must be dead or delivered.")
		}
	}
	if req.URLHost != nil {
		f.Host = *req.URLHost
		if f.Host == "" || len(f.Host) > api.MaxCallbackURLBytes {
			w.add("/url_host", "url_host must have 1 to %d bytes.", api.MaxCallbackURLBytes)
		}
	}
	if req.Type != nil {
		f.Type = string(*req.Type)
		if !slices.Contains(reportTypes, f.Type) {
			w.add("/type", "type must be one of job.succeeded, job.failed and job.canceled.")
		}
	}
	if req.CreatedAfter != nil {
		f.CreatedAfter = including(*req.CreatedAfter)
		showable(w, "/created_after", *req.CreatedAfter)
	}
	if req.CreatedBefore != nil {
		f.CreatedBefore = req.CreatedBefore.Add(time.Millisecond - time.Nanosecond).Truncate(time.Millisecond) // as exact as jobs are
		showable(w, "/created_before", f.CreatedBefore)
	}
	if upTo(w, "/rate_per_second", req.RatePerSecond, api.MaxReplayRate) {
		rate = *req.RatePerSecond
	}
	return f, rate
}

// showable refuses a time that RFC 3339 cannot spell in UTC: it is kept with the replay, and no list with it could be shown.
func showable(w *wrongs, pointer string, t time.Time) {
	if year := t.UTC().Year(); year < 1 || year > 9999 {
		w.add(pointer, "%s must lie in the years 1 to 9999 of UTC.", pointer[1:])
	}
}

// listReplays shows a page of the tenant's replays of many.
func (s *Server) listReplays(c *call) error {
	q := c.query("limit", "cursor")
	cursor, limit := q.cursor(jobs.KindReplay), q.limit()
	if q.err != nil {
		return q.err
	}
	page, err := s.service.Store.ReplayRuns(c.Request().Context(), c.key.Tenant, cursor, limit)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, api.ReplayList{Data: each(page.Items, replay), NextCursor: orNil(string(page.Next))})
}

// getReplay shows how far a replay of many has come.
func (s *Server) getReplay(c *call) error {
	id, err := c.id(jobs.KindReplay, jobs.ErrReplayNotFound)
	if err != nil {
		return err
	}
	run, err := s.service.ReplayRun(c.Request().Context(), c.key.Tenant, id)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, replay(run))
}
