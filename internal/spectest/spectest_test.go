package spectest_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/spectest"
)

const (
	jobID      = "job_01KCPDHS1S0EXAMPZE00000001"
	documentID = "doc_01KCPDHS1S0EXAMPZE00000002"
	sha        = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	queuedJob  = `{"id":"` + jobID + `","document_id":"` + documentID + `","document_key":null,"status":"queued","progress":0,"attempt":0,
		"created_at":"2026-03-02T09:15:00Z","started_at":null,"finished_at":null,"engine":null,"template":null,"warnings":[],
		"result":null,"error":null,"callback":null,"batch_id":null,"metadata":null}`
)

// answer is a canned response with an X-Request-Id. A header whose value is empty is not sent.
type answer struct {
	status int
	header map[string]string
	body   string
}

func (a answer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("X-Request-Id", "req-1")
	for name, value := range a.header {
		w.Header().Set(name, value)
		if value == "" {
			w.Header().Del(name)
		}
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

// with returns a copy with another header.
func (a answer) with(name, value string) answer {
	a.header = maps.Clone(a.header)
	a.header[name] = value
	return a
}

func (a answer) replace(from, to string) answer {
	a.body = strings.Replace(a.body, from, to, 1)
	return a
}

func accepted() answer {
	return answer{http.StatusAccepted, map[string]string{"Content-Type": "application/json", "Location": "/jobs/" + jobID, "Retry-After": "1"}, queuedJob}
}

func problem(status int, code string) answer {
	return answer{status, map[string]string{"Content-Type": "application/problem+json"}, fmt.Sprintf(
		`{"type":"about:blank","title":%q,"status":%d,"detail":"No.","code":%q,"request_id":"req-1","retryable":false,"errors":[],"job_id":null,"document_id":null}`,
		http.StatusText(status), status, code)}
}

func content() answer {
	return answer{http.StatusOK, map[string]string{
		"Content-Type": "application/pdf", "ETag": `"` + sha + `"`, "Accept-Ranges": "bytes", "Content-Disposition": `attachment; filename="a.pdf"`,
	}, "%PDF-1.7 \x00\xff\xfe"}
}

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

// recorder collects what would fail a test.
type recorder struct {
	testing.TB
	mu   sync.Mutex
	said []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func (r *recorder) findings() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.said)
}

func checker(t *testing.T) *spectest.Checker {
	t.Helper()
	c, err := spectest.New()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// exchange sends req to a handler that answers a, and returns what the checker has against it.
func exchange(t *testing.T, c *spectest.Checker, req *http.Request, a answer) []string {
	t.Helper()
	rec := &recorder{TB: t}
	res, err := c.Client(rec, a).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return rec.findings()
}

func request(t *testing.T, method, target, mediaType, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, "http://platen.test"+target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if mediaType != "" {
		req.Header.Set("Content-Type", mediaType)
	}
	return req
}

func get(t *testing.T, target string) *http.Request {
	t.Helper()
	return request(t, http.MethodGet, target, "", "")
}

func post(t *testing.T, target, mediaType, body string) *http.Request {
	t.Helper()
	return request(t, http.MethodPost, target, mediaType, body)
}

func invalid(req *http.Request) *http.Request {
	return req.WithContext(spectest.Invalid(req.Context()))
}

// part is one part of a form; a file when it has a file name.
type part struct{ name, filename, mediaType, body string }

// form is what curl makes of: -F job='{…};type=application/json' -F html=@a.html -F file=@a.png -F file=@a.css.
func form(t *testing.T) *http.Request {
	t.Helper()
	return formOf(
		t,
		part{name: "job", mediaType: "application/json", body: `{"output":{"paper":"a5"}}`},
		part{name: "html", filename: "a.html", mediaType: "text/html", body: "<img src=a.png>"},
		part{name: "file", filename: "a.png", mediaType: "image/png", body: "\x89PNG\x00\xff"},
		part{name: "file", filename: "a.css", mediaType: "text/css", body: "p{}"},
	)
}

func formOf(t *testing.T, parts ...part) *http.Request {
	t.Helper()
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	for _, p := range parts {
		header := textproto.MIMEHeader{}
		disposition := fmt.Sprintf(`form-data; name=%q`, p.name)
		if p.filename != "" {
			disposition += fmt.Sprintf(`; filename=%q`, p.filename)
		}
		header.Set("Content-Disposition", disposition)
		if p.mediaType != "" {
			header.Set("Content-Type", p.mediaType)
		}
		pw, err := w.CreatePart(header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(pw, p.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return post(t, "/jobs", w.FormDataContentType(), buf.String())
}
