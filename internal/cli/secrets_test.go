package cli_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/platen-render/platen/api"
)

var withAdminKey = []string{"PLATEN_ADMIN_KEY=bootstrap-key-of-the-tests"}

func TestASecretOfOnesOwnComesByTheStandardInput(t *testing.T) {
	t.Parallel()
	const secret = "a secret of my own"
	s := newServer(map[string]http.HandlerFunc{
		"POST /admin/tenants/{name}/secrets": reply(http.StatusCreated, api.SecretCreated{Secret: secret}),
	})
	got := run(t, s, secret+"\n", withAdminKey, "secrets", "rotate", "--tenant", "shop", "--overlap", "0", "--stdin", "--json")
	asked := s.request(t, "POST /admin/tenants/shop/secrets")
	if want := `{"secret":"` + secret + `","overlap_seconds":0}`; got.status != 0 || strings.TrimSpace(asked.body) != want {
		t.Errorf("status %d, %s, sent %s", got.status, got.stderr, asked.body)
	}
	if asked.authorization != "Bearer bootstrap-key-of-the-tests" || !strings.Contains(got.stdout, `"previous_expires_at": null`) {
		t.Errorf("asked with %q, printed %s", asked.authorization, got.stdout)
	}
}

func TestATenantThatIsMissingIsMadeWithAKey(t *testing.T) {
	t.Parallel()
	s := newServer(map[string]http.HandlerFunc{
		"PATCH /admin/tenants/{name}":        problem(http.StatusNotFound, api.CodeTenantNotFound),
		"POST /admin/tenants/{name}/secrets": problem(http.StatusNotFound, api.CodeTenantNotFound),
	})
	for _, args := range []string{"tenants set shop --callback-url https://shop.example.com/", "secrets rotate --tenant shop"} {
		got := run(t, s, "", withAdminKey, strings.Fields(args)...)
		if got.status != 1 || !strings.Contains(got.stderr, "platen keys create --tenant shop\n") {
			t.Errorf("%s: status %d, stderr %q", args, got.status, got.stderr)
		}
	}
}

func TestTooManySecretsAreSaidInWordsOfTheCommandLine(t *testing.T) {
	t.Parallel()
	s := newServer(map[string]http.HandlerFunc{"POST /admin/tenants/{name}/secrets": problem(http.StatusConflict, api.CodeCallbackSecretLimit)})
	got := run(t, s, "", withAdminKey, "secrets", "rotate")
	if got.status != 1 || !strings.Contains(got.stderr, "--overlap 0,") {
		t.Errorf("status %d, stderr %q", got.status, got.stderr)
	}
}

func TestResealingThatLeavesSomethingIsAnError(t *testing.T) {
	t.Parallel()
	for says, left := range map[string]api.Resealed{
		"run the command again":          {Checked: 3, Rewritten: 2, Contended: 1},
		"none of the server's keys":      {Checked: 3, Unreadable: 1, Contended: 1},
		"encrypted with the current key": {Checked: 3},
	} {
		s := newServer(map[string]http.HandlerFunc{"POST /admin/reseal": reply(http.StatusOK, left)})
		got := run(t, s, "", withAdminKey, "secrets", "reseal")
		if done := left.Contended+left.Unreadable == 0; (got.status == 0) != done || !strings.Contains(got.stdout+got.stderr, says) {
			t.Errorf("%+v: status %d, %s%s", left, got.status, got.stdout, got.stderr)
		}
		if asJSON := run(t, s, "", withAdminKey, "secrets", "reseal", "--json"); !strings.Contains(asJSON.stdout, `"checked": 3`) || asJSON.status != got.status {
			t.Errorf("%+v: status %d, %s", left, asJSON.status, asJSON.stdout)
		}
	}
}

func TestATestThatWasNotDeliveredIsAnError(t *testing.T) {
	t.Parallel()
	s := newServer(map[string]http.HandlerFunc{
		"POST /deliveries/test": reply(http.StatusOK, delivery(api.DeliveryDead), "Location", "/deliveries/"+deliveryID, "Preference-Applied", "wait=30"),
	})
	for _, args := range []string{"deliveries test", "deliveries test --json"} {
		got := run(t, s, "", withKey, strings.Fields(args)...)
		if got.status != 1 || !strings.Contains(got.stderr, "not delivered") || !strings.Contains(got.stdout, deliveryID) {
			t.Errorf("%s: status %d, %s%s", args, got.status, got.stdout, got.stderr)
		}
	}
	if body := s.request(t, "POST /deliveries/test").body; strings.TrimSpace(body) != "{}" {
		t.Errorf("sent %s", body)
	}
}
