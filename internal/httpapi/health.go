package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
)

// probeTimeout bounds one check, so that a thing that hangs is a thing that is missing.
const probeTimeout = 2 * time.Second

// getLiveness says that the process serves HTTP, whatever its surroundings do.
func (s *Server) getLiveness(c *call) error {
	return c.respond(http.StatusOK, api.Health{Status: api.HealthOK, Checks: []api.HealthCheck{}})
}

// getReadiness says whether the process can do its work now.
func (s *Server) getReadiness(c *call) error {
	health := api.Health{Status: api.HealthOK, Checks: []api.HealthCheck{}}
	status := http.StatusOK
	for _, check := range s.opts.Ready {
		result := s.probe(c.Request().Context(), check)
		if result.Status == api.HealthFailed {
			health.Status, status = api.HealthFailed, http.StatusServiceUnavailable
		}
		health.Checks = append(health.Checks, result)
	}
	return c.respond(status, health)
}

func (s *Server) probe(ctx context.Context, check Check) api.HealthCheck {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	err := check.Probe(ctx)
	if err == nil {
		return api.HealthCheck{Name: check.Name, Status: api.HealthOK}
	}
	s.opts.Logger.WarnContext(ctx, "not ready", slog.String("check", check.Name), slog.String("error", err.Error()))
	detail := fault.From(err).Message // says nothing about an error of unknown origin
	return api.HealthCheck{Name: check.Name, Status: api.HealthFailed, Detail: &detail}
}

// getSpec serves the contract that this server keeps.
func (s *Server) getSpec(c *call) error {
	return c.Blob(http.StatusOK, "application/yaml", api.Spec)
}
