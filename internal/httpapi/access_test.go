package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// operation is a request that needs a key, about records that may not exist.
type operation struct {
	method, path string
	scope        jobs.Scope
	notFound     api.ErrorCode // "" for an operation about no record
	options      []option
}

const (
	someJob      = "job_01KCPDHS1S0EXAMPZE00000001"
	someDocument = "doc_01KCPDHS1S0EXAMPZE00000002"
	someDelivery = "dlv_01KCPDHS780EXAMPZE00000006"
	someBatch    = "bat_01KCPDHS1S0EXAMPZE00000003"
	someKey      = "key_01KCPCP2C00EXAMPZE0000000B"
	someReplay   = "rpl_01KCPDHS1S0EXAMPZE0000000C"
	someURL      = "AAAAAAAAAAAAAAAAAAAAAA"
)

func operations() []operation {
	const read, write, admin = jobs.ScopeRead, jobs.ScopeWrite, jobs.ScopeAdmin
	return []operation{
		{http.MethodPost, "/jobs", write, "", []option{jsonBody(page)}},
		{http.MethodGet, "/jobs", read, "", nil},
		{http.MethodGet, "/jobs/" + someJob, read, api.CodeJobNotFound, nil},
		{http.MethodDelete, "/jobs/" + someJob, write, api.CodeJobNotFound, nil},
		{http.MethodPost, "/jobs/" + someJob + "/retry", write, api.CodeJobNotFound, nil},
		{http.MethodGet, "/jobs/" + someJob + "/events", read, api.CodeJobNotFound, nil},
		{http.MethodGet, "/jobs/" + someJob + "/deliveries", read, api.CodeJobNotFound, nil},
		{http.MethodGet, "/documents/" + someDocument, read, api.CodeDocumentNotFound, nil},
		{http.MethodDelete, "/documents/" + someDocument, write, api.CodeDocumentNotFound, nil},
		{http.MethodGet, "/documents/" + someDocument + "/content", read, api.CodeDocumentNotFound, nil},
		{http.MethodHead, "/documents/" + someDocument + "/content", read, api.CodeDocumentNotFound, nil},
		{http.MethodPost, "/documents/" + someDocument + "/links", read, api.CodeDocumentNotFound, []option{jsonBody(`{"expires_in_seconds":1}`)}},
		{http.MethodGet, "/documents/" + someDocument + "/receipt", read, api.CodeDocumentNotFound, nil},
		{http.MethodPost, "/documents/" + someDocument + "/verify", read, api.CodeDocumentNotFound, []option{bytesBody("x")}},
		{http.MethodGet, "/receipts", read, "", nil},
		{http.MethodGet, "/keys/signing", read, "", nil},
		{http.MethodPost, "/verify", read, "", []option{bytesBody("x")}},
		{http.MethodGet, "/templates", read, "", nil},
		{http.MethodPut, "/templates/some", write, "", []option{jsonBody(`{"html":"x"}`)}},
		{http.MethodGet, "/templates/none", read, api.CodeTemplateNotFound, nil},
		{http.MethodDelete, "/templates/none", write, api.CodeTemplateNotFound, nil},
		{http.MethodGet, "/templates/none/versions", read, api.CodeTemplateNotFound, nil},
		{http.MethodGet, "/templates/none/versions/1", read, api.CodeTemplateNotFound, nil},
		{http.MethodDelete, "/templates/none/versions/1", write, api.CodeTemplateNotFound, nil},
		{http.MethodGet, "/assets", read, "", nil},
		{http.MethodPut, "/assets/some", write, "", []option{body("image/svg+xml", svg)}},
		{http.MethodGet, "/assets/none", read, api.CodeAssetNotFound, nil},
		{http.MethodDelete, "/assets/none", write, api.CodeAssetNotFound, nil},
		{http.MethodGet, "/assets/none/versions", read, api.CodeAssetNotFound, nil},
		{http.MethodGet, "/assets/none/versions/1", read, api.CodeAssetNotFound, nil},
		{http.MethodDelete, "/assets/none/versions/1", write, api.CodeAssetNotFound, nil},
		{http.MethodGet, "/assets/none/versions/1/content", read, api.CodeAssetNotFound, nil},
		{http.MethodPost, "/batches", write, "", []option{jsonBody(`{"items":[{"html":"<p>"}]}`)}},
		{http.MethodGet, "/batches", read, "", nil},
		{http.MethodGet, "/batches/" + someBatch, read, api.CodeBatchNotFound, nil},
		{http.MethodDelete, "/batches/" + someBatch, write, api.CodeBatchNotFound, nil},
		{http.MethodGet, "/batches/" + someBatch + "/jobs", read, api.CodeBatchNotFound, nil},
		{http.MethodPost, "/batches/" + someBatch + "/retry", write, api.CodeBatchNotFound, nil},
		{http.MethodGet, "/batches/" + someBatch + "/events", read, api.CodeBatchNotFound, nil},
		{http.MethodGet, "/batches/" + someBatch + "/manifest", read, api.CodeBatchNotFound, nil},
		{http.MethodGet, "/batches/" + someBatch + "/archive", read, api.CodeBatchNotFound, nil},
		{http.MethodGet, "/deliveries?status=dead", read, "", nil},
		{http.MethodGet, "/deliveries/" + someDelivery, read, api.CodeDeliveryNotFound, nil},
		{http.MethodPost, "/deliveries/" + someDelivery + "/replay", write, api.CodeDeliveryNotFound, nil},
		{http.MethodPost, "/deliveries/replay", write, "", []option{jsonBody(`{}`)}},
		{http.MethodGet, "/deliveries/replays", read, "", nil},
		{http.MethodGet, "/deliveries/replays/" + someReplay, read, api.CodeReplayNotFound, nil},
		{http.MethodPost, "/deliveries/test", write, "", []option{jsonBody(`{"callback_url":"https://shop.example/"}`)}},
		{http.MethodGet, "/gone-urls", read, "", nil},
		{http.MethodDelete, "/gone-urls/" + someURL, write, api.CodeGoneURLNotFound, nil},
		{http.MethodPost, "/admin/keys", admin, "", []option{jsonBody(`{}`)}},
		{http.MethodGet, "/admin/keys", admin, "", nil},
		{http.MethodDelete, "/admin/keys/" + someKey, admin, api.CodeKeyNotFound, nil},
		{http.MethodGet, "/admin/tenants", admin, "", nil},
		{http.MethodGet, "/admin/tenants/nobody", admin, api.CodeTenantNotFound, nil},
		{http.MethodPatch, "/admin/tenants/nobody", admin, api.CodeTenantNotFound, []option{jsonBody(`{"callback_url":"https://shop.example/"}`)}},
		{http.MethodPost, "/admin/tenants/nobody/secrets", admin, api.CodeTenantNotFound, []option{jsonBody(`{}`)}},
		{http.MethodPost, "/admin/tenants/nobody/signing-keys", admin, api.CodeTenantNotFound, nil},
		{http.MethodPost, "/admin/reseal", admin, "", []option{jsonBody(`{}`)}},
	}
}

