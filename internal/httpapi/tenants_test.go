package httpapi_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/webhook"
)

// rotate changes the secret of the tenant shop.
func (r *rig) rotate(text string) api.SecretCreated {
	r.Helper()
	return read[api.SecretCreated](r, r.post("/admin/tenants/shop/secrets", as(adminKey), jsonBody(text)), http.StatusCreated)
}

// signing are the secrets that sign now, as a deliverer reads them.
func (r *rig) signing(tenant string) []string {
	r.Helper()
	kept, err := r.store.Tenant(r.Context(), tenant)
	if err != nil {
		r.Fatal(err)
	}
	secrets, err := jobs.OpenSecrets(r.service.Key, tenant, kept.Secrets)
	if err != nil {
		r.Fatal(err)
	}
	return jobs.ActiveSecrets(secrets, kept.Now)
}

func TestANewSecretSignsBeforeTheOldOneUntilTheOverlapIsOver(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := *r.createKey(`{"tenant":"shop"}`).CallbackSecret
	second := r.rotate(`{}`)
	if _, err := webhook.ParseSecret(second.Secret); err != nil || !strings.HasPrefix(second.Secret, "whsec_") {
		t.Errorf("the secret signs nothing: %v", err)
	}
	if in := time.Until(*second.PreviousExpiresAt); in < 23*time.Hour || in > 25*time.Hour {
		t.Errorf("the one before ends in %v", in)
	}
	if diff := cmp.Diff([]string{second.Secret, first}, r.signing("shop")); diff != "" {
		t.Errorf("signing (-want +got):\n%s", diff)
	}

	third := r.rotate(`{"overlap_seconds":1}`)
	if diff := cmp.Diff([]string{third.Secret, second.Secret, first}, r.signing("shop")); diff != "" {
		t.Errorf("signing (-want +got):\n%s", diff)
	}
	eventually(t, "the overlap ends", func() bool { return slices.Equal(r.signing("shop"), []string{third.Secret}) })

	fourth := r.rotate(`{"secret":"a plain text of mine","overlap_seconds":0}`)
	if fourth.Secret != "a plain text of mine" || fourth.PreviousExpiresAt != nil {
		t.Errorf("got %+v", fourth)
	}
	if diff := cmp.Diff([]string{fourth.Secret}, r.signing("shop")); diff != "" {
		t.Errorf("signing (-want +got):\n%s", diff)
	}
	for _, secret := range []string{first, second.Secret, third.Secret, fourth.Secret} {
		if strings.Contains(r.logs.String(), secret) {
			t.Error("the log has a secret")
		}
		if shown := r.get("/admin/tenants/shop", as(adminKey)); strings.Contains(string(shown.body), secret) {
			t.Errorf("a secret is shown again: %s", shown.body)
		}
	}
}

func TestARotationNeitherLengthensNorRepeatsASecret(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.createKey(`{"tenant":"shop"}`)
	const a, b = "the secret called a", "the secret called b"
	r.rotate(`{"secret":"` + a + `","overlap_seconds":0}`)
	short := r.rotate(`{"secret":"` + b + `","overlap_seconds":60}`).PreviousExpiresAt
	again := r.rotate(`{"secret":"` + b + `","overlap_seconds":2592000}`).PreviousExpiresAt
	if !again.Equal(*short) || !slices.Equal(r.signing("shop"), []string{b, a}) {
		t.Errorf("the old one ended at %v and now ends at %v; %q sign", short, again, r.signing("shop"))
	}
	r.rotate(`{"secret":"` + a + `"}`)
	if got := r.signing("shop"); !slices.Equal(got, []string{a, b}) {
		t.Errorf("taken back: %q", got)
	}
}

func TestOnlySoManySecretsSign(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.createKey(`{"tenant":"shop"}`)
	for range 4 {
		r.rotate(`{}`)
	}
	before := r.signing("shop")
	refused(t, r.post("/admin/tenants/shop/secrets", as(adminKey), jsonBody(`{}`)), http.StatusConflict, api.CodeCallbackSecretLimit)
	if !slices.Equal(before, r.signing("shop")) || len(before) != 5 {
		t.Errorf("%d sign, then %d", len(before), len(r.signing("shop")))
	}
	r.rotate(`{"overlap_seconds":0}`)
	if got := r.signing("shop"); len(got) != 1 {
		t.Errorf("%d sign", len(got))
	}
}

func TestRotationsAtOnceAllStandOrAreTold(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.createKey(`{"tenant":"shop"}`)
	var made sync.Map
	var together sync.WaitGroup
	for range 4 {
		together.Go(func() {
			a := r.post("/admin/tenants/shop/secrets", as(adminKey), jsonBody(`{}`))
			switch a.status {
			case http.StatusCreated:
				made.Store(read[api.SecretCreated](t, a, http.StatusCreated).Secret, true)
			default:
				refused(t, a, http.StatusConflict, api.CodeTenantChanged)
			}
		})
	}
	together.Wait()
	signing := r.signing("shop")
	count := 0
	made.Range(func(secret, _ any) bool {
		count++
		if !slices.Contains(signing, secret.(string)) {
			t.Errorf("a secret that was handed out does not sign")
		}
		return true
	})
	if count == 0 || len(signing) != count+1 {
		t.Errorf("%d were made and %d sign", count, len(signing))
	}
}

