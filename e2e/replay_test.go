package e2e_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/webhook"
)

func TestAllDeadLettersOfAHostAreReplayed(t *testing.T) {
	t.Parallel()
	s, _, _ := newTenants(t, "PLATEN_CALLBACK_SCHEDULE=10ms")
	s.env = append(s.env, "PLATEN_KEY="+s.Key)
	s.start("worker")
	receiver := newLetters(t)
	receiver.answers(http.StatusInternalServerError)
	const many = 5
	missed := map[string]bool{}
	for range many {
		s.await(s.submitHTML("<p>one</p>", receiver.url).ID)
	}
	dead := client.DeliveryFilter{Status: api.DeliveryDead}
	jobstest.Eventually(t, "all are dead", func() bool {
		list, err := s.DeliveryPage(t.Context(), dead, client.Page{})
		if err != nil || len(list.Data) != many {
			return false
		}
		for _, d := range list.Data {
			missed[d.EventID] = true
		}
		return true
	})
	if left, err := s.JobPage(t.Context(), client.JobFilter{Unacknowledged: true}, client.Page{}); err != nil || len(left.Data) != many {
		t.Errorf("%d jobs are not acknowledged, %v", len(left.Data), err)
	}
	host, err := url.Parse(receiver.url)
	if err != nil {
		t.Fatal(err)
	}
	receiver.answers(http.StatusNoContent)
	before, _ := receiver.last()

	var counted api.ReplayCount
	s.platen(&counted, "deliveries", "replay", "--all", "--url-host", host.Host, "--dry-run", "--json")
	var elsewhere, done api.Replay
	s.platen(&elsewhere, "deliveries", "replay", "--all", "--url-host", "other.example", "--wait", "--json")
	s.platen(&done, "deliveries", "replay", "--all", "--url-host", host.Host, "--rate", "10", "--wait", "--json")
	if counted.Matched != many || elsewhere.Matched != 0 || done.Replayed != many || done.Skipped != 0 || done.FinishedAt == nil || done.CreatedBy == "" {
		t.Errorf("counted %+v; elsewhere %+v; done %+v", counted, elsewhere, done)
	}
	jobstest.Eventually(t, "all arrive", func() bool { n, _ := receiver.last(); return n >= before+many })
	receiver.mu.Lock()
	for _, l := range receiver.got[before:] {
		if id := l.header.Get(webhook.HeaderID); !missed[id] {
			t.Errorf("%s arrived and was not missed", id)
		}
	}
	receiver.mu.Unlock()
	jobstest.Eventually(t, "nothing is left", func() bool {
		list, err := s.DeliveryPage(t.Context(), dead, client.Page{})
		left, errJobs := s.JobPage(t.Context(), client.JobFilter{Unacknowledged: true}, client.Page{})
		return err == nil && errJobs == nil && len(list.Data)+len(left.Data) == 0
	})
}

func TestAURLThatAnswers410IsLeftAloneUntilItIsLifted(t *testing.T) {
	t.Parallel()
	s, _, _ := newTenants(t)
	s.start("worker")
	receiver := newLetters(t)
	receiver.answers(http.StatusGone)
	ended := func(id string, status api.DeliveryStatus) api.Delivery {
		var d api.Delivery
		jobstest.Eventually(t, "the delivery is "+string(status), func() bool {
			list, err := s.Deliveries(t.Context(), id)
			if err == nil && len(list.Data) == 1 {
				d = list.Data[0]
			}
			return d.Status == status
		})
		return d
	}
	first := s.await(s.submitHTML("<p>one</p>", receiver.url).ID)
	dead := ended(first.ID, api.DeliveryDead)
	second := s.await(s.submitHTML("<p>two</p>", receiver.url).ID)
	ended(second.ID, api.DeliveryDead)
	if n, _ := receiver.last(); n != 1 {
		t.Errorf("%d requests", n)
	}
	gone, err := s.GoneURLs(t.Context())
	if err != nil || len(gone.Data) != 1 || gone.Data[0].DeliveryID != dead.ID {
		t.Fatalf("gone are %+v, %v", gone.Data, err)
	}
	if _, err := s.Replay(t.Context(), dead.ID); !client.HasCode(err, api.CodeURLGone) {
		t.Errorf("replay: %v", err)
	}
	receiver.answers(http.StatusNoContent)
	if err := s.LiftGoneURL(t.Context(), gone.Data[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Replay(t.Context(), dead.ID); err != nil {
		t.Fatal(err)
	}
	ended(first.ID, api.DeliveryDelivered)
	ended(s.await(s.submitHTML("<p>three</p>", receiver.url).ID).ID, api.DeliveryDelivered)
}