// send asks for an operation with another key.
func (r *rig) send(o operation, key option) answer {
	r.Helper()
	return r.do(o.method, o.path, append(slices.Clone(o.options), key)...)
}

// refusedAs is refused, for HEAD too, which has no body.
func refusedAs(t *testing.T, o operation, a answer, status int, code api.ErrorCode) {
	t.Helper()
	if o.method == http.MethodHead && a.status == status {
		return
	}
	if a.status != status {
		t.Errorf("%s %s: got %d %s", o.method, o.path, a.status, a.body)
		return
	}
	refused(t, a, status, code)
}

func TestEveryOperationNeedsAKeyThatIsKnown(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	unknown := strings.TrimRight(r.key, "0123456789abcdef") + strings.Repeat("0", 40)
	for _, o := range operations() {
		missing := r.send(o, as(""))
		refusedAs(t, o, missing, http.StatusUnauthorized, api.CodeKeyMissing)
		if got := missing.header.Get("WWW-Authenticate"); got != `Bearer realm="platen"` {
			t.Errorf("%s %s: challenge %q", o.method, o.path, got)
		}
		bad := r.send(o, as(unknown))
		refusedAs(t, o, bad, http.StatusUnauthorized, api.CodeKeyUnknown)
		if got := bad.header.Get("WWW-Authenticate"); !strings.Contains(got, "invalid_token") {
			t.Errorf("%s %s: challenge %q", o.method, o.path, got)
		}
	}
}

func TestAuthorizationIsReadAsRFC6750Says(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for value, status := range map[string]int{
		"Bearer " + r.key:     http.StatusOK,
		"bearer  " + r.key:    http.StatusOK,
		r.key:                 http.StatusUnauthorized,
		"Basic " + r.key:      http.StatusUnauthorized,
		"Bearer":              http.StatusUnauthorized,
		"Bearer x" + r.key:    http.StatusUnauthorized,
		"Bearer " + r.key[1:]: http.StatusUnauthorized,
	} {
		if a := r.get("/jobs", header("Authorization", value)); a.status != status {
			t.Errorf("%q: got %d", value, a.status)
		}
	}
}

func TestAnExpiredAndARevokedKeyOpenNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	short, err := r.service.CreateKey(t.Context(), jobs.APIKey{Tenant: "default", Scopes: jobs.Scopes, Lifetime: 20 * time.Millisecond}, "whsec_unused")
	if err != nil {
		t.Fatal(err)
	}
	var a answer
	eventually(t, "the key expires", func() bool {
		a = r.get("/jobs", as(short.Text))
		return a.status != http.StatusOK
	})
	refused(t, a, http.StatusUnauthorized, api.CodeKeyExpired)

	list := read[api.KeyList](t, r.get("/admin/keys", as(adminKey)), http.StatusOK)
	for _, k := range list.Data {
		if a := r.delete("/admin/keys/"+k.ID, as(adminKey)); a.status != http.StatusNoContent || len(a.body) > 0 {
			t.Errorf("revoke: %d %s", a.status, a.body)
		}
		refused(t, r.delete("/admin/keys/"+k.ID, as(adminKey)), http.StatusNotFound, api.CodeKeyNotFound)
	}
	refused(t, r.get("/jobs"), http.StatusUnauthorized, api.CodeKeyUnknown)
}

