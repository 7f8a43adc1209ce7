package spectest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/spectest"
)

func TestGoodExchangesPass(t *testing.T) {
	t.Parallel()
	c := checker(t)
	notModified := content().with("Content-Type", "")
	notModified.status, notModified.body = http.StatusNotModified, ""
	head := content()
	head.body = ""
	for name, tc := range map[string]struct {
		req    *http.Request
		answer answer
	}{
		"json":      {post(t, "/jobs", "application/json", `{"html":"<p>","data":1.10}`), accepted()},
		"multipart": {form(t), accepted()},
		"bare form": {formOf(t, part{name: "job", body: `{"engine":"auto"}`}, part{name: "markdown", body: "# A"}), accepted()},
		"problem":   {get(t, "/jobs/x"), problem(http.StatusNotFound, "job_not_found")},
		"pdf":       {get(t, "/documents/x/content"), content()},
		"png":       {get(t, "/documents/x/content?expires=1&signature=a"), content().with("Content-Type", "image/png")},
		"head":      {request(t, http.MethodHead, "/documents/x/content", "", ""), head},
		"304":       {get(t, "/documents/x/content"), notModified},
		"text":      {get(t, "/metrics"), answer{http.StatusOK, map[string]string{"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}, "up 1\n"}},
		"yaml":      {get(t, "/openapi.yaml"), answer{http.StatusOK, map[string]string{"Content-Type": "application/yaml"}, "openapi: 3.1.0\n"}},
		"204":       {request(t, http.MethodDelete, "/admin/keys/x", "", ""), answer{status: http.StatusNoContent}},
		"refused":   {invalid(post(t, "/jobs", "application/json", `{"htm":1}`)), problem(http.StatusUnprocessableEntity, "field_unknown")},
		"no path":   {invalid(get(t, "/nothing")), problem(http.StatusNotFound, "route_not_found")},
		"no method": {invalid(request(t, http.MethodPut, "/jobs", "", "")), problem(http.StatusMethodNotAllowed, "method_not_allowed").with("Allow", "GET, POST")},
	} {
		for _, finding := range exchange(t, c, tc.req, tc.answer) {
			t.Errorf("%s: %s", name, finding)
		}
	}
}

func TestBadExchangesFail(t *testing.T) {
	t.Parallel()
	c := checker(t)
	submit := func() *http.Request { return post(t, "/jobs", "application/json", `{"html":"<p>"}`) }
	headWithoutETag := content().with("ETag", "")
	headWithoutETag.body = ""
	bodyIn304 := answer{http.StatusNotModified, nil, "left over"}
	for name, tc := range map[string]struct {
		req    *http.Request
		answer answer
		want   string // in the finding
	}{
		"request with an unknown member":    {post(t, "/jobs", "application/json", `{"htm":"<p>"}`), problem(http.StatusUnprocessableEntity, "field_unknown"), "request does not match"},
		"request with a wrong type":         {post(t, "/jobs", "application/json", `{"html":7}`), problem(http.StatusUnprocessableEntity, "field_invalid"), "request does not match"},
		"request of another type":           {post(t, "/jobs", "text/plain", `hello`), problem(http.StatusUnsupportedMediaType, "media_type_unsupported"), "request does not match"},
		"request with a bad query":          {get(t, "/jobs?limit=abc"), problem(http.StatusBadRequest, "query_malformed"), "request does not match"},
		"request with a body too many":      {post(t, "/jobs/x/retry", "application/json", `{}`), accepted(), "request does not match"},
		"form with an unknown part":         {formOf(t, part{name: "nothing", body: "x"}), accepted(), "request does not match"},
		"form with a wrong job":             {formOf(t, part{name: "job", mediaType: "application/json", body: `{"engine":"none"}`}), accepted(), "request does not match"},
		"wrong request that is accepted":    {invalid(post(t, "/jobs", "application/json", `{"htm":"<p>"}`)), accepted(), "server accepted it"},
		"unknown path":                      {get(t, "/nothing"), problem(http.StatusNotFound, "route_not_found"), "not in the spec"},
		"unknown path with another code":    {invalid(get(t, "/nothing")), problem(http.StatusNotFound, "job_not_found"), "is not one of"},
		"405 without Allow":                 {invalid(request(t, http.MethodPut, "/jobs", "", "")), problem(http.StatusMethodNotAllowed, "method_not_allowed"), "Allow"},
		"status that is not listed":         {submit(), problem(http.StatusTeapot, "internal"), "does not list this status"},
		"undeclared member":                 {submit(), accepted().replace(`"progress":0`, `"progress":0,"more":1`), "response does not match"},
		"missing member":                    {submit(), accepted().replace(`"metadata":null`, `"metadata":{}`).replace(`"result":null,`, ""), "response does not match"},
		"null for a list":                   {submit(), accepted().replace(`"warnings":[]`, `"warnings":null`), "response does not match"},
		"local time":                        {submit(), accepted().replace("09:15:00Z", "09:15:00+01:00"), "response does not match"},
		"renamed status":                    {submit(), accepted().replace(`"queued"`, `"waiting"`), "response does not match"},
		"missing header":                    {submit(), accepted().with("Location", ""), "Location"},
		"header out of range":               {submit(), accepted().with("Retry-After", "31"), "Retry-After"},
		"missing request id":                {submit(), accepted().with("X-Request-Id", ""), "X-Request-Id"},
		"problem with another code":         {get(t, "/jobs/x"), problem(http.StatusNotFound, "document_not_found"), "is not one of"},
		"problem with an unknown code":      {get(t, "/jobs/x"), problem(http.StatusNotFound, "not_there"), "response does not match"},
		"problem with another status":       {get(t, "/jobs/x"), problem(http.StatusNotFound, "job_not_found").replace(`"status":404`, `"status":400`), "problem's status"},
		"problem with another title":        {get(t, "/jobs/x"), problem(http.StatusNotFound, "job_not_found").replace("Not Found", "Nope"), "problem's title"},
		"problem of another request":        {get(t, "/jobs/x"), problem(http.StatusNotFound, "job_not_found").replace("req-1", "req-2"), "request_id"},
		"problem as plain JSON":             {get(t, "/jobs/x"), problem(http.StatusNotFound, "job_not_found").with("Content-Type", "application/json"), "response does not match"},
		"401 without a challenge":           {get(t, "/jobs/x"), problem(http.StatusUnauthorized, "key_missing"), "Www-Authenticate"},
		"HEAD without an ETag":              {request(t, http.MethodHead, "/documents/x/content", "", ""), headWithoutETag, "ETag"},
		"HEAD with a bad ETag":              {request(t, http.MethodHead, "/documents/x/content", "", ""), headWithoutETag.with("ETag", `"abc"`), "ETag"},
		"304 with a body and without ETag":  {get(t, "/jobs/x"), bodyIn304, "should have none"},
		"content of an undeclared type":     {get(t, "/documents/x/content"), content().with("Content-Type", "text/html"), "response does not match"},
		"content whose ETag is not the sha": {get(t, "/documents/x/content"), content().with("ETag", `W/"`+sha+`"`), "ETag"},
	} {
		findings := exchange(t, c, tc.req, tc.answer)
		if !strings.Contains(strings.ToLower(strings.Join(findings, "\n")), strings.ToLower(tc.want)) {
			t.Errorf("%s: findings %q, want one with %q", name, findings, tc.want)
		}
		if seen := c.Coverage(); len(seen) != 0 {
			t.Fatalf("%s: a bad answer counts as seen: %q", name, seen)
		}
	}
}

func TestARealServerIsReachedAndBodiesArriveWhole(t *testing.T) {
	t.Parallel()
	var received string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		received = string(body)
		accepted().ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	client := &http.Client{Transport: checker(t).Transport(t, srv.Client().Transport)}
	req := post(t, "/jobs", "application/json", `{"html":"<p>"}`)
	req.URL.Host = strings.TrimPrefix(srv.URL, "http://")
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil {
		t.Fatal(err)
	}
	if received != `{"html":"<p>"}` || string(body) != queuedJob {
		t.Errorf("sent %q, received %q", received, body)
	}
}

func TestCoverageNamesWhatWasSeenAndWhatWasNot(t *testing.T) {
	t.Parallel()
	c := checker(t)
	before := c.Uncovered()
	exchange(t, c, get(t, "/jobs/x"), problem(http.StatusNotFound, "job_not_found"))
	exchange(t, c, invalid(get(t, "/nothing")), problem(http.StatusNotFound, "route_not_found"))
	want := []string{"* 404", "GET /jobs/{id} 404"}
	if diff := cmp.Diff(want, c.Coverage()); diff != "" {
		t.Errorf("coverage (-want +got):\n%s", diff)
	}
	after := c.Uncovered()
	for _, pair := range want {
		if !slices.Contains(before, pair) || slices.Contains(after, pair) {
			t.Errorf("%s: before %v, after %v", pair, slices.Contains(before, pair), slices.Contains(after, pair))
		}
	}
	if len(after) != len(before)-len(want) {
		t.Errorf("%d uncovered before, %d after", len(before), len(after))
	}
	rest := c.Uncovered(" 500", "POST /jobs 202")
	if len(rest) == 0 {
		t.Error("the exceptions leave nothing")
	}
	for _, pair := range rest {
		if strings.HasSuffix(pair, " 500") || pair == "POST /jobs 202" {
			t.Errorf("%s was excepted", pair)
		}
	}
}

func TestRouteDiffFindsBothSides(t *testing.T) {
	t.Parallel()
	c := checker(t)
	_, all := c.RouteDiff(nil)
	for _, route := range []string{"GET /jobs/:id", "HEAD /documents/:id/content", "GET /openapi.yaml"} {
		if !slices.Contains(all, route) {
			t.Errorf("%s is not in the spec: %q", route, all)
		}
	}
	undocumented, unserved := c.RouteDiff(all)
	if len(undocumented)+len(unserved) != 0 {
		t.Errorf("undocumented %q, unserved %q", undocumented, unserved)
	}
	served := append(slices.Delete(slices.Clone(all), 0, 1), "GET /more")
	undocumented, unserved = c.RouteDiff(served)
	if diff := cmp.Diff([][]string{{"GET /more"}, {all[0]}}, [][]string{undocumented, unserved}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCallbacksAreHeldToTheWebhook(t *testing.T) {
	t.Parallel()
	const body = `{"type":"job.succeeded","timestamp":"2026-03-02T09:15:00Z","data":{"job_id":"` + jobID + `","document_id":"` + documentID + `",
		"document_key":null,"status":"succeeded","sequence":1,"job_url":"https://platen.example.com/jobs/x",
		"document_url":"https://platen.example.com/documents/x","batch_id":null,"metadata":{"a":1}}}`
	callback := func() *http.Request {
		req := post(t, "/hooks", "application/json", "")
		req.Header.Set("Webhook-Id", "evt_01KCPDHS780EXAMPZE00000007")
		req.Header.Set("Webhook-Timestamp", "1772442900")
		req.Header.Set("Webhook-Signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
		return req
	}
	c := checker(t)
	c.Callback(t, callback(), []byte(body))

	unsigned := callback()
	unsigned.Header.Del("Webhook-Signature")
	wrongMethod := callback()
	wrongMethod.Method = http.MethodPut
	for name, tc := range map[string]struct {
		req  *http.Request
		body string
	}{
		"unsigned":         {unsigned, body},
		"wrong method":     {wrongMethod, body},
		"empty":            {callback(), ""},
		"undeclared":       {callback(), strings.Replace(body, `"sequence":1`, `"sequence":1,"secret":"x"`, 1)},
		"not terminal":     {callback(), strings.Replace(body, `"status":"succeeded"`, `"status":"running"`, 1)},
		"unknown type":     {callback(), strings.Replace(body, "job.succeeded", "job.done", 1)},
		"sequence missing": {callback(), strings.Replace(body, `"sequence":1,`, "", 1)},
	} {
		rec := &recorder{TB: t}
		c.Callback(rec, tc.req, []byte(tc.body))
		if len(rec.findings()) == 0 {
			t.Errorf("%s: went through", name)
		}
	}
}

func TestABrokenSpecIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := spectest.Load([]byte("openapi: 3.1.0\ninfo: {title: x}\npaths: {}\n")); err == nil {
		t.Error("a spec without a version was loaded")
	}
}
