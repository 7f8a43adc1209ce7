package httpapi

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// metrics of requests.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	previews *prometheus.CounterVec
	refusals *prometheus.CounterVec
}

func newMetrics(reg prometheus.Registerer) *metrics {
	labels := []string{"route", "method", "class"}
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "platen_http_requests_total", Help: "Requests, by route, method and class of status (2xx, 4xx, …).",
		}, labels),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "platen_http_request_duration_seconds", Help: "Duration of requests, waits that the client asked for included.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2.5, 13),
		}, labels),
	}
	m.previews = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "platen_previews_total", Help: "Pages rendered for somebody who waits, by what for (preview, rerender) and outcome (succeeded, or a fault code).",
	}, []string{"what", "outcome"})
	m.refusals = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "platen_refusals_total", Help: "Requests that were refused for want of room, by why: a limit of the tenant, or what the server lacks.",
	}, []string{"reason"})
	for _, reason := range refusalReasons() {
		m.refusals.WithLabelValues(reason) // from the beginning: a series that appears with its first count does not rise
	}
	reg.MustRegister(m.requests, m.duration, m.previews, m.refusals)
	return m
}

// previewed counts something that was rendered for somebody who waits, or was not.
func (m *metrics) previewed(what string, err error) {
	outcome := "succeeded"
	if f := fault.From(err); f != nil {
		outcome = f.Code
	}
	m.previews.WithLabelValues(what, outcome).Inc()
}

// crowding are the refusals that are about the room that there is, beside those by limits.
var crowding = []api.ErrorCode{api.CodeOverloaded, api.CodeStoreFull, api.CodeStorageFull, api.CodePreviewBusy}

// refusalReasons lists all reasons of refusals: a tenant is none, since there may be any number.
func refusalReasons() []string {
	reasons := each(crowding, func(c api.ErrorCode) string { return string(c) })
	for _, b := range jobs.LimitBounds {
		if b.Limit != jobs.LimitBurst && b.Limit != jobs.LimitRenders { // which refuse nobody
			reasons = append(reasons, string(b.Limit))
		}
	}
	return reasons
}

// refused counts a refusal for want of room.
func (m *metrics) refused(f *fault.Error) {
	switch code := api.ErrorCode(f.Code); {
	case code == api.CodeLimitReached:
		m.refusals.WithLabelValues(f.Refs["limit"]).Inc()
	case slices.Contains(crowding, code):
		m.refusals.WithLabelValues(f.Code).Inc()
	}
}

// measured are the methods that get a label of their own: a client may invent others.
var measured = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete, http.MethodPut, http.MethodPatch, http.MethodOptions}

func (m *metrics) observe(method, route string, status int, took time.Duration) {
	if route == "" {
		route = "none"
	}
	if !slices.Contains(measured, method) {
		method = "other"
	}
	class := strconv.Itoa(status/100) + "xx"
	m.requests.WithLabelValues(route, method, class).Inc()
	m.duration.WithLabelValues(route, method, class).Observe(took.Seconds())
}

// getMetrics writes the text format, whatever the scraper would also take.
func (s *Server) getMetrics(c *call) error {
	families, err := s.opts.Gatherer.Gather()
	if err != nil {
		return fmt.Errorf("gather metrics: %w", err)
	}
	format := expfmt.NewFormat(expfmt.TypeTextPlain)
	var b bytes.Buffer
	encoder := expfmt.NewEncoder(&b, format)
	for _, family := range families {
		if err := encoder.Encode(family); err != nil {
			return fmt.Errorf("encode metrics: %w", err)
		}
	}
	return c.Blob(http.StatusOK, string(format), b.Bytes())
}
