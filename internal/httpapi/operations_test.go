package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/httpapi"
	"github.com/platen-render/platen/internal/jobs"
)

func TestTheRoutesAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	undocumented, unserved := spec.RouteDiff(newRig(t).server.Routes())
	if len(undocumented)+len(unserved) > 0 {
		t.Errorf("undocumented %q, unserved %q", undocumented, unserved)
	}
}

func TestAnUnknownPathAndAnUnknownMethodAreProblems(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, path := range []string{"/", "/nothing", "/jobs/x/y/z", "/v1/jobs"} {
		refused(t, r.get(path, wrong), http.StatusNotFound, api.CodeRouteNotFound)
	}
	for _, tc := range []struct{ method, path, allow string }{
		{http.MethodPut, "/jobs", "GET, POST"},
		{http.MethodOptions, "/jobs", "GET, POST"},
		{http.MethodPost, "/documents/x", "DELETE, GET"},
		{"BREW", "/livez", "GET"},
	} {
		a := r.do(tc.method, tc.path, wrong)
		refused(t, a, http.StatusMethodNotAllowed, api.CodeMethodNotAllowed)
		if got := a.header.Get("Allow"); got != tc.allow {
			t.Errorf("%s %s: Allow is %q, want %q", tc.method, tc.path, got, tc.allow)
		}
	}
}

func TestASaneRequestIDIsKeptAndAnotherIsReplaced(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if got := r.get("/livez", header("X-Request-Id", "proxy-1_A")).header.Get("X-Request-Id"); got != "proxy-1_A" {
		t.Errorf("got %q", got)
	}
	for _, bad := range []string{"", "two words", "a\"b", strings.Repeat("x", 65), "é"} {
		got := r.get("/livez", header("X-Request-Id", bad)).header.Get("X-Request-Id")
		if got == bad || len(got) < 20 {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

func TestLivenessNeedsNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.redis.Kill()
	got := read[api.Health](t, r.get("/livez", as("")), http.StatusOK)
	if diff := cmp.Diff(api.Health{Status: api.HealthOK, Checks: []api.HealthCheck{}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadinessNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	var r *rig
	r = newRig(t, func(s *settings) {
		s.http.Ready = []httpapi.Check{
			{Name: "store", Probe: func(ctx context.Context) error { return r.store.Ping(ctx) }},
			{Name: "storage", Probe: func(ctx context.Context) error { return r.blobs.Probe(ctx) }},
		}
	})
	if got := read[api.Health](t, r.get("/readyz", as("")), http.StatusOK); got.Status != api.HealthOK || len(got.Checks) != 2 {
		t.Errorf("got %+v", got)
	}
	r.redis.Kill()
	got := read[api.Health](t, r.get("/readyz", as("")), http.StatusServiceUnavailable)
	detail := jobs.ErrStoreUnavailable.Message
	want := api.Health{Status: api.HealthFailed, Checks: []api.HealthCheck{
		{Name: "store", Status: api.HealthFailed, Detail: &detail}, {Name: "storage", Status: api.HealthOK},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAReasonOfUnknownOriginIsNotShown(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *settings) {
		s.http.Ready = []httpapi.Check{{Name: "disk", Probe: func(context.Context) error { return errors.New("open /secret/path") }}}
	})
	a := r.get("/readyz", as(""))
	if a.status != http.StatusServiceUnavailable || bytes.Contains(a.body, []byte("secret")) {
		t.Errorf("got %d %s", a.status, a.body)
	}
	if !strings.Contains(r.logs.String(), "open /secret/path") {
		t.Error("the log does not have the reason")
	}
}

func TestAPanicIsABlandProblemAndOneLineWithItsStack(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *settings) {
		s.http.Ready = []httpapi.Check{{Name: "x", Probe: func(context.Context) error { panic("the secret of the machine") }}}
	})
	a := r.get("/readyz", as(""))
	p := refused(t, a, http.StatusInternalServerError, api.CodeInternal)
	if bytes.Contains(a.body, []byte("secret")) || !p.Retryable {
		t.Errorf("got %s", a.body)
	}
	lines := r.logs.requests(t)
	if len(lines) != 1 || lines[0]["level"] != "ERROR" || lines[0]["request_id"] != p.RequestID ||
		!strings.Contains(lines[0]["error"].(string), "the secret of the machine") || !strings.Contains(lines[0]["stack"].(string), "operations_test.go") {
		t.Errorf("logged %v", lines)
	}
	if strings.Count(r.logs.String(), "the secret of the machine") != 1 {
		t.Errorf("logged more than once: %s", r.logs)
	}
}

func TestMetricsCountRequestsByRoute(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(`{"html":"<p>"}`)
	r.job(j.ID)
	r.get("/jobs/job_nothing")
	r.get("/nothing", wrong)
	a := r.get("/metrics", as(""))
	for _, want := range []string{
		`platen_http_requests_total{class="2xx",method="GET",route="/jobs/:id"} 1`,
		`platen_http_requests_total{class="4xx",method="GET",route="/jobs/:id"} 1`,
		`platen_http_requests_total{class="2xx",method="POST",route="/jobs"} 1`,
		`platen_http_requests_total{class="4xx",method="GET",route="none"} 1`,
		`platen_http_request_duration_seconds_count{class="2xx",method="POST",route="/jobs"} 1`,
	} {
		if a.status != http.StatusOK || !bytes.Contains(a.body, []byte(want)) {
			t.Errorf("%d, without %s:\n%s", a.status, want, a.body)
		}
	}
}

func TestMetricsThatCannotBeGatheredAreAProblem(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	broken := prometheus.NewDesc("broken", "Broken.", nil, nil)
	r.registry.MustRegister(collector{prometheus.NewInvalidMetric(broken, errors.New("no number"))})
	refused(t, r.get("/metrics", as("")), http.StatusInternalServerError, api.CodeInternal)
}

type collector struct{ prometheus.Metric }

func (c collector) Describe(ch chan<- *prometheus.Desc) { ch <- c.Desc() }
func (c collector) Collect(ch chan<- prometheus.Metric) { ch <- c.Metric }

func TestTheContractIsServedByteForByte(t *testing.T) {
	t.Parallel()
	if a := newRig(t).get("/openapi.yaml", as("")); a.status != http.StatusOK || !bytes.Equal(a.body, api.Spec) {
		t.Errorf("got %d and %d bytes", a.status, len(a.body))
	}
}

func TestEachRequestIsOneLineWithoutItsQuery(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.get("/documents/doc_01KCPDHS1S0EXAMPZE00000002/content?expires=1&signature=deadbeef", as(""))
	r.submit(`{"html":"<p>the data of the customer</p>","metadata":{"name":"Jane Roe"}}`)
	lines := r.logs.requests(t)
	if len(lines) != 2 || lines[0]["route"] != "/documents/:id/content" || lines[0]["code"] != "link_invalid" || lines[0]["linked"] != true {
		t.Fatalf("logged %v", lines)
	}
	if lines[1]["tenant"] != "default" || lines[1]["status"] != float64(http.StatusAccepted) || lines[1]["key_id"] == nil {
		t.Errorf("logged %v", lines[1])
	}
	for _, hidden := range []string{"deadbeef", "customer", "Jane", r.key} {
		if strings.Contains(r.logs.String(), hidden) {
			t.Errorf("the log has %q", hidden)
		}
	}
}
