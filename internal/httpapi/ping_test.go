package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

func (r *rig) test(text string, options ...option) api.Delivery {
	r.Helper()
	a := r.post("/deliveries/test", append([]option{jsonBody(text)}, options...)...)
	d := read[api.Delivery](r, a, http.StatusAccepted)
	if got := a.header.Get("Location"); got != "/base/deliveries/"+d.ID {
		r.Errorf("Location %q", got)
	}
	return d
}

func TestATestIsADeliveryAboutNoJob(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	d := r.test(`{"callback_url":"https://shop.example/hook","callback_secret":"sixteen letters!","callback_headers":{"X-A":"b"}}`)
	if !d.Ping || d.EventType != api.EventPing || d.JobID != nil || d.DocumentID != nil || d.URLHost != "shop.example" ||
		d.Status != api.DeliveryPending || d.Attempts != 0 || len(d.Log) != 0 {
		t.Errorf("got %+v", d)
	}
	if r.rang.Load() != 1 || r.guard.asked.Load() != 1 {
		t.Errorf("rang %d times, asked the guard %d times", r.rang.Load(), r.guard.asked.Load())
	}
	claim, err := r.store.ClaimDelivery(t.Context(), jobs.ID(d.ID), 1, "owner", time.Minute)
	if err != nil || claim.Answer != jobs.ClaimOK {
		t.Fatalf("claim: %s, %v", claim.Answer, err)
	}
	c, err := jobs.OpenCallback(r.service.Key, claim.Delivery.ID, claim.Sealed)
	if err != nil || c.URL != "https://shop.example/hook" || c.Secret != "sixteen letters!" || c.Headers["X-A"] != "b" {
		t.Errorf("stored %+v, %v", c, err)
	}
	var event struct {
		Type api.EventType   `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(claim.Body, &event); err != nil || event.Type != api.EventPing || string(event.Data) != "{}" {
		t.Errorf("the body is %s, %v", claim.Body, err)
	}
	if _, err := r.store.FinishDelivery(t.Context(), claim.Delivery.ID, claim.Delivery.Fence(), died()); err != nil {
		t.Fatal(err)
	}
	if end := read[api.Delivery](t, r.get("/deliveries/"+d.ID), http.StatusOK); end.Status != api.DeliveryDead || *end.Log[0].StatusCode != 410 {
		t.Errorf("got %+v", end)
	}
	if list := read[api.DeliveryList](t, r.get("/deliveries?status=dead"), http.StatusOK); len(list.Data) != 0 {
		t.Errorf("it is listed: %+v", list.Data)
	}
	refused(t, r.post("/deliveries/"+d.ID+"/replay"), http.StatusGone, api.CodeDeliveryGone)
	theirs := r.newKey("other", jobs.ScopeRead)
	refused(t, r.get("/deliveries/"+d.ID, as(theirs)), http.StatusNotFound, api.CodeDeliveryNotFound)
}

func TestATestIsHeldUntilItsAttemptHasEnded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.service.Queue = enqueue(func(task jobs.Task) {
		r.Helper()
		claim, err := r.store.ClaimDelivery(t.Context(), task.ID, task.Generation, "owner", time.Minute)
		if err != nil || claim.Answer != jobs.ClaimOK {
			t.Errorf("claim: %s, %v", claim.Answer, err)
		}
		end := jobs.DeliveryEnd{Outcome: jobs.OutcomeDelivered, Attempt: jobs.DeliveryAttempt{Outcome: jobs.OutcomeDelivered, Status: 204}}
		if _, err := r.store.FinishDelivery(t.Context(), task.ID, claim.Delivery.Fence(), end); err != nil {
			t.Error(err)
		}
	})
	a := r.post("/deliveries/test", jsonBody(`{"callback_url":"https://shop.example/"}`), header("Prefer", "wait=20"))
	if d := read[api.Delivery](t, a, http.StatusOK); d.Status != api.DeliveryDelivered || *d.Log[0].StatusCode != 204 || a.header.Get("Preference-Applied") != "wait=20" {
		t.Errorf("got %+v, %v", d, a.header)
	}
	r.service.Queue = enqueue(func(jobs.Task) {})
	a = r.post("/deliveries/test", jsonBody(`{"callback_url":"https://shop.example/"}`), header("Prefer", "wait=1"))
	if d := read[api.Delivery](t, a, http.StatusAccepted); d.Status != api.DeliveryPending || a.header.Get("Preference-Applied") != "wait=1" {
		t.Errorf("got %+v, %v", d, a.header)
	}
}

func TestATestGoesThroughTheGuardLikeAJob(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	denied := refused(t, r.post("/deliveries/test", jsonBody(`{"callback_url":"https://denied.example/"}`)), http.StatusUnprocessableEntity, api.CodeURLDenied)
	lost := refused(t, r.post("/deliveries/test", jsonBody(`{"callback_url":"https://lost.example/"}`)), http.StatusServiceUnavailable, api.CodeCallbackHostUnresolved)
	for _, p := range []api.Problem{denied, lost} {
		if len(p.Errors) != 1 || p.Errors[0].Pointer != "/callback_url" || strings.Contains(p.Detail, "10.0.0.7") {
			t.Errorf("got %+v", p)
		}
	}
	secret := r.post("/deliveries/test", jsonBody(`{"callback_url":"https://shop.example/","callback_secret":"s3cr3t"}`), wrong)
	if refused(t, secret, http.StatusUnprocessableEntity, api.CodeCallbackSecretInvalid); strings.Contains(string(secret.body)+r.logs.String(), "s3cr3t") {
		t.Errorf("the secret is repeated: %s", secret.body)
	}
	if r.rang.Load() != 0 {
		t.Error("something is on its way")
	}
}

func TestATestWithoutAURLGoesToTheDefault(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := refused(t, r.post("/deliveries/test", jsonBody(`{}`)), http.StatusUnprocessableEntity, api.CodeFieldMissing)
	if len(p.Errors) != 1 || p.Errors[0].Pointer != "/callback_url" {
		t.Errorf("got %+v", p)
	}
	r.patchTenant("default", `{"callback_url":"https://shop.example/"}`)
	if d := r.test(`{}`); d.URLHost != "shop.example" {
		t.Errorf("got %+v", d)
	}
}
