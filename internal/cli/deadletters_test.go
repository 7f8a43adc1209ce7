package cli_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/platen-render/platen/api"
)

func TestADeadLetterSaysWhyItDied(t *testing.T) {
	t.Parallel()
	failed, status, sentence := api.AttemptFailed, 503, "The receiver has answered 410 at this URL before."
	unknown := api.AttemptUnknown
	tests := map[string]struct {
		log  []api.DeliveryAttempt
		want string
	}{
		"an answer":          {[]api.DeliveryAttempt{{Number: 1, StartedAt: noon, Outcome: &failed, StatusCode: &status}}, "answered 503"},
		"no answer":          {[]api.DeliveryAttempt{{Number: 1, StartedAt: noon, Outcome: &failed, Error: &sentence}}, sentence},
		"a server that died": {[]api.DeliveryAttempt{{Number: 1, StartedAt: noon, Outcome: &unknown}}, "unknown"},
		"nothing":            {[]api.DeliveryAttempt{}, "-"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := delivery(api.DeliveryDead)
			d.Log = test.log
			s := newServer(map[string]http.HandlerFunc{"GET /deliveries": reply(http.StatusOK, api.DeliveryList{Data: []api.Delivery{d}})})
			got := run(t, s, "", withKey, "deliveries", "list")
			if line := strings.TrimSpace(got.stdout); got.status != 0 || !strings.HasSuffix(line, "  "+test.want) {
				t.Errorf("status %d, stdout %q, want %q", got.status, line, test.want)
			}
		})
	}
}

func TestAFilterWithoutAPortThatSelectsNothingIsExplained(t *testing.T) {
	t.Parallel()
	s := newServer(map[string]http.HandlerFunc{"POST /deliveries/replay": reply(http.StatusOK, api.ReplayCount{DryRun: true})})
	got := run(t, s, "", withKey, "deliveries", "replay", "--all", "--dry-run", "--url-host", "127.0.0.1")
	if got.status != 0 || !strings.Contains(got.stderr, "hosts are kept with their port, as 127.0.0.1:8443") {
		t.Errorf("status %d, stderr %q", got.status, got.stderr)
	}
}
