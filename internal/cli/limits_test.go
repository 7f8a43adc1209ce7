package cli_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/platen-render/platen/api"
)

func TestLimitsAreSetAndTakenAway(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--requests-per-second 50 --request-burst 100 --concurrent-renders 4 --queued-jobs 10000 --batch-items 100000 --stored-bytes 50GB": `{"limits":{"batch_items":100000,"concurrent_renders":4,"queued_jobs":10000,"request_burst":100,"requests_per_second":50,"stored_bytes":50000000000}}`,
		"--queued-jobs none":                      `{"limits":{"queued_jobs":null}}`,
		"--queued-jobs 0 --stored-versions 5":     `{"limits":{"queued_jobs":0,"stored_versions":5}}`,
		"--stored-bytes none":                     `{"limits":{"stored_bytes":null}}`,
		"--stored-bytes 512MiB":                   `{"limits":{"stored_bytes":536870912}}`,
		"--stored-bytes 7":                        `{"limits":{"stored_bytes":7}}`,
		"--callback-url= --batch-items 1":         `{"callback_url":"","limits":{"batch_items":1}}`,
		"--stored-bytes 3kB --stored-bytes 2TiB":  `{"limits":{"stored_bytes":2199023255552}}`,
		"--callback-url https://shop.example.com": `{"callback_url":"https://shop.example.com"}`,
	} {
		s := newServer(map[string]http.HandlerFunc{"PATCH /admin/tenants/{name}": reply(http.StatusOK, tenant())})
		got := run(t, s, "", withAdminKey, append([]string{"tenants", "set", "shop"}, strings.Fields(args)...)...)
		if sent := strings.TrimSpace(s.request(t, "PATCH /admin/tenants/shop").body); got.status != 0 || sent != want {
			t.Errorf("%s: status %d, sent %s, want %s", args, got.status, sent, want)
		}
	}
}

func TestWhatIsNoLimitIsRefused(t *testing.T) {
	t.Parallel()
	s := newServer(nil)
	for args, want := range map[string]string{
		"":                         "nothing to change",
		"--queued-jobs many":       "want a whole number, or none",
		"--queued-jobs -1":         "want a whole number, or none",
		"--stored-bytes 1.5GB":     "want a size",
		"--stored-bytes 9e9":       "want a size",
		"--stored-bytes GB":        "want a size",
		"--stored-bytes 99999TiB":  "want a size",
		"--requests-per-second 1k": "want a whole number",
	} {
		got := run(t, s, "", withAdminKey, append([]string{"tenants", "set", "shop"}, strings.Fields(args)...)...)
		if got.status != 2 || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: status %d, %s", args, got.status, got.stderr)
		}
	}
}

func TestATenantIsShownWithWhatItUses(t *testing.T) {
	t.Parallel()
	full := tenant()
	full.Limits = api.TenantLimits{
		RequestsPerSecond: new(int64(50)), RequestBurst: new(int64(100)), ConcurrentRenders: new(int64(4)), QueuedJobs: new(int64(10_000)),
		BatchItems: new(int64(100_000)), StoredBytes: new(int64(50_000_000_000)), StoredVersions: new(int64(10_000)),
	}
	full.Usage = api.TenantUsage{ConcurrentRenders: 2, QueuedJobs: 17, StoredBytes: 1_283_775_122, StoredVersions: 31}
	s := newServer(map[string]http.HandlerFunc{"GET /admin/tenants/{name}": reply(http.StatusOK, full)})
	got := run(t, s, "", withAdminKey, "tenants", "show", "shop")
	for _, want := range []string{
		"requests a second  at most 50, 100 at once\n", "running jobs       2 of 4\n", "queued jobs        17 of 10000\n",
		"items of a batch   at most 100000\n", "stored             1.28 GB of 50 GB\n", "stored versions    31 of 10000\n",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
}
