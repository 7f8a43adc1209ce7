package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// reported makes a job for a host whose report ends in one way, and returns it.
func (r *rig) reported(host string, fail bool, end jobs.DeliveryEnd) api.Job {
	r.Helper()
	tick(r.T)
	j := r.submit(`{"html":"<p>","callback_url":"https://` + host + `/hook"}`)
	if fail {
		r.fail(j.ID)
	} else {
		r.issue(j.ID, content+j.ID)
	}
	r.deliver(j.ID, end)
	return j
}

func delivered() jobs.DeliveryEnd {
	return jobs.DeliveryEnd{Outcome: jobs.OutcomeDelivered, Attempt: jobs.DeliveryAttempt{Outcome: jobs.OutcomeDelivered, Status: 204}}
}

// gone is the answer 410.
func gone() jobs.DeliveryEnd {
	end := died()
	end.Outcome = jobs.OutcomeGone
	return end
}

func jobsOf(deliveries []api.Delivery) []string {
	ids := []string{}
	for _, d := range deliveries {
		ids = append(ids, *d.JobID)
	}
	return ids
}

func TestDeliveriesAreListedByStatusHostTypeAndTime(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.reported("a.example", false, died())
	b := r.reported("b.example:8443", true, died())
	c := r.reported("a.example", true, died())
	d := r.reported("a.example", false, delivered())
	e := r.reported("a.example", false, jobs.DeliveryEnd{})
	at := func(j api.Job) string { return url.QueryEscape(j.CreatedAt.Format(time.RFC3339Nano)) }
	for query, want := range map[string][]string{
		"status=dead":                                                     {c.ID, b.ID, a.ID},
		"status=delivered":                                                {d.ID},
		"status=pending":                                                  {e.ID},
		"status=dead&url_host=a.example":                                  {c.ID, a.ID},
		"status=dead&url_host=b.example:8443":                             {b.ID},
		"status=dead&url_host=b.example":                                  {},
		"status=dead&type=job.failed":                                     {c.ID, b.ID},
		"status=dead&created_after=" + at(b):                              {c.ID, b.ID}, // at or after
		"status=dead&created_before=" + at(b):                             {a.ID},
		"status=delivered&type=job.failed":                                {},
		"status=dead&type=job.failed&limit=1":                             {c.ID},
		"status=dead&created_before=" + at(b) + "&created_after=" + at(b): {},
	} {
		list := read[api.DeliveryList](t, r.get("/deliveries?"+query), http.StatusOK)
		if diff := cmp.Diff(want, jobsOf(list.Data)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	theirs := r.newKey("other", jobs.ScopeRead)
	if list := read[api.DeliveryList](t, r.get("/deliveries?status=dead", as(theirs)), http.StatusOK); len(list.Data) != 0 {
		t.Errorf("another tenant sees %+v", list.Data)
	}
}

func TestAReplayedDeliveryTellsWhoWantedIt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.reported("shop.example", false, died())
	dead := read[api.DeliveryList](t, r.get("/deliveries?status=dead"), http.StatusOK).Data[0]
	if *dead.JobID != j.ID || dead.DiedAt == nil {
		t.Errorf("got %+v", dead)
	}
	if again := read[api.Delivery](t, r.post("/deliveries/"+dead.ID+"/replay"), http.StatusAccepted); again.Status != api.DeliveryPending || again.DiedAt != nil {
		t.Errorf("got %+v", again)
	}
	got := read[api.Delivery](t, r.get("/deliveries/"+dead.ID), http.StatusOK)
	if len(got.Replays) != 1 || got.Replays[0].CreatedBy != r.keyID() || time.Since(got.Replays[0].CreatedAt) > time.Minute {
		t.Errorf("got %+v", got.Replays)
	}
}

// keyID is the id of the rig's key.
func (r *rig) keyID() string {
	r.Helper()
	k, err := r.service.Authenticate(r.Context(), r.key)
	if err != nil {
		r.Fatal(err)
	}
	return string(k.ID)
}

func TestManyAreReplayedByFilterAndCountedBefore(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.reported("a.example", false, died())
	r.reported("b.example", false, died())
	r.reported("a.example", false, died())
	r.reported("a.example", false, delivered())
	filter := fmt.Sprintf(`"url_host":"a.example","type":"job.succeeded","created_after":%q`, first.CreatedAt.Format(time.RFC3339Nano))

	count := read[api.ReplayCount](t, r.post("/deliveries/replay", jsonBody(`{"dry_run":true,`+filter+`}`)), http.StatusOK)
	if !count.DryRun || count.Matched != 2 {
		t.Errorf("got %+v", count)
	}
	if left := read[api.DeliveryList](t, r.get("/deliveries?status=dead"), http.StatusOK); len(left.Data) != 3 {
		t.Errorf("counting has changed something: %d are left", len(left.Data))
	}

	a := r.post("/deliveries/replay", jsonBody(`{"rate_per_second":1000,`+filter+`}`))
	begun := read[api.Replay](t, a, http.StatusAccepted)
	if a.header.Get("Location") != "/base/deliveries/replays/"+begun.ID || begun.CreatedBy != r.keyID() || begun.RatePerSecond != 1000 ||
		begun.Filter.Status != api.DeliveryDead || *begun.Filter.URLHost != "a.example" || *begun.Filter.Type != api.EventJobSucceeded ||
		!begun.Filter.CreatedAfter.Equal(first.CreatedAt) || begun.Filter.CreatedBefore != nil {
		t.Errorf("got %+v at %s", begun, a.header.Get("Location"))
	}
	var end api.Replay
	eventually(t, "the replay finishes", func() bool {
		if err := r.store.ContinueReplays(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		end = read[api.Replay](t, r.get("/deliveries/replays/"+begun.ID), http.StatusOK)
		return end.Status == api.ReplayFinished
	})
	if end.Matched != 2 || end.Replayed != 2 || end.Skipped != 0 || end.FinishedAt == nil {
		t.Errorf("got %+v", end)
	}
	if left := read[api.DeliveryList](t, r.get("/deliveries?status=dead"), http.StatusOK); len(left.Data) != 1 || left.Data[0].URLHost != "b.example" {
		t.Errorf("left are %+v", left.Data)
	}
	second := read[api.Replay](t, r.post("/deliveries/replay", jsonBody(`{"status":"delivered"}`)), http.StatusAccepted)
	list := read[api.ReplayList](t, r.get("/deliveries/replays?limit=1"), http.StatusOK)
	rest := read[api.ReplayList](t, r.get("/deliveries/replays?limit=1&cursor="+*list.NextCursor), http.StatusOK)
	if list.Data[0].ID != second.ID || rest.Data[0].ID != begun.ID || rest.NextCursor != nil || second.RatePerSecond != 50 {
		t.Errorf("listed are %+v and %+v", list, rest)
	}
	theirs := r.newKey("other", jobs.ScopeRead)
	refused(t, r.get("/deliveries/replays/"+begun.ID, as(theirs)), http.StatusNotFound, api.CodeReplayNotFound)
	if others := read[api.ReplayList](t, r.get("/deliveries/replays", as(theirs)), http.StatusOK); len(others.Data) != 0 {
		t.Errorf("another tenant sees %+v", others.Data)
	}
}

func TestAURLThatIsGoneIsListedAndLifted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.reported("shop.example", false, gone())
	list := read[api.GoneURLList](t, r.get("/gone-urls"), http.StatusOK)
	dead := read[api.DeliveryList](t, r.get("/jobs/"+first.ID+"/deliveries"), http.StatusOK).Data[0]
	if len(list.Data) != 1 || list.Data[0].URLHost != "shop.example" || list.Data[0].DeliveryID != dead.ID || list.NextCursor != nil {
		t.Fatalf("got %+v", list)
	}
	refused(t, r.post("/deliveries/"+dead.ID+"/replay"), http.StatusConflict, api.CodeURLGone)

	later := r.submit(`{"html":"<p>","callback_url":"https://shop.example/hook"}`) // is taken all the same
	r.issue(later.ID, content)
	d := read[api.DeliveryList](t, r.get("/jobs/"+later.ID+"/deliveries"), http.StatusOK).Data[0]
	if d.Status != api.DeliveryDead || *d.Log[0].Outcome != api.AttemptFailed || d.Log[0].StatusCode != nil {
		t.Errorf("got %+v", d)
	}

	theirs := r.newKey("other", jobs.ScopeWrite)
	target := "/gone-urls/" + list.Data[0].ID
	refused(t, r.delete(target, as(theirs)), http.StatusNotFound, api.CodeGoneURLNotFound)
	if a := r.delete(target); a.status != http.StatusNoContent || len(a.body) > 0 {
		t.Errorf("got %d %s", a.status, a.body)
	}
	refused(t, r.delete(target), http.StatusNotFound, api.CodeGoneURLNotFound)
	read[api.Delivery](t, r.post("/deliveries/"+dead.ID+"/replay"), http.StatusAccepted)
}

func TestJobsWhoseReceiverHasNotTakenTheEventAreListed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.submit(withCallback) // has not ended
	r.issue(r.submit(page).ID, content)
	dead := r.reported("a.example", false, died())
	pending := r.reported("a.example", true, jobs.DeliveryEnd{})
	r.reported("a.example", false, delivered())
	for query, want := range map[string][]string{
		"":                              {pending.ID, dead.ID},
		"&status=failed":                {pending.ID},
		"&limit=1":                      {pending.ID},
		"&limit=1&cursor=" + pending.ID: {dead.ID},
	} {
		list := read[api.JobList](t, r.get("/jobs?acknowledged=false"+query), http.StatusOK)
		if diff := cmp.Diff(want, idsOf(list.Data)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

func TestOneTenantsReplaysAreLimited(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for range jobs.MaxReplays {
		read[api.Replay](t, r.post("/deliveries/replay", jsonBody(`{}`)), http.StatusAccepted)
	}
	refused(t, r.post("/deliveries/replay", jsonBody(`{}`)), http.StatusConflict, api.CodeReplayLimit)
	theirs := r.newKey("other", jobs.ScopeWrite)
	read[api.Replay](t, r.post("/deliveries/replay", jsonBody(`{}`), as(theirs)), http.StatusAccepted)
}
