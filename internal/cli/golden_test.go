package cli_test

import (
	"flag"
	"io"
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
		"help", "help jobs", "help deliveries", "help keys", "help render", "help inspect", "help compare", "jobs get -h", "help jobs list", "jobs watch -h", "watch -h", "jobs retry --help", "jobs cancel -h",
		"help gone", "help tenants", "help secrets", "deliveries list -h", "deliveries show -h", "deliveries replay -h", "deliveries replays -h",
		"deliveries test -h", "gone list -h", "gone lift -h", "tenants list -h", "tenants show -h", "tenants set -h", "secrets rotate -h", "secrets reseal -h",
		"help templates", "templates init -h", "templates put -h", "templates list -h", "templates show -h", "templates delete -h", "help assets", "assets put -h", "assets list -h", "assets delete -h", "templates preview -h", "help documents", "documents get -h", "documents download -h", "documents link -h", "documents purge -h", "documents check -h", "documents rerender -h", "keys create -h", "keys list -h", "keys revoke -h", "help receipts", "receipts get -h", "receipts keys -h",
		"help batch", "batch manifest -h", "receipts check -h", "receipts rotate -h", "verify -h", "listen --help", "version -h",
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
		"GET /jobs/{id}":            reply(http.StatusOK, job(api.JobSucceeded), "ETag", `"1"`),
		"DELETE /jobs/{id}":         reply(http.StatusOK, job(api.JobCanceled)),
		"POST /jobs/{id}/retry":     reply(http.StatusAccepted, job(api.JobQueued), "Location", "/jobs/"+jobID, "Retry-After", "1"),
		"GET /jobs":                 reply(http.StatusOK, api.JobList{Data: []api.Job{job(api.JobSucceeded), job(api.JobFailed)}, NextCursor: &next}),
		"GET /jobs/{id}/deliveries": reply(http.StatusOK, api.DeliveryList{Data: []api.Delivery{delivery(api.DeliveryDelivered)}}),
		"GET /deliveries": func(w http.ResponseWriter, r *http.Request) {
			d := delivery(api.DeliveryStatus(r.URL.Query().Get("status")))
			reply(http.StatusOK, api.DeliveryList{Data: []api.Delivery{d}})(w, r)
		},
		"POST /deliveries/{id}/replay": reply(http.StatusAccepted, delivery(api.DeliveryPending)),
		"GET /deliveries/{id}":         reply(http.StatusOK, delivery(api.DeliveryDead)),
		"GET /deliveries/replays":      reply(http.StatusOK, api.ReplayList{Data: []api.Replay{replay(api.ReplayRunning)}}),
		"GET /deliveries/replays/{id}": reply(http.StatusOK, replay(api.ReplayFinished)),
		"POST /deliveries/test":        reply(http.StatusOK, delivery(api.DeliveryDelivered), "Location", "/deliveries/"+deliveryID, "Preference-Applied", "wait=30"),
		"POST /deliveries/replay": func(w http.ResponseWriter, r *http.Request) {
			if body, _ := io.ReadAll(r.Body); strings.Contains(string(body), "dry_run") {
				reply(http.StatusOK, api.ReplayCount{DryRun: true, Matched: 7})(w, r)
				return
			}
			reply(http.StatusAccepted, replay(api.ReplayRunning), "Location", "/deliveries/replays/"+replayID)(w, r)
		},
		"GET /gone-urls":                     reply(http.StatusOK, api.GoneURLList{Data: []api.GoneURL{{ID: urlID, URLHost: "shop.example.com", GoneAt: noon, DeliveryID: deliveryID}}}),
		"DELETE /gone-urls/{id}":             func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"GET /admin/tenants":                 reply(http.StatusOK, api.TenantList{Data: []api.Tenant{tenant()}}),
		"GET /admin/tenants/{name}":          reply(http.StatusOK, tenant()),
		"PATCH /admin/tenants/{name}":        reply(http.StatusOK, tenant()),
		"POST /admin/tenants/{name}/secrets": reply(http.StatusCreated, api.SecretCreated{Secret: secret, PreviousExpiresAt: &until}),
		"POST /admin/reseal":                 reply(http.StatusOK, api.Resealed{Checked: 7, Rewritten: 5}),
		"POST /admin/keys":                   reply(http.StatusCreated, api.KeyCreated{Key: key, Token: "plt_01KCPCP2C00EXAMPZE0000000B_notARealSecretJustAnExample", CallbackSecret: &secret}),
		"GET /admin/keys":                    reply(http.StatusOK, api.KeyList{Data: []api.Key{key}}),
		"DELETE /admin/keys/{id}":            func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
	})
	lines := []string{
		"jobs get " + jobID, "jobs list --status failed --document-key invoice:7 --limit 2", "jobs retry " + jobID, "jobs cancel " + jobID,
		"deliveries list " + jobID, "deliveries list", "deliveries replay " + deliveryID,
		"keys create --tenant shop --scopes read --expires 1h", "keys list", "keys revoke " + keyID,
		"jobs list --unacknowledged", "deliveries list --status delivered", "deliveries list --status pending --url-host shop.example.com --type job.failed --after 2026-03-02T09:15:00Z",
		"deliveries show " + deliveryID, "deliveries replay --all --url-host shop.example.com --dry-run",
		"deliveries replay --all --status delivered --type job.failed --before 2026-03-02T09:15:00Z --rate 5 --wait", "deliveries replays",
		"deliveries test https://shop.example.com/hook", "gone list", "gone lift " + urlID, "gone lift https://shop.example.com/hook", "tenants list", "tenants show shop",
		"tenants set shop --callback-url https://shop.example.com/hook", "secrets rotate --tenant shop --overlap 168h", "secrets reseal",
		"version",
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
