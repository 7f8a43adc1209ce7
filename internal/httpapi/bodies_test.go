package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/platen-render/platen/api"
)

// bodies are the operations with a JSON body beside POST /jobs, each with what its members may not be.
var bodies = []struct {
	method, path string
	key          string // "" for the tenant's
	wrong        map[string]string
}{
	{http.MethodPost, "/deliveries/replay", "", map[string]string{
		`{"url_host":"` + strings.Repeat("a", 2049) + `"}`: "/url_host",

		`{"status":"pending"}`:                                 "/status",
		`{"status":""}`:                                        "/status",
		`{"url_host":""}`:                                      "/url_host",
		`{"type":"ping"}`:                                      "/type",
		`{"type":"job"}`:                                       "/type",
		`{"created_after":"yesterday"}`:                        "/created_after",
		`{"created_before":7}`:                                 "/created_before",
		`{"dry_run":"yes"}`:                                    "/dry_run",
		`{"created_before":"9999-12-31T23:59:59.9999Z"}`:       "/created_before", // is rounded up
		`{"created_before":"9999-12-31T23:59:59-23:59"}`:       "/created_before",
		`{"created_before":"0001-01-01T00:00:00+00:01"}`:       "/created_before",
		`{"created_after":"9999-12-31T23:59:59-23:59"}`:        "/created_after",
		`{"created_after":"0001-01-01T00:00:00+00:01"}`:        "/created_after",
		`{"rate_per_second":0}`:                                "/rate_per_second",
		`{"rate_per_second":1001}`:                             "/rate_per_second",
		`{"rate_per_second":1.5}`:                              "/rate_per_second",
		`{"status":null}`:                                      "/status",
		`{"dry_run":true,"created_after":"2026-03-02T09:15Z"}`: "/created_after",
	}},
	{http.MethodPut, "/templates/t", "", map[string]string{
		`{"html":""}`:                                               "/html",
		`{"html":7}`:                                                "/html",
		`{"html":"x","css":"</STYLE >"}`:                            "/css",
		`{"html":"x","engine":"other"}`:                             "/engine",
		`{"html":"x","schema":true}`:                                "/schema",
		`{"html":"x","schema":[]}`:                                  "/schema",
		`{"html":"x","output":{"scale":9}}`:                         "/output/scale",
		`{"html":"x","output":{"header_html":""}}`:                  "/output/header_html",
		`{"html":"x","output":{"format":"png","footer_html":null}}`: "/output/footer_html",
		`{"html":null}`:                                             "/html",
	}},
	{http.MethodPost, "/deliveries/test", "", map[string]string{
		`{"callback_url":""}`: "/callback_url",
		`{"callback_url":7}`:  "/callback_url",
		`{"callback_url":"` + strings.Repeat("x", 2049) + `"}`:                     "/callback_url",
		`{"callback_secret":"sixteen letters!"}`:                                   "/callback_secret",
		`{"callback_headers":{}}`:                                                  "/callback_headers",
		`{"callback_url":"https://shop.example/","callback_headers":{"Host":"x"}}`: "/callback_headers/Host",
	}},
	{http.MethodPatch, "/admin/tenants/default", adminKey, map[string]string{
		`{"callback_url":null}`:                                "/callback_url",
		`{"callback_url":["https://shop.example/"]}`:           "/callback_url",
		`{"callback_url":"` + strings.Repeat("x", 2049) + `"}`: "/callback_url",
	}},
	{http.MethodPost, "/admin/tenants/default/secrets", adminKey, map[string]string{
		`{"overlap_seconds":-1}`:      "/overlap_seconds",
		`{"overlap_seconds":2592001}`: "/overlap_seconds",
		`{"overlap_seconds":"1d"}`:    "/overlap_seconds",
		`{"secret":7}`:                "/secret",
	}},
	{http.MethodPost, "/admin/reseal", adminKey, map[string]string{
		`{"cursor":""}`:                 "/cursor",
		`{"cursor":"Shop"}`:             "/cursor",
		`{"cursor":"shop/"}`:            "/cursor",
		`{"cursor":"shop/doc_1"}`:       "/cursor",
		`{"cursor":"shop/job_1"}`:       "/cursor",
		`{"cursor":"/` + someJob + `"}`: "/cursor",
	}},
}

func TestABadBodyIsRefusedByEveryOperationThatHasOne(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *settings) { s.http.MaxBody = 4000 })
	for _, b := range bodies {
		send := func(body option) answer {
			key := r.key
			if b.key != "" {
				key = b.key
			}
			return r.do(b.method, b.path, body, as(key), wrong)
		}
		for text, pointer := range b.wrong {
			a := send(jsonBody(text))
			if a.status != http.StatusUnprocessableEntity {
				t.Errorf("%s: %s: got %d %s", b.path, text, a.status, a.body)
				continue
			}
			if p := refused(t, a, http.StatusUnprocessableEntity, api.CodeFieldInvalid); len(p.Errors) != 1 || p.Errors[0].Pointer != pointer {
				t.Errorf("%s: %s: %+v", b.path, text, p.Errors)
			}
		}
		refused(t, send(jsonBody(`{"colour":1}`)), http.StatusUnprocessableEntity, api.CodeFieldUnknown)
		refused(t, send(jsonBody(`{"colour":1,"colour":2}`)), http.StatusUnprocessableEntity, api.CodeFieldDuplicate)
		refused(t, send(jsonBody(`[]`)), http.StatusUnprocessableEntity, api.CodeFieldInvalid)
		for _, malformed := range []string{``, `{`, `{}{}`, "{\"a\":\"\xff\"}"} {
			refused(t, send(jsonBody(malformed)), http.StatusBadRequest, api.CodeBodyMalformed)
		}
		refused(t, send(body("text/plain", `{}`)), http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported)
		refused(t, send(body("multipart/form-data; boundary=x", `{}`)), http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported)
		refused(t, send(jsonBody(`{"x":"`+strings.Repeat("x", 4000)+`"}`)), http.StatusRequestEntityTooLarge, api.CodeBodyTooLarge)
	}
	if r.rang.Load() != 0 || r.guard.asked.Load() != 0 {
		t.Error("something was done")
	}
	if state := read[api.Tenant](t, r.get("/admin/tenants/default", as(adminKey)), http.StatusOK); len(state.Secrets) != 1 || state.CallbackURLHost != nil {
		t.Errorf("the tenant was changed: %+v", state)
	}
	if got := read[api.ReplayList](t, r.get("/deliveries/replays"), http.StatusOK); len(got.Data) != 0 {
		t.Errorf("replays were begun: %+v", got.Data)
	}
}

func TestAllThatIsWrongWithAReplayIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.post("/deliveries/replay", jsonBody(`{"status":"lost","type":"x","rate_per_second":0,"colour":1,"created_after":"now"}`), wrong)
	p := refused(t, a, http.StatusUnprocessableEntity, api.CodeFieldUnknown)
	if len(p.Errors) != 5 {
		t.Errorf("got %+v", p.Errors)
	}
}
