package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

func TestEveryMethodAsksForItsRoute(t *testing.T) {
	t.Parallel()
	noContent := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	link := api.Link{URL: "http://platen.test/l", ExpiresAt: time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC)}
	created := api.KeyCreated{Key: key(), Token: "plt_01KCPCP2C00EXAMPZE0000000B_notARealSecretJustAnExample"}
	tests := map[string]struct {
		answer http.HandlerFunc
		call   func(context.Context, *client.Client) (any, error)
		want   any
	}{
		"GET /jobs/" + jobID: {
			version(`"1"`, api.JobRunning),
			func(ctx context.Context, c *client.Client) (any, error) { return c.Job(ctx, jobID) }, job(api.JobRunning),
		},
		"DELETE /jobs/" + jobID: {
			reply(http.StatusOK, job(api.JobCanceled)),
			func(ctx context.Context, c *client.Client) (any, error) { return c.Cancel(ctx, jobID) }, job(api.JobCanceled),
		},
		"GET /documents/" + documentID: {
			reply(http.StatusOK, issued()),
			func(ctx context.Context, c *client.Client) (any, error) { return c.Document(ctx, documentID) }, issued(),
		},
		"DELETE /documents/" + documentID: {
			reply(http.StatusOK, issued()),
			func(ctx context.Context, c *client.Client) (any, error) { return c.Purge(ctx, documentID) }, issued(),
		},
		"POST /documents/" + documentID + "/links": {
			reply(http.StatusCreated, link),
			func(ctx context.Context, c *client.Client) (any, error) { return c.Link(ctx, documentID, time.Hour) }, link,
		},
		"GET /jobs/" + jobID + "/deliveries": {
			reply(http.StatusOK, api.DeliveryList{Data: []api.Delivery{delivery(api.DeliveryPending)}}),
			func(ctx context.Context, c *client.Client) (any, error) { return c.Deliveries(ctx, jobID) },
			api.DeliveryList{Data: []api.Delivery{delivery(api.DeliveryPending)}},
		},
		"POST /deliveries/" + deliveryID + "/replay": {
			reply(http.StatusAccepted, delivery(api.DeliveryPending)),
			func(ctx context.Context, c *client.Client) (any, error) { return c.Replay(ctx, deliveryID) }, delivery(api.DeliveryPending),
		},
		"GET /deliveries/" + deliveryID: {
			reply(http.StatusOK, delivery(api.DeliveryDead)),
			func(ctx context.Context, c *client.Client) (any, error) { return c.Delivery(ctx, deliveryID) }, delivery(api.DeliveryDead),
		},
		"POST /deliveries/test": {
			reply(http.StatusOK, delivery(api.DeliveryDelivered), "Location", "/deliveries/"+deliveryID, "Preference-Applied", "wait=5"),
			func(ctx context.Context, c *client.Client) (any, error) {
				return c.TestCallback(ctx, api.TestRequest{CallbackURL: new("https://shop.example.com/")}, 5*time.Second)
			},
			delivery(api.DeliveryDelivered),
		},
		"GET /deliveries/replays/" + replayID: {
			reply(http.StatusOK, replay(api.ReplayFinished)),
			func(ctx context.Context, c *client.Client) (any, error) { return c.WaitReplay(ctx, replayID, nil) }, replay(api.ReplayFinished),
		},
		"GET /gone-urls": {
			reply(http.StatusOK, api.GoneURLList{Data: []api.GoneURL{}}),
			func(ctx context.Context, c *client.Client) (any, error) { return c.GoneURLs(ctx) },
			api.GoneURLList{Data: []api.GoneURL{}},
		},
		"DELETE /gone-urls/AAAAAAAAAAAAAAAAAA-_AA": {
			noContent,
			func(ctx context.Context, c *client.Client) (any, error) {
				return nil, c.LiftGoneURL(ctx, "AAAAAAAAAAAAAAAAAA-_AA")
			}, nil,
		},
		"GET /admin/tenants/shop": {
			reply(http.StatusOK, tenant()),
			func(ctx context.Context, c *client.Client) (any, error) { return c.Tenant(ctx, "shop") }, tenant(),
		},
		"PATCH /admin/tenants/shop": {
			reply(http.StatusOK, tenant()),
			func(ctx context.Context, c *client.Client) (any, error) {
				return c.UpdateTenant(ctx, "shop", api.TenantPatch{CallbackURL: new("")})
			},
			tenant(),
		},
		"POST /admin/keys": {
			reply(http.StatusCreated, created),
			func(ctx context.Context, c *client.Client) (any, error) {
				tenant := "shop"
				return c.CreateKey(ctx, api.KeyRequest{Tenant: &tenant, Scopes: []api.Scope{api.ScopeRead}})
			},
			created,
		},
		"DELETE /admin/keys/" + keyID: {
			noContent,
			func(ctx context.Context, c *client.Client) (any, error) { return nil, c.RevokeKey(ctx, keyID) }, nil,
		},
	}
	for line, test := range tests {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			server := serve(t, test.answer)
			got, err := test.call(t.Context(), server.inMemory())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff([]string{line}, server.lines()); diff != "" {
				t.Errorf("asked -want +got:\n%s", diff)
			}
			if got := server.requests()[0].header.Get("Authorization"); got != "Bearer plt_x_y" {
				t.Errorf("Authorization is %q", got)
			}
		})
	}
}

