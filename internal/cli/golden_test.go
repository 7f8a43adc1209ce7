package cli_test

import (
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got:\n%s", path, diff)
	}
}

func TestHelpIsWhatItWas(t *testing.T) {
	t.Parallel()
	pages := []string{
		"help", "help jobs", "help deliveries", "help keys", "help render", "jobs get -h", "help jobs list", "jobs retry --help", "jobs cancel -h",
		"deliveries list -h", "deliveries replay -h", "keys create -h", "keys list -h", "keys revoke -h", "listen --help", "version -h",
	}
	var all strings.Builder
	for _, page := range pages {
		got := run(t, nil, "", nil, strings.Fields(page)...)
		if got.status != 0 || got.stderr != "" {
			t.Errorf("platen %s: status %d, %s", page, got.status, got.stderr)
		}
		all.WriteString("$ platen " + page + "\n" + got.stdout + "\n")
	}
	golden(t, "help.golden", all.String())
}

func TestOutputForPeopleIsWhatItWas(t *testing.T) {
	t.Parallel()
	next, secret, until := "c2", "whsec_bm90QVJlYWxTZWNyZXRKdXN0QW5FeGFtcGxl", noon
	key := api.Key{ID: keyID, Tenant: "shop", Name: "the checkout", Scopes: []api.Scope{api.ScopeRead, api.ScopeWrite}, CreatedAt: noon, ExpiresAt: &until}
	s := newServer(map[string]http.HandlerFunc{
		"GET /jobs/{id}":               reply(http.StatusOK, job(api.JobSucceeded), "ETag", `"1"`),
		"DELETE /jobs/{id}":            reply(http.StatusOK, job(api.JobCanceled)),
		"POST /jobs/{id}/retry":        reply(http.StatusAccepted, job(api.JobQueued), "Location", "/jobs/"+jobID, "Retry-After", "1"),
		"GET /jobs":                    reply(http.StatusOK, api.JobList{Data: []api.Job{job(api.JobRunning), job(api.JobFailed)}, NextCursor: &next}),
		"GET /jobs/{id}/deliveries":    reply(http.StatusOK, api.DeliveryList{Data: []api.Delivery{delivery(api.DeliveryDelivered)}}),
		"GET /deliveries":              reply(http.StatusOK, api.DeliveryList{Data: []api.Delivery{delivery(api.DeliveryDead)}}),
		"POST /deliveries/{id}/replay": reply(http.StatusAccepted, delivery(api.DeliveryPending)),
		"POST /admin/keys":             reply(http.StatusCreated, api.KeyCreated{Key: key, Token: "plt_01KCPCP2C00EXAMPZE0000000B_notARealSecretJustAnExample", CallbackSecret: &secret}),
		"GET /admin/keys":              reply(http.StatusOK, api.KeyList{Data: []api.Key{key}}),
		"DELETE /admin/keys/{id}":      func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
	})
	lines := []string{
		"jobs get " + jobID, "jobs list --status failed --document-key invoice:7 --limit 2", "jobs retry " + jobID, "jobs cancel " + jobID,
		"deliveries list " + jobID, "deliveries list", "deliveries replay " + deliveryID,
		"keys create --tenant shop --scopes read --expires 1h", "keys list", "keys revoke " + keyID, "version",
	}
	var all strings.Builder
	for _, line := range lines {
		got := run(t, s, "", withKey, strings.Fields(line)...)
		if got.status != 0 {
			t.Errorf("platen %s: status %d", line, got.status)
		}
		all.WriteString("$ platen " + line + "\n" + got.stdout + got.stderr + "\n")
	}
	golden(t, "output.golden", all.String())
	s.request(t, "GET /jobs?document_key=invoice%3A7&limit=2&status=failed")
	created := s.request(t, "POST /admin/keys")
	if want := `{"tenant":"shop","name":"","scopes":["read"],"expires_in_seconds":3600}`; strings.TrimSpace(created.body) != want {
		t.Errorf("the request for a key is %s, want %s", created.body, want)
	}
	if s.request(t, "POST /jobs/"+jobID+"/retry").idempotencyKey == "" {
		t.Error("the retry has no idempotency key")
	}
}
