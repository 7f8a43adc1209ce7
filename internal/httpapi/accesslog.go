package httpapi

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// account measures a request and logs it in one line. The line has the template of the route and never the path or the
// query, which hold ids and the signatures of links.
func (s *Server) account(c *call, took time.Duration) {
	r := c.Request()
	status := c.Response().Status
	s.metrics.observe(r.Method, c.Path(), status, took)
	if c.fault != nil {
		s.metrics.refused(c.fault)
	}

	attrs := []slog.Attr{
		slog.String("method", r.Method), slog.String("route", c.Path()), slog.Int("status", status),
		slog.Int64("duration_ms", took.Milliseconds()), slog.Int64("bytes", c.Response().Size),
		slog.String("request_id", c.requestID),
	}
	if c.key.Tenant != "" {
		attrs = append(attrs, slog.String("tenant", c.key.Tenant), slog.String("key_id", string(c.key.ID)))
	}
	if c.linked {
		attrs = append(attrs, slog.Bool("linked", true))
	}
	if c.ended != "" {
		attrs = append(attrs, slog.String("ended", c.ended))
	}
	s.opts.Logger.LogAttrs(r.Context(), levelOf(c, status), "request", append(attrs, c.reasons()...)...)
}

// reasons say why a request was refused, more exactly than its answer did.
func (c *call) reasons() []slog.Attr {
	if c.fault == nil {
		return nil
	}
	attrs := []slog.Attr{slog.String("code", c.fault.Code)}
	for _, name := range []string{"job_id", "document_id"} {
		if id := c.fault.Refs[name]; id != "" {
			attrs = append(attrs, slog.String(name, id))
		}
	}
	if c.fault.Err != nil {
		attrs = append(attrs, slog.String("error", c.fault.Err.Error()))
	}
	if c.stack != nil {
		attrs = append(attrs, slog.String("stack", string(c.stack)))
	}
	return attrs
}

func levelOf(c *call, status int) slog.Level {
	switch {
	case c.fault != nil && (c.fault.Kind == fault.Internal || errors.Is(c.fault, jobs.ErrBytesMissing) || errors.Is(c.fault, jobs.ErrBytesAltered)):
		return slog.LevelError
	case status >= http.StatusInternalServerError || c.cut && c.fault != nil:
		return slog.LevelWarn
	case c.quiet:
		return slog.LevelDebug
	}
	return slog.LevelInfo
}
