package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/webhook"
)

func (r *rig) createKey(text string) api.KeyCreated {
	r.Helper()
	return read[api.KeyCreated](r, r.post("/admin/keys", as(adminKey), jsonBody(text)), http.StatusCreated)
}

func TestANewKeyWorksAndItsTenantsSecretIsShownOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.createKey(`{"tenant":"shop","name":"checkout","scopes":["read","write"]}`)
	second := r.createKey(`{"tenant":"shop","expires_in_seconds":3600}`)
	if first.CallbackSecret == nil || second.CallbackSecret != nil {
		t.Errorf("secrets %v and %v", first.CallbackSecret, second.CallbackSecret)
	}
	if _, err := webhook.ParseSecret(*first.CallbackSecret); err != nil || !strings.HasPrefix(*first.CallbackSecret, "whsec_") {
		t.Errorf("the secret signs nothing: %v", err)
	}
	tenant, err := r.store.Tenant(t.Context(), "shop")
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := jobs.OpenSecrets(r.service.Key, "shop", tenant.Secrets); err != nil || cmp.Diff([]jobs.Secret{{Text: *first.CallbackSecret}}, kept) != "" {
		t.Errorf("kept %q, %v", kept, err)
	}
	if first.Name != "checkout" || first.ExpiresAt != nil || !second.ExpiresAt.Equal(second.CreatedAt.Add(time.Hour)) {
		t.Errorf("got %+v and %+v", first, second)
	}
	if !strings.HasPrefix(first.Token, "plt_"+strings.TrimPrefix(first.ID, "key_")+"_") {
		t.Errorf("key %s of %s", first.Token, first.ID)
	}
	r.submit(page, as(second.Token)) // read and write are the default
	if mine := r.createKey(`{}`); mine.Tenant != "default" || cmp.Diff([]api.Scope{api.ScopeRead, api.ScopeWrite}, mine.Scopes) != "" {
		t.Errorf("got %+v", mine)
	}
	for _, secret := range []string{first.Token, *first.CallbackSecret} {
		if strings.Contains(r.logs.String(), secret) {
			t.Error("the log has a secret")
		}
	}
}

func TestTheNameOfAKeyIsCountedInCharacters(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("é", 100)
	if k := newRig(t).createKey(`{"name":"` + name + `"}`); k.Name != name {
		t.Errorf("got %q", k.Name)
	}
}

func TestKeysAreListedWithoutTheirSecrets(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var want []string
	for range 3 {
		tick(t)
		k := r.createKey(`{"tenant":"shop","scopes":["admin"]}`)
		want = append([]string{k.ID}, want...)
	}
	var got []string
	target := "/admin/keys?limit=2"
	for target != "" {
		a := r.get(target, as(adminKey))
		list := read[api.KeyList](t, a, http.StatusOK)
		for _, k := range list.Data {
			if k.Tenant == "shop" {
				got = append(got, k.ID)
			}
		}
		if strings.Contains(string(a.body), "plt_") {
			t.Errorf("a key is shown: %s", a.body)
		}
		target = ""
		if list.NextCursor != nil {
			target = "/admin/keys?limit=2&cursor=" + *list.NextCursor
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestABadRequestForAKeyIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for text, pointer := range map[string]string{
		`{"tenant":"Shop"}`: "/tenant",
		`{"tenant":""}`:     "/tenant",
		`{"tenant":"-a"}`:   "/tenant",
		`{"tenant":"a/b"}`:  "/tenant",
		`{"name":"` + strings.Repeat("é", 101) + `"}`: "/name",
		`{"name":"a\nb"}`:                  "/name",
		`{"scopes":[]}`:                    "/scopes",
		`{"scopes":["root"]}`:              "/scopes",
		`{"scopes":["read","read"]}`:       "/scopes",
		`{"scopes":[null]}`:                "/scopes/0",
		`{"scopes":"read"}`:                "/scopes",
		`{"expires_in_seconds":0}`:         "/expires_in_seconds",
		`{"expires_in_seconds":315360001}`: "/expires_in_seconds",
	} {
		p := refused(t, r.post("/admin/keys", as(adminKey), jsonBody(text), wrong), http.StatusUnprocessableEntity, api.CodeFieldInvalid)
		if len(p.Errors) != 1 || p.Errors[0].Pointer != pointer {
			t.Errorf("%s: %+v", text, p.Errors)
		}
	}
	refused(t, r.post("/admin/keys", as(adminKey), jsonBody(`{"role":"x"}`), wrong), http.StatusUnprocessableEntity, api.CodeFieldUnknown)
	refused(t, r.post("/admin/keys", as(adminKey), jsonBody(`{`), wrong), http.StatusBadRequest, api.CodeBodyMalformed)
	refused(t, r.post("/admin/keys", as(adminKey), body("text/plain", `{}`), wrong), http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported)
}
