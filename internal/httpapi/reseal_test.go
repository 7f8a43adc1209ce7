package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// link makes a link and returns its path and query.
func (r *rig) link(document string) string {
	r.Helper()
	made := read[api.Link](r, r.post("/documents/"+document+"/links", jsonBody(`{"expires_in_seconds":3600}`)), http.StatusCreated)
	return strings.TrimPrefix(made.URL, publicURL)
}

// resealAll makes a whole pass.
func (r *rig) resealAll() api.Resealed {
	r.Helper()
	var sum api.Resealed
	text := `{}`
	for range 100 {
		part := read[api.Resealed](r, r.post("/admin/reseal", as(adminKey), jsonBody(text)), http.StatusOK)
		sum.Checked += part.Checked
		sum.Rewritten += part.Rewritten
		sum.Contended += part.Contended
		sum.Unreadable += part.Unreadable
		if part.NextCursor == nil {
			return sum
		}
		text = `{"cursor":"` + *part.NextCursor + `"}`
	}
	r.Fatal("the pass has no end")
	return sum
}

func TestAfterAPassNothingNeedsTheOldKey(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.createKey(`{"tenant":"shop"}`) // two secrets
	r.patchTenant("default", `{"callback_url":"https://shop.example/"}`)
	queued := r.submit(withCallback)
	ended := r.reported("a.example", false, died())
	r.submit(`{"html":"<p>","callback_url":""}`) // has nothing that is sealed
	want := api.Resealed{Checked: 6}             // secrets, a default URL, two jobs, one delivery

	if got := r.resealAll(); got != want {
		t.Errorf("with the same key: %+v, want %+v", got, want)
	}
	old := r.service.Key
	fresh := secretKey(t)
	r.service.Key = fresh.Before(old)
	want.Rewritten = 6
	if got := r.resealAll(); got != want {
		t.Errorf("with a new key: %+v, want %+v", got, want)
	}
	want.Rewritten = 0
	if got := r.resealAll(); got != want {
		t.Errorf("again: %+v, want %+v", got, want)
	}

	r.service.Key = fresh
	if got := r.resealAll(); got != want {
		t.Errorf("without the old key: %+v, want %+v", got, want)
	}
	for _, id := range []string{queued.ID, ended.ID} {
		j, err := r.store.Job(t.Context(), jobs.ID(id))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := jobs.OpenCallback(fresh, j.Delivery, j.Sealed); err != nil {
			t.Error(err)
		}
	}
	if len(r.signing("shop")) != 1 || len(r.signing("default")) != 1 {
		t.Error("a secret is lost")
	}
	if tenant := read[api.Tenant](t, r.get("/admin/tenants/default", as(adminKey)), http.StatusOK); tenant.CallbackURLHost == nil {
		t.Error("the default URL is lost")
	}
	replay := read[api.DeliveryList](t, r.get("/deliveries?status=dead"), http.StatusOK).Data[0]
	read[api.Delivery](t, r.post("/deliveries/"+replay.ID+"/replay"), http.StatusAccepted)
	claim, err := r.store.ClaimDelivery(t.Context(), jobs.ID(replay.ID), 2, "owner", time.Minute)
	if err != nil || claim.Answer != jobs.ClaimOK {
		t.Fatalf("claim: %s, %v", claim.Answer, err)
	}
	if c, err := jobs.OpenCallback(fresh, claim.Delivery.ID, claim.Sealed); err != nil || c.URL != "https://a.example/hook" {
		t.Errorf("the delivery goes to %q, %v", c.URL, err)
	}
}

func TestWhatNoKeyOpensIsCountedAndLeftAlone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.submit(withCallback)
	r.service.Key = secretKey(t)
	for range 2 {
		if got, want := r.resealAll(), (api.Resealed{Checked: 2, Unreadable: 2}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestALinkOfAnOldKeyWorksUntilThatKeyIsDropped(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(page)
	r.issue(j.ID, content)
	link := r.link(j.DocumentID)
	if a := r.get(link, as("")); a.status != http.StatusOK {
		t.Fatalf("got %d %s", a.status, a.body)
	}
	fresh := secretKey(t)
	r.service.Key = fresh.Before(r.service.Key)
	if a := r.get(link, as("")); a.status != http.StatusOK {
		t.Errorf("with the old key behind the new one: %d %s", a.status, a.body)
	}
	newer := r.link(j.DocumentID)
	r.service.Key = fresh
	refused(t, r.get(link, as("")), http.StatusForbidden, api.CodeLinkInvalid)
	if a := r.get(newer, as("")); a.status != http.StatusOK {
		t.Errorf("the new link: %d %s", a.status, a.body)
	}
}
