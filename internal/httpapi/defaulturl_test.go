package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

func (r *rig) patchTenant(name, text string) answer {
	r.Helper()
	return r.do(http.MethodPatch, "/admin/tenants/"+name, as(adminKey), jsonBody(text))
}

func TestAJobThatNamesNoCallbackReportsToTheTenantsDefault(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	unset := r.submit(page)
	set := read[api.Tenant](t, r.patchTenant("default", `{"callback_url":"https://shop.example/hook?token=t0k3n"}`), http.StatusOK)
	if *set.CallbackURLHost != "shop.example" {
		t.Errorf("got %+v", set)
	}
	byDefault := r.submit(page)
	own := r.submit(`{"html":"<p>","callback_url":"https://other.example/"}`)
	none := r.submit(`{"html":"<p>","callback_url":""}`)
	if unset.Callback != nil || none.Callback != nil {
		t.Errorf("callbacks where there should be none: %+v, %+v", unset.Callback, none.Callback)
	}
	if byDefault.Callback == nil || byDefault.Callback.URLHost != "shop.example" || own.Callback.URLHost != "other.example" {
		t.Errorf("got %+v and %+v", byDefault.Callback, own.Callback)
	}
	stored, err := r.store.Job(t.Context(), jobs.ID(byDefault.ID))
	if err != nil {
		t.Fatal(err)
	}
	c, err := jobs.OpenCallback(r.service.Key, stored.Delivery, stored.Sealed)
	if err != nil || c.URL != "https://shop.example/hook?token=t0k3n" || c.Secret != "" || stored.Target != jobs.Target(c.URL) {
		t.Errorf("stored %+v, %v, %s", c, err, stored.Target)
	}

	kept := read[api.Tenant](t, r.patchTenant("default", `{}`), http.StatusOK)
	cleared := read[api.Tenant](t, r.patchTenant("default", `{"callback_url":""}`), http.StatusOK)
	if kept.CallbackURLHost == nil || cleared.CallbackURLHost != nil {
		t.Errorf("got %+v, then %+v", kept, cleared)
	}
	if after := r.submit(page); after.Callback != nil {
		t.Errorf("it reports to %+v", after.Callback)
	}
	record, err := r.redis.Client().HGetAll(t.Context(), "pl:{p0}:tenant:default").Result()
	if err != nil || len(record) == 0 || strings.Contains(fmt.Sprint(record), "t0k3n") || strings.Contains(r.logs.String(), "t0k3n") {
		t.Errorf("the URL is in the log or in the store: %v, %v", record, err)
	}
}

func TestTheDefaultURLIsNoPartOfARequestsIdentity(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	before := r.submit(keyed, idempotencyKey("k"))
	r.patchTenant("default", `{"callback_url":"https://shop.example/"}`)
	again := replayed(t, r.post("/jobs", jsonBody(keyed), idempotencyKey("k")), http.StatusAccepted)
	if again.ID != before.ID || again.Callback != nil || len(again.Warnings) != 0 {
		t.Errorf("got %+v", again)
	}
	with := r.submit(`{"html":"<p>","document_key":"other"}`)
	r.patchTenant("default", `{"callback_url":"https://new.example/"}`)
	asked := r.guard.asked.Load()
	repeated := replayed(t, r.post("/jobs", jsonBody(`{"html":"<p>","document_key":"other"}`)), http.StatusAccepted)
	if repeated.ID != with.ID || repeated.Callback.URLHost != "shop.example" || len(repeated.Warnings) != 0 || r.guard.asked.Load() != asked {
		t.Errorf("got %+v", repeated)
	}
	if out := replayed(t, r.post("/jobs", jsonBody(`{"html":"<p>","document_key":"other","callback_url":""}`)), http.StatusAccepted); out.ID != with.ID {
		t.Errorf("got %+v", out)
	}
}

func TestARetryKeepsTheCallbackThatItsJobHad(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	without := r.submit(page)
	r.fail(without.ID)
	r.patchTenant("default", `{"callback_url":"https://shop.example/"}`)
	with := r.submit(page)
	r.fail(with.ID)
	r.patchTenant("default", `{"callback_url":"https://new.example/"}`)
	if again := read[api.Job](t, r.post("/jobs/"+without.ID+"/retry"), http.StatusAccepted); again.Callback != nil {
		t.Errorf("it reports to %+v", again.Callback)
	}
	if again := read[api.Job](t, r.post("/jobs/"+with.ID+"/retry"), http.StatusAccepted); again.Callback == nil || again.Callback.URLHost != "shop.example" {
		t.Errorf("it reports to %+v", again.Callback)
	}
}

func TestADefaultURLIsGuardedWhenItIsSetAndWhenItIsUsed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for url, want := range map[string]struct {
		status int
		code   api.ErrorCode
	}{
		"https://denied.example/": {http.StatusUnprocessableEntity, api.CodeURLDenied},
		"https://lost.example/":   {http.StatusServiceUnavailable, api.CodeCallbackHostUnresolved},
	} {
		p := refused(t, r.patchTenant("default", `{"callback_url":"`+url+`"}`), want.status, want.code)
		if len(p.Errors) != 1 || p.Errors[0].Pointer != "/callback_url" || strings.Contains(p.Detail, "10.0.0.7") {
			t.Errorf("%s: %+v", url, p)
		}
	}
	read[api.Tenant](t, r.patchTenant("default", `{"callback_url":"https://shop.example/"}`), http.StatusOK)
	for url, want := range map[string]struct {
		status int
		code   api.ErrorCode
	}{
		"https://denied.example/": {http.StatusUnprocessableEntity, api.CodeURLDenied},
		"https://lost.example/":   {http.StatusServiceUnavailable, api.CodeCallbackHostUnresolved},
	} {
		r.guard.instead.Store(&url)
		p := refused(t, r.post("/jobs", jsonBody(page)), want.status, want.code)
		if len(p.Errors) != 0 || !strings.Contains(p.Detail, "tenant's default callback URL") {
			t.Errorf("%s: %+v", url, p)
		}
		r.submit(`{"html":"<p>","callback_url":""}`)
	}
}

func TestAnUnknownTenantIsNotLookedUpFor(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	refused(t, r.patchTenant("nobody", `{"callback_url":"https://shop.example/"}`), http.StatusNotFound, api.CodeTenantNotFound)
	if r.guard.asked.Load() != 0 {
		t.Error("the guard was asked")
	}
}