func TestListsGoFromPageToPage(t *testing.T) {
	t.Parallel()
	next := "c2"
	server := serve(t,
		reply(http.StatusOK, api.JobList{Data: []api.Job{job(api.JobFailed), job(api.JobFailed)}, NextCursor: &next}),
		reply(http.StatusOK, api.JobList{Data: []api.Job{job(api.JobFailed)}}),
		reply(http.StatusOK, api.DeliveryList{Data: []api.Delivery{delivery(api.DeliveryDead)}}),
		reply(http.StatusOK, api.DeliveryList{Data: []api.Delivery{}}),
		reply(http.StatusOK, api.ReplayList{Data: []api.Replay{replay(api.ReplayRunning)}}),
		reply(http.StatusOK, api.TenantList{Data: []api.Tenant{tenant()}}),
		reply(http.StatusOK, api.KeyList{Data: []api.Key{key()}, NextCursor: &next}),
		problem(http.StatusForbidden, api.CodeScopeMissing),
	)
	c := server.inMemory()
	filter := client.JobFilter{Status: api.JobFailed, Unacknowledged: true, DocumentKey: "a&b", CreatedAfter: time.Date(2026, 3, 2, 10, 15, 0, 5, time.FixedZone("", 3600))}
	var jobs int
	for _, err := range c.Jobs(t.Context(), filter) {
		if err != nil {
			t.Fatal(err)
		}
		jobs++
	}
	for _, err := range c.DeadDeliveries(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	pending := client.DeliveryFilter{Status: api.DeliveryPending, URLHost: "a:8443", Type: api.EventJobFailed, CreatedBefore: time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC)}
	for _, err := range c.AllDeliveries(t.Context(), pending) {
		t.Errorf("there is none: %v", err)
	}
	var replays, tenants int
	for _, err := range c.Replays(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		replays++
	}
	for _, err := range c.Tenants(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		tenants++
	}
	if replays != 1 || tenants != 1 {
		t.Errorf("%d replays, %d tenants", replays, tenants)
	}
	var keys int
	var last error
	for _, err := range c.Keys(t.Context()) {
		if last = err; err == nil {
			keys++
		}
	}
	if jobs != 3 || keys != 1 || !client.HasCode(last, api.CodeScopeMissing) {
		t.Errorf("%d jobs, %d keys, then %v", jobs, keys, last)
	}
	want := []string{
		"GET /jobs?acknowledged=false&created_after=2026-03-02T09%3A15%3A00.000000005Z&document_key=a%26b&limit=200&status=failed",
		"GET /jobs?acknowledged=false&created_after=2026-03-02T09%3A15%3A00.000000005Z&cursor=c2&document_key=a%26b&limit=200&status=failed",
		"GET /deliveries?limit=200&status=dead",
		"GET /deliveries?created_before=2026-03-02T09%3A15%3A00Z&limit=200&status=pending&type=job.failed&url_host=a%3A8443",
		"GET /deliveries/replays?limit=200",
		"GET /admin/tenants?limit=200",
		"GET /admin/keys?limit=200",
		"GET /admin/keys?cursor=c2&limit=200",
	}
	if diff := cmp.Diff(want, server.lines()); diff != "" {
		t.Errorf("asked -want +got:\n%s", diff)
	}
}

func TestAListEndsWhenItsReaderHasEnough(t *testing.T) {
	t.Parallel()
	next := "c2"
	server := serve(t, reply(http.StatusOK, api.JobList{Data: []api.Job{job(api.JobFailed), job(api.JobFailed)}, NextCursor: &next}))
	for _, err := range server.inMemory().Jobs(t.Context(), client.JobFilter{}) {
		if err != nil {
			t.Error(err)
		}
		break
	}
}