func TestEveryOperationNeedsItsScope(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, o := range operations() {
		var others []jobs.Scope
		for _, scope := range jobs.Scopes {
			if scope != o.scope {
				others = append(others, scope)
			}
		}
		refusedAs(t, o, r.send(o, as(r.newKey("default", others...))), http.StatusForbidden, api.CodeScopeMissing)
		if a := r.send(o, as(r.newKey("default", o.scope))); a.status == http.StatusForbidden || a.status == http.StatusUnauthorized {
			t.Errorf("%s %s: %d with the scope %s", o.method, o.path, a.status, o.scope)
		}
	}
}

func TestTheBootstrapKeyAdministratesAndNothingElse(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, o := range operations() {
		a := r.send(o, as(adminKey))
		if o.scope == jobs.ScopeAdmin {
			if a.status == http.StatusForbidden || a.status == http.StatusUnauthorized {
				t.Errorf("%s %s: %d", o.method, o.path, a.status)
			}
			continue
		}
		refusedAs(t, o, a, http.StatusForbidden, api.CodeScopeMissing)
	}
	none := newRig(t, func(s *settings) { s.http.AdminKey = "" })
	refused(t, none.get("/admin/keys", as("")), http.StatusUnauthorized, api.CodeKeyMissing)
	refused(t, none.get("/admin/keys", header("Authorization", "Bearer ")), http.StatusUnauthorized, api.CodeKeyMissing)
}

func TestWhatIsUnknownIs404AndSoIsWhatIsAnothers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	theirs := r.newKey("other", jobs.ScopeRead, jobs.ScopeWrite, jobs.ScopeAdmin)
	j := r.submit(`{"html":"<p>","document_key":"k","callback_url":"https://shop.example/"}`)
	r.issue(j.ID, content)
	deliveries := read[api.DeliveryList](t, r.get("/jobs/"+j.ID+"/deliveries"), http.StatusOK)
	mine := strings.NewReplacer(someJob, j.ID, someDocument, j.DocumentID, someDelivery, deliveries.Data[0].ID)
	for _, o := range operations() {
		if o.notFound == "" {
			continue
		}
		refusedAs(t, o, r.send(o, as(theirs)), http.StatusNotFound, o.notFound)
		for _, bad := range []string{"x", "job_x", strings.ToLower(someJob)} {
			broken := o
			broken.path = strings.NewReplacer(someJob, bad, someDocument, bad, someDelivery, bad, someKey, bad, someReplay, bad, someURL, bad, "nobody", bad).Replace(o.path)
			refusedAs(t, o, r.send(broken, as(theirs)), http.StatusNotFound, o.notFound)
		}
		o.path = mine.Replace(o.path)
		if o.notFound != api.CodeKeyNotFound {
			refusedAs(t, o, r.send(o, as(theirs)), http.StatusNotFound, o.notFound)
		}
	}
	for _, list := range []string{"/jobs", "/jobs?document_key=k"} {
		if got := read[api.JobList](t, r.get(list, as(theirs)), http.StatusOK); len(got.Data) != 0 {
			t.Errorf("%s shows another tenant's: %+v", list, got.Data)
		}
	}
}

func TestAStoreThatIsAwayIsA503ThatSaysWhenToComeAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.redis.Kill()
	var answers sync.Map
	var together sync.WaitGroup
	for i, o := range operations() {
		together.Go(func() { answers.Store(i, r.send(o, as(r.key))) })
	}
	together.Wait()
	for i, o := range operations() {
		got, _ := answers.Load(i)
		a, ok := got.(answer)
		if !ok {
			t.Fatalf("%s %s: no answer", o.method, o.path)
		}
		refusedAs(t, o, a, http.StatusServiceUnavailable, api.CodeStoreUnavailable)
		if a.header.Get("Retry-After") == "" {
			t.Errorf("%s %s: no Retry-After", o.method, o.path)
		}
	}
}

func TestAStoreThatComesBackIsUsedAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.submit(page, idempotencyKey("k"))
	r.redis.Kill()
	refused(t, r.post("/jobs", jsonBody(page), idempotencyKey("k")), http.StatusServiceUnavailable, api.CodeStoreUnavailable)
	r.redis.Restart()
	if again := replayed(t, r.post("/jobs", jsonBody(page), idempotencyKey("k")), http.StatusAccepted); again.ID != first.ID {
		t.Errorf("got %s", again.ID)
	}
}
