package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// preferWait reads the preference wait=N of RFC 7240, section 4.3: how long the client would hold on, 30 s at most. Of
// several the first counts (section 2); what cannot be read is as if it were not there.
func preferWait(h http.Header) (time.Duration, bool) {
	for _, line := range h.Values("Prefer") {
		for preference := range strings.SplitSeq(line, ",") {
			token, _, _ := strings.Cut(preference, ";")
			name, value, _ := strings.Cut(token, "=")
			if !strings.EqualFold(strings.TrimSpace(name), "wait") {
				continue
			}
			n, err := strconv.ParseUint(strings.Trim(strings.TrimSpace(value), `"`), 10, 31)
			return time.Duration(min(n, api.MaxWaitSeconds)) * time.Second, err == nil
		}
	}
	return 0, false
}

const preferenceApplied = "Preference-Applied"

// preferWait is preferWait of the request, and tells the client that it is kept.
func (c *call) preferWait() (time.Duration, bool) {
	wait, ok := preferWait(c.Request().Header)
	if ok {
		c.Response().Header().Set(preferenceApplied, "wait="+strconv.Itoa(int(wait/time.Second)))
	}
	return wait, ok
}

// await holds the request as long as the client prefers, or until done says so. The job may be as it was: when the client
// goes or the server stops, it holds no longer.
func (s *Server) await(c *call, id jobs.ID, done func(jobs.Job) bool) (jobs.Job, error) {
	wait, ok := c.preferWait()
	if !ok {
		return s.service.Job(c.Request().Context(), c.key.Tenant, id)
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), wait)
	defer cancel()
	return s.service.Await(ctx, c.key.Tenant, id, done)
}