// contended is a store in which somebody else always comes first.
type contended struct{ jobs.Store }

func (contended) SwapTenant(_ context.Context, _ string, _ jobs.TenantField, _, _ []byte) (bool, error) {
	return false, nil
}

func TestATenantThatOthersKeepChangingIsAConflict(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.service.Store = contended{r.store}
	for _, a := range []answer{
		r.post("/admin/tenants/default/secrets", as(adminKey), jsonBody(`{}`)),
		r.do(http.MethodPatch, "/admin/tenants/default", as(adminKey), jsonBody(`{"callback_url":"https://shop.example/"}`)),
	} {
		if p := refused(t, a, http.StatusConflict, api.CodeTenantChanged); !p.Retryable {
			t.Errorf("got %+v", p)
		}
	}
}

func TestABadSecretIsRefusedAndNotRepeated(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, bad := range []string{"", "s3cr3t", "whsec_????????????????????????", strings.Repeat("é", 129), " a secret with spaces", "whsk_AAAAAAAAAAAAAAAAAAAAAAAA"} {
		a := r.post("/admin/tenants/default/secrets", as(adminKey), jsonBody(`{"secret":"`+bad+`"}`), wrong)
		p := refused(t, a, http.StatusUnprocessableEntity, api.CodeCallbackSecretInvalid)
		if p.Errors[0].Pointer != "/secret" || bad != "" && (strings.Contains(string(a.body), bad) || strings.Contains(r.logs.String(), bad)) {
			t.Errorf("%q: %s", bad, a.body)
		}
	}
}

func TestSecretsFromTheSettingsAreChangedThere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.service.SecretConfigured = true
	if err := r.service.SetCallbackSecrets(t.Context(), "default", "the newer secret of two", "the older secret of two"); err != nil {
		t.Fatal(err)
	}
	refused(t, r.post("/admin/tenants/default/secrets", as(adminKey), jsonBody(`{}`)), http.StatusConflict, api.CodeCallbackSecretConfigured)
	state := read[api.Tenant](t, r.get("/admin/tenants/default", as(adminKey)), http.StatusOK)
	if !state.CallbackSecretConfigured || len(state.Secrets) != 2 || state.Secrets[1].ExpiresAt != nil {
		t.Errorf("got %+v", state)
	}
	if got := r.signing("default"); !slices.Equal(got, []string{"the newer secret of two", "the older secret of two"}) {
		t.Errorf("%q sign", got)
	}
	r.createKey(`{"tenant":"shop"}`)
	r.rotate(`{}`) // another tenant's are not in the settings
}

func TestTenantsAreListedByName(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, name := range []string{"shop", "acme", "zoo"} {
		r.createKey(`{"tenant":"` + name + `"}`)
	}
	var names []string
	for target := "/admin/tenants?limit=3"; target != ""; {
		list := read[api.TenantList](t, r.get(target, as(adminKey)), http.StatusOK)
		for _, tenant := range list.Data {
			names = append(names, tenant.Name)
			if len(tenant.Secrets) != 1 || tenant.CallbackURLHost != nil {
				t.Errorf("got %+v", tenant)
			}
		}
		target = ""
		if list.NextCursor != nil {
			target = "/admin/tenants?limit=3&cursor=" + *list.NextCursor
		}
	}
	if diff := cmp.Diff([]string{"acme", "default", "shop", "zoo"}, names); diff != "" {
		t.Error(diff)
	}
	for _, query := range []string{"limit=0", "cursor=A", "name=x"} {
		refused(t, r.get("/admin/tenants?"+query, as(adminKey), wrong), http.StatusBadRequest, api.CodeQueryMalformed)
	}
}

func TestATenantWhoseSecretsCannotBeReadIsShownAndCanBeGivenOne(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.createKey(`{"tenant":"shop"}`)
	r.service.Key = secretKey(t)
	if got := read[api.Tenant](t, r.get("/admin/tenants/shop", as(adminKey)), http.StatusOK); len(got.Secrets) != 0 {
		t.Errorf("got %+v", got)
	}
	refused(t, r.post("/admin/tenants/shop/secrets", as(adminKey), jsonBody(`{}`)), http.StatusInternalServerError, api.CodeInternal)
	made := r.rotate(`{"overlap_seconds":0}`)
	if got := r.signing("shop"); !slices.Equal(got, []string{made.Secret}) {
		t.Errorf("%d sign", len(got))
	}
}
