package httpapi_test

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/urlguard"
)

// refusedURL is a row of the cases of package urlguard, or of the file that SSRF_CASES names.
type refusedURL struct {
	ID         string       `json:"id"`
	URL        string       `json:"url"`
	Verdict    string       `json:"verdict"`
	Stage      string       `json:"stage"`
	ResolvesTo []netip.Addr `json:"resolves_to"` // nil when it is decided before any look-up
}

// refusedURLs are the rows that are refused when a URL is given, not later.
func refusedURLs(t *testing.T) []refusedURL {
	t.Helper()
	names, err := filepath.Glob(cmp.Or(os.Getenv("SSRF_CASES"), "../urlguard/testdata/*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var found []refusedURL
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var rows []refusedURL
		if err := json.Unmarshal(data, &rows); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, row := range rows {
			if row.Verdict == "reject" && row.Stage != "deliver" {
				found = append(found, row)
			}
		}
	}
	if len(found) == 0 {
		t.Fatal("there are no cases")
	}
	return found
}

// addresses is a resolver that counts, and answers what the current row says.
type addresses struct {
	asked  atomic.Int64
	answer atomic.Pointer[[]netip.Addr]
}

func (a *addresses) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	a.asked.Add(1)
	return *a.answer.Load(), nil
}

func TestNoURLThatMayNotBeCalledIsTakenAnywhere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	resolver := &addresses{}
	policy := urlguard.Policy{AllowHTTP: true, Resolver: resolver}
	r.service.CheckCallback = func(ctx context.Context, url string) error {
		_, err := policy.Check(ctx, url)
		return err
	}
	ways := map[string]func(url string) answer{
		"a job": func(url string) answer {
			return r.post("/jobs", jsonBody(`{"html":"<p>","callback_url":`+url+`}`), wrong)
		},
		"a test": func(url string) answer {
			return r.post("/deliveries/test", jsonBody(`{"callback_url":`+url+`}`), wrong)
		},
		"a default URL": func(url string) answer {
			if url == `""` {
				return r.post("/jobs", jsonBody(`{"html":"<p>","callback_url":""}`), wrong) // here it takes the default away
			}
			return r.do(http.MethodPatch, "/admin/tenants/default", as(adminKey), jsonBody(`{"callback_url":`+url+`}`), wrong)
		},
	}
	unseen := 0
	for _, row := range refusedURLs(t) {
		spelled, err := json.Marshal(row.URL)
		if err != nil {
			t.Fatal(err)
		}
		for way, send := range ways {
			resolver.asked.Store(0)
			resolver.answer.Store(&row.ResolvesTo)
			a := send(string(spelled))
			p := read[api.Problem](t, a, a.status)
			weather := a.status == http.StatusServiceUnavailable && p.Code == api.CodeCallbackHostUnresolved && row.ResolvesTo != nil && len(row.ResolvesTo) == 0
			policy := a.status == http.StatusUnprocessableEntity && (p.Code == api.CodeURLDenied || p.Code == api.CodeFieldInvalid)
			if !weather && !policy || len(p.Errors) != 1 || p.Errors[0].Pointer != "/callback_url" {
				t.Errorf("%s: %q as %s: %d %s", row.ID, row.URL, way, a.status, a.body)
			}
			if row.ResolvesTo == nil && resolver.asked.Load() != 0 {
				t.Errorf("%s: %q as %s was looked up", row.ID, row.URL, way)
			}
		}
		if row.ResolvesTo == nil {
			unseen++
		}
	}
	t.Logf("%d refused without a look-up", unseen)
	jobs := read[api.JobList](t, r.get("/jobs"), http.StatusOK)
	tenant := read[api.Tenant](t, r.get("/admin/tenants/default", as(adminKey)), http.StatusOK)
	if len(jobs.Data) != 0 || tenant.CallbackURLHost != nil || r.rang.Load() != 0 {
		t.Errorf("%d jobs were made, a default URL at %v, %d tasks", len(jobs.Data), tenant.CallbackURLHost, r.rang.Load())
	}
}