func TestProblemsAreErrorsByCode(t *testing.T) {
	t.Parallel()
	server := serve(t, problem(http.StatusNotFound, api.CodeJobNotFound))
	_, err := server.inMemory().Job(t.Context(), jobID)
	err = fmt.Errorf("look: %w", err)
	if !client.HasCode(err, api.CodeJobNotFound) || client.HasCode(err, api.CodeJobFinished) {
		t.Errorf("the code of %v", err)
	}
	if !errors.Is(err, &client.Problem{Problem: api.Problem{Code: api.CodeJobNotFound}}) || errors.Is(err, &client.Problem{}) {
		t.Errorf("errors.Is of %v", err)
	}
	var p *client.Problem
	if !errors.As(err, &p) || p.Status != http.StatusNotFound || p.RequestID != "req-1" {
		t.Errorf("the problem is %+v", p)
	}
	if want := "look: It is so. (job_not_found)"; err.Error() != want {
		t.Errorf("it reads %q, want %q", err, want)
	}
}

func TestAProblemNamesEachWrongField(t *testing.T) {
	t.Parallel()
	p := &client.Problem{Problem: api.Problem{Detail: "Two members are wrong.", Code: api.CodeFieldInvalid, Errors: []api.FieldError{
		{Pointer: "/output/scale", Code: api.CodeFieldInvalid, Detail: "Not 0.1 to 2."},
		{Pointer: "/colour", Code: api.CodeFieldUnknown, Detail: "No such member."},
	}}}
	want := "Two members are wrong. (field_invalid)\n  /output/scale: Not 0.1 to 2. (field_invalid)\n  /colour: No such member. (field_unknown)"
	if p.Error() != want {
		t.Errorf("it reads %q\nwant     %q", p, want)
	}
}

func TestAnAnswerFromSomethingElseIsAProblemWithoutACode(t *testing.T) {
	t.Parallel()
	server := serve(t, reply(http.StatusForbidden, "<h1>Blocked</h1>", "Content-Type", "text/html"))
	_, err := server.overTCP().Job(t.Context(), jobID)
	var p *client.Problem
	if !errors.As(err, &p) || p.Code != "" || p.Status != http.StatusForbidden || !strings.Contains(p.Detail, "403 Forbidden") {
		t.Errorf("the error is %v", err)
	}
}

func TestTheKeyFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	elsewhere := serve(t) // any request fails the test
	other := httptest.NewServer(elsewhere)
	t.Cleanup(other.Close)
	server := serve(t, reply(http.StatusTemporaryRedirect, nil, "Location", other.URL+"/jobs"))
	c := server.overTCP()
	c.HTTP = &http.Client{}
	_, err := c.Submit(t.Context(), page("secret"))
	var p *client.Problem
	if !errors.As(err, &p) || p.Status != http.StatusTemporaryRedirect || !strings.Contains(p.Detail, other.URL) {
		t.Errorf("the error is %v", err)
	}
}

func TestUnknownMembersAreIgnored(t *testing.T) {
	t.Parallel()
	server := serve(t, reply(http.StatusOK, map[string]any{"id": jobID, "status": "paused", "colour": "blue"}))
	got, err := server.overTCP().Job(t.Context(), jobID)
	if err != nil || got.ID != jobID || client.Terminal(got.Status) {
		t.Errorf("job: %+v, %v", got, err)
	}
}

func TestArgumentsThatWouldLeadElsewhereAreRefused(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", ".", "..", "../admin/keys", "a/b", "a?b", "a%2fb", "ä"} {
		if _, err := serve(t).inMemory().Job(t.Context(), id); !errors.Is(err, client.ErrArgument) {
			t.Errorf("id %q: %v", id, err)
		}
	}
	for _, base := range []string{"", "127.0.0.1:8080", "ftp://platen.test", "http://", "http://h/?a=b", "http://h/#f", "http://h:x"} {
		c := &client.Client{BaseURL: base}
		if _, err := c.Job(t.Context(), jobID); !errors.Is(err, client.ErrArgument) {
			t.Errorf("base URL %q: %v", base, err)
		}
	}
	c := serve(t).inMemory()
	c.Key = "plt_x_y\n"
	if _, err := c.Job(t.Context(), jobID); !errors.Is(err, client.ErrArgument) || strings.Contains(err.Error(), "plt_") || strings.Contains(err.Error(), "unusable argument") {
		t.Errorf("key with a line break: %v", err)
	}
}

func TestABasePathIsKept(t *testing.T) {
	t.Parallel()
	server := serve(t, version(`"1"`, api.JobRunning))
	c := server.overTCP()
	c.BaseURL += "/render/"
	if _, err := c.Job(t.Context(), jobID); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"GET /render/jobs/" + jobID}, server.lines()); diff != "" {
		t.Errorf("asked -want +got:\n%s", diff)
	}
}
