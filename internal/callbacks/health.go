package callbacks

import (
	"net/http"
	"slices"

	"github.com/platen-render/platen/internal/jobs"
)

// noNews are the codes of attempts that say nothing about the host: they were not made, or not to their end.
var noNews = []string{"not_sent", "signing_failed", "url_invalid", "url_denied", "interrupted"}

// gateways are the answers that somebody before the host gives for it.
var gateways = []int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}

// Health is what the attempt says about the receiver's host: up when it answered, whatever it answered; down when it did
// not, not to the end, or a gateway did.
func (a Attempt) Health() jobs.Health {
	switch {
	case slices.Contains(noNews, a.Code):
		return jobs.HealthUnknown
	case a.Err != nil || a.Status == 0 || slices.Contains(gateways, a.Status):
		return jobs.HealthDown
	}
	return jobs.HealthUp
}
